//! Everything that a store keeps, as records that any other can take: what backup, restore and migration are built on.
//!
//! Two ports. `ArchiveStore` reads a store as one picture of one moment, kind of record by kind, and writes such records; `ImportState`
//! remembers that a store is being filled, so that nobody works on half of it. `carry` moves records from one to the other,
//! `file` keeps them in an archive.
//!
//! Invariant: a record is the same text on every backend (`ArchiveRecord::line`), so that two stores are compared by `Digest`.

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

/// What a record is of: `users`, `documents`, `claims` … The name is part of the format of archives.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RecordKind(pub &'static str);

impl fmt::Display for RecordKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0)
    }
}

/// One thing that a store keeps.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ArchiveRecord {
    /// Where it stands in the order of its store: the next page begins after it. Means nothing to any other store.
    pub place: String,
    /// One line of canonical JSON; bytes that it has are named in it by `blob_reference`.
    pub line: String,
    pub blob: Option<Bytes>,
}

/// How much of a kind is read at once: whatever is reached first, but at least one record.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PageSize {
    pub records: u32,
    pub bytes: usize,
}

/// A store that can be carried elsewhere.
#[async_trait]
pub trait ArchiveStore: Send + Sync {
    /// What it keeps, in the order in which it can be written: no record refers to one of a later kind.
    fn kinds(&self) -> Vec<RecordKind>;
    /// A picture of this moment, which later writes do not change. What is no picture of one moment (a graph beside a state that is
    /// elsewhere) is read so that nothing in it refers to what is missing; a page is `Stale` when a collection was removed meanwhile.
    async fn snapshot(&self) -> StoreResult<Box<dyn Snapshot>>;
    /// Writes records of one kind in one transaction, with everything that is made of them (full text, counts, blocking keys). The
    /// kinds before it are all there. One whose natural key is there becomes what the record says: writing it again does no harm.
    async fn import(&self, kind: RecordKind, records: &[ArchiveRecord]) -> StoreResult<()>;
    /// The line as this version writes it: an older one may lack what has been added since. `Invalid` when it is no record of the kind.
    fn canonical(&self, kind: RecordKind, line: &str) -> StoreResult<String>;
}

/// A store as it was at one moment.
#[async_trait]
pub trait Snapshot: Send {
    async fn count(&mut self, kind: RecordKind) -> StoreResult<u64>;
    /// The records after a place, in an order that stays the same for as long as the picture is held. Empty: there are no more.
    async fn page(&mut self, kind: RecordKind, after: Option<&str>, size: PageSize) -> StoreResult<Vec<ArchiveRecord>>;
}

/// A store that was filled from elsewhere, or is being.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ImportRun {
    /// Names the archive or the installation that it comes from.
    pub source: String,
    pub began_at: Timestamp,
    /// None: it is not all there.
    pub ended_at: Option<Timestamp>,
}

/// Remembers in the target what is being written to it.
#[async_trait]
pub trait ImportState: Send + Sync {
    /// How many processes work on this store, registered or holding something at `now`.
    async fn workers(&self, now: Timestamp) -> StoreResult<usize>;
    /// The last one.
    async fn last_import(&self) -> StoreResult<Option<ImportRun>>;
    /// Notes that one begins; harmless when it has begun.
    async fn begin_import(&self, source: &str, at: Timestamp) -> StoreResult<()>;
    /// Notes that one does not take place after all, before anything was written.
    async fn cancel_import(&self, source: &str) -> StoreResult<()>;
    /// Notes that everything is there.
    async fn end_import(&self, source: &str, at: Timestamp) -> StoreResult<()>;
}

/// How a line names bytes that are kept beside it.
pub fn blob_reference(bytes: &[u8]) -> Value {
    serde_json::json!({ "blob": sha256_hex(bytes), "bytes": bytes.len() })
}

/// The hash of the bytes that a line names; none when it has none.
pub fn blob_of(line: &Value) -> Option<&str> {
    line.as_object()?.values().find_map(|value| value.get("blob")?.as_str())
}

/// JSON without what not every backend can hold: U+0000 is left out of texts.
pub fn without_nul(value: &mut Value) {
    match value {
        Value::String(text) if text.contains('\0') => text.retain(|c| c != '\0'),
        Value::Array(list) => list.iter_mut().for_each(without_nul),
        Value::Object(map) => map.values_mut().for_each(without_nul),
        _ => {}
    }
}
