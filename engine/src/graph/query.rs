//! Graph queries: full text, vector and filters combined; results are unranked candidates.

use domain::{
    ClaimId, CollectionId, DocumentId, EntityId, Precision, QueryText, RelationshipId, Timestamp,
    claim::{Attribution, Claim, Mode},
    entity::Entity,
    investigation::Period,
    relationship::Relationship,
};
use std::collections::HashMap;

/// Candidate with its ranking signals. Candidates are ordered by content (claims: document order, entities: name, relationships:
/// description), which breaks the engine's last ties; claims of equal content by id.
#[derive(Debug, Clone)]
pub struct Candidate<T> {
    pub item: T,
    /// Cosine similarity to the query vector, when both have one.
    pub similarity: Option<f64>,
    /// Whether the full text matched.
    pub text_matched: bool,
}

#[derive(Debug, Clone, Default)]
pub struct EntityQuery {
    /// Words searched in names and summaries; any may match.
    pub text: Option<QueryText>,
    /// Query vector and its model.
    pub vector: Option<(String, Vec<f32>)>,
    /// Compared without case.
    pub kind: Option<String>,
    /// Maximum number of candidates (`search.candidates`) per search mode and collection, so that one collection's candidates
    /// never depend on another's.
    pub candidates: u32,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum ClaimOrder {
    #[default]
    Relevance,
    /// Equal times by hash and id; undated last, in document order. So are the other orders by time.
    NewestFirst,
    OldestFirst,
    /// By the start of the stated event; claims without one last.
    OccurredNewestFirst,
    OccurredOldestFirst,
    /// Document order: (`document_order`, start of the span).
    DocumentOrder,
}

impl ClaimOrder {
    /// Returns the time sorted by, and whether newest first.
    pub const fn time(self) -> Option<(ClaimTime, bool)> {
        match self {
            Self::NewestFirst => Some((ClaimTime::Published, true)),
            Self::OldestFirst => Some((ClaimTime::Published, false)),
            Self::OccurredNewestFirst => Some((ClaimTime::Occurred, true)),
            Self::OccurredOldestFirst => Some((ClaimTime::Occurred, false)),
            Self::Relevance | Self::DocumentOrder => None,
        }
    }
}

/// Time of a claim.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ClaimTime {
    Published,
    /// Start of the stated event.
    Occurred,
}

impl ClaimTime {
    pub fn moment(self, claim: &Claim) -> Option<Timestamp> {
        self.dated(claim).map(|(moment, _)| moment)
    }

    /// Returns the month of a claim, or its year where no month is known: `2031-03`, `2031`.
    pub fn month(self, claim: &Claim) -> Option<String> {
        let (moment, precision) = self.dated(claim)?;
        let form = if precision == Precision::Year { "%Y" } else { "%Y-%m" };
        Some(moment.to_datetime().format(form).to_string())
    }

    fn dated(self, claim: &Claim) -> Option<(Timestamp, Precision)> {
        match self {
            Self::Published => claim.published.map(|published| (published.value, published.precision)),
            Self::Occurred => claim.occurred.map(|occurred| (occurred.from, occurred.precision)),
        }
    }
}

#[derive(Debug, Clone, Default)]
pub struct ClaimQuery {
    pub text: Option<QueryText>,
    pub vector: Option<(String, Vec<f32>)>,
    pub entity_id: Option<EntityId>,
    /// Publishing outlet.
    pub outlet_id: Option<EntityId>,
    /// Claims of documents that name no outlet.
    pub is_without_outlet: bool,
    pub document_ids: Vec<DocumentId>,
    /// Earliest publication time. Undated claims match no time filter.
    pub published_after: Option<Timestamp>,
    /// Latest publication time, exclusive.
    pub published_before: Option<Timestamp>,
    /// Earliest time of the stated event, which may extend into the period. Claims without one match neither filter.
    pub occurred_after: Option<Timestamp>,
    /// Latest start of the stated event, exclusive.
    pub occurred_before: Option<Timestamp>,
    pub attribution: Option<Attribution>,
    pub mode: Option<Mode>,
    pub order: ClaimOrder,
    /// Claims left out before the first. Heeded with an entity, an outlet or documents, and without words and vector.
    pub skip: u64,
    pub candidates: u32,
}

