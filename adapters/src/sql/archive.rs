//! The state as records: every table that `tables` declares, on either database.
//!
//! Invariant: the statements are made of the declared lists; a test holds these to the schema, so that a migration that adds a table
//! or a column says whether it is carried.

mod arrivals;
mod import;
mod lines;
pub(crate) mod snapshot;
mod tables;

pub(crate) use import::import;
pub(crate) use lines::canonical;
pub(crate) use tables::kinds;
pub use tables::{LEFT_OUT, TABLES, Table, Type};

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
        kinds()
    }

    async fn snapshot(&self) -> StoreResult<Box<dyn Snapshot>> {
        Ok(Box::new(StateSnapshot::of(self).await?))
    }

    async fn import(&self, kind: RecordKind, records: &[ArchiveRecord]) -> StoreResult<()> {
        import(self, kind, records).await
    }

    fn canonical(&self, kind: RecordKind, line: &str) -> StoreResult<String> {
        canonical(kind, line)
    }
}
