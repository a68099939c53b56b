//! Types that the Engine and Fetch exchange: the source catalogue, fetched documents and rejections.
//!
//! Bytes travel beside these types, never inside them. Nothing here is stored as it is: the Engine alone makes
//! Documents of it.

mod address;
mod browse;
mod capture;
mod feed;
mod page_state;
mod service;
mod source;
mod web;

pub use address::{address_problems, split_addresses};
pub use browse::{BrowseCommand, BrowseRequest, BrowsedPage, Control, ControlKind, ScrollDirection};
pub use capture::{RetrievalMethod, WebCapture};
pub use feed::{Feed, FeedEntry, FeedGroup, FeedItem, FoundFeed, REGIONS, is_language, language_of, region_of};
pub use page_state::{PageFinding, PageState};
pub use service::{
    BrowseMessage, BrowseReply, BrowseSession, DiscoverRequest, PageMetadata, PageOptions, PageRequest, PageResponse,
    RenderOptions, RenderRequest, RenderResponse, SOURCE_KEY_HEADER, SourceRequest,
};
pub use source::{Availability, KeyUse, SourceFailure, SourceHealth, SourceHit, SourcePage, SourceQuery};
pub use web::{CacheUse, FetchError, FetchFailure, FetchRequest, FetchedPage, Hop, WEB, WEBHOOK, has_scripts};

use crate::PublicationDate;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// One entry of the Fetch catalogue.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct SourceEntry {
    /// Stable name in configuration and orders, e.g. `documents`.
    pub id: String,
    pub name: String,
    pub description: String,
    /// The listing changes by the hour: answers are not cached.
    #[serde(default)]
    pub is_current: bool,
    /// Coverage: kinds of content, languages, times, limits.
    pub coverage: String,
    /// The page that describes its interface, and the day on which it was read for this program.
    pub documentation: Option<(String, String)>,
    pub key: KeyUse,
    pub availability: Availability,
}

/// One thing that was read, ready to become a Document.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct FetchedDocument {
    /// Relative, `/`-separated; `a.zip!b.html` and `mail.mbox#3` name a part of a file.
    pub path: String,
    pub media_type: String,
    /// Hex SHA-256 of the bytes as they were read.
    pub sha256: String,
    pub size_bytes: u64,
    /// UTF-8 with LF line ends, no byte-order mark and no U+0000.
    pub text: String,
    /// Name and version of what made the text of the bytes; another version may make another text.
    pub extractor: String,
    pub title: String,
    /// Author, as the document states it.
    pub byline: Option<String>,
    pub outlet: Option<String>,
    /// As the document itself says; never the file's own time.
    pub published: Option<PublicationDate>,
    /// When it was changed last, as the document itself says.
    pub updated: Option<PublicationDate>,
    /// ISO 639-1 where one exists, else ISO 639-3.
    pub language: Option<String>,
    /// The address under which a page wants to be known.
    pub canonical: Option<String>,
    /// Links of the text, in order, each address once; fragments are cut off.
    pub links: Vec<Link>,
    /// Tables of the text, in order. Their words are in the text, too.
    pub tables: Vec<Table>,
    /// Addresses of feeds that a page announces.
    pub feeds: Vec<String>,
    /// Parsed feed, where the document is one.
    pub feed: Option<Feed>,
}

/// Link of a document: an absolute web address, and the words that carry it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Link {
    pub url: String,
    /// On one line; empty where the document has none.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub words: String,
}

/// A table as rows of cells. A cell over several columns or rows stands once.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Table {
    pub caption: Option<String>,
    pub rows: Vec<Vec<String>>,
}

/// Reason for a rejection.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum RejectReason {
    NotFound,
    Unreadable,
    Empty,
    TooLarge,
    TooMany,
    TooDeep,
    TooComplex,
    Unsupported,
    Binary,
    Broken,
    Encrypted,
    NoText,
    UnsafePath,
    ZipBomb,
    TimedOut,
    Crashed,
}

/// A file, or a part of one, that could not be read. Other files are unaffected.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Rejection {
    pub path: String,
    pub reason: RejectReason,
    /// One sentence for a person: what is wrong and what to do.
    pub message: String,
}
