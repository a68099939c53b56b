//! Web access: addresses become documents, and each session has a list of permitted addresses.
//!
//! Invariant: outside text chooses no address. An order may name only addresses that the person or a source of the investigation
//! named. A session opens what its order names, what a source returned to it, and links of opened pages, each unmodified.

mod open;
mod reach;
pub mod sources;
mod watch;

pub use open::{OpenError, OpenedPage, PageProgress, ingest, keep, open};
pub use reach::link_distance;
pub(crate) use reach::{is_named, offer, offer_links, offer_listed, order_addresses};
pub use watch::{CitedPage, WatchConfig, watch_forever, watch_once};

use crate::StoreResult;
use async_trait::async_trait;
use bytes::Bytes;
use domain::{
    DocumentId, InvestigationId, Scope, SessionId, Timestamp,
    document::DocumentDetails,
    fetch::{FetchError, FetchRequest, FetchedPage, PageFinding, WebCapture},
};
use serde::{Deserialize, Serialize};

/// Port of the page fetcher.
#[async_trait]
pub trait Fetch: Send + Sync {
    /// Fetches an address and extracts its documents.
    async fn page(&self, request: &FetchRequest) -> Result<WebPage, FetchError>;
}

/// Fetched page, and the bytes of its documents in the same order.
#[derive(Debug, Clone)]
pub struct WebPage {
    pub page: FetchedPage,
    pub bytes: Vec<Bytes>,
}

/// Provenance of one document.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Provenance {
    /// None for a document that is not from the web.
    pub capture: Option<WebCapture>,
    /// Last finding of the citation watch.
    pub finding: Option<PageFinding>,
    pub details: DocumentDetails,
}

/// Port of web captures, permitted addresses and the citation watch.
#[async_trait]
pub trait Captures: Send + Sync {
    /// Records captures. Natural key: the document; later values win.
    async fn record_captures(&self, captures: &[WebCapture]) -> StoreResult<()>;
    /// Returns the provenance of a document, in one statement; empty when it is outside the scope.
    async fn provenance(&self, scope: &Scope, document: DocumentId) -> StoreResult<Provenance>;
    /// Permits a session to open addresses at a link distance. The smaller distance is kept.
    async fn allow(&self, session: SessionId, addresses: &[String], steps: u32) -> StoreResult<()>;
    /// Returns the link distance of a permitted address.
    async fn allowed(&self, session: SessionId, address: &str) -> StoreResult<Option<u32>>;
    /// Records the addresses that a source listed in an investigation, or that a person added to its plan. Idempotent.
    async fn add_listed(&self, investigation: InvestigationId, addresses: &[String]) -> StoreResult<()>;
    /// Returns whether a source listed this address in the investigation.
    async fn is_listed(&self, investigation: InvestigationId, address: &str) -> StoreResult<bool>;
    /// Watches those of the documents that came from the web. Idempotent.
    async fn watch(&self, documents: &[DocumentId]) -> StoreResult<()>;
    /// Returns watched pages not checked since `before`, longest waiting first.
    async fn due_pages(&self, before: Timestamp, limit: u32) -> StoreResult<Vec<CitedPage>>;
    /// Records a check and its finding; none when the page is unchanged.
    async fn record_check(&self, document: DocumentId, at: Timestamp, finding: Option<&PageFinding>) -> StoreResult<()>;
    /// Returns the findings on documents in the scope, by document.
    async fn findings(&self, scope: &Scope, documents: &[DocumentId]) -> StoreResult<Vec<PageFinding>>;
}

domain::settings! {
    /// Configuration of web access.
    #[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
    pub struct WebConfig {
        /// Whether agents and people reach the web at all: pages, browser and sources.
        pub enabled: bool = true,
        /// Sources enabled by default, until someone switches them on the page of sources.
        pub sources: Vec<String> = vec![],
        /// Time limit of a source.
        pub source_timeout_ms: u64 = 60_000,
        /// Time limit of the list of sources.
        pub source_list_timeout_ms: u64 = 2_000,
        /// Maximum link distance of a page from an address named by the order or a source.
        pub max_steps: u32 = 2,
        /// Maximum number of feeds that users may add.
        pub max_feeds: usize = 1_000,
        /// Maximum number of addresses per investigation.
        pub max_addresses: usize = 50,
        /// Number of these addresses fetched concurrently.
        pub addresses_at_once: usize = 8,
        /// Text length below which a scripted page is rendered in the browser, if there is one.
        pub scripted_below_chars: usize = 200,
        /// Citation watch.
        pub watch: WatchConfig = WatchConfig::default(),
    }
}
