//! Requests and responses of the Fetch service.

use super::{BrowseCommand, BrowsedPage, FeedEntry, FetchError, FetchedPage, SourceQuery};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The header that carries the key of a source.
pub const SOURCE_KEY_HEADER: &str = "x-source-key";

/// `POST /sources/{id}/query`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SourceRequest {
    pub query: SourceQuery,
    /// Feeds that are followed besides those of the service's own configuration.
    #[serde(default)]
    pub feeds: Vec<FeedEntry>,
}

/// `POST /feeds/discover`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct DiscoverRequest {
    pub address: String,
}

/// `POST /fetch`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PageRequest {
    pub url: String,
    #[serde(default)]
    pub options: PageOptions,
}

/// Options of a page request.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct PageOptions {
    /// Source whose exceptions of the address rules apply. `None`: `web`.
    pub source: Option<String>,
    /// A copy that is no older will do, in milliseconds; none: as `fetch.cache` says; 0: ask the server.
    pub max_age_ms: Option<u64>,
    /// Also return the bytes.
    pub bytes: bool,
}

/// A page as the service answers it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct PageResponse {
    /// The text of all its documents.
    pub content: String,
    pub metadata: PageMetadata,
    pub page: FetchedPage,
    /// The bytes of its documents in base64, in the same order, where they were wanted.
    #[serde(default)]
    pub bytes: Option<Vec<String>>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct PageMetadata {
    pub status: u16,
    pub content_type: Option<String>,
    pub title: Option<String>,
    pub final_url: String,
}

/// `POST /browse`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RenderRequest {
    pub url: String,
    #[serde(default)]
    pub options: RenderOptions,
}

/// Options of a render request.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct RenderOptions {
    /// A CSS selector of something that must be there before the page is read.
    pub wait_for: Option<String>,
    /// Timeout in milliseconds, where it is shorter than `fetch.browser.load_timeout_ms`.
    pub timeout_ms: Option<u64>,
    /// Also return the bytes.
    pub bytes: bool,
}

/// A rendered page as the service answers it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct RenderResponse {
    #[serde(flatten)]
    pub page: BrowsedPage,
    /// The bytes of its documents in base64, in the same order, where they were wanted.
    #[serde(default)]
    pub bytes: Option<Vec<String>>,
}

/// Messages to `WS /browse/session`: a step, or the begin or end of a session. `navigate` begins a session, too.
/// One at a time: a message before the reply to the last one ends the session.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum BrowseMessage {
    Step(BrowseCommand),
    Session(BrowseSession),
}

/// Begin and end of a browser session.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "command", rename_all = "snake_case", deny_unknown_fields)]
pub enum BrowseSession {
    Open {
        url: String,
        /// Names of the hosts on which fields may be filled.
        #[serde(default)]
        sites: Vec<String>,
        /// The bytes of its pages are wanted too.
        #[serde(default)]
        bytes: bool,
    },
    Close,
}

/// Replies of `WS /browse/session`, one per message.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum BrowseReply {
    Page(Box<RenderResponse>),
    Error(FetchError),
    Closed,
}
