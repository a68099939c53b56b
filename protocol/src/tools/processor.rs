//! Arguments and results of the Processor's tools, and what `batch_extract` answers.

use super::{GivenPeriod, PeriodExtract, lenient};
use domain::{
    ClaimId, Confidence, DocumentId, EntityId, PartialDate, PublicationDate, RelationshipId, Timestamp,
    claim::{Attribution, Information, Mode},
    entity::{IdentityVerdict, PropertyValue},
    fetch::{Link, SourceHit},
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CreateEntity {
    /// The document that speaks of it.
    pub document_id: DocumentId,
    pub canonical_name: String,
    #[serde(default)]
    pub aliases: Vec<String>,
    pub kind: String,
    #[serde(default)]
    pub is_stub: bool,
    #[serde(default)]
    pub external_ids: BTreeMap<String, String>,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct EntityCreated {
    pub entity_id: EntityId,
    /// False: it was known already.
    pub is_new: bool,
}

/// Changes of an entity's current state; each is backed by the claims named.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct UpdateEntity {
    pub entity_id: EntityId,
    pub claim_ids: Vec<ClaimId>,
    #[serde(default)]
    pub summary: Option<String>,
    #[serde(default)]
    pub kind: Option<String>,
    #[serde(default)]
    pub aliases: Vec<String>,
    #[serde(default)]
    pub properties: BTreeMap<String, PropertyValue>,
    #[serde(default)]
    pub external_ids: BTreeMap<String, String>,
    #[serde(default)]
    pub is_stub: Option<bool>,
}

#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CreateClaim {
    pub document_id: DocumentId,
    /// Copied from the document, word for word.
    pub quote: String,
    pub content: String,
    /// The outlet that published it.
    #[serde(default)]
    pub source_entity_id: Option<EntityId>,
    #[serde(default)]
    pub referenced_entity_ids: Vec<EntityId>,
    /// Null: the document's own date.
    #[serde(default)]
    pub published: Option<PublicationDate>,
    /// When what it states happened.
    #[serde(default, deserialize_with = "lenient::period")]
    #[schemars(with = "Option<GivenPeriod>")]
    pub occurred: Option<PeriodExtract>,
    pub attribution_depth: Attribution,
    pub information: Information,
    pub mode: Mode,
    #[serde(default)]
    pub speaker: Option<String>,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct ClaimCreated {
    pub claim_id: ClaimId,
    pub is_new: bool,
}

#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CreateRelationship {
    pub source_entity_id: EntityId,
    pub target_entity_id: EntityId,
    pub description: String,
    /// The claims that state it; never empty.
    pub claim_ids: Vec<ClaimId>,
    #[serde(default)]
    pub weight: Option<f64>,
    #[serde(default)]
    pub confidence: Option<Confidence>,
    #[serde(default)]
    pub bidirectional: bool,
    #[serde(default)]
    pub timestamp: Option<Timestamp>,
    #[serde(default)]
    pub since: Option<PartialDate>,
    #[serde(default)]
    pub until: Option<PartialDate>,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct RelationshipCreated {
    pub relationship_id: RelationshipId,
    pub is_new: bool,
}

/// More evidence, or another weight, for a relationship that is there.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct UpdateRelationship {
    pub relationship_id: RelationshipId,
    pub claim_ids: Vec<ClaimId>,
    #[serde(default)]
    pub weight: Option<f64>,
    #[serde(default)]
    pub confidence: Option<Confidence>,
    #[serde(default)]
    pub timestamp: Option<Timestamp>,
    #[serde(default)]
    pub since: Option<PartialDate>,
    #[serde(default)]
    pub until: Option<PartialDate>,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct UpdateResult {
    pub done: bool,
}

#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct FetchSourceQuery {
    pub source_id: String,
    #[serde(default)]
    pub query_params: SourceQuery,
}

/// What a source is asked: the library by `as_of` and `offset`, any other by the rest.
#[derive(Debug, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct SourceQuery {
    /// Words to find; none: everything.
    pub query: Option<String>,
    /// The state of the source that `offset` counts in; none: as it is now.
    pub as_of: Option<u64>,
    /// Only documents that nobody has recorded yet.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub only_unread: bool,
    pub offset: u64,
    /// Items to go through, from `offset`; the answer may hold fewer and then says where to go on.
    pub limit: Option<u32>,
    /// First and last day of publication, as YYYY-MM-DD.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub since: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub until: Option<String>,
    /// ISO 639-1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub language: Option<String>,
    /// Part of the world, as the source's coverage names it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub region: Option<String>,
    /// `next_page` of the answer before.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub page: Option<String>,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct SourceAnswer {
    pub documents: Vec<DocumentEntry>,
    pub total: u64,
    /// The state of the source that this is a part of: ask for the next part with it.
    pub as_of: u64,
    /// Where to go on within what was asked for; null when that was all.
    pub next_offset: Option<u64>,
}

/// What a source other than the library names. Each address may be opened by `fetch_url`.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct SourceFound {
    pub found: Vec<PageFound>,
    /// How many there are in all, where the source says so.
    pub total: Option<u64>,
    /// What to ask for the rest; null when that was all.
    pub next_page: Option<String>,
}

/// A page as a source names it.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct PageFound {
    pub url: String,
    pub title: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub snippet: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub outlet: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub published: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub language: Option<String>,
}

impl From<SourceHit> for PageFound {
    fn from(hit: SourceHit) -> Self {
        Self {
            url: hit.address,
            title: hit.title,
            snippet: hit.snippet,
            outlet: hit.outlet,
            published: hit.published.map(|published| published.to_string()),
            language: hit.language,
        }
    }
}

/// A document as a source lists it. Its text is read when it is extracted, in a call without tools.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct DocumentEntry {
    /// `d3`.
    #[serde(rename = "ref")]
    pub reference: String,
    pub title: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub outlet: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub published: Option<String>,
    /// Length of its text in bytes.
    pub bytes: u64,
    /// It has been recorded already.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub extracted: bool,
}

#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct FetchUrl {
    pub url: String,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct UrlFetched {
    /// After redirects.
    pub final_url: String,
    pub documents: Vec<DocumentEntry>,
    /// Links that may be opened from here.
    pub links: Vec<Link>,
}

/// How a Processor means to carry out its order.
#[derive(Debug, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ResearchPlan {
    /// In a sentence or two.
    pub plan: String,
    /// Asked one after the other, each to its end.
    pub queries: Vec<FetchSourceQuery>,
}

/// What a judge says of pairs of names, each by its number.
#[derive(Debug, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct EntityVerdicts {
    pub verdicts: Vec<EntityVerdict>,
}

#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct EntityVerdict {
    pub pair: u32,
    pub verdict: IdentityVerdict,
    pub reason: String,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct BatchExtracted {
    pub documents: Vec<DocumentExtracted>,
}

/// Ids in the order given, and what is wrong with the items that were not written.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct DocumentExtracted {
    pub document_id: DocumentId,
    pub entity_ids: Vec<EntityId>,
    pub claim_ids: Vec<ClaimId>,
    pub relationship_ids: Vec<RelationshipId>,
    /// How many of the claims, entities and relationships are new.
    pub new: NewItems,
    pub errors: Vec<ItemError>,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct NewItems {
    pub claims: u64,
    pub entities: u64,
    pub relationships: u64,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ItemError {
    /// Which item: `claim c10`.
    pub item: String,
    pub error: String,
}
