//! What one file turns into, and which parser reads which kind. Runs in the child.

use crate::{archive, config::ParseConfig, feeds, html, mail, pdf, refusal::Refusal, sniff::Kind, wire};
use bytes::Bytes;
use domain::{
    Published,
    fetch::{Feed, Table},
};
use serde::{Deserialize, Serialize};

/// The words of one document and what it says about itself.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Parsed {
    pub text: String,
    pub extractor: String,
    pub title: Option<String>,
    pub byline: Option<String>,
    pub outlet: Option<String>,
    pub published: Option<Published>,
    pub updated: Option<Published>,
    /// Only what the document states; else it is recognised from the text.
    pub language: Option<String>,
    pub canonical: Option<String>,
    pub links: Vec<String>,
    pub tables: Vec<Table>,
    pub feeds: Vec<String>,
    pub feed: Option<Feed>,
}

/// What something outside the bytes says of them.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Source<'a> {
    pub charset: Option<&'a str>,
    pub address: Option<&'a str>,
}

/// A piece of a file that is a document, or holds some, itself.
#[derive(Debug)]
pub(crate) struct Part {
    pub suffix: String,
    pub charset: Option<String>,
    pub kind: Option<Kind>,
    pub bytes: Bytes,
}

/// A parsed file.
#[derive(Debug, Default)]
pub(crate) struct Found {
    pub own: Option<Parsed>,
    pub parts: Vec<Part>,
    pub refused: Vec<(String, Refusal)>,
}

impl Found {
    pub fn text(own: Parsed) -> Self {
        Self { own: Some(own), ..Self::default() }
    }

    pub fn outline(self) -> wire::Outline {
        let outline = |part: Part| wire::PartOutline {
            suffix: part.suffix,
            charset: part.charset,
            kind: part.kind,
            size_bytes: part.bytes.len() as u64,
        };
        wire::Outline { own: self.own, parts: self.parts.into_iter().map(outline).collect(), refused: self.refused }
    }
}

/// Parses one file of a kind that is read in children.
pub(crate) fn parse(request: &wire::Request, bytes: &Bytes) -> Result<Found, Refusal> {
    let limits = &request.limits;
    let source = Source { charset: request.charset.as_deref(), address: request.address.as_deref() };
    let found = match request.kind {
        Kind::Html => Found::text(html::parse(bytes, source, limits)?),
        Kind::Feed => Found::text(feeds::parse(bytes, source, limits)?),
        Kind::Pdf => Found::text(pdf::parse(bytes, limits)?),
        Kind::Message => mail::parse_message(bytes, limits)?,
        Kind::Mailbox => mail::split_mailbox(bytes, limits)?,
        Kind::Zip => archive::unpack(bytes, limits)?,
        Kind::PlainText | Kind::Markdown => {
            Found::text(crate::text::parse(bytes, source.charset, request.kind == Kind::Markdown, limits)?)
        }
    };
    check_length(&found, limits)?;
    Ok(found)
}

fn check_length(found: &Found, limits: &ParseConfig) -> Result<(), Refusal> {
    match &found.own {
        Some(own) if own.text.len() > limits.max_text_bytes => {
            Err(Refusal::too_large(own.text.len() as u64, limits.max_text_bytes as u64, "fetch.parse.max_text_bytes"))
        }
        _ => Ok(()),
    }
}
