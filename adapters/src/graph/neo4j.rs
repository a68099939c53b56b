//! The knowledge graph in Neo4j 5.18 or newer. All statements are in `cypher`, whose header is the map of the database.
//!
//! Invariant: every write is one transaction that first locks the one `Graph` node, so that a single writer in any process decides what
//! is new. Readers never wait for it; a search by words waits until what was committed is indexed. A failed write is repeated as a
//! whole; natural keys make the repetition harmless. The removal of a collection takes many transactions: first the tombstone, then its
//! rows in portions.

mod archive;
mod client;
mod cypher;
mod document_removal;
mod find;
mod merge;
mod read;
mod removal;
mod reviews;
mod row_numbers;
mod split;
mod vectors;
mod write;

pub use archive::Neo4jArchive;

use super::{
    config::{GraphConfig, Neo4jConfig},
    resolution_cache::ResolutionCache,
};
use crate::{sql::Store, store_timer::StoreTimer};
use async_trait::async_trait;
use client::{Client, Statement};
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
    models::Secret,
    names::NameMatcher,
    reliability::DependencyGuard,
};
use futures::future::BoxFuture;
use serde::Deserialize;
use std::{sync::Arc, time::Duration};
use tokio::sync::Mutex;
use uuid::Uuid;

/// The graph in Neo4j; a cheap clone.
#[derive(Clone)]
pub struct Neo4jGraph {
    client: Client,
    /// Records which documents are extracted.
    store: Store,
    config: Arc<GraphConfig>,
    /// Chooses the canonical name of an entity.
    names: Arc<NameMatcher>,
    /// Cache and lock at once: its holder writes, so that the writers of one process wait with one connection.
    cache: Arc<Mutex<ResolutionCache>>,
    collections: Arc<row_numbers::CollectionCache>,
    slots: Arc<vectors::SlotCache>,
}

/// The first version with vector indexes on relationships.
const OLDEST: (u32, u32) = (5, 18);

impl Neo4jGraph {
    /// Connects to the server at `graph.neo4j.url` and creates missing constraints and indexes. `store` records which documents are
    /// extracted. Returns `Invalid` for a wrong address, password or version.
    pub async fn connect(config: &GraphConfig, password: Option<&Secret>, store: &Store) -> StoreResult<Self> {
        let Neo4jConfig { url, .. } = &config.neo4j;
        let url = url.as_ref().ok_or_else(|| StoreError::Invalid("set graph.neo4j.url to bolt://host:7687".into()))?;
        let graph = Self {
            client: Client::new(&config.neo4j, url, password)?,
            store: store.clone(),
            config: Arc::new(config.clone()),
            names: Arc::default(),
            cache: Arc::default(),
            collections: Arc::default(),
            slots: Arc::default(),
        };
        // Boxed: who starts the program need not carry the type of all this.
        let prepared: BoxFuture<'_, StoreResult<()>> = Box::pin(graph.retry_while_unavailable(|| graph.prepare()));
        prepared.await?;
        Ok(graph)
    }

    /// Replaces the word lists for names with the operator's.
    pub fn with_names(self, names: Arc<NameMatcher>) -> Self {
        Self { names, ..self }
    }

    /// Adds a circuit breaker: while the server does not answer, statements and transactions fail at once.
    pub fn guarded_by(self, guard: DependencyGuard) -> Self {
        Self { client: self.client.guarded_by(guard), ..self }
    }

    async fn version(&self) -> StoreResult<String> {
        #[derive(Deserialize)]
        struct Row {
            version: String,
        }
        let row: Option<Row> = self.client.read(Statement::new(cypher::schema::SERVER)).await?.pop();
        Ok(row.map(|row| row.version).unwrap_or_default())
    }

    async fn prepare(&self) -> StoreResult<()> {
        let version = self.version().await?;
        let mut numbers = version.split(['.', '-']).map_while(|part| part.parse::<u32>().ok());
        if (numbers.next().unwrap_or_default(), numbers.next().unwrap_or_default()) < OLDEST {
            let (major, minor) = OLDEST;
            return Err(StoreError::Invalid(format!("Neo4j {major}.{minor} or newer is needed, this is {version}: update it")));
        }
        // The constraint that makes it one node comes first.
        self.client.make(Statement::new(cypher::schema::ALL[0])).await?;
        let made: Option<read::Number> = self.client.read(Statement::new(cypher::schema::GRAPH)).await?.pop();
        if made.is_some_and(|made| made.number == cypher::schema::VERSION) {
            return Ok(());
        }
        for statement in cypher::schema::ALL {
            self.client.make(Statement::new(*statement)).await?;
        }
        for statement in cypher::schema::FILL {
            self.client.run(Statement::new(*statement)).await?;
        }
        let seconds = self.config.neo4j.timeout_ms / 1000;
        self.client.run(Statement::new(cypher::schema::AWAIT_INDEXES).with("seconds", seconds)).await?;
        self.client.run(Statement::new(cypher::schema::MADE).with("schema", cypher::schema::VERSION)).await
    }

