//! Entities: the world objects of the knowledge graph.

use crate::{ClaimId, EntityId, MergeId, ReviewId, Timestamp, UserId};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// A world object as one scope sees it. `kind` is a loose label and never says which properties exist.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Entity {
    pub id: EntityId,
    pub canonical_name: String,
    pub aliases: Vec<String>,
    pub kind: String,
    pub summary: Option<EvidencedValue<String>>,
    /// Known by name only; later work fleshes it out.
    pub is_stub: bool,
    pub properties: BTreeMap<PropertyKey, EvidencedValue<PropertyValue>>,
    /// Every value of the properties that were stated with several, newest evidence first: the first is the one in `properties`.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub history: BTreeMap<PropertyKey, Vec<DatedValue>>,
    /// Identifiers in other systems (`wikidata`, `lei`, `iso3166`, `ticker` …): strong signs of sameness, never primary ids.
    pub external_ids: BTreeMap<String, String>,
    pub last_updated: Timestamp,
    /// Words find it, searches by meaning do not yet.
    pub embedding_pending: bool,
}

/// A value with the claims that support it; never without one.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct EvidencedValue<T> {
    pub value: T,
    pub claim_ids: Vec<ClaimId>,
}

/// One of several values of a property, with the publication times of the first and the last claim that state it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct DatedValue {
    pub value: PropertyValue,
    pub claim_ids: Vec<ClaimId>,
    pub first: Option<Timestamp>,
    pub last: Option<Timestamp>,
}

crate::words! {
    /// Verdict of a judge on a pair of entities. `Unsure` leaves the pair to a person.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
    #[serde(rename_all = "snake_case")]
    pub enum IdentityVerdict {
        Same = "same",
        Different = "different",
        Unsure = "unsure",
    }
}

/// A property's name: `[a-z][a-z0-9_]{0,62}`.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(try_from = "String", into = "String")]
#[schemars(with = "String", extend("pattern" = "^[a-z][a-z0-9_]{0,62}$"))]
pub struct PropertyKey(String);

/// The property name given is not allowed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("'{0}' is not a property name: use 1 to 63 of a-z, 0-9 and _, beginning with a letter")]
pub struct BadPropertyKey(String);

impl PropertyKey {
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl TryFrom<String> for PropertyKey {
    type Error = BadPropertyKey;
    fn try_from(text: String) -> Result<Self, BadPropertyKey> {
        let well_formed = text.len() <= 63
            && text.starts_with(|first: char| first.is_ascii_lowercase())
            && text.bytes().all(|byte| matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'_'));
        if well_formed { Ok(Self(text)) } else { Err(BadPropertyKey(text.chars().take(80).collect())) }
    }
}

impl From<PropertyKey> for String {
    fn from(key: PropertyKey) -> String {
        key.0
    }
}

/// A scalar, or a list of one scalar type.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum PropertyValue {
    Bool(bool),
    Integer(i64),
    Number(f64),
    Text(String),
    Bools(Vec<bool>),
    Integers(Vec<i64>),
    Numbers(Vec<f64>),
    Texts(Vec<String>),
}

/// A merge of two entities that was not undone, as one scope sees it. The name of a hidden side is its id.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Merge {
    pub id: MergeId,
    pub survivor: EntityId,
    pub survivor_name: String,
    pub merged: EntityId,
    pub merged_name: String,
    /// Person who decided; none for merges of before this was stored.
    pub by: Option<UserId>,
    pub at: Timestamp,
}

/// A pair of entities that are probably the same and await a verdict.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Review {
    pub id: ReviewId,
    pub left: EntityId,
    pub right: EntityId,
    /// Score of the comparison, 0 to 1.
    pub score: f64,
    pub why: String,
    pub created_at: Timestamp,
    /// When somebody put the decision off.
    pub postponed_at: Option<Timestamp>,
    /// Person who decided last, and the time; none where no person did, or before this was stored.
    pub decided_by: Option<UserId>,
    pub decided_at: Option<Timestamp>,
}

/// Stage of resolution that proposed a pair.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum ReviewStage {
    /// A document states that both are one.
    Document,
    /// Ids in other systems, of which some agree and some do not.
    ExternalIds,
    Names,
    /// Names, then the similarity of descriptions.
    Descriptions,
    /// Names, then a model.
    Model,
}

impl Review {
    /// Beginning of the reason of a pair that a document states.
    pub const STATED: &str = "a document says so";
    /// Reasons of pairs with the same name, of kinds that may and that cannot be one.
    pub const SAME_NAME: &str = "the same name";
    pub const TWO_KINDS: &str = "one name, two kinds of thing";
    /// Reason of a pair that has only a short form in common, whose score measures nothing.
    pub const SHORT_FORM: &str = "only a short form is the same";
    /// Reason of a pair whose external ids contradict each other.
    pub const IDS_DISAGREE: &str = "ids in other systems disagree";
    /// Text before the verdict of a later stage, and the beginning of its reason if it compared descriptions.
    pub const JUDGED: &str = "; judged ";
    pub const DESCRIPTIONS_ALIKE: &str = "their descriptions are alike by";

    /// Returns whether a reason has words of a document, or of a judge who read some.
    pub fn is_quoting(why: &str) -> bool {
        why.starts_with(Self::STATED) || why.contains(Self::JUDGED)
    }

    /// Returns the stage that proposed the pair, which its reason tells.
    pub fn stage(&self) -> ReviewStage {
        match self.why.split_once(Self::JUDGED) {
            _ if self.why.starts_with(Self::STATED) => ReviewStage::Document,
            Some((_, verdict)) if verdict.contains(Self::DESCRIPTIONS_ALIKE) => ReviewStage::Descriptions,
            Some(_) => ReviewStage::Model,
            None if self.why == Self::IDS_DISAGREE => ReviewStage::ExternalIds,
            None => ReviewStage::Names,
        }
    }
}

/// Decision of a person about a review, besides a merge. Each replaces the one before.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ReviewDecision {
    /// Listed again, as if undecided.
    Reopen,
    /// Listed after all others.
    Later,
    /// Never proposed again.
    KeepApart,
}
