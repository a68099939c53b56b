//! The knowledge graph in the tables of the SQLite file. Every write is one transaction, with one writer at a time.

mod archive;
mod claim_rows;
mod document_removal;
mod find;
mod json;
mod merge;
mod read;
mod removal;
mod reviews;
mod row_numbers;
mod split;
mod vectors;
mod write;

pub use archive::EmbeddedArchive;

use super::{config::GraphConfig, resolution_cache::ResolutionCache};
use crate::{
    sql::{Store, fault::Fault},
    store_timer::StoreTimer,
};
use async_trait::async_trait;
use domain::{
    ClaimId, CollectionId, DocumentId, EntityId, MergeId, RelationshipId, ReviewId, Scope, Timestamp, UserId,
    claim::Claim,
    entity::{Entity, Merge, Review, ReviewDecision},
    relationship::Relationship,
    subgraph::Subgraph,
};
use engine::{
    StoreError, StoreResult,
    embeddings::{VectorKind, VectorText},
    graph::{
        Candidate, ClaimNumber, ClaimQuery, ClaimUses, EntityProposal, EntityQuery, Graph, GraphCandidates, GraphQuery,
        GraphWrite, KnownEntity, ListedMerges, NamedIn, Neighbour, RelationshipQuery, Resolve, SoleEvidence, Split,
        SplitOutcome, SubgraphQuery, Traversal, WriteOutcome,
    },
    names::NameMatcher,
};
use sqlx::SqlitePool;
use std::sync::Arc;
use tokio::sync::Mutex;
use uuid::Uuid;

/// The graph beside the state in one SQLite file; a cheap clone.
#[derive(Clone)]
pub struct SqliteGraph {
    reader: SqlitePool,
    writer: SqlitePool,
    config: GraphConfig,
    /// Chooses the canonical name of an entity.
    names: Arc<NameMatcher>,
    cache: Arc<Mutex<ResolutionCache>>,
}

impl SqliteGraph {
    /// Opens the graph of a store on SQLite; `Invalid` on PostgreSQL, where the graph lives in Neo4j.
    pub fn new(store: &Store, config: GraphConfig) -> StoreResult<Self> {
        let pools = store
            .sqlite()
            .ok_or_else(|| StoreError::Invalid("on PostgreSQL the graph needs Neo4j: set graph.neo4j.url".into()))?;
        let (reader, writer) = (pools.reader.clone(), pools.writer.clone());
        Ok(Self { reader, writer, config, names: Arc::default(), cache: Arc::default() })
    }

    /// Replaces the word lists for names with the operator's.
    pub fn with_names(self, names: Arc<NameMatcher>) -> Self {
        Self { names, ..self }
    }
}

#[async_trait]
impl Graph for SqliteGraph {
    async fn write(&self, writes: &[GraphWrite], resolve: &dyn Resolve) -> StoreResult<Vec<WriteOutcome>> {
        let _timer = StoreTimer::graph("write", "write");
        Ok(write::write(self, writes, resolve).await?)
    }

    async fn match_candidates(
        &self,
        within: &Scope,
        proposals: &[EntityProposal],
        resolve: &dyn Resolve,
    ) -> StoreResult<Vec<Vec<KnownEntity>>> {
        let _timer = StoreTimer::graph("match_candidates", "read");
        Ok(write::match_candidates(self, within, proposals, resolve).await?)
    }

    async fn entities(&self, scope: &Scope, ids: &[EntityId]) -> StoreResult<Vec<Entity>> {
        let _timer = StoreTimer::graph("entities", "read");
        Ok(read::entities(self, scope, ids).await?)
    }

    async fn claims(&self, scope: &Scope, ids: &[ClaimId]) -> StoreResult<Vec<Claim>> {
        let _timer = StoreTimer::graph("claims", "read");
        Ok(read::claims(self, scope, ids).await?)
    }

    async fn relationships(&self, scope: &Scope, ids: &[RelationshipId]) -> StoreResult<Vec<Relationship>> {
        let _timer = StoreTimer::graph("relationships", "read");
        Ok(read::relationships(self, scope, ids).await?)
    }

    async fn find_entities(&self, scope: &Scope, query: &EntityQuery) -> StoreResult<Vec<Candidate<Entity>>> {
        let _timer = StoreTimer::graph("find_entities", "read");
        Ok(find::entities(self, scope, query).await?)
    }

    async fn find_claims(&self, scope: &Scope, query: &ClaimQuery) -> StoreResult<Vec<Candidate<Claim>>> {
        let _timer = StoreTimer::graph("find_claims", "read");
        Ok(find::claims(self, scope, query).await?)
    }

    async fn find_relationships(&self, scope: &Scope, query: &RelationshipQuery) -> StoreResult<Vec<Candidate<Relationship>>> {
        let _timer = StoreTimer::graph("find_relationships", "read");
        Ok(find::relationships(self, scope, query).await?)
    }

    async fn find_all(&self, scope: &Scope, query: &GraphQuery) -> StoreResult<GraphCandidates> {
        let _timer = StoreTimer::graph("find_all", "read");
        Ok(find::all(self, scope, query).await?)
    }

    async fn newest_claims(&self, scope: &Scope, entities: &[EntityId], each: u32) -> StoreResult<Vec<(EntityId, Claim)>> {
        let _timer = StoreTimer::graph("newest_claims", "read");
        Ok(find::newest_claims(self, scope, entities, each).await?)
    }