    /// Repeats a call until it succeeds, fails for good, or reaches the time limit of a call.
    async fn retry_while_unavailable<T, F: Future<Output = StoreResult<T>>>(
        &self,
        mut call: impl FnMut() -> F,
    ) -> StoreResult<T> {
        let timeout_ms = self.config.neo4j.timeout_ms;
        let attempts = async {
            let mut backoff = self.store.backoff();
            loop {
                match call().await {
                    Ok(done) => return Ok(done),
                    Err(error) => client::wait_out(error, &mut backoff).await?,
                }
            }
        };
        if let Ok(done) = tokio::time::timeout(Duration::from_millis(timeout_ms), attempts).await {
            return done;
        }
        let reason = format!("Neo4j did not answer within {timeout_ms} ms");
        self.client.note_silence(&reason).await;
        Err(StoreError::Unavailable(reason))
    }
}

#[async_trait]
impl Graph for Neo4jGraph {
    async fn write(&self, writes: &[GraphWrite], resolve: &dyn Resolve) -> StoreResult<Vec<WriteOutcome>> {
        let _timer = StoreTimer::graph("write", "write");
        self.retry_while_unavailable(|| write::write(self, writes, resolve)).await
    }

    async fn match_candidates(
        &self,
        within: &Scope,
        proposals: &[EntityProposal],
        resolve: &dyn Resolve,
    ) -> StoreResult<Vec<Vec<KnownEntity>>> {
        let _timer = StoreTimer::graph("match_candidates", "read");
        self.retry_while_unavailable(|| write::match_candidates(self, within, proposals, resolve)).await
    }

    async fn entities(&self, scope: &Scope, ids: &[EntityId]) -> StoreResult<Vec<Entity>> {
        let _timer = StoreTimer::graph("entities", "read");
        self.retry_while_unavailable(|| read::entities(self, scope, ids)).await
    }

    async fn claims(&self, scope: &Scope, ids: &[ClaimId]) -> StoreResult<Vec<Claim>> {
        let _timer = StoreTimer::graph("claims", "read");
        self.retry_while_unavailable(|| read::claims(self, scope, ids)).await
    }

    async fn relationships(&self, scope: &Scope, ids: &[RelationshipId]) -> StoreResult<Vec<Relationship>> {
        let _timer = StoreTimer::graph("relationships", "read");
        self.retry_while_unavailable(|| read::relationships(self, scope, ids)).await
    }

    async fn find_entities(&self, scope: &Scope, query: &EntityQuery) -> StoreResult<Vec<Candidate<Entity>>> {
        let _timer = StoreTimer::graph("find_entities", "read");
        self.retry_while_unavailable(|| find::entities(self, scope, query)).await
    }

    async fn find_claims(&self, scope: &Scope, query: &ClaimQuery) -> StoreResult<Vec<Candidate<Claim>>> {
        let _timer = StoreTimer::graph("find_claims", "read");
        self.retry_while_unavailable(|| find::claims(self, scope, query)).await
    }

    async fn find_relationships(&self, scope: &Scope, query: &RelationshipQuery) -> StoreResult<Vec<Candidate<Relationship>>> {
        let _timer = StoreTimer::graph("find_relationships", "read");
        self.retry_while_unavailable(|| find::relationships(self, scope, query)).await
    }

    async fn find_all(&self, scope: &Scope, query: &GraphQuery) -> StoreResult<GraphCandidates> {
        let _timer = StoreTimer::graph("find_all", "read");
        self.retry_while_unavailable(|| find::all(self, scope, query)).await
    }

    async fn newest_claims(&self, scope: &Scope, entities: &[EntityId], each: u32) -> StoreResult<Vec<(EntityId, Claim)>> {
        let _timer = StoreTimer::graph("newest_claims", "read");
        self.retry_while_unavailable(|| find::newest_claims(self, scope, entities, each)).await
    }

    async fn traverse(&self, scope: &Scope, traversal: &Traversal) -> StoreResult<Vec<Neighbour>> {
        let _timer = StoreTimer::graph("traverse", "read");
        self.retry_while_unavailable(|| find::traverse(self, scope, traversal)).await
    }

    async fn subgraph(&self, scope: &Scope, query: &SubgraphQuery) -> StoreResult<Subgraph> {
        let _timer = StoreTimer::graph("subgraph", "read");
        self.retry_while_unavailable(|| find::subgraph(self, scope, query)).await
    }

    async fn counts(&self, scope: &Scope) -> StoreResult<(u64, u64, u64)> {
        let _timer = StoreTimer::graph("counts", "read");
        self.retry_while_unavailable(|| read::counts(self, scope)).await
    }

