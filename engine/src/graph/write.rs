//! Graph write: the complete extract of one document, written atomically.

use crate::Ids;
use domain::{
    ClaimId, CollectionId, Confidence, DateRange, DocumentId, EntityId, PartialDate, PublicationDate, RelationshipId, ReviewId,
    Scope, Timestamp,
    claim::{Attribution, Information, Mode, Span},
    entity::{IdentityVerdict, PropertyKey, PropertyValue},
    live::GraphCounts,
};
use std::collections::{BTreeMap, BTreeSet};

/// Atomic write. Refs point into its own lists or at existing entities.
#[derive(Debug, Clone)]
pub struct GraphWrite {
    pub document_id: DocumentId,
    pub collection_id: CollectionId,
    /// Sort key of documents, independent of arrival: `evidence::document_order`.
    pub document_order: String,
    pub at: Timestamp,
    /// Scope whose names, aliases and external ids may resolve proposals: the target collection, always, and open ones. Never
    /// another person's private collection, whose aliases would merge entities for others.
    pub resolve_within: Scope,
    /// Outlet of the document; it gets a PUBLISHED edge to every claim.
    pub outlet: Option<EntityRef>,
    pub entities: Vec<EntityProposal>,
    pub claims: Vec<NewClaim>,
    pub relationships: Vec<NewRelationship>,
    pub updates: Vec<EntityUpdate>,
    pub same_as: Vec<SameAs>,
    /// Marks the document as extracted, so that no Processor reads it again.
    pub completes_document: bool,
    /// `question_key` in view of which alone it was read; none: it was read in full. Heeded when the document is complete. A full
    /// reading is never replaced by one in view of a question.
    pub in_view_of: Option<String>,
}

impl GraphWrite {
    /// Builds the write of a document without an extract. Names resolve within its collection.
    pub fn new(document: DocumentId, collection: CollectionId, order: String, at: Timestamp) -> Self {
        Self {
            document_id: document,
            collection_id: collection,
            document_order: order,
            at,
            resolve_within: Scope::from(collection),
            outlet: None,
            entities: vec![],
            claims: vec![],
            relationships: vec![],
            updates: vec![],
            same_as: vec![],
            completes_document: false,
            in_view_of: None,
        }
    }
}

/// Reference to an entity of this write, or to an existing one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EntityRef {
    /// Index into `GraphWrite::entities`.
    New(usize),
    Existing(EntityId),
}

/// Proposed entity of a document, resolved to a new or known one.
#[derive(Debug, Clone)]
pub struct EntityProposal {
    /// Id of the entity if it is new.
    pub id: EntityId,
    /// Ids for review entries, as many as a `Resolution` may name.
    pub review_ids: Vec<ReviewId>,
    pub name: String,
    pub aliases: Vec<String>,
    pub kind: String,
    pub is_stub: bool,
    pub external_ids: BTreeMap<String, String>,
    /// Verdicts of slower stages (embedding, judge) on known entities.
    pub verdicts: Vec<ResolutionVerdict>,
    /// Indices of the claims that name it; the names are visible through these claims.
    pub claims: Vec<usize>,
}

/// Maximum number of probable matches of one entity put on the review list.
const REVIEWS_PER_ENTITY: usize = 3;

impl EntityProposal {
    /// Builds a proposal with name, kind and reserved ids; all else is empty.
    pub fn new(ids: &dyn Ids, name: &str, kind: &str) -> Self {
        Self {
            id: EntityId(ids.next()),
            review_ids: (0..REVIEWS_PER_ENTITY).map(|_| ReviewId(ids.next())).collect(),
            name: name.trim().to_owned(),
            aliases: vec![],
            kind: kind.trim().to_lowercase(),
            is_stub: false,
            external_ids: BTreeMap::new(),
            verdicts: vec![],
            claims: vec![],
        }
    }
}

/// Verdict on a proposal and a known entity.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ResolutionVerdict {
    pub entity_id: EntityId,
    pub verdict: IdentityVerdict,
    pub reason: String,
}

/// Known entity, as used by resolution.
#[derive(Debug, Clone, PartialEq)]
pub struct KnownEntity {
    pub id: EntityId,
    pub names: Vec<String>,
    /// Names by entity where others were merged into it; else empty.
    pub merged_names: Vec<Vec<String>>,
    pub kind: String,
    pub external_ids: BTreeMap<String, String>,
}

/// Resolution of one proposal.
#[derive(Debug, Clone, PartialEq)]
pub enum Resolution {
    /// Known entity; pairs of it and each other one that the proposal matches go to the review list.
    Use { id: EntityId, others: Vec<ProbableMatch> },
    /// New entity; probable matches go to the review list.
    Create { probable: Vec<ProbableMatch> },
}

