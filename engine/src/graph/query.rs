//! What can be asked of the graph. Every query combines full text, vector and filters; results are unranked candidates.

use domain::{
    ClaimId, DocumentId, EntityId, Timestamp,
    claim::{Attribution, Claim},
    entity::Entity,
    relationship::Relationship,
};

/// Something found, with the signals from which the engine computes its score. Candidates come in an order that depends on
/// content alone (claims: document order, entities: name, relationships: description), which breaks the engine's last ties.
#[derive(Debug, Clone)]
pub struct Candidate<T> {
    pub item: T,
    /// Cosine similarity with the query's vector, where both have one.
    pub similarity: Option<f64>,
    /// Whether the full text matched.
    pub text_matched: bool,
}

#[derive(Debug, Clone, Default)]
pub struct EntityQuery {
    /// Words to find in names and summaries; any may match.
    pub text: Option<String>,
    /// A vector of the model named beside it.
    pub vector: Option<(String, Vec<f32>)>,
    /// Compared without case.
    pub kind: Option<String>,
    /// How many candidates at most (`search.candidates`), for each way of finding and each collection: which candidates one
    /// collection gives never depends on what another holds.
    pub candidates: u32,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum ClaimOrder {
    #[default]
    Relevance,
    /// Undated last.
    NewestFirst,
    /// Undated last.
    OldestFirst,
    /// By when what they state happened (the beginning of it); claims that do not say last.
    OccurredNewestFirst,
    OccurredOldestFirst,
    /// As they stand in their documents: (`document_order`, start of the span).
    DocumentOrder,
}

impl ClaimOrder {
    /// What is sorted by time, and whether the newest comes first.
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

/// One of the two times of a claim.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ClaimTime {
    Published,
    /// The beginning of what it states.
    Occurred,
}

impl ClaimTime {
    pub fn moment(self, claim: &Claim) -> Option<Timestamp> {
        match self {
            Self::Published => claim.published.map(|published| published.value),
            Self::Occurred => claim.occurred.map(|occurred| occurred.from),
        }
    }
}

#[derive(Debug, Clone, Default)]
pub struct ClaimQuery {
    pub text: Option<String>,
    pub vector: Option<(String, Vec<f32>)>,
    pub entity_id: Option<EntityId>,
    /// The publishing outlet.
    pub outlet_id: Option<EntityId>,
    pub document_ids: Vec<DocumentId>,
    /// Published then or later. Undated claims are outside every time filter.
    pub published_after: Option<Timestamp>,
    /// Published earlier than this.
    pub published_before: Option<Timestamp>,
    /// Happened then or later, as far as the claim says when: what it states may go on into the period. Claims that do not say when
    /// are outside both of these filters.
    pub occurred_after: Option<Timestamp>,
    /// Began earlier than this.
    pub occurred_before: Option<Timestamp>,
    pub attribution: Option<Attribution>,
    pub order: ClaimOrder,
    pub candidates: u32,
}

#[derive(Debug, Clone, Default)]
pub struct RelationshipQuery {
    pub text: Option<String>,
    pub vector: Option<(String, Vec<f32>)>,
    pub claim_id: Option<ClaimId>,
    pub candidates: u32,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Direction {
    Outgoing,
    Incoming,
    /// Bidirectional relationships are found in every direction.
    #[default]
    Both,
}

/// An edge of a traversal, as seen from the entity that was asked about.
#[derive(Debug, Clone, PartialEq)]
pub struct Neighbour {
    pub relationship: Relationship,
    /// The entity at the other end.
    pub entity: Entity,
    /// `Outgoing`: it leads to `entity`; `Incoming`: it comes from there; `Both`: it holds both ways.
    pub direction: Direction,
}

#[derive(Debug, Clone)]
pub struct Traversal {
    pub entity_id: EntityId,
    pub direction: Direction,
    /// Words that the description should hold.
    pub description: Option<String>,
    pub min_weight: Option<f64>,
    pub limit: u32,
}
