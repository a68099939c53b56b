//! Port of the graph backends; the conformance suite in `adapters` covers each method.

use super::{
    Candidate, ClaimNumber, ClaimQuery, ClaimUses, EntityProposal, EntityQuery, GraphCandidates, GraphQuery, GraphWrite,
    KnownEntity, ListedMerges, NamedIn, Neighbour, RelationshipQuery, Resolution, SoleEvidence, Split, SplitOutcome,
    SubgraphQuery, Traversal, WriteOutcome,
};
use crate::{StoreResult, embeddings::VectorKind, embeddings::VectorText};
use async_trait::async_trait;
use domain::{
    ClaimId, CollectionId, DocumentId, EntityId, MergeId, RelationshipId, ReviewId, Scope, Timestamp, UserId,
    claim::Claim,
    entity::{Entity, IdentityVerdict, Merge, Review, ReviewDecision},
    relationship::Relationship,
    subgraph::Subgraph,
};
use uuid::Uuid;

/// Entity resolution without I/O. The backend calls it in the writing transaction with candidates from blocking keys and external
/// ids, so that concurrent writers create no duplicates.
pub trait Resolve: Send + Sync {
    fn choose(&self, proposal: &EntityProposal, candidates: &[&KnownEntity]) -> Resolution;
    /// Returns the blocking keys of a name; candidates share at least one.
    fn keys(&self, name: &str) -> Vec<String>;
    /// Returns the verdict on a probable pair from the similarity of its descriptions; none when undecided.
    fn by_likeness(&self, likeness: f64) -> Option<IdentityVerdict>;
    /// Returns whether names sharing this key are probably the same; such keys are searched however common they are, within
    /// limits.
    fn is_exact(&self, key: &str) -> bool;
    /// Returns the common key of a news agency's names, independent of spelling in credits.
    fn agency_key(&self, agency: &str) -> String;
}

/// Port of the knowledge graph.
#[async_trait]
pub trait Graph: Send + Sync {
    /// Writes the extracts of documents of one collection, all or none: entities are resolved or created, claims appended (unique by
    /// document and content hash), relationships and properties added or given more evidence. The result is that of writing them one
    /// after another. Idempotent.
    ///
    /// `Invalid` when a relationship, property or summary has no claim, or an id is unknown.
    async fn write(&self, writes: &[GraphWrite], resolve: &dyn Resolve) -> StoreResult<Vec<WriteOutcome>>;
    /// Returns entities sharing a blocking key or external id with a proposal, as visible `within`
    /// (`GraphWrite::resolve_within`), for resolution stages with I/O (embedding, judge).
    async fn match_candidates(
        &self,
        within: &Scope,
        proposals: &[EntityProposal],
        resolve: &dyn Resolve,
    ) -> StoreResult<Vec<Vec<KnownEntity>>>;

    /// Returns the visible entities; a merged id returns its survivor.
    async fn entities(&self, scope: &Scope, ids: &[EntityId]) -> StoreResult<Vec<Entity>>;
    async fn claims(&self, scope: &Scope, ids: &[ClaimId]) -> StoreResult<Vec<Claim>>;
    async fn relationships(&self, scope: &Scope, ids: &[RelationshipId]) -> StoreResult<Vec<Relationship>>;

    async fn find_entities(&self, scope: &Scope, query: &EntityQuery) -> StoreResult<Vec<Candidate<Entity>>>;
    async fn find_claims(&self, scope: &Scope, query: &ClaimQuery) -> StoreResult<Vec<Candidate<Claim>>>;
    async fn find_relationships(&self, scope: &Scope, query: &RelationshipQuery) -> StoreResult<Vec<Candidate<Relationship>>>;
    /// Returns the candidates of the three searches above, in as many statements as one of them takes.
    async fn find_all(&self, scope: &Scope, query: &GraphQuery) -> StoreResult<GraphCandidates>;
    /// Returns the newest visible claims about each entity, at most `each`, under the id of its survivor.
    async fn newest_claims(&self, scope: &Scope, entities: &[EntityId], each: u32) -> StoreResult<Vec<(EntityId, Claim)>>;
    /// Returns the relationships of one entity, with the other end and the direction.
    async fn traverse(&self, scope: &Scope, traversal: &Traversal) -> StoreResult<Vec<Neighbour>>;
    /// Returns the visible seeds with their strongest relationships to visible entities. Twins of merged entities are one edge with the
    /// evidence of both.
    async fn subgraph(&self, scope: &Scope, query: &SubgraphQuery) -> StoreResult<Subgraph>;
    /// Returns the numbers of visible claims, entities and relationships.
    async fn counts(&self, scope: &Scope) -> StoreResult<(u64, u64, u64)>;
    /// Returns the number of visible claims per document.
    async fn claim_counts(&self, scope: &Scope, documents: &[DocumentId]) -> StoreResult<Vec<u64>>;
    /// Returns the numbers of visible claims about an entity or, with `is_outlet`, of those that it published, by month, outlet and
    /// mode, in that order. A merged id counts its survivor.
    async fn claim_numbers(&self, scope: &Scope, entity: EntityId, is_outlet: bool) -> StoreResult<Vec<ClaimNumber>>;
    /// Returns the visible relationships and values that rest on a claim, and the documents that state them too, at most `limit` by id.
    async fn claim_uses(&self, scope: &Scope, claim: ClaimId, limit: u32) -> StoreResult<ClaimUses>;
    /// Returns the documents of the visible claims behind each relationship that rests on one of these visible claims, sorted. Twins of
    /// merged entities are one relationship.
    async fn stating_documents(&self, scope: &Scope, claims: &[ClaimId]) -> StoreResult<Vec<Vec<DocumentId>>>;

