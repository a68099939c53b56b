//! The graph as an archive. Pages share no snapshot; `engine::archive::CombinedStore` leaves out later changes.

mod import;
mod page;

use super::Neo4jGraph;
use crate::graph::records;
use async_trait::async_trait;
use engine::{
    StoreResult,
    archive::{
        ArchiveRecord, ArchiveStore, PageSize, RecordKind, Snapshot,
        graph::{self, VectorRecord},
    },
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
        if kind == graph::VECTORS {
            let vectors: Vec<VectorRecord> = records::read(records)?;
            let views = self.graph.retry_while_unavailable(|| import::view_ids(&self.graph, &vectors)).await?;
            return records::import_vectors(&self.graph, &views, &vectors).await;
        }
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
        self.0.retry_while_unavailable(|| async { records::count(&mut self.0.clone(), kind).await }).await
    }

    async fn page(&mut self, kind: RecordKind, after: Option<&str>, size: PageSize) -> StoreResult<Vec<ArchiveRecord>> {
        self.0.retry_while_unavailable(|| async { records::page(&mut self.0.clone(), kind, after, size).await }).await
    }
}
