//! What searches brought, as far as the next step needs it: which documents and which outlets. Their words are left unread.

use super::super::{
    super::conversation::{Conversation, Exchange},
    SEARCH,
};
use domain::{DocumentId, EntityId};
use engine::agents::tools::wire::NameSeen;
use serde::Deserialize;
use std::collections::{BTreeMap, BTreeSet};

/// Copies of one text that are read closely at most.
const COPIES_READ: usize = 3;
/// Hits of one origin in one search that count, so that long documents do not win by length.
const HITS_COUNTED: usize = 3;

/// One claim of a search, without what it says.
#[derive(Debug, Deserialize)]
struct Hit {
    document_id: DocumentId,
    document_title: String,
    origin: String,
    outlet: Option<NameSeen>,
    score: f64,
}

#[derive(Debug, Deserialize)]
struct Page {
    #[serde(default)]
    claims: Vec<Hit>,
}

#[derive(Debug, Deserialize)]
struct Ending {
    next_offset: Option<u32>,
}

/// Where the next page of a search begins; none when it was the last.
pub fn next_offset(exchange: &Exchange<'_>) -> Option<u32> {
    exchange.json::<Ending>()?.next_offset
}

/// All documents of the best origins, a few copies of each.
pub fn documents_to_read(conversation: &Conversation<'_>, origins: usize) -> Vec<DocumentId> {
    let pages = pages(conversation);
    let scores = scores(&pages);
    let mut ranked: Vec<(&str, u64)> = scores.into_iter().collect();
    ranked.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(b.0)));
    let best: BTreeSet<&str> = ranked.into_iter().take(origins).map(|(origin, _)| origin).collect();
    let mut hits: Vec<&Hit> =
        pages.iter().flat_map(|page| &page.claims).filter(|hit| best.contains(hit.origin.as_str())).collect();
    hits.sort_by_key(|hit| (&hit.origin, hit.outlet.as_ref().map(|outlet| &outlet.name), &hit.document_title, hit.document_id));
    let (mut documents, mut seen) = (vec![], BTreeSet::new());
    let mut copies: BTreeMap<&str, usize> = BTreeMap::new();
    for hit in hits {
        if seen.insert(hit.document_id) {
            let count = copies.entry(&hit.origin).or_default();
            *count += 1;
            // Further copies say nothing more, and each costs a part of a call.
            if *count <= COPIES_READ {
                documents.push(hit.document_id);
            }
        }
    }
    documents
}

/// The outlets of what was found, those with most origins first.
pub fn outlets(conversation: &Conversation<'_>, limit: usize) -> Vec<EntityId> {
    let pages = pages(conversation);
    let mut origins: BTreeMap<EntityId, (&str, BTreeSet<&str>)> = BTreeMap::new();
    for hit in pages.iter().flat_map(|page| &page.claims) {
        if let Some(outlet) = &hit.outlet {
            origins.entry(outlet.id).or_insert((&outlet.name, BTreeSet::new())).1.insert(&hit.origin);
        }
    }
    let mut ranked: Vec<_> = origins.into_iter().collect();
    ranked.sort_by(|a, b| b.1.1.len().cmp(&a.1.1.len()).then_with(|| a.1.0.cmp(b.1.0)));
    ranked.into_iter().take(limit).map(|(id, _)| id).collect()
}

fn pages(conversation: &Conversation<'_>) -> Vec<Page> {
    conversation.with(SEARCH).filter_map(|exchange| exchange.json()).collect()
}

/// What each origin got from all searches, in thousandths.
fn scores(pages: &[Page]) -> BTreeMap<&str, u64> {
    let mut scores: BTreeMap<&str, u64> = BTreeMap::new();
    for page in pages {
        let mut of_search: BTreeMap<&str, Vec<u64>> = BTreeMap::new();
        for hit in &page.claims {
            of_search.entry(&hit.origin).or_default().push((hit.score * 1_000.0).round() as u64);
        }
        for (origin, mut hits) in of_search {
            hits.sort_unstable_by(|a, b| b.cmp(a));
            *scores.entry(origin).or_default() += hits.iter().take(HITS_COUNTED).sum::<u64>();
        }
    }
    scores
}
