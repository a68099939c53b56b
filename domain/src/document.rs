//! Documents: captures of what was read, the root of truth.

use crate::{CollectionId, DocumentId, PublicationDate, Timestamp, fetch::Table};
use serde::{Deserialize, Serialize};

/// One capture: where it was read, when, and the text of its bytes.
///
/// Bytes are kept once per `sha256`, texts once per (`sha256`, `extractor`); both are immutable.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Document {
    pub id: DocumentId,
    pub collection_id: CollectionId,
    /// Relative path, or address, as the source named it.
    pub path: String,
    pub title: String,
    /// The outlet's name as the document states it.
    pub outlet: Option<String>,
    pub published: Option<PublicationDate>,
    /// ISO 639-1 where it was recognised.
    pub language: Option<String>,
    pub media_type: String,
    /// Hex SHA-256 of the bytes as they were read.
    pub sha256: String,
    pub size_bytes: u64,
    /// Hex SHA-256 of the text; documents with equal text are one origin.
    pub text_sha256: String,
    /// Length of the text in bytes of UTF-8.
    pub text_bytes: u64,
    /// Name and version of what made the text of the bytes.
    pub extractor: String,
    pub captured_at: Timestamp,
    /// Noted when the document was extracted; empty before.
    #[serde(default)]
    pub credits: Credits,
}

/// Credits of a document beside its outlet.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Credits {
    /// The news agency that the text is from, as the document names it.
    pub agency: Option<String>,
    /// The authors, as the document names them.
    pub byline: Option<String>,
}

/// Facts that a document states beside its text.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct DocumentDetails {
    /// Authors, as the page states them.
    pub byline: Option<String>,
    /// When it was changed last.
    pub updated: Option<PublicationDate>,
    /// Its tables, in order. Their words are in the text, too.
    pub tables: Vec<Table>,
}

/// A document with its text (UTF-8, LF, no U+0000).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct DocumentText {
    pub document: Document,
    pub text: String,
}

/// A file that could not be read, with the reason for people.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RejectedFile {
    pub path: String,
    pub reason: String,
}
