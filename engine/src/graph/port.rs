//! The port that every graph backend implements; the conformance suite in `adapters` covers each method.

use super::{
    Candidate, ClaimQuery, EntityProposal, EntityQuery, GraphWrite, KnownEntity, Neighbour, RelationshipQuery, Resolution,
    Traversal, WriteOutcome,
};
use crate::{StoreResult, embeddings::VectorKind, embeddings::VectorText};
use async_trait::async_trait;
use domain::{
    ClaimId, CollectionId, DocumentId, EntityId, MergeId, RelationshipId, ReviewId, Scope, Timestamp,
    claim::Claim,
    entity::{Entity, IdentityVerdict, Review},
    relationship::Relationship,
};
use uuid::Uuid;

/// Decides, without I/O, whether a proposed entity is one that is there already. The backend calls it inside the writing
/// transaction with candidates found by the proposal's blocking keys and external ids, so that two writers cannot both create.
pub trait Resolve: Send + Sync {
    fn choose(&self, proposal: &EntityProposal, candidates: &[&KnownEntity]) -> Resolution;
    /// Blocking keys of a name: candidates share at least one.
    fn keys(&self, name: &str) -> Vec<String>;
    /// What the likeness of two descriptions says of a probable pair; none: nothing.
    fn by_likeness(&self, likeness: f64) -> Option<IdentityVerdict>;
    /// Whether who shares this key is probably the same: such a key is looked at however many share it, within reason.
    fn is_exact(&self, key: &str) -> bool;
    /// What the names of one news agency have in common, however credits write it.
    fn agency_key(&self, agency: &str) -> String;
}

/// Entities, relationships and claims.
#[async_trait]
pub trait Graph: Send + Sync {
    /// Writes what was extracted from one document, atomically: entities are resolved or created, claims appended (unique by
    /// document and content hash), relationships and properties added or given more evidence. Writing the same again changes nothing.
    /// Refused as `Invalid` when a relationship, property or summary has no claim, or an id is unknown.
    async fn write(&self, write: &GraphWrite, resolve: &dyn Resolve) -> StoreResult<WriteOutcome>;
    /// Entities that share a blocking key or external id with a proposal, for the stages that need I/O (embedding, judge), as they
    /// are known `within` (`GraphWrite::resolve_within`).
    async fn match_candidates(
        &self,
        within: &Scope,
        proposals: &[EntityProposal],
        resolve: &dyn Resolve,
    ) -> StoreResult<Vec<Vec<KnownEntity>>>;

    /// Each id that the scope sees; a merged id gives its survivor.
    async fn entities(&self, scope: &Scope, ids: &[EntityId]) -> StoreResult<Vec<Entity>>;
    async fn claims(&self, scope: &Scope, ids: &[ClaimId]) -> StoreResult<Vec<Claim>>;
    async fn relationships(&self, scope: &Scope, ids: &[RelationshipId]) -> StoreResult<Vec<Relationship>>;

    async fn find_entities(&self, scope: &Scope, query: &EntityQuery) -> StoreResult<Vec<Candidate<Entity>>>;
    async fn find_claims(&self, scope: &Scope, query: &ClaimQuery) -> StoreResult<Vec<Candidate<Claim>>>;
    async fn find_relationships(&self, scope: &Scope, query: &RelationshipQuery) -> StoreResult<Vec<Candidate<Relationship>>>;
    /// The relationships of one entity, with the entity at the other end and the way in which each points.
    async fn traverse(&self, scope: &Scope, traversal: &Traversal) -> StoreResult<Vec<Neighbour>>;
    /// Visible claims, entities and relationships, in this order.
    async fn counts(&self, scope: &Scope) -> StoreResult<(u64, u64, u64)>;
    /// Visible claims per document.
    async fn claim_counts(&self, scope: &Scope, documents: &[DocumentId]) -> StoreResult<Vec<u64>>;

    /// Moves the edges and names of `merged` to `survivor`, keeping ids and original ends in a merge log; `merged` resolves for ever.
    async fn merge(&self, id: MergeId, survivor: EntityId, merged: EntityId, at: Timestamp) -> StoreResult<()>;
    /// Restores what the merge moved; what came later stays with the survivor.
    async fn undo_merge(&self, id: MergeId) -> StoreResult<()>;
    /// Pairs that may be the same and wait for a judgement, best first.
    async fn reviews(&self, scope: &Scope, limit: u32) -> StoreResult<Vec<Review>>;
    async fn close_review(&self, id: ReviewId) -> StoreResult<()>;

    /// Up to `limit` texts that have no vector of `model` yet.
    async fn without_vector(&self, model: &str, kind: VectorKind, limit: u32) -> StoreResult<Vec<VectorText>>;
    /// Stores vectors, one table or index per model; replaces a vector whose text has changed.
    async fn put_vectors(&self, model: &str, kind: VectorKind, vectors: &[(Uuid, Vec<f32>)]) -> StoreResult<()>;
    /// How many texts have no vector of `model` yet, and how many have one.
    async fn vector_progress(&self, model: &str) -> StoreResult<(u64, u64)>;

    /// What holds the graph, with its version, for people; an error where it does not answer.
    async fn describe(&self) -> StoreResult<String>;

    /// Removes the claims of a collection and whatever has no other evidence, for ever: a later write to it is refused as `Invalid`.
    async fn remove_collection(&self, collection: CollectionId) -> StoreResult<()>;
}
