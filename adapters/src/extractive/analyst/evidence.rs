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
use crate::extractive::stand_in;
use domain::{
    ClaimId, EntityId,
    claim::{self, Attribution},
    fetch::Finding,
};
use protocol::tools::{ClaimsFound, DocumentView};
use std::collections::{BTreeMap, BTreeSet};

/// The outlet of a document.
pub(super) struct Outlet {
    pub id: EntityId,
    pub name: String,
}

/// A claim with what its answer says of its document.
pub(super) struct FoundClaim {
    pub id: ClaimId,
    pub content: String,
    pub quote: String,
    pub attribution: Attribution,
    pub mode: claim::Mode,
    pub speaker: Option<String>,
    /// Where it begins in the text, in bytes.
    pub at: u64,
    /// Reference of its document.
    pub document: String,
    pub document_title: String,
    pub outlet: Option<Outlet>,
    pub published_at: Option<String>,
    /// What tells its text from others.
    pub text: String,
    pub origin: String,
    pub page: Option<Finding>,
}

/// The claims of one answer, each with its document.
fn claims_of(found: ClaimsFound) -> impl Iterator<Item = FoundClaim> {
    let documents: BTreeMap<String, DocumentView> =
        found.documents.into_iter().map(|document| (document.reference.clone(), document)).collect();
    found.claims.into_iter().filter_map(move |claim| {
        let document = documents.get(&claim.document)?;
        let outlet_id = document.outlet_ref.as_deref().and_then(stand_in::id);
        let outlet = document.outlet_ref.as_ref().and(document.outlet.clone());
        Some(FoundClaim {
            id: ClaimId(stand_in::id(&claim.reference)?),
            quote: claim.quote().to_owned(),
            attribution: claim.attribution,
            mode: claim.mode.unwrap_or(claim::Mode::Asserted),
            at: claim.at,
            document_title: document.title.clone(),
            outlet: outlet_id.zip(outlet).map(|(id, name)| Outlet { id: EntityId(id), name }),
            published_at: document.published.clone(),
            text: document.text.clone(),
            origin: document.origin.clone(),
            page: document.page,
            document: claim.document,
            content: claim.content,
            speaker: claim.speaker,
        })
    })
}

/// Everything that searches have brought. Reading it costs: once, when the assessment is written; `overview` serves the turns before.
pub(super) struct Evidence {
    /// Sorted by text, place in it, outlet and title; the index is a claim's key.
    pub claims: Vec<FoundClaim>,
    /// By claim: the voice it belongs to. Copies that were trimmed or rewrapped are one voice with their original.
    pub voices: Vec<String>,
    /// Titles of documents of which nothing is used: who published them has taken them back.
    pub taken_back: BTreeSet<String>,
}

impl Evidence {
    pub fn found(conversation: &Conversation<'_>) -> Self {
        let mut claims: BTreeMap<ClaimId, FoundClaim> = BTreeMap::new();
        let searched = conversation.with(SEARCH).filter_map(|exchange| exchange.json::<ClaimsFound>());
        for found in conversation.given::<ClaimsFound>().into_iter().chain(searched) {
            for claim in claims_of(found) {
                claims.entry(claim.id).or_insert(claim);
            }
        }
        let is_taken_back = |claim: &FoundClaim| claim.page == Some(Finding::Retracted);
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
fn order(claim: &FoundClaim) -> (&str, u64, &str, &str, &str) {
    let outlet = claim.outlet.as_ref().map_or("", |outlet| outlet.name.as_str());
    (&claim.text, claim.at, outlet, &claim.document_title, &claim.content)
}

fn passage<'a>(claim: &'a FoundClaim, voice: &'a str, key: u32) -> Passage<'a> {
    Passage {
        key,
        document: &claim.text,
        origin: voice,
        text: &claim.quote,
        start: usize::try_from(claim.at).unwrap_or(usize::MAX),
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