/// Known entity that a proposal probably denotes.
#[derive(Debug, Clone, PartialEq)]
pub struct ProbableMatch {
    pub id: EntityId,
    pub score: f64,
    pub why: String,
    /// Whether the review is open; a pair that a judge separated is stored closed, with the reason.
    pub is_open: bool,
}

/// Claim to be appended.
#[derive(Debug, Clone)]
pub struct NewClaim {
    /// Id of the claim, unless (document, content_hash) exists.
    pub id: ClaimId,
    pub content: String,
    pub quote: String,
    pub span: Span,
    pub published: Option<PublicationDate>,
    pub occurred: Option<DateRange>,
    pub attribution: Attribution,
    pub information: Information,
    pub speaker: Option<String>,
    pub mode: Mode,
    pub language: Option<String>,
    /// Hex SHA-256, see `engine::evidence`.
    pub content_hash: String,
    pub entities: Vec<EntityRef>,
}

#[derive(Debug, Clone)]
pub struct NewRelationship {
    /// Id of the relationship, unless (source, target, hash of the description) exists.
    pub id: RelationshipId,
    pub source: EntityRef,
    pub target: EntityRef,
    pub description: String,
    pub weight: Option<f64>,
    pub confidence: Option<Confidence>,
    pub bidirectional: bool,
    pub timestamp: Option<Timestamp>,
    pub since: Option<PartialDate>,
    pub until: Option<PartialDate>,
    /// Indices into `GraphWrite::claims`; never empty together with `existing_claims`.
    pub claims: Vec<usize>,
    pub existing_claims: Vec<ClaimId>,
}

impl NewRelationship {
    /// Builds a relationship with evidence of this write; all else is empty.
    pub fn new(id: RelationshipId, source: EntityRef, target: EntityRef, description: &str, claims: Vec<usize>) -> Self {
        Self {
            id,
            source,
            target,
            description: description.to_owned(),
            weight: None,
            confidence: None,
            bidirectional: false,
            timestamp: None,
            since: None,
            until: None,
            claims,
            existing_claims: vec![],
        }
    }
}

/// Update of an entity, with its evidence.
#[derive(Debug, Clone)]
pub struct EntityUpdate {
    pub entity: EntityRef,
    pub summary: Option<String>,
    pub kind: Option<String>,
    pub aliases: Vec<String>,
    pub properties: BTreeMap<PropertyKey, PropertyValue>,
    pub external_ids: BTreeMap<String, String>,
    /// `Some(false)` marks it as no stub for readers of this write. Never reverts.
    pub is_stub: Option<bool>,
    pub claims: Vec<usize>,
    pub existing_claims: Vec<ClaimId>,
}

impl EntityUpdate {
    /// Builds an update with evidence of this write, which changes nothing yet.
    pub fn new(entity: EntityRef, claims: Vec<usize>) -> Self {
        Self {
            entity,
            summary: None,
            kind: None,
            aliases: vec![],
            properties: BTreeMap::new(),
            external_ids: BTreeMap::new(),
            is_stub: None,
            claims,
            existing_claims: vec![],
        }
    }
}

/// Statement of the document that two entities are one. It merges nothing but creates a review, with the first claim's text as
/// reason.
#[derive(Debug, Clone)]
pub struct SameAs {
    /// Id of the review, unless the pair has one.
    pub id: ReviewId,
    pub one: EntityRef,
    pub other: EntityRef,
    /// Indices into `GraphWrite::claims`, never empty.
    pub claims: Vec<usize>,
}

/// Result of a write, per item in the given order.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct WriteOutcome {
    pub entities: Vec<ResolvedEntity>,
    pub claims: Vec<WrittenItem<ClaimId>>,
    pub relationships: Vec<WrittenItem<RelationshipId>>,
}

impl WriteOutcome {
    /// Returns the numbers of new items. One that is written twice counts once.
    pub fn added(&self) -> GraphCounts {
        fn distinct<Id: Ord>(new: impl Iterator<Item = (Id, bool)>) -> u64 {
            new.filter_map(|(id, is_new)| is_new.then_some(id)).collect::<BTreeSet<_>>().len() as u64
        }
        GraphCounts {
            claims: distinct(self.claims.iter().map(|claim| (claim.id, claim.is_new))),
            entities: distinct(self.entities.iter().map(|entity| (entity.id, entity.is_new))),
            relationships: distinct(self.relationships.iter().map(|relationship| (relationship.id, relationship.is_new))),
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ResolvedEntity {
    pub id: EntityId,
    pub is_new: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WrittenItem<Id> {
    pub id: Id,
    pub is_new: bool,
}
