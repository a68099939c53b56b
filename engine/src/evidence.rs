//! Evidence: location of quotes in documents, and claims built on them.
//!
//! Invariant: a stored quote is the document's own bytes at its span, never the caller's spelling.

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

/// Statement extracted from a document: all fields of a claim but those that code derives.
#[derive(Debug, Clone)]
pub struct Statement {
    pub content: String,
    /// Quote as copied by the reader; white space, quotation marks and hyphens may differ.
    pub quote: String,
    /// Publication date; default: the document's.
    pub published: Option<PublicationDate>,
    /// Time of the stated event, if the document gives it.
    pub occurred: Option<DateRange>,
    pub attribution: Attribution,
    pub information: Information,
    pub speaker: Option<String>,
    pub mode: Mode,
    pub entities: Vec<EntityRef>,
}

/// Errors of turning a statement into a claim, worded for its author.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum EvidenceError {
    #[error("the quote is not in the document: copy it from the text, word for word")]
    QuoteNotFound,
    #[error("a claim needs content: say in one sentence what the document states")]
    NoContent,
}

/// Returns the hex SHA-256 of bytes.
pub fn sha256_hex(bytes: &[u8]) -> String {
    hex::encode(Sha256::digest(bytes))
}

/// Returns the hex SHA-256 of content and span; with the document, the natural key of a claim.
pub fn content_hash(content: &str, span: Span) -> String {
    let mut hash = Sha256::new();
    hash.update(content.as_bytes());
    hash.update([0]);
    hash.update(span.start.to_be_bytes());
    hash.update(span.end.to_be_bytes());
    hex::encode(hash.finalize())
}

/// Returns a sort key of documents independent of arrival: hash of the text, then path.
pub fn document_order(document: &Document) -> String {
    format!("{} {}", document.text_sha256, document.path)
}

impl NewClaim {
    /// Builds an asserted claim that says what its quote says, in English, at an offset of its document.
    pub fn quoted(id: ClaimId, quote: &str, start: u64, entities: Vec<EntityRef>) -> Self {
        let span = Span { start, end: start + quote.len() as u64 };
        Self {
            id,
            content: quote.to_owned(),
            quote: quote.to_owned(),
            span,
            published: None,
            occurred: None,
            attribution: Attribution::Primary,
            information: Information::Assertion,
            speaker: None,
            mode: Mode::Asserted,
            language: Some("en".to_owned()),
            content_hash: content_hash(quote, span),
            entities,
        }
    }
}

/// Builds a claim from a statement about `document`, whose stored text is `text`.
pub fn claim(id: ClaimId, document: &Document, text: &str, statement: Statement) -> Result<NewClaim, EvidenceError> {
    let content = statement.content.trim().to_owned();
    if content.is_empty() {
        return Err(EvidenceError::NoContent);
    }
    let speaker = statement.speaker.map(|name| name.trim().to_owned()).filter(|name| !name.is_empty());
    // Without a name, what somebody said is the word of an unnamed source.
    let attribution = match statement.attribution {
        Attribution::Secondhand if speaker.is_none() => Attribution::Indirect,
        given => given,
    };
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
        attribution,
        information: statement.information,
        speaker,
        mode: statement.mode,
        language: document.language.clone(),
        entities: statement.entities,
    })
}
