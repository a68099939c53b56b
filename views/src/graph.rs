//! View models of the knowledge graph: entities, their claims, and the explorer.

mod added;
mod entity_claims;
mod explorer;
mod picture;

pub use added::{AddedNode, NodeLink};
pub use entity_claims::{ClaimsFilter, EntityClaimsView, MonthLine, OutletFilter, OutletLine};
pub use explorer::{ExplorerQuery, ExplorerView, GraphPath, NodeColour, PathStep};
pub use picture::{PictureEdge, PictureGraph, PictureNode, Position};

use domain::{
    AssessmentId, DocumentId, EntityId, PublicationDate, RelationshipId, ReviewId,
    claim::Claim,
    entity::{Entity, Merge, Review},
    outlet::OutletProfile,
    relationship::Relationship,
    subgraph::{GraphEdge, GraphNode},
};
use serde::{Deserialize, Serialize};

/// The list of entities: those that match the words, or those with the most claims behind their names.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct EntitiesView {
    pub query: String,
    pub kind: String,
    /// At most `limit`, best first.
    pub entities: Vec<EntityLine>,
    pub limit: usize,
}

/// An entity in a list.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct EntityLine {
    pub id: EntityId,
    pub name: String,
    pub kind: String,
    pub aliases: Vec<String>,
    pub summary: Option<String>,
    pub is_stub: bool,
    /// Number of visible claims about it.
    pub claims: u32,
    /// Publication of the newest of them.
    pub last_seen: Option<PublicationDate>,
}

/// Overview of an entity.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct EntityView {
    pub entity: Entity,
    /// None where it published no claim that the viewer may see.
    pub outlet: Option<OutletProfile>,
    /// Strongest first, at most `max_relationships`.
    pub relationships: Vec<RelationshipLine>,
    pub max_relationships: usize,
    /// The newest claims about it.
    pub newest: Vec<ClaimLine>,
    /// Assessments that mention it, newest first.
    pub assessments: Vec<AssessmentMention>,
}

/// A relationship from the viewpoint of an entity.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RelationshipLine {
    pub edge: GraphEdge,
    pub other: GraphNode,
}

/// An assessment that mentions an entity.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct AssessmentMention {
    pub id: AssessmentId,
    pub question: String,
    pub is_sample: bool,
}

/// A claim with its document.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ClaimLine {
    pub claim: Claim,
    /// Outlet, host or file of the document.
    pub source: String,
}

/// One claim.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ClaimView {
    pub claim: Claim,
    pub document_id: DocumentId,
    pub title: String,
    pub outlet: Option<String>,
    pub published: Option<PublicationDate>,
    /// Entities that it is about.
    pub entities: Vec<GraphNode>,
    /// Of the documents that state the same relationships and values, its own among them.
    pub origins: OriginCount,
    /// Assessments that cite it, newest first.
    pub cited_in: Vec<AssessmentMention>,
    /// Relationships that rest on it.
    pub relationships: Vec<RestingRelationship>,
    /// Values that rest on it.
    pub values: Vec<RestingValue>,
}

/// Numbers of documents that state something, and of their origins.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct OriginCount {
    pub documents: usize,
    pub origins: usize,
    /// Other documents whose text is of the same origin as that of the claim; 0 without a claim.
    pub same_origin: usize,
}

/// A relationship that rests on a claim.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RestingRelationship {
    pub id: RelationshipId,
    pub description: String,
    pub source: String,
    pub target: String,
}

/// A value of an entity that rests on a claim.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RestingValue {
    /// Key of a property or external id, or `summary`.
    pub name: String,
    pub entity: GraphNode,
}

/// One relationship with the claims that state it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RelationshipView {
    pub relationship: Relationship,
    pub source: GraphNode,
    pub target: GraphNode,
    /// Visible claims, at most `entity_claims` of the configuration; `relationship.claim_ids` has all.
    pub claims: Vec<ClaimLine>,
    /// Of the documents of these claims.
    pub origins: OriginCount,
    /// Assessments that cite one of these claims, newest first.
    pub cited_in: Vec<AssessmentMention>,
}

/// A page of the pairs of entities that are probably the same.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ReviewsView {
    /// Best first, at most `per_page`.
    pub pairs: Vec<PairView>,
    /// The pair that stands open, with its claims; the others have none.
    pub open: Option<ReviewId>,
    /// Number of open pairs.
    pub total: u64,
    pub page: u64,
    pub per_page: u64,
}

/// A pair that awaits a decision.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct PairView {
    pub review: Review,
    pub left: Entity,
    pub right: Entity,
    /// Newest claims about each side of the pair that stands open.
    pub left_claims: Vec<ClaimLine>,
    pub right_claims: Vec<ClaimLine>,
}

/// Merges that can be undone, newest first.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct MergesView {
    pub merges: Vec<MergeLine>,
    /// Entity to which the list is narrowed.
    pub entity: Option<EntityId>,
}

/// A merge in a list.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct MergeLine {
    pub merge: Merge,
    /// Name of the account that decided; none where it is not known.
    pub by: Option<String>,
}

/// Pairs that are kept apart.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct KeptApartView {
    /// The latest decision first, at most `limit`; those without a person last.
    pub pairs: Vec<KeptApartLine>,
    pub limit: usize,
}

/// A pair that is kept apart.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct KeptApartLine {
    pub review: Review,
    pub left: GraphNode,
    pub right: GraphNode,
    /// Name of the account that decided; none where it is not known, or where no person did.
    pub by: Option<String>,
}

/// Preview of a merge: what each side brings. The second becomes part of the first.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct MergePreview {
    pub sides: [MergeSide; 2],
    /// Assessments that mention either.
    pub assessments: Vec<AssessmentMention>,
}

/// One side of a merge.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct MergeSide {
    pub entity: Entity,
    /// Number of visible claims about it.
    pub claims: u32,
    /// Number of visible relationships; those between the two sides are not counted, because they go.
    pub relationships: usize,
}
