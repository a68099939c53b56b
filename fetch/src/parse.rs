//! Result of parsing a file, and the parser for each kind. Runs in the child.

use crate::{archive, config::ParseConfig, feeds, html, mail, pdf, refusal::Refusal, sniff::FileKind, text, wire};
use bytes::Bytes;
use domain::{
    PublicationDate,
    fetch::{Feed, Link, RejectReason, Table},
};
use serde::{Deserialize, Serialize};

/// Text and metadata of one document.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct ParsedDocument {
    pub text: String,
    pub extractor: String,
    pub title: Option<String>,
    pub byline: Option<String>,
    pub outlet: Option<String>,
    pub published: Option<PublicationDate>,
    pub updated: Option<PublicationDate>,
    /// Language stated by the document; otherwise it is detected from the text.
    pub language: Option<String>,
    pub canonical: Option<String>,
    pub links: Vec<Link>,
    pub tables: Vec<Table>,
    pub feeds: Vec<String>,
    pub feed: Option<Feed>,
}

/// Charset and address known from outside the bytes.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct SourceHints<'a> {
    pub charset: Option<&'a str>,
    pub address: Option<&'a str>,
}

/// Part of a file that is a document or container itself.
#[derive(Debug)]
pub(crate) struct Part {
    pub suffix: String,
    pub charset: Option<String>,
    pub kind: Option<FileKind>,
    pub bytes: Bytes,
}

/// Parsed file: its own document, its parts, and rejected parts.
#[derive(Debug, Default)]
pub(crate) struct ParseOutput {
    pub document: Option<ParsedDocument>,
    pub feed_list: Option<feeds::OpmlList>,
    pub parts: Vec<Part>,
    pub refused: Vec<(String, Refusal)>,
}

impl ParseOutput {
    pub fn text(document: ParsedDocument) -> Self {
        Self { document: Some(document), ..Self::default() }
    }

    pub fn outline(self) -> wire::Outline {
        let outline = |part: Part| wire::PartOutline {
            suffix: part.suffix,
            charset: part.charset,
            kind: part.kind,
            size_bytes: part.bytes.len() as u64,
        };
        wire::Outline {
            document: self.document,
            feed_list: self.feed_list,
            parts: self.parts.into_iter().map(outline).collect(),
            refused: self.refused,
        }
    }
}

/// Parses one file.
pub(crate) fn parse(request: &wire::ParseRequest, bytes: &Bytes) -> Result<ParseOutput, Refusal> {
    let limits = &request.limits;
    let source = SourceHints { charset: request.charset.as_deref(), address: request.address.as_deref() };
    let found = match request.kind {
        FileKind::Html => ParseOutput::text(html::parse(bytes, source, limits)?),
        FileKind::Feed => ParseOutput::text(feeds::parse(bytes, source, limits)?),
        FileKind::Pdf => ParseOutput::text(pdf::parse(bytes, limits)?),
        FileKind::Message => mail::parse_message(bytes, limits)?,
        FileKind::QuotedMessage => ParseOutput::text(mail::parse_quoted(bytes, limits)?),
        FileKind::Mailbox => mail::split_mailbox(bytes, limits)?,
        FileKind::Zip => archive::unpack(bytes, limits)?,
        FileKind::PlainText | FileKind::Markdown => {
            ParseOutput::text(text::parse(bytes, source.charset, request.kind == FileKind::Markdown, limits)?)
        }
        FileKind::FeedList => {
            let list = feeds::read_opml(bytes).map_err(|error| Refusal::new(RejectReason::Broken, error.to_string()))?;
            ParseOutput { feed_list: Some(list), ..ParseOutput::default() }
        }
    };
    check_length(&found, limits)?;
    Ok(found)
}

fn check_length(found: &ParseOutput, limits: &ParseConfig) -> Result<(), Refusal> {
    match &found.document {
        Some(document) if document.text.len() > limits.max_text_bytes => {
            Err(Refusal::too_large(document.text.len() as u64, limits.max_text_bytes as u64, "fetch.parse.max_text_bytes"))
        }
        _ => Ok(()),
    }
}
