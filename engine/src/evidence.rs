//! Where a quote stands in its document, and claims made of it.
//!
//! Invariant: a stored quote is the document's own bytes at its span, however the caller spelt it.

mod locate;
mod nearest;

pub use locate::locate;
pub use nearest::nearest;

use crate::graph::{EntityRef, NewClaim};
use domain::{
    ClaimId, DateRange, PublicationDate,
    claim::{Attribution, Information, Mode, Span},
    document::Document,
};
use sha2::{Digest, Sha256};

/// What a reader says that a document states: everything of a claim but what code finds out.
#[derive(Debug, Clone)]
pub struct Statement {
    pub content: String,
    /// As the reader copied it; white space, quotation marks and hyphens may differ.
    pub quote: String,
    /// None: the document's own.
    pub published: Option<PublicationDate>,
    /// When what it states happened, where the document says.
    pub occurred: Option<DateRange>,
    pub attribution: Attribution,
    pub information: Information,
    pub speaker: Option<String>,
    pub mode: Mode,
    pub entities: Vec<EntityRef>,
}

/// Why a statement cannot become a claim; said to whoever made it.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum EvidenceError {
    #[error("the quote is not in the document: copy it from the text, word for word")]
    QuoteNotFound,
    #[error("a claim needs content: say in one sentence what the document states")]
    NoContent,
}

/// Hex SHA-256 of bytes.
pub fn sha256_hex(bytes: &[u8]) -> String {
    hex::encode(Sha256::digest(bytes))
}

/// Hex SHA-256 of content and span: with the document, the natural key of a claim.
pub fn content_hash(content: &str, span: Span) -> String {
    let mut hash = Sha256::new();
    hash.update(content.as_bytes());
    hash.update([0]);
    hash.update(span.start.to_be_bytes());
    hash.update(span.end.to_be_bytes());
    hex::encode(hash.finalize())
}

/// Puts documents in one order however they arrived: by the hash of the text, then the path.
pub fn document_order(document: &Document) -> String {
    format!("{} {}", document.text_sha256, document.path)
}

/// Makes a claim of a statement about `document`, whose stored text is `text`.
pub fn claim(id: ClaimId, document: &Document, text: &str, statement: Statement) -> Result<NewClaim, EvidenceError> {
    let content = statement.content.trim().to_owned();
    if content.is_empty() {
        return Err(EvidenceError::NoContent);
    }
    let span = locate(text, &statement.quote).ok_or(EvidenceError::QuoteNotFound)?;
    let quote = span.slice(text).ok_or(EvidenceError::QuoteNotFound)?.to_owned();
    Ok(NewClaim {
        id,
        content_hash: content_hash(&content, span),
        content,
        quote,
        span,
        published: statement.published.or(document.published),
        occurred: statement.occurred,
        attribution: statement.attribution,
        information: statement.information,
        speaker: statement.speaker,
        mode: statement.mode,
        language: document.language.clone(),
        entities: statement.entities,
    })
}
