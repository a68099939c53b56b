//! The state as an archive: every table declared in `tables`, on either database.
//!
//! Invariant: the statements are built from the declared lists, and a test compares these with the schema. A migration that adds a table
//! or column must declare whether it is archived.

mod import;
mod import_state;
mod lines;
mod scope;
pub(crate) mod snapshot;
mod tables;

pub use crate::tables;
pub(crate) use import::import;
pub(crate) use lines::canonical;
pub use scope::{RowLabel, ScopeColumn, ScopeKind};
pub use tables::{ColumnType, EXCLUDED, TABLES, Table};

use super::Store;
use async_trait::async_trait;
use engine::{
    StoreResult,
    archive::{ArchiveRecord, ArchiveStore, RecordKind, Snapshot},
};
use snapshot::StateSnapshot;

#[async_trait]
impl ArchiveStore for Store {
    fn kinds(&self) -> Vec<RecordKind> {
        self.record_kinds()
    }

    async fn snapshot(&self) -> StoreResult<Box<dyn Snapshot>> {
        Ok(Box::new(StateSnapshot::begin(self).await?))
    }

    async fn import(&self, kind: RecordKind, records: &[ArchiveRecord]) -> StoreResult<()> {
        import(self, kind, records).await
    }

    fn canonical(&self, kind: RecordKind, line: &str) -> StoreResult<String> {
        canonical(self, kind, line)
    }
}