    async fn claim_counts(&self, scope: &Scope, documents: &[DocumentId]) -> StoreResult<Vec<u64>> {
        let _timer = StoreTimer::graph("claim_counts", "read");
        self.retry_while_unavailable(|| read::claim_counts(self, scope, documents)).await
    }

    async fn claim_numbers(&self, scope: &Scope, entity: EntityId, is_outlet: bool) -> StoreResult<Vec<ClaimNumber>> {
        let _timer = StoreTimer::graph("claim_numbers", "read");
        self.retry_while_unavailable(|| read::claim_numbers(self, scope, entity, is_outlet)).await
    }

    async fn claim_uses(&self, scope: &Scope, claim: ClaimId, limit: u32) -> StoreResult<ClaimUses> {
        let _timer = StoreTimer::graph("claim_uses", "read");
        self.retry_while_unavailable(|| read::claim_uses(self, scope, claim, limit)).await
    }

    async fn sole_evidence(&self, documents: &[DocumentId]) -> StoreResult<SoleEvidence> {
        let _timer = StoreTimer::graph("sole_evidence", "read");
        self.retry_while_unavailable(|| document_removal::sole_evidence(self, documents)).await
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
        self.retry_while_unavailable(|| merge::merge(self, id, (survivor, merged), by, at)).await
    }

    async fn undo_merge(&self, id: MergeId) -> StoreResult<()> {
        let _timer = StoreTimer::graph("undo_merge", "write");
        self.retry_while_unavailable(|| merge::undo(self, id)).await
    }

    async fn split(&self, scope: &Scope, split: &Split) -> StoreResult<SplitOutcome> {
        let _timer = StoreTimer::graph("split", "write");
        self.retry_while_unavailable(|| split::split(self, scope, split)).await
    }

    async fn merges(&self, scope: &Scope, listed: ListedMerges, limit: u32) -> StoreResult<Vec<Merge>> {
        let _timer = StoreTimer::graph("merges", "read");
        self.retry_while_unavailable(|| merge::standing(self, scope, listed, limit)).await
    }

    async fn named_in(&self, entity: EntityId) -> StoreResult<NamedIn> {
        let _timer = StoreTimer::graph("named_in", "read");
        self.retry_while_unavailable(|| merge::named_in(self, entity)).await
    }

    async fn reviews(&self, scope: &Scope, skip: u64, limit: u32) -> StoreResult<Vec<Review>> {
        let _timer = StoreTimer::graph("reviews", "read");
        self.retry_while_unavailable(|| reviews::open(self, scope, skip, limit)).await
    }

    async fn open_reviews(&self, scope: &Scope) -> StoreResult<u64> {
        let _timer = StoreTimer::graph("open_reviews", "read");
        self.retry_while_unavailable(|| reviews::count_open(self, scope)).await
    }

    async fn kept_apart(&self, scope: &Scope, limit: u32) -> StoreResult<Vec<Review>> {
        let _timer = StoreTimer::graph("kept_apart", "read");
        self.retry_while_unavailable(|| reviews::kept_apart(self, scope, limit)).await
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
        self.retry_while_unavailable(|| reviews::decide(self, scope, id, decision, (by, at))).await
    }

    async fn without_vector(&self, model: &str, kind: VectorKind, limit: u32) -> StoreResult<Vec<VectorText>> {
        let _timer = StoreTimer::graph("without_vector", "read");
        self.retry_while_unavailable(|| vectors::missing(self, model, kind, limit)).await
    }

    async fn put_vectors(&self, model: &str, kind: VectorKind, vectors: &[(Uuid, Vec<f32>)]) -> StoreResult<()> {
        let _timer = StoreTimer::graph("put_vectors", "write");
        self.retry_while_unavailable(|| vectors::put(self, model, kind, vectors)).await
    }

    async fn vector_progress(&self, model: &str) -> StoreResult<(u64, u64)> {
        let _timer = StoreTimer::graph("vector_progress", "read");
        self.retry_while_unavailable(|| vectors::progress(self, model)).await
    }

    async fn describe(&self) -> StoreResult<String> {
        let _timer = StoreTimer::graph("describe", "read");
        Ok(format!("Neo4j {}", self.retry_while_unavailable(|| self.version()).await?))
    }

    async fn remove_collection(&self, collection: CollectionId) -> StoreResult<()> {
        let _timer = StoreTimer::graph("remove_collection", "write");
        let Some(number) = self.retry_while_unavailable(|| removal::close_collection(self, collection)).await? else {
            return Ok(());
        };
        for statement in cypher::removal::REMOVE {
            while self.retry_while_unavailable(|| removal::remove_portion(self, number, statement)).await? {}
        }
        Ok(())
    }

    async fn remove_documents(&self, documents: &[DocumentId]) -> StoreResult<()> {
        let _timer = StoreTimer::graph("remove_documents", "write");
        self.retry_while_unavailable(|| document_removal::remove_documents(self, documents)).await
    }
}
