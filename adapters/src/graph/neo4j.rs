//! The knowledge graph in Neo4j 5.18 or newer. Statements are in `cypher`, which is also the map of the database.
//!
//! Invariant: every write is one transaction that begins by locking the one `Graph` node, so that one writer at a time decides what is
//! new, whichever process it is in; readers wait for nobody. Whatever was not done is done again as a whole, which natural keys make
//! harmless. The removal of a collection alone is many: first the tombstone, then portion after portion of what it had.

mod archive;
mod change;
mod cypher;
mod find;
mod link;
mod read;
mod scope;
mod vectors;
mod write;

pub use archive::Neo4jArchive;

use super::{
    config::{GraphConfig, Neo4jConfig},
    memory::Memory,
};
use crate::sql::Store;
use async_trait::async_trait;
use domain::{
    ClaimId, CollectionId, DocumentId, EntityId, MergeId, RelationshipId, ReviewId, Scope, Timestamp, claim::Claim,
    entity::Entity, entity::Review, relationship::Relationship,
};
use engine::{
    StoreError, StoreResult,
    embeddings::{VectorKind, VectorText},
    graph::{
        Candidate, ClaimQuery, EntityProposal, EntityQuery, Graph, GraphWrite, KnownEntity, Neighbour, RelationshipQuery,
        Resolve, Traversal, Written,
    },
    models::Secret,
    names::Names,
};
use futures::future::BoxFuture;
use link::{Link, ask};
use serde::Deserialize;
use std::{sync::Arc, time::Duration};
use tokio::sync::Mutex;
use uuid::Uuid;

/// The graph in Neo4j; a cheap clone.
#[derive(Clone)]
pub struct Neo4jGraph {
    link: Link,
    /// Knows which documents are extracted.
    store: Store,
    config: Arc<GraphConfig>,
    /// Chooses among the names of an entity.
    names: Arc<Names>,
    /// Who holds it writes, so that the writers of one process wait with one connection.
    memory: Arc<Mutex<Memory>>,
    collections: Arc<scope::Collections>,
    slots: Arc<vectors::Slots>,
}

/// The first version with vector indexes on relationships.
const OLDEST: (u32, u32) = (5, 18);

impl Neo4jGraph {
    /// Connects to the server that `graph.neo4j.url` names, and makes the constraints and indexes that it lacks. `store` remembers
    /// which documents are extracted. `Invalid` where the address, the password or the version is wrong.
    pub async fn connect(config: &GraphConfig, password: Option<&Secret>, store: &Store) -> StoreResult<Self> {
        let Neo4jConfig { url, .. } = &config.neo4j;
        let url = url.as_ref().ok_or_else(|| StoreError::Invalid("set graph.neo4j.url to bolt://host:7687".into()))?;
        let graph = Self {
            link: Link::new(&config.neo4j, url, password)?,
            store: store.clone(),
            config: Arc::new(config.clone()),
            names: Arc::default(),
            memory: Arc::default(),
            collections: Arc::default(),
            slots: Arc::default(),
        };
        // Boxed: who starts the program need not carry the type of all this.
        let prepared: BoxFuture<'_, StoreResult<()>> = Box::pin(graph.answered(|| graph.prepare()));
        prepared.await?;
        Ok(graph)
    }

    /// The same with the operator's word lists of names.
    pub fn with_names(self, names: Arc<Names>) -> Self {
        Self { names, ..self }
    }

    async fn version(&self) -> StoreResult<String> {
        #[derive(Deserialize)]
        struct Row {
            version: String,
        }
        let row: Option<Row> = self.link.read(ask(cypher::schema::SERVER)).await?.pop();
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
        self.link.make(ask(cypher::schema::ALL[0])).await?;
        let made: Option<read::Number> = self.link.read(ask(cypher::schema::GRAPH)).await?.pop();
        if made.is_some_and(|made| made.number == cypher::schema::VERSION) {
            return Ok(());
        }
        for statement in cypher::schema::ALL {
            self.link.make(ask(*statement)).await?;
        }
        for statement in cypher::schema::FILL {
            self.link.run(ask(*statement)).await?;
        }
        let seconds = self.config.neo4j.timeout_ms / 1000;
        self.link.run(ask(cypher::schema::AWAIT_INDEXES).with("seconds", seconds)).await?;
        self.link.run(ask(cypher::schema::MADE).with("schema", cypher::schema::VERSION)).await
    }

