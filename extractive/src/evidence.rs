//! The claims that searches brought, as documents with passages to quote from.

use crate::{
    analyst::SEARCH,
    conversation::Conversation,
    corpus::{Corpus, Passage, Source},
    rules::Rules,
    text::fold,
    words::Cue,
};
use domain::{document::source_name, fetch::PageState};
use protocol::tools::{ClaimsFound, DocumentView};
use std::collections::{BTreeMap, BTreeSet};

/// Hits of one origin in one search that count, so that long documents do not win by length.
const HITS_COUNTED: usize = 3;

/// Everything that the searches of a conversation brought, read once.
pub struct Evidence {
    /// Each text once: of copies of one origin the one whose text comes first by its hash.
    pub corpus: Corpus,
    /// Titles of documents that their publishers took back, host or file where the outlet is unknown: nothing rests on them.
    pub retracted: BTreeSet<String>,
    /// Names and references of the entities that searches named.
    pub entities: BTreeSet<(String, String)>,
}

impl Evidence {
    pub fn read(rules: &Rules, conversation: &Conversation<'_>) -> Self {
        let (mut documents, mut claims, mut entities) = (BTreeMap::new(), BTreeMap::new(), BTreeSet::new());
        let mut add = |found: ClaimsFound| {
            documents.extend(found.documents.into_iter().map(|document| (document.reference.clone(), document)));
            claims.extend(found.claims.into_iter().map(|claim| (claim.reference.clone(), claim)));
        };
        for mut found in searched(conversation) {
            entities.extend(std::mem::take(&mut found.entities).into_iter().map(|entity| (entity.name, entity.reference)));
            add(found);
        }
        conversation.given().into_iter().for_each(add);
        let is_retracted = |document: &DocumentView| document.page == Some(PageState::Retracted);
        let (gone, documents): (Vec<_>, Vec<_>) = documents.into_values().partition(is_retracted);
        let kept: Vec<DocumentView> = first_of_each_origin(documents).into_values().collect();
        let place: BTreeMap<&str, usize> = kept.iter().map(|document| document.reference.as_str()).zip(0..).collect();
        let directs = |quote: &str| rules.words.has(Cue::Instruction, &fold(quote));
        let passages = claims.into_values().filter(|claim| !directs(claim.quote())).filter_map(|claim| {
            Some(Passage {
                source: *place.get(claim.document.as_str())?,
                quote: claim.quote().to_owned(),
                at: claim.at,
                reference: claim.reference,
            })
        });
        let passages = passages.collect();
        let source = |document: DocumentView| Source {
            name: source_name(document.outlet.as_deref(), document.source.as_deref().unwrap_or_default()).to_owned(),
            is_opinion: document.is_opinion,
            title: document.title,
            published: document.published,
            text: document.text,
        };
        let corpus = Corpus::new(kept.into_iter().map(source).collect(), passages, rules);
        Self {
            corpus,
            retracted: gone.into_iter().map(|document| document.source.unwrap_or(document.title)).collect(),
            entities,
        }
    }
}

/// References of the documents of the best origins, one of each: copies say nothing more.
pub fn documents_to_read(conversation: &Conversation<'_>, origins: usize) -> Vec<String> {
    let mut scores: BTreeMap<String, u64> = BTreeMap::new();
    let mut documents: Vec<DocumentView> = vec![];
    // A document stands in the first result that has a claim of it.
    let mut origin_of: BTreeMap<String, String> = BTreeMap::new();
    for found in searched(conversation).chain(conversation.given()) {
        origin_of.extend(found.documents.iter().map(|document| (document.reference.clone(), document.origin.clone())));
        let mut hits: BTreeMap<&str, Vec<u64>> = BTreeMap::new();
        for claim in &found.claims {
            if let Some(origin) = origin_of.get(&claim.document) {
                hits.entry(origin).or_default().push((claim.score * 1_000.0).round() as u64);
            }
        }
        for (origin, mut hits) in hits {
            hits.sort_unstable_by(|a, b| b.cmp(a));
            *scores.entry(origin.to_owned()).or_default() += hits.iter().take(HITS_COUNTED).sum::<u64>();
        }
        documents.extend(found.documents);
    }
    let documents = first_of_each_origin(documents);
    let mut ranked: Vec<(&DocumentView, u64)> =
        documents.values().map(|document| (document, scores.get(&document.origin).copied().unwrap_or(0))).collect();
    ranked.sort_by(|(a, of_a), (b, of_b)| of_b.cmp(of_a).then_with(|| (&a.text, &a.title).cmp(&(&b.text, &b.title))));
    ranked.into_iter().take(origins).map(|(document, _)| document.reference.clone()).collect()
}

/// By origin the document whose text comes first, regardless of their ids: the others are copies.
fn first_of_each_origin(documents: Vec<DocumentView>) -> BTreeMap<String, DocumentView> {
    let mut first: BTreeMap<String, DocumentView> = BTreeMap::new();
    for document in documents {
        match first.get_mut(&document.origin) {
            Some(known) if (&document.text, &document.title) < (&known.text, &known.title) => *known = document,
            Some(_) => {}
            None => drop(first.insert(document.origin.clone(), document)),
        }
    }
    first
}

fn searched(conversation: &Conversation<'_>) -> impl Iterator<Item = ClaimsFound> {
    conversation.with(SEARCH).filter_map(|exchange| exchange.json())
}
