//! Portable archive records of a store, the basis of backup, restore and migration.
//!
//! Two ports: `ArchiveStore` reads a consistent snapshot, record kind by record kind, and imports such records; `ImportState`
//! records a running import, so that no process works on a partial store. `copy` transfers records; `file` stores them in an
//! archive.
//!
//! Invariant: a record has the same text on every backend (`ArchiveRecord::line`), so `Digest` compares two stores.

mod combined;
mod config;
mod copy;
mod digest;
pub mod file;
pub mod graph;
mod source;

pub use combined::CombinedStore;
pub use config::TransferConfig;
pub use copy::{TallyDifference, TransferError, TransferReport, TransferStep, copy, count_all};
pub use digest::{Digest, Digests, Tally};
pub use source::{Batch, RecordSource, SnapshotPages};

use crate::{StoreResult, evidence::sha256_hex};
use async_trait::async_trait;
use bytes::Bytes;
use domain::Timestamp;
use serde_json::Value;
use std::fmt;

/// Kind of a record: `users`, `documents`, `claims` … The name is part of the archive format.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RecordKind(pub &'static str);

impl fmt::Display for RecordKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0)
    }
}

/// Record of a store.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ArchiveRecord {
    /// Position in the store's own order: the next page begins after it. Meaningless to other stores.
    pub place: String,
    /// Line of canonical JSON; its bytes are named by `blob_reference`.
    pub line: String,
    pub blob: Option<Bytes>,
}

/// Page size limits: whichever is reached first, but at least one record.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PageSize {
    pub records: u32,
    pub bytes: usize,
}

/// Port of a store whose records can be exported and imported.
#[async_trait]
pub trait ArchiveStore: Send + Sync {
    /// Returns the record kinds in import order: no record refers to one of a later kind.
    fn kinds(&self) -> Vec<RecordKind>;
    /// Opens a snapshot unaffected by later writes.
    ///
    /// A graph beside a separate state store has no common moment; it is read so that no reference dangles. A page is `Stale`
    /// when a collection was removed meanwhile.
    async fn snapshot(&self) -> StoreResult<Box<dyn Snapshot>>;
    /// Imports records of one kind in one transaction, with derived data (full text, counts, blocking keys). Earlier kinds are
    /// complete. A record with an existing natural key overwrites it, so repeating is harmless.
    async fn import(&self, kind: RecordKind, records: &[ArchiveRecord]) -> StoreResult<()>;
    /// Returns the line in this version's form; older lines may lack fields. `Invalid` when it is no record of the kind.
    fn canonical(&self, kind: RecordKind, line: &str) -> StoreResult<String>;
}

/// Snapshot of a store.
#[async_trait]
pub trait Snapshot: Send {
    async fn count(&mut self, kind: RecordKind) -> StoreResult<u64>;
    /// Returns the records after a position, in an order stable for the snapshot. Empty at the end.
    async fn page(&mut self, kind: RecordKind, after: Option<&str>, size: PageSize) -> StoreResult<Vec<ArchiveRecord>>;
}

/// State of an import into this store.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ImportRun {
    /// Identifier of the source archive or installation.
    pub source: String,
    pub began_at: Timestamp,
    /// None while the import is incomplete.
    pub ended_at: Option<Timestamp>,
}

/// Port of the import state, kept in the target store.
#[async_trait]
pub trait ImportState: Send + Sync {
    /// Returns how many processes use this store: registered, or holding something at `now`.
    async fn workers(&self, now: Timestamp) -> StoreResult<usize>;
    /// Returns the last import.
    async fn last_import(&self) -> StoreResult<Option<ImportRun>>;
    /// Records the start of an import. Idempotent.
    async fn begin_import(&self, source: &str, at: Timestamp) -> StoreResult<()>;
    /// Records that an import was cancelled before anything was written.
    async fn cancel_import(&self, source: &str) -> StoreResult<()>;
    /// Records that an import is complete.
    async fn end_import(&self, source: &str, at: Timestamp) -> StoreResult<()>;
}

/// Returns the reference by which a line names separately stored bytes.
pub fn blob_reference(bytes: &[u8]) -> Value {
    serde_json::json!({ "blob": sha256_hex(bytes), "bytes": bytes.len() })
}

/// Returns the hash of the bytes referenced by a line, if any.
pub fn blob_of(line: &Value) -> Option<&str> {
    line.as_object()?.values().find_map(|value| value.get("blob")?.as_str())
}

/// Removes U+0000 from texts, which not every backend can store.
pub fn without_nul(value: &mut Value) {
    match value {
        Value::String(text) if text.contains('\0') => text.retain(|c| c != '\0'),
        Value::Array(list) => list.iter_mut().for_each(without_nul),
        Value::Object(map) => map.values_mut().for_each(without_nul),
        _ => {}
    }
}