    async fn traverse(&self, scope: &Scope, traversal: &Traversal) -> StoreResult<Vec<Neighbour>> {
        let _timer = StoreTimer::graph("traverse", "read");
        Ok(find::traverse(self, scope, traversal).await?)
    }

    async fn subgraph(&self, scope: &Scope, query: &SubgraphQuery) -> StoreResult<Subgraph> {
        let _timer = StoreTimer::graph("subgraph", "read");
        Ok(find::subgraph(self, scope, query).await?)
    }

    async fn counts(&self, scope: &Scope) -> StoreResult<(u64, u64, u64)> {
        let _timer = StoreTimer::graph("counts", "read");
        Ok(read::counts(self, scope).await?)
    }

    async fn claim_counts(&self, scope: &Scope, documents: &[DocumentId]) -> StoreResult<Vec<u64>> {
        let _timer = StoreTimer::graph("claim_counts", "read");
        Ok(read::claim_counts(self, scope, documents).await?)
    }

    async fn claim_numbers(&self, scope: &Scope, entity: EntityId, is_outlet: bool) -> StoreResult<Vec<ClaimNumber>> {
        let _timer = StoreTimer::graph("claim_numbers", "read");
        Ok(read::claim_numbers(self, scope, entity, is_outlet).await?)
    }

    async fn claim_uses(&self, scope: &Scope, claim: ClaimId, limit: u32) -> StoreResult<ClaimUses> {
        let _timer = StoreTimer::graph("claim_uses", "read");
        Ok(read::claim_uses(self, scope, claim, limit).await?)
    }

    async fn sole_evidence(&self, documents: &[DocumentId]) -> StoreResult<SoleEvidence> {
        let _timer = StoreTimer::graph("sole_evidence", "read");
        Ok(document_removal::sole_evidence(self, documents).await?)
    }

    async fn merge(
        &self,
        id: MergeId,
        survivor: EntityId,
        merged: EntityId,
        by: Option<UserId>,
        at: Timestamp,
    ) -> StoreResult<()> {
        let _timer = StoreTimer::graph("merge", "write");
        Ok(merge::merge(self, id, (survivor, merged), by, at).await?)
    }

    async fn undo_merge(&self, id: MergeId) -> StoreResult<()> {
        let _timer = StoreTimer::graph("undo_merge", "write");
        Ok(merge::undo(self, id).await?)
    }

    async fn split(&self, scope: &Scope, split: &Split) -> StoreResult<SplitOutcome> {
        let _timer = StoreTimer::graph("split", "write");
        Ok(split::split(self, scope, split).await?)
    }

    async fn merges(&self, scope: &Scope, listed: ListedMerges, limit: u32) -> StoreResult<Vec<Merge>> {
        let _timer = StoreTimer::graph("merges", "read");
        Ok(merge::standing(self, scope, listed, limit).await?)
    }

    async fn named_in(&self, entity: EntityId) -> StoreResult<NamedIn> {
        let _timer = StoreTimer::graph("named_in", "read");
        Ok(merge::named_in(self, entity).await?)
    }

    async fn reviews(&self, scope: &Scope, skip: u64, limit: u32) -> StoreResult<Vec<Review>> {
        let _timer = StoreTimer::graph("reviews", "read");
        Ok(reviews::open(self, scope, skip, limit).await?)
    }

    async fn open_reviews(&self, scope: &Scope) -> StoreResult<u64> {
        let _timer = StoreTimer::graph("open_reviews", "read");
        Ok(reviews::count_open(self, scope).await?)
    }

    async fn kept_apart(&self, scope: &Scope, limit: u32) -> StoreResult<Vec<Review>> {
        let _timer = StoreTimer::graph("kept_apart", "read");
        Ok(reviews::kept_apart(self, scope, limit).await?)
    }

    async fn decide_review(
        &self,
        scope: &Scope,
        id: ReviewId,
        decision: ReviewDecision,
        by: Option<UserId>,
        at: Timestamp,
    ) -> StoreResult<bool> {
        let _timer = StoreTimer::graph("decide_review", "write");
        Ok(reviews::decide(self, scope, id, decision, (by, at)).await?)
    }

    async fn without_vector(&self, model: &str, kind: VectorKind, limit: u32) -> StoreResult<Vec<VectorText>> {
        let _timer = StoreTimer::graph("without_vector", "read");
        Ok(vectors::missing(self, model, kind, limit).await?)
    }

    async fn put_vectors(&self, model: &str, kind: VectorKind, vectors: &[(Uuid, Vec<f32>)]) -> StoreResult<()> {
        let _timer = StoreTimer::graph("put_vectors", "write");
        Ok(vectors::put(self, model, kind, vectors).await?)
    }

    async fn vector_progress(&self, model: &str) -> StoreResult<(u64, u64)> {
        let _timer = StoreTimer::graph("vector_progress", "read");
        Ok(vectors::progress(self, model).await?)
    }

    async fn describe(&self) -> StoreResult<String> {
        let _timer = StoreTimer::graph("describe", "read");
        let version: String =
            sqlx::query_scalar("select sqlite_version()").fetch_one(&self.reader).await.map_err(Fault::from)?;
        Ok(format!("SQLite {version}"))
    }

    async fn remove_collection(&self, collection: CollectionId) -> StoreResult<()> {
        let _timer = StoreTimer::graph("remove_collection", "write");
        Ok(removal::remove_collection(self, collection).await?)
    }

    async fn remove_documents(&self, documents: &[DocumentId]) -> StoreResult<()> {
        let _timer = StoreTimer::graph("remove_documents", "write");
        Ok(document_removal::remove_documents(self, documents).await?)
    }
}
