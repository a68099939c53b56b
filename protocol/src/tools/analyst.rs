//! Arguments and results of the Analyst's tools.

use super::{ClaimView, DocumentEntry, DocumentView, EntityName, EntityView, RelationshipView};
use domain::{
    AssessmentId, ClaimId, DocumentId, EntityId, Timestamp, WorkOrderId,
    assessment::{AssessmentKind, Body, EvidenceBrief, Marker, lenient},
    claim::Attribution,
    work_order::Priority,
};
use schemars::JsonSchema;
use serde::{Deserialize, Deserializer, Serialize, de::Error as _};
use serde_json::Value;
use std::collections::BTreeMap;

#[derive(Debug, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SearchEntities {
    pub query: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kind: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub limit: Option<u32>,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct EntitiesFound {
    pub entities: Vec<EntityView>,
    /// How many have a word of the query; null where there are more than are ranked.
    pub total: Option<u64>,
}

#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct GetEntity {
    pub entity_id: EntityId,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum TraverseDirection {
    Outgoing,
    Incoming,
    #[default]
    Both,
}

#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct TraverseRelationships<E = EntityId> {
    pub entity_id: E,
    #[serde(default)]
    pub direction: TraverseDirection,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description_query: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub min_weight: Option<f64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub limit: Option<u32>,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct TraversalResult {
    pub relationships: Vec<TraversalEdge>,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct TraversalEdge {
    /// As seen from the entity that was asked about.
    pub direction: TraverseDirection,
    #[serde(flatten)]
    pub relationship: RelationshipView,
    /// Day on which it was established or last confirmed: as a model said, else when the latest claim that states it was published.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub last_confirmed: Option<String>,
    /// The entity at the other end.
    pub entity: EntityView,
}

#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SearchRelationships {
    pub query: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub limit: Option<u32>,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct RelationshipsFound {
    pub relationships: Vec<RelationshipFound>,
    /// Those that the relationships link, each once.
    pub entities: Vec<EntityName>,
    /// How many fit in all; null where there are more than are ranked.
    pub total: Option<u64>,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct RelationshipFound {
    #[serde(flatten)]
    pub relationship: RelationshipView,
    /// Reference of the entity from which it leads.
    pub source: String,
    /// Reference of the entity to which it leads.
    pub target: String,
    pub bidirectional: bool,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum SortBy {
    #[default]
    Relevance,
    NewestFirst,
    OldestFirst,
    /// By when what they state happened.
    OccurredNewestFirst,
    OccurredOldestFirst,
    /// As the claims stand in their documents.
    DocumentOrder,
}

/// A moment, a day, or the first day of a month or year (`2016-12`, `2016`).
pub(super) fn partial_date<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Timestamp>, D::Error> {
    let Some(text) = Option::<String>::deserialize(deserializer)? else { return Ok(None) };
    let text = text.trim();
    let whole = match text.len() {
        4 => format!("{text}-01-01"),
        7 => format!("{text}-01"),
        _ => text.to_owned(),
    };
    let bad = || D::Error::custom(format!("'{text}' is not a date: write 2016, 2016-12, 2016-12-19 or an RFC 3339 moment"));
    Timestamp::parse(&whole).map(Some).ok_or_else(bad)
}

#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct SearchClaims<D = DocumentId, E = EntityId> {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub query: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub entity_id: Option<E>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub source_entity_id: Option<E>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub document_ids: Vec<D>,
    #[serde(skip_serializing_if = "Option::is_none", deserialize_with = "partial_date")]
    pub published_after: Option<Timestamp>,
    #[serde(skip_serializing_if = "Option::is_none", deserialize_with = "partial_date")]
    pub published_before: Option<Timestamp>,
    #[serde(skip_serializing_if = "Option::is_none", deserialize_with = "partial_date")]
    pub occurred_after: Option<Timestamp>,
    #[serde(skip_serializing_if = "Option::is_none", deserialize_with = "partial_date")]
    pub occurred_before: Option<Timestamp>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub attribution_depth: Option<Attribution>,
    pub sort_by: SortBy,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub limit: Option<u32>,
    pub offset: u32,
}

impl<D, E> Default for SearchClaims<D, E> {
    fn default() -> Self {
        Self {
            query: None,
            entity_id: None,
            source_entity_id: None,
            document_ids: vec![],
            published_after: None,
            published_before: None,
            occurred_after: None,
            occurred_before: None,
            attribution_depth: None,
            sort_by: SortBy::default(),
            limit: None,
            offset: 0,
        }
    }
}

#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct ClaimsFound {
    pub claims: Vec<ClaimView>,
    /// References of claims that fit as well and that an earlier result of the session holds, best first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub shown: Vec<String>,
    /// Their documents, each once in a session.
    pub documents: Vec<DocumentView>,
    /// The entities that they are about, each once in a session.
    pub entities: Vec<EntityName>,
    /// How many fit in all; null where there are more than are ranked.
    pub total: Option<u64>,
    /// Where the next page begins; null when this was the last.
    pub next_offset: Option<u32>,
    /// Says that the claims hold no word of the query.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
}

/// A text, and claims to be compared with it by their vectors.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct MeasureLikeness<C = ClaimId> {
    pub text: String,
    pub claim_ids: Vec<C>,
}

