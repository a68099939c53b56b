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
    port::implement_graph,
    resolution_cache::ResolutionCache,
};
use crate::{sql::Store, store_timer::StoreTimer};
use client::{Client, Statement};
use domain::CollectionId;
use engine::{StoreError, StoreResult, models::Secret, names::NameMatcher, reliability::DependencyGuard};
use futures::future::BoxFuture;
use serde::Deserialize;
use std::{sync::Arc, time::Duration};
use tokio::sync::Mutex;

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
        // Boxed: keeps the large future out of the caller's type.
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

implement_graph!(Neo4jGraph, retry_while_unavailable, {
    /// Takes many transactions, each with a time limit of its own.
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
});
