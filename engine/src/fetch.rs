//! The web as the engine sees it: addresses become Documents, and what a session may open is known address by address.
//!
//! Invariant: no text from outside chooses an address. A session opens what its order names, what a source returned in it, and links of
//! pages that it opened, each as it stood there.

mod open;
mod reach;
mod retrieval;
pub mod sources;
mod watch;

pub use open::{OpenError, OpenedPage, PageProgress, ingest, keep, open};
pub use reach::{offer, steps_to};
pub use retrieval::RetrievalMethod;
pub use watch::{CitedPage, WatchConfig, watch_forever, watch_once};

use crate::StoreResult;
use async_trait::async_trait;
use bytes::Bytes;
use domain::{
    DocumentId, Scope, SessionId, Timestamp,
    fetch::{FetchError, FetchRequest, FetchedPage, Hop, PageFinding},
};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// What gets things from the web.
#[async_trait]
pub trait Fetch: Send + Sync {
    /// Fetches an address and reads what it gives.
    async fn page(&self, request: &FetchRequest) -> Result<WebPage, FetchError>;
}

/// A fetched page and the bytes of its documents, in the same order.
#[derive(Debug, Clone)]
pub struct WebPage {
    pub page: FetchedPage,
    pub bytes: Vec<Bytes>,
}

/// How documents came from the web, and what sessions may open there.
#[async_trait]
pub trait Captures: Send + Sync {
    /// Natural key: the document; what is told later goes before.
    async fn record_captures(&self, captures: &[WebCapture]) -> StoreResult<()>;
    /// How a document came from the web; none: it did not, or the scope does not see it.
    async fn capture(&self, scope: &Scope, document: DocumentId) -> StoreResult<Option<WebCapture>>;
    /// Lets a session open addresses, each so many links away from what its order or a source named. The nearer one stays.
    async fn allow(&self, session: SessionId, addresses: &[String], steps: u32) -> StoreResult<()>;
    /// How many links away an address is that the session may open.
    async fn allowed(&self, session: SessionId, address: &str) -> StoreResult<Option<u32>>;
    /// From now on those of the documents that came from the web are watched. Harmless when repeated.
    async fn watch(&self, documents: &[DocumentId]) -> StoreResult<()>;
    /// Watched pages that were not looked at since `before`, those that wait longest first.
    async fn due(&self, before: Timestamp, limit: u32) -> StoreResult<Vec<CitedPage>>;
    /// Notes a look and what was found. None: the page says what was cited.
    async fn looked(&self, document: DocumentId, at: Timestamp, finding: Option<&PageFinding>) -> StoreResult<()>;
    /// What was found about those of the documents that the scope sees, by document.
    async fn findings(&self, scope: &Scope, documents: &[DocumentId]) -> StoreResult<Vec<PageFinding>>;
}

/// How one document came from the web.
#[derive(Debug, Clone, PartialEq)]
pub struct WebCapture {
    pub document_id: DocumentId,
    /// As it was asked for.
    pub url: String,
    /// After redirects.
    pub final_url: String,
    /// What the page calls its own address.
    pub canonical_url: Option<String>,
    pub status: u16,
    pub hops: Vec<Hop>,
    /// Those that say something about the content.
    pub headers: BTreeMap<String, String>,
    pub reached: RetrievalMethod,
    pub fetched_at: Timestamp,
}

/// How far a Processor goes on the web.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct WebConfig {
    /// Sources that may be asked before anybody has switched them on or off on the page of sources.
    pub sources: Vec<String>,
    /// A source that takes longer has failed.
    pub source_timeout_ms: u64,
    /// Links that lie between what the order or a source named and a page that may be opened.
    pub max_steps: u32,
    /// Feeds that people may add to those of the configuration.
    pub max_feeds: usize,
    /// Addresses that a person may name for one investigation.
    pub max_addresses: usize,
    /// Of these, how many are fetched at once.
    pub addresses_at_once: usize,
    /// A page with scripts and less text than this is rendered in the browser, where there is one.
    pub scripted_below_chars: usize,
    /// When cited pages are looked at again.
    pub watch: WatchConfig,
}

impl Default for WebConfig {
    fn default() -> Self {
        Self {
            sources: vec![],
            source_timeout_ms: 60_000,
            max_steps: 2,
            max_feeds: 1_000,
            max_addresses: 50,
            addresses_at_once: 8,
            scripted_below_chars: 200,
            watch: WatchConfig::default(),
        }
    }
}
