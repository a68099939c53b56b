//! Rendered pages, and browser sessions of a few steps. One system Chromium, started on first use.
//!
//! Invariant: every connection of a page goes through [`proxy`], so under the same rules as all of Fetch. After a crash the
//! open pages are lost, and the next request starts a new browser.

mod config;
mod context;
mod devtools_pipe;
mod instance;
mod launch;
mod memory;
mod print;
mod proxy;
mod sessions;
mod tab;

pub use config::BrowserConfig;
pub use launch::{LaunchError, find as find_browser, lacks_sandbox as browser_lacks_sandbox};
pub use print::PrintRequest;
pub(crate) use tab::impossible;

use crate::{
    robots,
    web::{RenderedHtml, Web},
};
use bytes::Bytes;
use domain::fetch::{BrowseRequest, BrowsedPage, FetchError, FetchFailure, WEB};
use instance::ChromiumInstance;
use sessions::Sessions;
use std::{
    fmt,
    path::PathBuf,
    sync::{
        Arc, Mutex,
        atomic::{AtomicU64, Ordering},
    },
    time::{Duration, Instant},
};
use tab::{MainResponse, Snapshot, Tab};
use tokio::{
    sync::{OwnedSemaphorePermit, Semaphore},
    time::timeout,
};

/// Rendered page with the bytes of its documents, in the same order.
#[derive(Debug, Clone)]
pub struct BrowserPage {
    pub page: BrowsedPage,
    pub bytes: Vec<Bytes>,
}

/// Cheap handle to the browser.
#[derive(Clone)]
pub struct Browser {
    inner: Arc<Inner>,
}

struct Inner {
    config: Arc<BrowserConfig>,
    web: Web,
    /// Parent folder of each browser's profile.
    folder: PathBuf,
    name: String,
    launches: AtomicU64,
    running: tokio::sync::Mutex<Option<Arc<ChromiumInstance>>>,
    slots: Arc<Semaphore>,
    sessions: Mutex<Sessions>,
}

impl fmt::Debug for Browser {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Browser").field("config", &self.inner.config).finish_non_exhaustive()
    }
}

impl Browser {
    /// A browser whose traffic goes through `web`. Files in `folder` never outlive their browser.
    pub fn new(config: BrowserConfig, contact: &str, web: Web, folder: PathBuf) -> Self {
        let inner = Inner {
            web,
            folder,
            name: robots::agent(contact),
            launches: AtomicU64::new(0),
            running: tokio::sync::Mutex::default(),
            slots: Arc::new(Semaphore::new(config.max_contexts.max(1))),
            sessions: Mutex::default(),
            config: Arc::new(config),
        };
        Self { inner: Arc::new(inner) }
    }

    /// Reason why this machine cannot render pages, as far as it is known without starting Chromium.
    pub fn unavailable(&self) -> Option<String> {
        launch::find(&self.inner.config).err().map(|why| format!("Pages cannot be rendered: {why}."))
    }

    /// Renders one page in a new context.
    pub async fn render(&self, request: &BrowseRequest) -> Result<BrowserPage, FetchError> {
        let config = &self.inner.config;
        let patience = request.timeout_ms.unwrap_or(config.load_timeout_ms).min(config.load_timeout_ms);
        let tab = self.tab(&request.url).await?;
        let snapshot = tab.navigate(&request.url, request.wait_for.as_deref(), Duration::from_millis(patience)).await;
        let dials = tab.dials();
        // Release the slot while the text is parsed.
        drop(tab);
        let browsed = match snapshot {
            Ok(snapshot) => self.read_success(&request.url, snapshot).await,
            Err(error) => Err(error),
        };
        metrics::counter!("autosint_browser_pages_total", "ok" => browsed.is_ok().to_string()).increment(1);
        tracing::debug!(dials, ok = browsed.is_ok(), "page rendered");
        browsed
    }

    /// Process id of the running browser, for diagnosis and tests.
    pub async fn process_id(&self) -> Option<u32> {
        self.inner.running.lock().await.as_ref().filter(|running| !running.ended.is_cancelled())?.id()
    }

    /// Waits until the running browser has exited, for tests.
    pub async fn exited(&self) {
        let running = self.inner.running.lock().await.clone();
        if let Some(running) = running {
            running.ended.cancelled().await;
        }
    }

    /// Stops the browser and returns when its process is gone. Later requests start a new one.
    pub async fn stop(&self) {
        let running = self.inner.running.lock().await.take();
        if let Some(running) = running {
            running.stop().await;
        }
    }

    /// Opens an empty page in a new context once a slot is free. The address is checked before anything starts.
    async fn tab(&self, url: &str) -> Result<Tab, FetchError> {
        let inner = &self.inner;
        inner.web.check(WEB, url)?;
        let slot = self.slot().await?;
        let running = self.running().await?;
        Tab::open(running, inner.web.clone(), WEB, inner.config.clone(), slot).await
    }

    async fn slot(&self) -> Result<OwnedSemaphorePermit, FetchError> {
        let config = &self.inner.config;
        let waiting = Instant::now();
        let slot = timeout(Duration::from_millis(config.queue_timeout_ms), self.inner.slots.clone().acquire_owned()).await;
        metrics::histogram!("autosint_browser_wait_seconds").record(waiting.elapsed().as_secs_f64());
        slot.ok().and_then(Result::ok).ok_or_else(|| {
            let message = format!(
                "All {} browser slots are in use (`fetch.browser.max_contexts`); close a session, or try again later.",
                config.max_contexts
            );
            FetchError::new(FetchFailure::Busy, message)
        })
    }

    async fn running(&self) -> Result<Arc<ChromiumInstance>, FetchError> {
        let inner = &self.inner;
        let mut running = inner.running.lock().await;
        if let Some(running) = running.as_ref().filter(|running| !running.ended.is_cancelled()) {
            return Ok(running.clone());
        }
        launch::remove_orphaned_folders(&inner.folder);
        let number = inner.launches.fetch_add(1, Ordering::Relaxed);
        let folder = inner.folder.join(format!("{}-{number}", std::process::id()));
        let started = ChromiumInstance::start(&inner.config, folder, &inner.name).await.map_err(|why| {
            tracing::warn!(%why, "browser launch failed");
            FetchError::new(FetchFailure::Unavailable, format!("Pages cannot be rendered: {why}."))
        })?;
        metrics::counter!("autosint_browser_launches_total").increment(1);
        Ok(running.insert(Arc::new(started)).clone())
    }

    /// The requested page; an error status becomes an error.
    async fn read_success(&self, requested_url: &str, snapshot: Snapshot) -> Result<BrowserPage, FetchError> {
        self.check_response_status(&snapshot).await?;
        self.read(requested_url, snapshot).await
    }

    async fn check_response_status(&self, snapshot: &Snapshot) -> Result<(), FetchError> {
        let MainResponse { status, headers, .. } = &snapshot.main;
        self.inner.web.check_response_status(WEB, &snapshot.url, *status, headers).await
    }

    /// Parses a snapshot into documents.
    async fn read(&self, requested_url: &str, snapshot: Snapshot) -> Result<BrowserPage, FetchError> {
        let Snapshot { url, html, asks_login, controls, main, is_complete, .. } = snapshot;
        let requested_url = if requested_url.is_empty() { url.clone() } else { requested_url.to_owned() };
        let MainResponse { status, headers, hops } = main;
        let rendered = self.inner.web.parse_rendered(RenderedHtml { requested_url, url, status, headers, hops, html }).await?;
        let page = BrowsedPage { page: rendered.page, is_complete, asks_login, controls };
        Ok(BrowserPage { page, bytes: rendered.bytes })
    }
}
