//! Pages as a browser shows them: rendered once, or open for a few steps. One Chromium of the system, started when it is first needed.
//!
//! Invariant: every connection of a page goes through [`proxy`], and so under the same rules as all of Fetch. A browser that breaks off
//! costs what was open in it, and the next page gets a new one.

mod config;
mod context;
mod line;
mod memory;
mod program;
mod proxy;
mod running;
mod sessions;
mod tab;

pub use config::BrowserConfig;
pub use program::{LaunchError, find as find_browser, lacks_sandbox as browser_lacks_sandbox};
pub(crate) use tab::impossible;

use crate::{
    robots,
    web::{Shown, Web},
};
use bytes::Bytes;
use domain::fetch::{BrowseRequest, BrowsedPage, FetchError, FetchFailure, WEB};
use running::Running;
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
use tab::{Main, Snapshot, Tab};
use tokio::{
    sync::{OwnedSemaphorePermit, Semaphore},
    time::timeout,
};

/// A page as it stands, and the bytes of its documents in the same order.
#[derive(Debug, Clone)]
pub struct Browsed {
    pub page: BrowsedPage,
    pub bytes: Vec<Bytes>,
}

/// A cheap handle to the browser.
#[derive(Clone)]
pub struct Browser {
    inner: Arc<Inner>,
}

struct Inner {
    config: Arc<BrowserConfig>,
    web: Web,
    /// Holds the folder of each browser that runs.
    folder: PathBuf,
    name: String,
    launches: AtomicU64,
    running: tokio::sync::Mutex<Option<Arc<Running>>>,
    places: Arc<Semaphore>,
    sessions: Mutex<Sessions>,
}

impl fmt::Debug for Browser {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Browser").field("config", &self.inner.config).finish_non_exhaustive()
    }
}

impl Browser {
    /// A browser behind the door `web`. Nothing in `folder` outlives the browser that it is for.
    pub fn new(config: BrowserConfig, contact: &str, web: Web, folder: PathBuf) -> Self {
        let inner = Inner {
            web,
            folder,
            name: robots::agent(contact),
            launches: AtomicU64::new(0),
            running: tokio::sync::Mutex::default(),
            places: Arc::new(Semaphore::new(config.max_contexts.max(1))),
            sessions: Mutex::default(),
            config: Arc::new(config),
        };
        Self { inner: Arc::new(inner) }
    }

    /// Why no page can be rendered on this machine; none where one can, as far as that is known without trying.
    pub fn unavailable(&self) -> Option<String> {
        program::find(&self.inner.config).err().map(|why| format!("No page is rendered: {why}."))
    }

    /// Renders one page in a context of its own.
    pub async fn render(&self, request: &BrowseRequest) -> Result<Browsed, FetchError> {
        let config = &self.inner.config;
        let patience = request.timeout_ms.unwrap_or(config.load_timeout_ms).min(config.load_timeout_ms);
        let tab = self.tab(&request.url).await?;
        let snapshot = tab.navigate(&request.url, request.wait_for.as_deref(), Duration::from_millis(patience)).await;
        let dials = tab.dials();
        // The place is free while the text is read.
        drop(tab);
        let browsed = match snapshot {
            Ok(shown) => self.answered(&request.url, shown).await,
            Err(error) => Err(error),
        };
        metrics::counter!("autosint_browser_pages_total", "ok" => browsed.is_ok().to_string()).increment(1);
        tracing::debug!(dials, ok = browsed.is_ok(), "a page was rendered");
        browsed
    }

    /// The process id of the browser, where one runs, for diagnosis and tests.
    pub async fn process_id(&self) -> Option<u32> {
        self.inner.running.lock().await.as_ref().filter(|running| !running.ended.is_cancelled())?.id()
    }

    /// Ends the browser, and returns when its process is gone; whoever asks for a page later gets a new one.
    pub async fn stop(&self) {
        let running = self.inner.running.lock().await.take();
        if let Some(running) = running {
            running.stop().await;
        }
    }

    /// An empty page in a context of its own, once there is a place for it. The address is judged before anything is started.
    async fn tab(&self, url: &str) -> Result<Tab, FetchError> {
        let inner = &self.inner;
        inner.web.check(WEB, url)?;
        let place = self.place().await?;
        let running = self.running().await?;
        Tab::open(running, inner.web.clone(), WEB, inner.config.clone(), place).await
    }

    async fn place(&self) -> Result<OwnedSemaphorePermit, FetchError> {
        let config = &self.inner.config;
        let waiting = Instant::now();
        let place = timeout(Duration::from_millis(config.queue_timeout_ms), self.inner.places.clone().acquire_owned()).await;
        metrics::histogram!("autosint_browser_wait_seconds").record(waiting.elapsed().as_secs_f64());
        place.ok().and_then(Result::ok).ok_or_else(|| {
            let message = format!(
                "All {} places of the browser are taken (`fetch.browser.max_contexts`); close a session, or try it again later.",
                config.max_contexts
            );
            FetchError::new(FetchFailure::Busy, message)
        })
    }

    async fn running(&self) -> Result<Arc<Running>, FetchError> {
        let inner = &self.inner;
        let mut running = inner.running.lock().await;
        if let Some(running) = running.as_ref().filter(|running| !running.ended.is_cancelled()) {
            return Ok(running.clone());
        }
        program::clear_dead(&inner.folder);
        let number = inner.launches.fetch_add(1, Ordering::Relaxed);
        let folder = inner.folder.join(format!("{}-{number}", std::process::id()));
        let started = Running::start(&inner.config, folder, &inner.name).await.map_err(|why| {
            tracing::warn!(%why, "no browser could be started");
            FetchError::new(FetchFailure::Unavailable, format!("No page is rendered: {why}."))
        })?;
        metrics::counter!("autosint_browser_launches_total").increment(1);
        Ok(running.insert(Arc::new(started)).clone())
    }

    /// The page that was asked for; what the server says instead of it is no page.
    async fn answered(&self, asked: &str, snapshot: Snapshot) -> Result<Browsed, FetchError> {
        self.is_answered(&snapshot).await?;
        self.read(asked, snapshot).await
    }

    async fn is_answered(&self, snapshot: &Snapshot) -> Result<(), FetchError> {
        let Main { status, headers, .. } = &snapshot.main;
        self.inner.web.is_answered(WEB, &snapshot.url, *status, headers).await
    }

    /// The page as the parsers read it.
    async fn read(&self, asked: &str, snapshot: Snapshot) -> Result<Browsed, FetchError> {
        let Snapshot { url, html, asks_login, controls, main, is_complete, .. } = snapshot;
        let asked = if asked.is_empty() { url.clone() } else { asked.to_owned() };
        let Main { status, headers, hops } = main;
        let rendered = self.inner.web.rendered(Shown { asked, url, status, headers, hops, html }).await?;
        let page = BrowsedPage { page: rendered.page, is_complete, asks_login, controls };
        Ok(Browsed { page, bytes: rendered.bytes })
    }
}
