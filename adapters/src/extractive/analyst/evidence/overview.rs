//! What searches brought, as far as the next step needs it: which documents and which outlets. Their words are left unread.

use super::super::{
    super::conversation::{Conversation, Exchange},
    SEARCH,
};
use serde::Deserialize;
use std::collections::{BTreeMap, BTreeSet};

/// Copies of one text that are read closely at most.
const COPIES_READ: usize = 3;
/// Hits of one origin in one search that count, so that long documents do not win by length.
const HITS_COUNTED: usize = 3;

/// A claim of a search, without what it says.
#[derive(Debug, Deserialize)]
struct Hit {
    /// Reference of its document.
    document: String,
    score: f64,
}

/// The document of some claims, as far as it says whose it is.
#[derive(Debug, Deserialize)]
struct Described {
    #[serde(rename = "ref")]
    reference: String,
    title: String,
    origin: String,
    outlet: Option<String>,
    outlet_ref: Option<String>,
}

#[derive(Debug, Deserialize)]
struct Page {
    #[serde(default)]
    claims: Vec<Hit>,
    #[serde(default)]
    documents: Vec<Described>,
}

impl Page {
    /// Each claim with its document.
    fn hits(&self) -> impl Iterator<Item = (&Hit, &Described)> {
        let described = |hit: &Hit| self.documents.iter().find(|document| document.reference == hit.document);
        self.claims.iter().filter_map(move |hit| Some((hit, described(hit)?)))
    }
}

#[derive(Debug, Deserialize)]
struct Ending {
    next_offset: Option<u32>,
}

/// Where the next page of a search begins; none when it was the last.
pub fn next_offset(exchange: &Exchange<'_>) -> Option<u32> {
    exchange.json::<Ending>()?.next_offset
}

/// References of all documents of the best origins, a few copies of each.
pub fn documents_to_read(conversation: &Conversation<'_>, origins: usize) -> Vec<String> {
    let pages = pages(conversation);
    let scores = scores(&pages);
    let mut ranked: Vec<(&str, u64)> = scores.into_iter().collect();
    ranked.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(b.0)));
    let best: BTreeSet<&str> = ranked.into_iter().take(origins).map(|(origin, _)| origin).collect();
    let mut described: Vec<&Described> =
        pages.iter().flat_map(|page| &page.documents).filter(|document| best.contains(document.origin.as_str())).collect();
    described.sort_by_key(|document| (&document.origin, &document.outlet, &document.title, &document.reference));
    let (mut documents, mut seen) = (vec![], BTreeSet::new());
    let mut copies: BTreeMap<&str, usize> = BTreeMap::new();
    for document in described {
        if seen.insert(&document.reference) {
            let count = copies.entry(&document.origin).or_default();
            *count += 1;
            // Further copies say nothing more, and each costs a part of a call.
            if *count <= COPIES_READ {
                documents.push(document.reference.clone());
            }
        }
    }
    documents
}

/// References of the outlets of what was found, those with most origins first.
pub fn outlets(conversation: &Conversation<'_>, limit: usize) -> Vec<String> {
    let pages = pages(conversation);
    let mut origins: BTreeMap<&str, (Option<&str>, BTreeSet<&str>)> = BTreeMap::new();
    for document in pages.iter().flat_map(|page| &page.documents) {
        if let Some(outlet) = &document.outlet_ref {
            let known = origins.entry(outlet).or_insert((document.outlet.as_deref(), BTreeSet::new()));
            known.1.insert(&document.origin);
        }
    }
    let mut ranked: Vec<_> = origins.into_iter().collect();
    ranked.sort_by(|a, b| b.1.1.len().cmp(&a.1.1.len()).then_with(|| a.1.0.cmp(&b.1.0)));
    ranked.into_iter().take(limit).map(|(reference, _)| reference.to_owned()).collect()
}

fn pages(conversation: &Conversation<'_>) -> Vec<Page> {
    conversation.with(SEARCH).filter_map(|exchange| exchange.json()).collect()
}

/// What each origin got from all searches, in thousandths.
fn scores(pages: &[Page]) -> BTreeMap<&str, u64> {
    let mut scores: BTreeMap<&str, u64> = BTreeMap::new();
    for page in pages {
        let mut of_search: BTreeMap<&str, Vec<u64>> = BTreeMap::new();
        for (hit, document) in page.hits() {
            of_search.entry(&document.origin).or_default().push((hit.score * 1_000.0).round() as u64);
        }
        for (origin, mut hits) in of_search {
            hits.sort_unstable_by(|a, b| b.cmp(a));
            *scores.entry(origin).or_default() += hits.iter().take(HITS_COUNTED).sum::<u64>();
        }
    }
    scores
}
