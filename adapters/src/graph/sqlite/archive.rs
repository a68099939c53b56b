//! The embedded store as an archive: state and graph of one SQLite file in one consistent snapshot.

mod import;
mod page;

use super::SqliteGraph;
use crate::{
    graph::records,
    sql::{
        Store,
        archive::{canonical, import as import_state, snapshot::StateSnapshot},
    },
};
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

/// The archive of one SQLite file.
pub struct EmbeddedArchive {
    store: Store,
    graph: SqliteGraph,
    /// Makes the blocking keys of imported names.
    resolve: Arc<dyn Resolve>,
}

impl EmbeddedArchive {
    pub fn new(store: Store, graph: SqliteGraph, resolve: Arc<dyn Resolve>) -> Self {
        Self { store, graph, resolve }
    }
}

#[async_trait]
impl ArchiveStore for EmbeddedArchive {
    fn kinds(&self) -> Vec<RecordKind> {
        self.store.record_kinds().into_iter().chain(graph::KINDS).collect()
    }

    async fn snapshot(&self) -> StoreResult<Box<dyn Snapshot>> {
        Ok(Box::new(GraphSnapshot(StateSnapshot::begin(&self.store).await?)))
    }

    async fn import(&self, kind: RecordKind, records: &[ArchiveRecord]) -> StoreResult<()> {
        if !graph::KINDS.contains(&kind) {
            return import_state(&self.store, kind, records).await;
        }
        if kind == graph::VECTORS {
            let vectors: Vec<VectorRecord> = records::read(records)?;
            let views = import::view_ids(&self.graph, &vectors).await?;
            return records::import_vectors(&self.graph, &views, &vectors).await;
        }
        Ok(import::import(&self.graph, &*self.resolve, kind, records).await?)
    }

    fn canonical(&self, kind: RecordKind, line: &str) -> StoreResult<String> {
        if graph::KINDS.contains(&kind) { graph::canonical(kind, line) } else { canonical(&self.store, kind, line) }
    }
}

/// One read transaction over state and graph.
struct GraphSnapshot(StateSnapshot);

#[async_trait]
impl Snapshot for GraphSnapshot {
    async fn count(&mut self, kind: RecordKind) -> StoreResult<u64> {
        match self.0.sqlite() {
            Some(conn) if graph::KINDS.contains(&kind) => records::count(conn, kind).await,
            _ => self.0.count(kind).await,
        }
    }

    async fn page(&mut self, kind: RecordKind, after: Option<&str>, size: PageSize) -> StoreResult<Vec<ArchiveRecord>> {
        match self.0.sqlite() {
            Some(conn) if graph::KINDS.contains(&kind) => records::page(conn, kind, after, size).await,
            _ => self.0.page(kind, after, size).await,
        }
    }
}
