//! The graph as an archive. Pages share no snapshot; `engine::archive::CombinedStore` leaves out later changes.

mod import;
mod page;

use super::Neo4jGraph;
use async_trait::async_trait;
use engine::{
    StoreError, StoreResult,
    archive::{ArchiveRecord, ArchiveStore, PageSize, RecordKind, Snapshot, graph},
    graph::Resolve,
};
use std::sync::Arc;

/// An archive of the graph in Neo4j.
pub struct Neo4jArchive {
    graph: Neo4jGraph,
    /// Makes the blocking keys of imported names.
    resolve: Arc<dyn Resolve>,
}

impl Neo4jArchive {
    pub fn new(graph: Neo4jGraph, resolve: Arc<dyn Resolve>) -> Self {
        Self { graph, resolve }
    }
}

#[async_trait]
impl ArchiveStore for Neo4jArchive {
    fn kinds(&self) -> Vec<RecordKind> {
        graph::KINDS.to_vec()
    }

    async fn snapshot(&self) -> StoreResult<Box<dyn Snapshot>> {
        Ok(Box::new(GraphSnapshot(self.graph.clone())))
    }

    async fn import(&self, kind: RecordKind, records: &[ArchiveRecord]) -> StoreResult<()> {
        self.graph.retry_while_unavailable(|| import::import(&self.graph, &*self.resolve, kind, records)).await
    }

    fn canonical(&self, kind: RecordKind, line: &str) -> StoreResult<String> {
        graph::canonical(kind, line)
    }
}

/// The graph while it is being read.
struct GraphSnapshot(Neo4jGraph);

#[async_trait]
impl Snapshot for GraphSnapshot {
    async fn count(&mut self, kind: RecordKind) -> StoreResult<u64> {
        self.0.retry_while_unavailable(|| page::count(&self.0, kind)).await
    }

    async fn page(&mut self, kind: RecordKind, after: Option<&str>, size: PageSize) -> StoreResult<Vec<ArchiveRecord>> {
        self.0.retry_while_unavailable(|| page::page(&self.0, kind, after, size)).await
    }
}

fn unknown(kind: RecordKind) -> StoreError {
    StoreError::Invalid(format!("the graph has no records of kind {kind}"))
}