    /// Counts what rests on these documents alone, collection by collection.
    async fn sole_evidence(&self, documents: &[DocumentId]) -> StoreResult<SoleEvidence>;

    /// Merges `merged` into `survivor`: edges and names move, ids and original ends stay in the merge log, and `merged` resolves
    /// forever. `by` is the person who decided.
    async fn merge(
        &self,
        id: MergeId,
        survivor: EntityId,
        merged: EntityId,
        by: Option<UserId>,
        at: Timestamp,
    ) -> StoreResult<()>;
    /// Undoes a merge; later additions stay with the survivor.
    async fn undo_merge(&self, id: MergeId) -> StoreResult<()>;
    /// Moves visible claims of an entity to a new one, with the names, values and relationships that rest on them, and keeps the pair
    /// apart. What the scope does not see stays, and changes no outcome. Idempotent: where the new entity exists, nothing changes.
    /// Merging the two takes it back.
    async fn split(&self, scope: &Scope, split: &Split) -> StoreResult<SplitOutcome>;
    /// Returns merges that stand, newest first.
    async fn merges(&self, scope: &Scope, listed: ListedMerges, limit: u32) -> StoreResult<Vec<Merge>>;
    /// Returns the collections, of any owner, in which the survivor of an entity has names.
    async fn named_in(&self, entity: EntityId) -> StoreResult<NamedIn>;
    /// Returns open reviews of pairs that may be the same, best first; postponed ones last. Skips the first `skip`.
    async fn reviews(&self, scope: &Scope, skip: u64, limit: u32) -> StoreResult<Vec<Review>>;
    /// Returns the number of open reviews.
    async fn open_reviews(&self, scope: &Scope) -> StoreResult<u64>;
    /// Returns closed reviews of pairs that are kept apart, the latest decision first; those closed without a person last.
    async fn kept_apart(&self, scope: &Scope, limit: u32) -> StoreResult<Vec<Review>>;
    /// Stores a decision. Returns false unless the review is visible.
    async fn decide_review(
        &self,
        scope: &Scope,
        id: ReviewId,
        decision: ReviewDecision,
        by: Option<UserId>,
        at: Timestamp,
    ) -> StoreResult<bool>;

    /// Returns up to `limit` texts without a vector of `model`.
    async fn without_vector(&self, model: &str, kind: VectorKind, limit: u32) -> StoreResult<Vec<VectorText>>;
    /// Stores vectors, one table or index per model; replaces the vector of a changed text.
    async fn put_vectors(&self, model: &str, kind: VectorKind, vectors: &[(Uuid, Vec<f32>)]) -> StoreResult<()>;
    /// Returns how many texts have no vector of `model`, and how many have one.
    async fn vector_progress(&self, model: &str) -> StoreResult<(u64, u64)>;

    /// Returns backend name and version, for people; fails when the backend does not answer.
    async fn describe(&self) -> StoreResult<String>;

    /// Removes the claims of a collection and everything without other evidence, permanently: later writes to it are `Invalid`.
    async fn remove_collection(&self, collection: CollectionId) -> StoreResult<()>;
    /// Removes the claims of documents and everything without other evidence, permanently: later writes to them are `Invalid`.
    async fn remove_documents(&self, documents: &[DocumentId]) -> StoreResult<()>;
}
