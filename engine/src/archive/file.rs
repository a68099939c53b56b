//! Archive file: one tar with JSON lines and blobs; docs/archive.md describes the format.
//!
//! Invariant: nothing is used before its hash is verified: each part against the manifest, each blob against its name, the
//! manifest against its hash. Anything else is refused by name.

mod check;
mod manifest;
mod read;
mod write;

pub use check::{VerifiedArchive, check};
pub use manifest::{ArchiveHeader, FORMAT, Manifest, Part};
pub use read::ArchiveSource;
pub use write::{ArchiveSummary, Writer, write};

use super::TransferError;

/// First entry: archive header.
const OPENING: &str = "autosint.json";
/// Last entry but one: contents, and the hash of each part.
const MANIFEST: &str = "manifest.json";
/// Last entry: hash of the manifest, in `sha256sum` format.
const MANIFEST_HASH: &str = "manifest.sha256";
/// Master key, if included.
pub const KEY: &str = "secret.key";
/// Folder of blobs; each file is named by its hash.
const BYTES: &str = "bytes/";

fn damaged(part: &str, why: impl Into<String>) -> TransferError {
    TransferError::Damaged { part: part.to_owned(), why: why.into() }
}
