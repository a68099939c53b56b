//! What an archive says of itself.

use crate::archive::Tally;
use domain::Timestamp;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The format that this version writes, and the newest that it reads. Grows when an older program would misread an archive; a kind
/// or a field that is new is no reason, since what is missing counts as empty.
pub const FORMAT: u32 = 1;

/// `autosint.json`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ArchiveHeader {
    /// Always `autosint.archive`.
    pub archive: String,
    pub format: u32,
    /// The version of the program.
    pub program: String,
    pub made_at: Timestamp,
    /// Where it comes from, in words: `SQLite 3.51.3, schema 17`.
    pub store: String,
}

/// `manifest.json`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Manifest {
    /// The hash of `autosint.json`.
    pub opening_sha256: String,
    /// What there is of each kind.
    pub kinds: BTreeMap<String, Tally>,
    /// In the order in which they stand, which is the order in which they can be written to a store.
    pub parts: Vec<Part>,
    pub blobs: u64,
    /// Of all of them.
    pub blob_bytes: u64,
    /// The hash of the master key, if it is there.
    pub key_sha256: Option<String>,
}

/// JSON lines of one kind.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Part {
    /// The name of the entry: `claims/000001.jsonl`.
    pub name: String,
    pub kind: String,
    pub records: u64,
    pub bytes: u64,
    pub sha256: String,
}