/// How like the text each claim is.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Likeness {
    /// Cosine of the vectors, in hundredths rounded, in the order of the claims; null for a claim that is not there.
    pub likeness: Vec<Option<f64>>,
}

/// A part of a claim's document, around its quote.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ReadPassage<C = ClaimId> {
    pub claim_id: C,
    /// Characters on each side of the quote.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub chars: Option<u32>,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Passage {
    pub document: DocumentView,
    /// The text with the quote in it.
    pub text: String,
    /// Whether the text begins and ends with the document.
    pub is_beginning: bool,
    pub is_end: bool,
}

#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SearchAssessments {
    pub query: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub limit: Option<u32>,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct AssessmentsFound {
    pub assessments: Vec<AssessmentSummary>,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct AssessmentSummary {
    /// `a1`.
    #[serde(rename = "ref")]
    pub reference: String,
    #[serde(default, skip_serializing_if = "AssessmentKind::is_assessment")]
    pub kind: AssessmentKind,
    pub question: String,
    /// None of an evidence brief.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub confidence: Option<String>,
    /// Its bottom line.
    pub summary: String,
    pub created_at: String,
}

#[derive(Debug, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CreateWorkOrder {
    pub objective: String,
    #[serde(default)]
    pub referenced_entities: Vec<EntityId>,
    #[serde(default)]
    pub source_guidance: Vec<String>,
    #[serde(default)]
    pub priority: Priority,
    /// Ends the session when this order is given.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_last: bool,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct WorkOrderCreated {
    pub work_order_id: WorkOrderId,
    /// False: an order with this objective was there already.
    pub is_new: bool,
    /// Another order of this cycle that reads some of the same documents; each document is recorded once.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub overlaps_with: Option<String>,
    /// What to do now.
    pub next: String,
}

/// What `produce_assessment` takes: the body of schema v1, and which claim each marker stands for.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(bound = "C: JsonSchema, E: JsonSchema + Serialize")]
pub struct ProduceAssessment<C = ClaimId, E = EntityId> {
    pub content: Body,
    pub claim_refs: Vec<ClaimRef<C>>,
    #[serde(default = "Vec::<E>::new")]
    pub entity_refs: Vec<E>,
}

/// Correction of the last draft of an assessment.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct AmendAssessment {
    /// New value of each place, by its path: `key_judgements[0].statement`, `claim_refs[3]`.
    pub patch: BTreeMap<String, Value>,
}

/// What `produce_evidence_brief` takes. A provider names claims and entities as its session does, by short references.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(bound = "C: JsonSchema, E: JsonSchema + Serialize")]
pub struct ProduceEvidenceBrief<C = ClaimId, E = EntityId> {
    pub content: EvidenceBrief,
    pub claim_refs: Vec<ClaimRef<C>>,
    #[serde(default = "Vec::<E>::new")]
    pub entity_refs: Vec<E>,
}

/// Marker `n` in the assessment cites this claim.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ClaimRef<C = ClaimId> {
    #[serde(deserialize_with = "lenient::marker")]
    #[schemars(schema_with = "lenient::marker_schema")]
    pub marker: Marker,
    pub claim_id: C,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct AssessmentProduced {
    pub assessment_id: AssessmentId,
    /// Markers that no text and no list cites: the program left their claims out.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub left_out: Vec<Marker>,
}

/// No arguments.
#[derive(Debug, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct NoArguments {}

#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct InvestigationHistory {
    pub cycles: Vec<CycleView>,
    /// The first of what was given with the question and could not be read.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub unread: Vec<UnreadFile>,
    /// How many there are of these.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub unread_total: u64,
}

/// A file or page that could not be read.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct UnreadFile {
    pub path: String,
    pub reason: String,
}

fn is_zero(count: &u64) -> bool {
    *count == 0
}

#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct CycleView {
    pub cycle: u32,
    pub work_orders: Vec<WorkOrderView>,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct WorkOrderView {
    pub objective: String,
    pub status: String,
    pub failure: Option<String>,
    pub claims_produced_count: u64,
    /// What its Processor said after the search.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
    /// The first queries in words.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub searched: Vec<SearchView>,
    /// The first addresses that could not be opened.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub not_opened: Vec<UnreadFile>,
    /// Objective of the order that read its documents in its place.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub left_to: Option<String>,
    /// Texts that gave its Processor orders.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<String>,
}

/// A query to a source.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SearchView {
    pub source: String,
    pub query: String,
    /// Number of hits; null where the source failed.
    pub found: Option<u64>,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct SourceList {
    pub sources: Vec<SourceStatus>,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct SourceStatus {
    pub id: String,
    pub name: String,
    pub description: String,
    /// How many items it holds, where that is known.
    pub items: Option<u64>,
    /// How many of them nobody has extracted yet.
    pub items_not_extracted: Option<u64>,
    /// The documents that nobody has recorded yet, where they are few.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub unread: Vec<DocumentEntry>,
    /// The state of the source that these numbers are of; name it in an order that counts items.
    pub as_of: Option<u64>,
    /// What it knows and what it does not.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub coverage: Option<String>,
    /// Why it gave nothing when it was last asked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub trouble: Option<String>,
}