impl ClaimQuery {
    /// Narrows the query to a period of publication.
    pub fn within(self, period: &Period) -> Self {
        let (published_after, published_before) =
            (period.after_or(self.published_after), period.before_or(self.published_before));
        Self { published_after, published_before, ..self }
    }

    /// Returns whether anything but words and vector narrows the query.
    pub fn has_filters(&self) -> bool {
        self.entity_id.is_some()
            || self.outlet_id.is_some()
            || self.is_without_outlet
            || !self.document_ids.is_empty()
            || self.published_after.is_some()
            || self.published_before.is_some()
            || self.occurred_after.is_some()
            || self.occurred_before.is_some()
            || self.attribution.is_some()
            || self.mode.is_some()
    }
}

#[derive(Debug, Clone, Default)]
pub struct RelationshipQuery {
    pub text: Option<QueryText>,
    pub vector: Option<(String, Vec<f32>)>,
    pub claim_id: Option<ClaimId>,
    pub candidates: u32,
}

/// Query of several kinds of items at once. Kinds without a query are not searched; the queries have one number of candidates.
#[derive(Debug, Clone, Default)]
pub struct GraphQuery {
    pub entities: Option<EntityQuery>,
    pub claims: Option<ClaimQuery>,
    pub relationships: Option<RelationshipQuery>,
}

/// Candidates of several kinds.
#[derive(Debug, Clone, Default)]
pub struct GraphCandidates {
    /// `embedding_pending` is not read, and false.
    pub entities: Vec<Candidate<Entity>>,
    pub claims: Vec<Candidate<Claim>>,
    pub relationships: Vec<Candidate<Relationship>>,
    /// Visible names of the entities at the ends of the relationships.
    pub ends: HashMap<EntityId, String>,
}

/// Number of claims of one month, outlet and mode.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct ClaimNumber {
    /// Month of publication (`2031-03`); none: undated.
    pub month: Option<String>,
    pub outlet: Option<EntityId>,
    pub mode: Mode,
    pub claims: u64,
}

/// A relationship or a value of an entity that rests on a claim.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum ClaimUse {
    Relationship {
        description: String,
        source: EntityId,
        target: EntityId,
        id: RelationshipId,
    },
    /// `name` is the key of a property or external id, or `summary`.
    Value {
        name: String,
        entity: EntityId,
    },
}

/// Everything in the graph that rests on a claim.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ClaimUses {
    /// Relationships first, by description and name.
    pub uses: Vec<ClaimUse>,
    /// Documents of the visible claims that state the same relationships and values, at most `limit`.
    pub documents: Vec<DocumentId>,
}

/// Numbers of what rests on some documents alone.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct SoleEvidence {
    pub claims: u64,
    pub entities: u64,
    pub relationships: u64,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Direction {
    Outgoing,
    Incoming,
    /// Bidirectional relationships are found in every direction.
    #[default]
    Both,
}

/// Edge of a traversal, from the viewpoint of the queried entity.
#[derive(Debug, Clone, PartialEq)]
pub struct Neighbour {
    pub relationship: Relationship,
    /// Entity at the other end.
    pub entity: Entity,
    /// Direction: `Outgoing` leads to `entity`, `Incoming` comes from it, `Both` holds in both directions.
    pub direction: Direction,
}

/// Query of a subgraph: entities and the strongest relationships around them.
#[derive(Debug, Clone)]
pub struct SubgraphQuery {
    pub seeds: Vec<EntityId>,
    /// Maximum number of relationships; 0 returns the seeds alone.
    pub max_edges: u32,
    /// Whether the claims about the seeds are counted, which costs a look at each of them.
    pub counts_claims: bool,
}

impl SubgraphQuery {
    pub const fn new(seeds: Vec<EntityId>, max_edges: u32) -> Self {
        Self { seeds, max_edges, counts_claims: false }
    }
}

#[derive(Debug, Clone)]
pub struct Traversal {
    pub entity_id: EntityId,
    pub direction: Direction,
    /// Words searched in the description.
    pub description: Option<QueryText>,
    pub min_weight: Option<f64>,
    pub limit: u32,
}

/// Which standing merges are listed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ListedMerges {
    /// Those whose both sides have a visible name.
    Named,
    /// All, for administrators; a side without a visible name is named by its id.
    All,
}

/// The collections in which an entity has names.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct NamedIn {
    /// Those of its own names.
    pub own: Vec<CollectionId>,
    /// Those of its names and of all that was merged into it.
    pub all: Vec<CollectionId>,
}
