//! What is written to the graph: everything that came out of one document, in one atomic piece.

use crate::Ids;
use domain::{
    ClaimId, CollectionId, Confidence, DateRange, DocumentId, EntityId, PartialDate, PublicationDate, RelationshipId, ReviewId,
    Scope, Timestamp,
    claim::{Attribution, Information, Mode, Span},
    entity::{IdentityVerdict, PropertyKey, PropertyValue},
};
use std::collections::BTreeMap;

/// One atomic write. Refs inside it point at its own lists or at entities that exist.
#[derive(Debug, Clone)]
pub struct GraphWrite {
    pub document_id: DocumentId,
    pub collection_id: CollectionId,
    /// Puts documents in an order that does not depend on how they arrived: `evidence::document_order`.
    pub document_order: String,
    pub at: Timestamp,
    /// Whose names, aliases and external ids may settle that a proposal is known: the collection that is written to, which always
    /// counts, and what is open to everybody. Never another person's, or a private alias would join what others keep apart.
    pub resolve_within: Scope,
    /// The document's outlet, which gets a PUBLISHED edge to every claim.
    pub outlet: Option<EntityRef>,
    pub entities: Vec<EntityProposal>,
    pub claims: Vec<NewClaim>,
    pub relationships: Vec<NewRelationship>,
    pub updates: Vec<EntityUpdate>,
    pub same_as: Vec<SameAs>,
    /// Marks the document as extracted, so that no Processor reads it again for that.
    pub completes_document: bool,
}

/// An entity of this write, or one that exists.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EntityRef {
    /// Index into `GraphWrite::entities`.
    New(usize),
    Existing(EntityId),
}

/// An entity that a document speaks of; it becomes a new one or is found to be known.
#[derive(Debug, Clone)]
pub struct EntityProposal {
    /// The id it gets if it is new.
    pub id: EntityId,
    /// Ids for the review entries it may need, as many as `Choice::Create` may name.
    pub review_ids: Vec<ReviewId>,
    pub name: String,
    pub aliases: Vec<String>,
    pub kind: String,
    pub is_stub: bool,
    pub external_ids: BTreeMap<String, String>,
    /// What slower stages (embedding, judge) found out about known entities before the write.
    pub verdicts: Vec<Judged>,
    /// Indices into `GraphWrite::claims` that name it. The names are visible through these claims.
    pub claims: Vec<usize>,
}

/// How many probable matches of one entity can go to the review list.
const REVIEWS_PER_ENTITY: usize = 3;

impl EntityProposal {
    /// A proposal of that name and kind, with the ids that it may need; everything else is empty.
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

/// What a judge said of a proposal and a known entity.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Judged {
    pub entity_id: EntityId,
    pub verdict: IdentityVerdict,
    pub reason: String,
}

/// What resolution knows of an entity in the graph.
#[derive(Debug, Clone, PartialEq)]
pub struct KnownEntity {
    pub id: EntityId,
    pub names: Vec<String>,
    pub kind: String,
    pub external_ids: BTreeMap<String, String>,
}

/// The outcome of resolving one proposal.
#[derive(Debug, Clone, PartialEq)]
pub enum Choice {
    /// It is this one.
    Use(EntityId),
    /// It is new; what it probably is goes to the review list.
    Create { probable: Vec<Probable> },
}

/// A known entity that a proposal probably is.
#[derive(Debug, Clone, PartialEq)]
pub struct Probable {
    pub id: EntityId,
    pub score: f64,
    pub why: String,
    /// False: a judge told them apart; the pair is kept with the reason, and waits for nobody.
    pub is_open: bool,
}

/// A claim about to be appended.
#[derive(Debug, Clone)]
pub struct NewClaim {
    /// The id it gets unless (document, content_hash) exists.
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
    /// The id it gets unless (source, target, hash of the description) exists.
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
    /// Indices into `GraphWrite::claims`; with `existing_claims` never empty together.
    pub claims: Vec<usize>,
    pub existing_claims: Vec<ClaimId>,
}

/// A change of current state of an entity, with its evidence.
#[derive(Debug, Clone)]
pub struct EntityUpdate {
    pub entity: EntityRef,
    pub summary: Option<String>,
    pub kind: Option<String>,
    pub aliases: Vec<String>,
    pub properties: BTreeMap<PropertyKey, PropertyValue>,
    pub external_ids: BTreeMap<String, String>,
    /// `Some(false)`: it is no stub any more, for whoever sees this write. An entity never becomes a stub again.
    pub is_stub: Option<bool>,
    pub claims: Vec<usize>,
    pub existing_claims: Vec<ClaimId>,
}

/// A statement of the document that two entities are one. It merges nothing: it puts the pair on the review list, with the words of the
/// first claim as the reason.
#[derive(Debug, Clone)]
pub struct SameAs {
    /// The id of the review entry, unless the pair has one.
    pub id: ReviewId,
    pub one: EntityRef,
    pub other: EntityRef,
    /// Indices into `GraphWrite::claims`, never empty.
    pub claims: Vec<usize>,
}

/// What became of each item, in the order given.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Written {
    pub entities: Vec<ResolvedEntity>,
    pub claims: Vec<WrittenItem<ClaimId>>,
    pub relationships: Vec<WrittenItem<RelationshipId>>,
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
