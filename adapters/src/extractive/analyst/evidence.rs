//! The claims that were found, each once, in an order that depends on nothing but their texts.

mod voices;

use super::{
    super::{
        answer::{Mode, Passage},
        conversation::Conversation,
    },
    SEARCH,
};
use domain::{ClaimId, DocumentId, EntityId, claim};
use engine::agents::tools::wire::{ClaimSeen, ClaimsFound};
use std::collections::{BTreeMap, BTreeSet};

/// Copies of one text that are read closely at most.
const COPIES_READ: usize = 3;

/// Everything that searches have brought so far.
pub(super) struct Evidence {
    /// Sorted by origin, place in the text, outlet and title; the index is a claim's key.
    pub claims: Vec<ClaimSeen>,
    /// By claim: the voice it belongs to. Copies that were trimmed or rewrapped are one voice with their original.
    pub voices: Vec<String>,
    /// Best score that each origin got from a search, in thousandths.
    scores: BTreeMap<String, u64>,
}

impl Evidence {
    pub fn found(conversation: &Conversation<'_>) -> Self {
        let (mut claims, mut scores): (BTreeMap<ClaimId, ClaimSeen>, BTreeMap<String, u64>) = Default::default();
        for found in conversation.with(SEARCH).filter_map(|exchange| exchange.json::<ClaimsFound>()) {
            // The best few hits of an origin count, so that long documents do not win by length.
            let mut of_search: BTreeMap<&str, Vec<u64>> = BTreeMap::new();
            for claim in &found.claims {
                of_search.entry(&claim.origin).or_default().push((claim.score * 1_000.0).round() as u64);
            }
            for (origin, mut hits) in of_search {
                hits.sort_unstable_by(|a, b| b.cmp(a));
                *scores.entry(origin.to_owned()).or_default() += hits.iter().take(3).sum::<u64>();
            }
            for claim in found.claims {
                claims.entry(claim.id).or_insert(claim);
            }
        }
        let mut claims: Vec<ClaimSeen> = claims.into_values().collect();
        claims.sort_by(|a, b| order(a).cmp(&order(b)));
        let voices = voices::of(&claims);
        Self { claims, voices, scores }
    }

    /// All documents of the best origins, copies too.
    pub fn documents_to_read(&self, origins: usize) -> Vec<DocumentId> {
        let mut ranked: Vec<(&String, u64)> = self.scores.iter().map(|(origin, score)| (origin, *score)).collect();
        ranked.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(b.0)));
        let best: BTreeSet<&str> = ranked.into_iter().take(origins).map(|(origin, _)| origin.as_str()).collect();
        let (mut documents, mut seen) = (vec![], BTreeSet::new());
        let mut copies: BTreeMap<&str, usize> = BTreeMap::new();
        for claim in self.claims.iter().filter(|claim| best.contains(claim.origin.as_str())) {
            if seen.insert(claim.document_id) {
                let count = copies.entry(&claim.origin).or_default();
                *count += 1;
                // Further copies say nothing more, and each costs a part of a call.
                if *count <= COPIES_READ {
                    documents.push(claim.document_id);
                }
            }
        }
        documents
    }

    /// The outlets of the claims, those with most origins first.
    pub fn outlets(&self, limit: usize) -> Vec<EntityId> {
        let mut origins: BTreeMap<EntityId, (&str, BTreeSet<&str>)> = BTreeMap::new();
        for claim in &self.claims {
            if let Some(outlet) = &claim.outlet {
                origins.entry(outlet.id).or_insert((&outlet.name, BTreeSet::new())).1.insert(&claim.origin);
            }
        }
        let mut ranked: Vec<_> = origins.into_iter().collect();
        ranked.sort_by(|a, b| b.1.1.len().cmp(&a.1.1.len()).then_with(|| a.1.0.cmp(b.1.0)));
        ranked.into_iter().take(limit).map(|(id, _)| id).collect()
    }

    /// The claims as the reasoning takes them; copies of one text are one document to it. Leaves out the keys in `left_out`.
    pub fn passages(&self, left_out: &BTreeSet<usize>) -> Vec<Passage<'_>> {
        let mut seen = BTreeSet::new();
        let mut passages = vec![];
        for (key, (claim, voice)) in self.claims.iter().zip(&self.voices).enumerate() {
            if !left_out.contains(&key) && seen.insert((voice, claim.content.to_lowercase())) {
                passages.push(passage(claim, voice, u32::try_from(key).unwrap_or(u32::MAX)));
            }
        }
        passages
    }
}

/// What two runs over the same documents agree on.
fn order(claim: &ClaimSeen) -> (&str, u64, &str, &str, &str) {
    let outlet = claim.outlet.as_ref().map_or("", |outlet| outlet.name.as_str());
    (&claim.origin, claim.span.start, outlet, &claim.document_title, &claim.content)
}

fn passage<'a>(claim: &'a ClaimSeen, voice: &'a str, key: u32) -> Passage<'a> {
    Passage {
        key,
        document: &claim.origin,
        origin: voice,
        text: &claim.quote,
        start: usize::try_from(claim.span.start).unwrap_or(usize::MAX),
        outlet: claim.outlet.as_ref().map(|outlet| outlet.name.as_str()),
        published: claim.published_at.as_deref(),
        speaker: claim.speaker.as_deref(),
        mode: match claim.mode {
            claim::Mode::Asserted => Mode::Asserted,
            claim::Mode::Denied => Mode::Denied,
            claim::Mode::Alleged => Mode::Alleged,
            claim::Mode::Promised => Mode::Promised,
            claim::Mode::Forecast => Mode::Forecast,
        },
    }
}
