//! The claims that searches brought, as documents with passages to quote from.

use crate::{
    analyst::SEARCH,
    conversation::Conversation,
    corpus::{Corpus, Passage, Source},
    rules::Rules,
    text::fold,
    words::Cue,
};
use domain::fetch::Finding;
use protocol::tools::{ClaimsFound, DocumentView};
use std::collections::{BTreeMap, BTreeSet};

/// Hits of one origin in one search that count, so that long documents do not win by length.
const HITS_COUNTED: usize = 3;

/// All passages that were found, each text once: of copies of one origin the one whose text comes first by its hash.
pub fn corpus(rules: &Rules, conversation: &Conversation<'_>) -> Corpus {
    let (mut documents, mut claims) = (BTreeMap::new(), BTreeMap::new());
    for found in found(conversation) {
        documents.extend(found.documents.into_iter().map(|document| (document.reference.clone(), document)));
        claims.extend(found.claims.into_iter().map(|claim| (claim.reference.clone(), claim)));
    }
    // Nothing rests on a page that its publisher took back.
    documents.retain(|_, document| document.page != Some(Finding::Retracted));
    let mut first: BTreeMap<&str, &DocumentView> = BTreeMap::new();
    for document in documents.values() {
        let known = first.entry(document.origin.as_str()).or_insert(document);
        if (&document.text, &document.title) < (&known.text, &known.title) {
            *known = document;
        }
    }
    let kept: Vec<&DocumentView> = first.into_values().collect();
    let place: BTreeMap<&str, usize> =
        kept.iter().enumerate().map(|(at, document)| (document.reference.as_str(), at)).collect();
    let sources = kept.iter().map(|document| Source {
        title: document.title.clone(),
        outlet: document.outlet.clone(),
        published: document.published.clone(),
        text: document.text.clone(),
    });
    let directs = |quote: &str| rules.words.has(Cue::Instruction, &fold(quote));
    let passages = claims.into_values().filter(|claim| !directs(claim.quote())).filter_map(|claim| {
        Some(Passage {
            source: *place.get(claim.document.as_str())?,
            quote: claim.quote().to_owned(),
            at: claim.at,
            reference: claim.reference,
        })
    });
    Corpus::new(sources.collect(), passages.collect(), rules)
}

/// References of the documents of the best origins, one of each: copies say nothing more.
pub fn documents_to_read(conversation: &Conversation<'_>, origins: usize) -> Vec<String> {
    let mut scores: BTreeMap<String, u64> = BTreeMap::new();
    let mut documents: BTreeMap<String, DocumentView> = BTreeMap::new();
    for found in found(conversation) {
        let origin: BTreeMap<&str, &str> =
            found.documents.iter().map(|document| (document.reference.as_str(), document.origin.as_str())).collect();
        let mut hits: BTreeMap<&str, Vec<u64>> = BTreeMap::new();
        for claim in &found.claims {
            if let Some(origin) = origin.get(claim.document.as_str()) {
                hits.entry(origin).or_default().push((claim.score * 1_000.0).round() as u64);
            }
        }
        for (origin, mut hits) in hits {
            hits.sort_unstable_by(|a, b| b.cmp(a));
            *scores.entry(origin.to_owned()).or_default() += hits.iter().take(HITS_COUNTED).sum::<u64>();
        }
        for document in found.documents {
            let known = documents.entry(document.origin.clone()).or_insert_with(|| document.clone());
            if (&document.text, &document.title) < (&known.text, &known.title) {
                *known = document;
            }
        }
    }
    let mut ranked: Vec<(&DocumentView, u64)> =
        documents.values().map(|document| (document, scores.get(&document.origin).copied().unwrap_or(0))).collect();
    ranked.sort_by(|(a, of_a), (b, of_b)| of_b.cmp(of_a).then_with(|| (&a.text, &a.title).cmp(&(&b.text, &b.title))));
    ranked.into_iter().take(origins).map(|(document, _)| document.reference.clone()).collect()
}

/// Titles of documents that their publishers took back.
pub fn retracted(conversation: &Conversation<'_>) -> BTreeSet<String> {
    let documents = found(conversation).flat_map(|found| found.documents);
    documents.filter(|document| document.page == Some(Finding::Retracted)).map(|document| document.title).collect()
}

fn found(conversation: &Conversation<'_>) -> impl Iterator<Item = ClaimsFound> {
    conversation.with(SEARCH).filter_map(|exchange| exchange.json()).chain(conversation.given())
}
