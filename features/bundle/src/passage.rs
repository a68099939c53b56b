//! Quotations with the text around them.

use domain::{
    ClaimId, DocumentId, PublicationDate, Timestamp,
    assessment::{Citation, Marker},
    claim::Span,
    document::host,
};
use serde::{Deserialize, Serialize};

/// Value of `format` in a list of quotations.
pub const FORMAT: &str = "autosint.quotations.v1";

/// Part of the text of a document.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Passage {
    /// Its first byte in the text.
    pub start: u64,
    pub text: String,
}

/// Citation of a report with its passage and the hashes of its source.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Quotation {
    pub marker: Marker,
    pub claim_id: ClaimId,
    pub document_id: DocumentId,
    pub title: String,
    /// Outlet, host or file.
    pub source: String,
    /// Address on the web; none for files.
    pub address: Option<String>,
    pub published: Option<PublicationDate>,
    pub captured_at: Option<Timestamp>,
    /// Hex SHA-256 of the bytes as they were read, and of the text that was made of them.
    pub document_sha256: String,
    pub text_sha256: String,
    pub quote: String,
    /// Place of the quote in the text, in bytes of UTF-8.
    pub span: Span,
    /// None where the document was deleted, or where a stranger would read the name of a private file.
    pub passage: Option<Passage>,
}

/// All quotations of a report, as a bundle holds them.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct QuotationList {
    pub format: String,
    pub quotations: Vec<Quotation>,
}

impl Passage {
    /// Cuts the passage around a span, with up to `context` bytes on each side, at white space where there is some. None where the span
    /// is outside the text.
    pub fn cut(text: &str, span: Span, context: usize) -> Option<Self> {
        span.slice(text)?;
        let (from, to) = (usize::try_from(span.start).ok()?, usize::try_from(span.end).ok()?);
        let mut start = text.floor_char_boundary(from.saturating_sub(context));
        if start > 0 {
            start += text[start..from].find(char::is_whitespace).unwrap_or_default();
        }
        let mut end = text.ceil_char_boundary(to.saturating_add(context).min(text.len()));
        if end < text.len() {
            end = text[to..end].rfind(char::is_whitespace).map_or(end, |at| to + at);
        }
        Some(Self { start: start as u64, text: text[start..end].to_owned() })
    }

    /// Splits the passage into the text before the span, at it, and after it; none where the span is outside.
    pub fn split(&self, span: Span) -> Option<(&str, &str, &str)> {
        let from = usize::try_from(span.start.checked_sub(self.start)?).ok()?;
        let to = usize::try_from(span.end.checked_sub(self.start)?).ok()?;
        Some((self.text.get(..from)?, self.text.get(from..to)?, self.text.get(to..)?))
    }
}

impl Quotation {
    /// Makes the quotation of a citation.
    pub fn new(citation: &Citation, captured_at: Option<Timestamp>, passage: Option<Passage>) -> Self {
        let is_web = host(&citation.document_path).is_some();
        Self {
            marker: citation.marker,
            claim_id: citation.claim_id,
            document_id: citation.document_id,
            title: citation.document_title.clone(),
            source: citation.source_name(),
            address: is_web.then(|| citation.document_path.clone()),
            published: citation.published_at,
            captured_at,
            document_sha256: citation.document_sha256.clone(),
            text_sha256: citation.text_sha256.clone(),
            quote: citation.quote.clone(),
            span: citation.span,
            passage,
        }
    }

    /// Returns why the quote does not stand in its passage; none where it does, or where there is no passage.
    pub fn problem(&self) -> Option<String> {
        let passage = self.passage.as_ref()?;
        let stands = passage.split(self.span).is_some_and(|(_, quote, _)| quote == self.quote);
        (!stands).then(|| format!("quotation [{}] is not in its passage", self.marker))
    }

    /// Returns why quote or passage do not stand in the whole text; none where both do.
    pub fn problem_in(&self, text: &str) -> Option<String> {
        let passage = self.passage.as_ref();
        let end = |passage: &Passage| passage.start.checked_add(passage.text.len() as u64);
        let is_passage = |passage: &Passage| {
            let span = end(passage).map(|end| Span { start: passage.start, end });
            span.and_then(|span| span.slice(text)) == Some(passage.text.as_str())
        };
        let stands = self.span.slice(text) == Some(self.quote.as_str()) && passage.is_none_or(is_passage);
        (!stands).then(|| format!("quotation [{}] is not in the text of its source", self.marker))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_passage_ends_at_words_and_cuts_no_character() {
        let text = "Zürich, Monday. The über-lock opened at noon. Nobody saw it.";
        let start = text.find("opened").unwrap();
        let span = Span { start: start as u64, end: (start + "opened".len()) as u64 };
        for context in 0..text.len() {
            let passage = Passage::cut(text, span, context).unwrap();
            let (before, quote, after) = passage.split(span).unwrap();
            assert_eq!(quote, "opened");
            assert!(before.len() <= context + 3 && after.len() <= context + 3, "{context}: {passage:?}");
        }
        let passage = Passage::cut(text, span, 12).unwrap();
        assert_eq!(passage.text, " über-lock opened at noon.");
        assert_eq!(Passage::cut(text, Span { start: 2, end: 5 }, 9), None, "it cuts a character");
        assert_eq!(Passage::cut(text, Span { start: 0, end: 500 }, 9), None);
    }
}
