//! Claims: units of information, each from one document, each with its quote.

use crate::{ClaimId, CollectionId, DateRange, DocumentId, EntityId, PublicationDate, Timestamp};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// How near the outlet was to what it reports. Variants stand from nearest to farthest.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Attribution {
    /// The outlet, or the author, reports what it saw or holds.
    Primary,
    /// Somebody named is quoted or cited.
    Secondhand,
    /// The outlet states it without saying from where. As weak as `Secondhand`, and nobody answers for it but the outlet.
    Unattributed,
    /// Hearsay of hearsay, unnamed sources, "it is said".
    Indirect,
}

/// Kind of statement.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Information {
    Assertion,
    Analysis,
    Discourse,
    Testimony,
}

crate::words! {
    /// How the statement is put.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
    #[serde(rename_all = "snake_case")]
    pub enum Mode {
        Asserted = "asserted",
        Denied = "denied",
        Alleged = "alleged",
        Promised = "promised",
        Forecast = "forecast",
    }
}

/// A half-open range in bytes of a document's stored UTF-8 text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
pub struct Span {
    pub start: u64,
    pub end: u64,
}

impl Span {
    /// The text at this span, or nothing where it is out of bounds or cuts a character.
    pub fn slice(self, text: &str) -> Option<&str> {
        text.get(usize::try_from(self.start).ok()?..usize::try_from(self.end).ok()?)
    }
}

/// One unit of information. Append-only: a claim is never changed.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Claim {
    pub id: ClaimId,
    pub document_id: DocumentId,
    /// The collection of its document.
    pub collection_id: CollectionId,
    pub content: String,
    /// The document's own bytes at `span`.
    pub quote: String,
    pub span: Span,
    pub published: Option<PublicationDate>,
    /// When what it states happened, as the document says.
    pub occurred: Option<DateRange>,
    pub ingested_at: Timestamp,
    pub attribution: Attribution,
    pub information: Information,
    pub speaker: Option<String>,
    pub mode: Mode,
    pub language: Option<String>,
    /// Hex SHA-256 of content and span; unique within a document.
    pub content_hash: String,
    /// The entity that published it.
    pub outlet_id: Option<EntityId>,
    /// The entities it is about.
    pub entity_ids: Vec<EntityId>,
}
