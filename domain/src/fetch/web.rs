//! Fetch requests for web pages, their results and failures.

use super::{FetchedDocument, Rejection};
use crate::Timestamp;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The source of addresses that a person or a page names. Exceptions of the address rules are given to sources by name.
pub const WEB: &str = "web";

/// The source of messages to addresses that people name, for exceptions of the address rules.
pub const WEBHOOK: &str = "webhook";

/// An address to fetch.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct FetchRequest {
    pub url: String,
    /// Source whose exceptions of the address rules apply.
    #[serde(default = "web")]
    pub source: String,
    /// A copy that is no older will do, in milliseconds; none: as `fetch.cache` says; 0: ask the server.
    #[serde(default)]
    pub max_age_ms: Option<u64>,
}

fn web() -> String {
    WEB.to_owned()
}

impl FetchRequest {
    /// An address as a person or a page names it.
    pub fn page(url: impl Into<String>) -> Self {
        Self { url: url.into(), source: web(), max_age_ms: None }
    }
}

/// One redirect that was followed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Hop {
    pub url: String,
    pub status: u16,
}

/// Cache status of a response.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum CacheUse {
    /// The server sent it.
    #[default]
    None,
    /// A copy that was young enough; nothing was sent.
    Fresh,
    /// A copy that the server confirmed.
    Revalidated,
}

/// A page as it was fetched, with the documents in it. Their bytes travel beside it, in the same order.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct FetchedPage {
    /// The requested address, normalised: internationalised names as punycode, no fragment.
    pub url: String,
    /// After redirects.
    pub final_url: String,
    /// The address that the page calls its own, where it names one of the same host.
    pub canonical_url: Option<String>,
    /// The redirects on the way, in order.
    pub hops: Vec<Hop>,
    pub status: u16,
    pub content_type: Option<String>,
    /// Those that say something about the content, in lower case: `etag`, `last-modified`, `content-language`, …
    pub headers: BTreeMap<String, String>,
    /// Hex SHA-256 of the bytes after decompression.
    pub sha256: String,
    pub size_bytes: u64,
    /// When the server last answered for it; a fresh copy of the cache keeps its time.
    pub fetched_at: Timestamp,
    pub elapsed_ms: u64,
    pub cache: CacheUse,
    /// One for a page, several for an archive.
    pub documents: Vec<FetchedDocument>,
    /// Parts that could not be read.
    pub rejected: Vec<Rejection>,
}

/// Whether a page has scripts, and so may show more than was fetched.
pub fn has_scripts(html: &[u8]) -> bool {
    const TAG: &[u8] = b"<script";
    html.windows(TAG.len()).any(|tag| tag.eq_ignore_ascii_case(TAG))
}

crate::words! {
    /// Reason for a failed fetch.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
    #[serde(rename_all = "snake_case")]
    pub enum FetchFailure {
        /// Not a web address.
        BadAddress = "bad_address",
        /// The address rules forbid it: not a public address, a port or a scheme that is not allowed, a password in it.
        Refused = "refused",
        /// robots.txt of the site asks programs to stay away, or cannot be read at the moment.
        Robots = "robots",
        /// DNS, connection or TLS failure.
        Unreachable = "unreachable",
        TimedOut = "timed_out",
        /// Beyond a limit on size, ratio of decompression, headers or redirects.
        TooLarge = "too_large",
        /// The server does not speak the protocol as it must.
        Malformed = "malformed",
        /// The server answered with an error; the status is beside it.
        Status = "status",
        /// The site, or our own rate limit, asks for a longer wait than allowed.
        Busy = "busy",
        /// It was fetched, and nothing in it can be read.
        Unreadable = "unreadable",
        /// It was fetched, and is a page that shows no text before its scripts have run.
        Scripted = "scripted",
        /// A prerequisite is missing, such as a browser.
        Unavailable = "unavailable",
        /// A step in the browser that the page does not allow.
        NotPossible = "not_possible",
        /// The browser broke off.
        Crashed = "crashed",
    }
}

/// An address that was not fetched, with one sentence for a person: what is wrong and what to do.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema, thiserror::Error)]
#[error("{message}")]
pub struct FetchError {
    pub reason: FetchFailure,
    pub message: String,
    /// Status of the server's response, if any.
    pub status: Option<u16>,
    /// When it may be tried again, where that is known.
    pub retry_after_ms: Option<u64>,
}

impl FetchError {
    pub fn new(reason: FetchFailure, message: impl Into<String>) -> Self {
        Self { reason, message: message.into(), status: None, retry_after_ms: None }
    }

    /// The page is not there any more: 404 or 410.
    pub fn is_gone(&self) -> bool {
        matches!(self.status, Some(404 | 410))
    }
}
