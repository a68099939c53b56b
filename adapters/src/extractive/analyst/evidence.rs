//! The claims that were found, each once, in an order that depends on nothing but their texts.

pub mod overview;
mod voices;

use super::{
    super::{
        answer::{Mode, Passage},
        conversation::Conversation,
    },
    SEARCH,
};
use domain::{ClaimId, claim, fetch::Finding};
use engine::agents::tools::wire::{ClaimSeen, ClaimsFound};
use std::collections::{BTreeMap, BTreeSet};

/// Everything that searches have brought. Reading it costs: once, when the assessment is written; `overview` serves the turns before.
pub(super) struct Evidence {
    /// Sorted by text, place in it, outlet and title; the index is a claim's key.
    pub claims: Vec<ClaimSeen>,
    /// By claim: the voice it belongs to. Copies that were trimmed or rewrapped are one voice with their original.
    pub voices: Vec<String>,
    /// Titles of documents of which nothing is used: who published them has taken them back.
    pub taken_back: BTreeSet<String>,
}

impl Evidence {
    pub fn found(conversation: &Conversation<'_>) -> Self {
        let mut claims: BTreeMap<ClaimId, ClaimSeen> = BTreeMap::new();
        let searched = conversation.with(SEARCH).filter_map(|exchange| exchange.json::<ClaimsFound>());
        for found in conversation.given::<ClaimsFound>().into_iter().chain(searched) {
            for claim in found.claims {
                claims.entry(claim.id).or_insert(claim);
            }
        }
        let is_taken_back = |claim: &ClaimSeen| claim.page == Some(Finding::Retracted);
        let (gone, mut claims): (Vec<_>, Vec<_>) = claims.into_values().partition(is_taken_back);
        claims.sort_by(|a, b| order(a).cmp(&order(b)));
        let voices = voices::of(&claims);
        Self { claims, voices, taken_back: gone.into_iter().map(|claim| claim.document_title).collect() }
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
    (claim.text_key(), claim.span.start, outlet, &claim.document_title, &claim.content)
}

fn passage<'a>(claim: &'a ClaimSeen, voice: &'a str, key: u32) -> Passage<'a> {
    Passage {
        key,
        document: claim.text_key(),
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
