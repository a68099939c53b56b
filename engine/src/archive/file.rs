//! An archive: one tar file with JSON lines and blobs, described for people in docs/archive.md.
//!
//! Invariant: nothing is believed that was not hashed. Each part is checked against the manifest before anything of it is used, each
//! blob against the name it has, and the manifest against the line behind it; whatever does not fit is refused and named.

mod check;
mod manifest;
mod read;
mod write;

pub use check::{VerifiedArchive, check};
pub use manifest::{ArchiveHeader, FORMAT, Manifest, Part};
pub use read::ArchiveSource;
pub use write::{ArchiveSummary, Writer, write};

use super::TransferError;

/// The first entry: what this is.
const OPENING: &str = "autosint.json";
/// The last but one: what there is, and the hash of each part.
const MANIFEST: &str = "manifest.json";
/// The last: the hash of the manifest, as `sha256sum` writes it.
const MANIFEST_HASH: &str = "manifest.sha256";
/// The master key, where it was asked for.
pub const KEY: &str = "secret.key";
/// The folder of bytes; each file has its hash as its name.
const BYTES: &str = "bytes/";

fn damaged(part: &str, why: impl Into<String>) -> TransferError {
    TransferError::Damaged { part: part.to_owned(), why: why.into() }
}
