//! Header and manifest of an archive.

use crate::archive::Tally;
use domain::Timestamp;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Format version that is written, and the newest that is read. It grows only when older programs would misread an archive; new
/// kinds and fields need no new version, because missing ones count as empty.
pub const FORMAT: u32 = 1;

/// Archive header, `autosint.json`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ArchiveHeader {
    /// Always `autosint.archive`.
    pub archive: String,
    pub format: u32,
    /// Program version.
    pub program: String,
    pub made_at: Timestamp,
    /// Description of the source store: `SQLite 3.51.3, schema 10`.
    pub store: String,
}

/// Manifest, `manifest.json`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Manifest {
    /// Hash of `autosint.json`.
    pub opening_sha256: String,
    /// Tally of each kind.
    pub kinds: BTreeMap<String, Tally>,
    /// Parts in archive order, which is import order.
    pub parts: Vec<Part>,
    pub blobs: u64,
    /// Total size of all blobs.
    pub blob_bytes: u64,
    /// Hash of the master key, if included.
    pub key_sha256: Option<String>,
}

/// Part of an archive: JSON lines of one kind.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Part {
    /// Entry name: `claims/000001.jsonl`.
    pub name: String,
    pub kind: String,
    pub records: u64,
    pub bytes: u64,
    pub sha256: String,
}
