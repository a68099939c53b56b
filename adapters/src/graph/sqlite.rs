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

use super::{config::GraphConfig, port::implement_graph, resolution_cache::ResolutionCache};
use crate::{
    sql::{Store, fault::Fault},
    store_timer::StoreTimer,
};
use domain::CollectionId;
use engine::{StoreError, StoreResult, names::NameMatcher};
use sqlx::SqlitePool;
use std::sync::Arc;
use tokio::sync::Mutex;

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

    /// Makes a call once: a file answers at once or fails for good.
    async fn once<T, F: Future<Output = Result<T, Fault>>>(&self, call: impl FnOnce() -> F) -> StoreResult<T> {
        Ok(call().await?)
    }
}

implement_graph!(SqliteGraph, once, {
    async fn remove_collection(&self, collection: CollectionId) -> StoreResult<()> {
        let _timer = StoreTimer::graph("remove_collection", "write");
        Ok(removal::remove_collection(self, collection).await?)
    }
});