    /// Calls until it succeeds or cannot, in the time that a call has.
    async fn answered<T, F: Future<Output = StoreResult<T>>>(&self, mut call: impl FnMut() -> F) -> StoreResult<T> {
        let timeout_ms = self.config.neo4j.timeout_ms;
        let patiently = async {
            let mut backoff = self.store.backoff();
            loop {
                match call().await {
                    Ok(done) => return Ok(done),
                    Err(error) => link::wait_out(error, &mut backoff).await?,
                }
            }
        };
        let late = |_| Err(StoreError::Unavailable(format!("Neo4j did not answer within {timeout_ms} ms")));
        tokio::time::timeout(Duration::from_millis(timeout_ms), patiently).await.unwrap_or_else(late)
    }
}

#[async_trait]
impl Graph for Neo4jGraph {
    async fn write(&self, write: &GraphWrite, resolve: &dyn Resolve) -> StoreResult<Written> {
        self.answered(|| write::write(self, write, resolve)).await
    }

    async fn known(
        &self,
        within: &Scope,
        proposals: &[EntityProposal],
        resolve: &dyn Resolve,
    ) -> StoreResult<Vec<Vec<KnownEntity>>> {
        self.answered(|| write::known(self, within, proposals, resolve)).await
    }

    async fn entities(&self, scope: &Scope, ids: &[EntityId]) -> StoreResult<Vec<Entity>> {
        self.answered(|| read::entities(self, scope, ids)).await
    }

    async fn claims(&self, scope: &Scope, ids: &[ClaimId]) -> StoreResult<Vec<Claim>> {
        self.answered(|| read::claims(self, scope, ids)).await
    }

    async fn relationships(&self, scope: &Scope, ids: &[RelationshipId]) -> StoreResult<Vec<Relationship>> {
        self.answered(|| read::relationships(self, scope, ids)).await
    }

    async fn find_entities(&self, scope: &Scope, query: &EntityQuery) -> StoreResult<Vec<Candidate<Entity>>> {
        self.answered(|| find::entities(self, scope, query)).await
    }

    async fn find_claims(&self, scope: &Scope, query: &ClaimQuery) -> StoreResult<Vec<Candidate<Claim>>> {
        self.answered(|| find::claims(self, scope, query)).await
    }

    async fn find_relationships(&self, scope: &Scope, query: &RelationshipQuery) -> StoreResult<Vec<Candidate<Relationship>>> {
        self.answered(|| find::relationships(self, scope, query)).await
    }

    async fn traverse(&self, scope: &Scope, traversal: &Traversal) -> StoreResult<Vec<Neighbour>> {
        self.answered(|| find::traverse(self, scope, traversal)).await
    }

    async fn counts(&self, scope: &Scope) -> StoreResult<(u64, u64, u64)> {
        self.answered(|| read::counts(self, scope)).await
    }

    async fn claim_counts(&self, scope: &Scope, documents: &[DocumentId]) -> StoreResult<Vec<u64>> {
        self.answered(|| read::claim_counts(self, scope, documents)).await
    }

    async fn merge(&self, id: MergeId, survivor: EntityId, merged: EntityId, at: Timestamp) -> StoreResult<()> {
        self.answered(|| change::merge(self, id, survivor, merged, at)).await
    }

    async fn undo_merge(&self, id: MergeId) -> StoreResult<()> {
        self.answered(|| change::undo_merge(self, id)).await
    }

    async fn reviews(&self, scope: &Scope, limit: u32) -> StoreResult<Vec<Review>> {
        self.answered(|| read::reviews(self, scope, limit)).await
    }

    async fn close_review(&self, id: ReviewId) -> StoreResult<()> {
        self.answered(|| change::close_review(self, id)).await
    }

    async fn without_vector(&self, model: &str, kind: VectorKind, limit: u32) -> StoreResult<Vec<VectorText>> {
        self.answered(|| vectors::missing(self, model, kind, limit)).await
    }

    async fn put_vectors(&self, model: &str, kind: VectorKind, vectors: &[(Uuid, Vec<f32>)]) -> StoreResult<()> {
        self.answered(|| vectors::put(self, model, kind, vectors)).await
    }

    async fn vector_progress(&self, model: &str) -> StoreResult<(u64, u64)> {
        self.answered(|| vectors::progress(self, model)).await
    }

    async fn describe(&self) -> StoreResult<String> {
        Ok(format!("Neo4j {}", self.answered(|| self.version()).await?))
    }

    async fn remove_collection(&self, collection: CollectionId) -> StoreResult<()> {
        let Some(number) = self.answered(|| change::close_collection(self, collection)).await? else { return Ok(()) };
        for statement in cypher::change::REMOVE {
            while self.answered(|| change::remove_portion(self, number, statement)).await? {}
        }
        Ok(())
    }
}
