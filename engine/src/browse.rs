//! Browser port: rendering of scripted pages, and sessions of a few steps.
//!
//! Invariant: the browser grants an agent no extra reach. Permissions to open, fill and follow are checked here, before and after
//! each step.

use crate::{
    Engine, StoreError,
    fetch::{OpenError, OpenedPage, WebPage, is_named, keep, link_distance, offer, offer_links, order_addresses},
};
use async_trait::async_trait;
use bytes::Bytes;
use domain::{
    SessionId,
    fetch::{BrowseCommand, BrowseRequest, BrowsedPage, Control, FetchError, FetchFailure, RetrievalMethod},
    investigation::Investigation,
    work_order::WorkOrder,
};
use std::{collections::BTreeSet, sync::Arc};
use url::Url;

/// Port of the browser.
#[async_trait]
pub trait Browse: Send + Sync {
    /// Returns whether a browser is installed and may be started, as far as is known.
    fn is_available(&self) -> bool {
        true
    }
    /// Renders one page in its own browser context.
    async fn render(&self, request: &BrowseRequest) -> Result<RenderedPage, FetchError>;
    /// Opens a session usable only by `owner`; forms are filled only on the host names in `sites`.
    async fn open(&self, owner: SessionId, url: &str, sites: &[String]) -> Result<(String, RenderedPage), FetchError>;
    async fn step(&self, owner: SessionId, session: &str, command: &BrowseCommand) -> Result<RenderedPage, FetchError>;
    async fn close(&self, owner: SessionId, session: &str) -> Result<(), FetchError>;
    /// Closes all sessions of an owner.
    async fn close_all(&self, owner: SessionId);
    /// Stops the browser of this process, if any, and waits for its end.
    async fn stop(&self) {}
}

/// Rendered page, and the bytes of its documents in the same order.
#[derive(Debug, Clone)]
pub struct RenderedPage {
    pub page: BrowsedPage,
    pub bytes: Vec<Bytes>,
}

impl From<RenderedPage> for WebPage {
    fn from(browsed: RenderedPage) -> Self {
        Self { page: browsed.page.page, bytes: browsed.bytes }
    }
}

/// Rendered and stored page.
#[derive(Debug, Clone)]
pub struct ViewedPage {
    pub opened: OpenedPage,
    /// Text of the page.
    pub text: String,
    pub controls: Vec<Control>,
    pub is_complete: bool,
    pub asks_login: bool,
}

/// Session context in which pages are opened.
#[derive(Clone, Copy)]
pub struct BrowseContext<'a> {
    pub engine: &'a Engine,
    pub session: SessionId,
    pub investigation: &'a Investigation,
    pub order: Option<&'a WorkOrder>,
}

impl BrowseContext<'_> {
    /// Renders an address permitted to the session, and stores it.
    pub async fn render(&self, url: &str) -> Result<ViewedPage, OpenError> {
        let steps = self.steps(url).await?;
        let browsed = browser(self.engine)?.render(&BrowseRequest::page(url)).await?;
        self.store_page(browsed, steps, RetrievalMethod::Rendered).await
    }

    /// Opens a browser session at an address permitted to the agent's session.
    pub async fn open(&self, url: &str) -> Result<(String, ViewedPage), OpenError> {
        let steps = self.steps(url).await?;
        let browser = browser(self.engine)?;
        let (id, browsed) = browser.open(self.session, url, &self.sites().await?).await?;
        match self.store_page(browsed, steps, RetrievalMethod::Rendered).await {
            Ok(seen) => Ok((id, seen)),
            Err(error) => {
                let _ = browser.close(self.session, &id).await;
                Err(error)
            }
        }
    }

    /// Executes a step of a browser session. A step that leads too far closes the session.
    pub async fn step(&self, id: &str, command: &BrowseCommand) -> Result<ViewedPage, OpenError> {
        let browser = browser(self.engine)?;
        let browsed = browser.step(self.session, id, command).await?;
        match self.steps_after(&browsed.page).await? {
            Some(steps) => {
                let reached = match command {
                    BrowseCommand::Navigate { .. } => RetrievalMethod::Rendered,
                    _ => RetrievalMethod::Walked,
                };
                self.store_page(browsed, steps, reached).await
            }
            None => {
                let _ = browser.close(self.session, id).await;
                Err(refused(&browsed.page.page.final_url, self.engine).into())
            }
        }
    }

    pub async fn close(&self, id: &str) -> Result<(), OpenError> {
        Ok(browser(self.engine)?.close(self.session, id).await?)
    }

    /// Returns the link distance of a permitted address.
    async fn steps(&self, url: &str) -> Result<u32, OpenError> {
        Ok(self.distance_of(url).await?.ok_or_else(|| refused(url, self.engine))?)
    }

    async fn distance_of(&self, url: &str) -> Result<Option<u32>, StoreError> {
        link_distance(self.engine, self.session, self.investigation, self.order, url).await
    }

    /// Returns the hosts whose addresses the work order may name; forms are filled only there.
    async fn sites(&self) -> Result<Vec<String>, StoreError> {
        let mut sites = BTreeSet::new();
        let ordered: Vec<&str> = self.order.map(|order| order_addresses(order).collect()).unwrap_or_default();
        for address in ordered {
            let host = Url::parse(address).ok().and_then(|url| Some(url.host_str()?.to_owned()));
            if let Some(host) = host.filter(|host| !sites.contains(host))
                && is_named(self.engine, self.investigation, address).await?
            {
                sites.insert(host);
            }
        }
        Ok(sites.into_iter().collect())
    }

    /// Returns the link distance after a step: unchanged on the same page, else one link more, or less when named.
    async fn steps_after(&self, page: &BrowsedPage) -> Result<Option<u32>, StoreError> {
        let named = self.distance_of(&page.page.final_url).await?;
        let before = self.distance_of(&page.page.url).await?;
        let is_same = page.page.url == page.page.final_url;
        let walked = before.map(|before| if is_same { before } else { before + 1 });
        let steps = named.into_iter().chain(walked).min();
        Ok(steps.filter(|steps| *steps <= self.engine.config.web.max_steps))
    }

    /// Stores a page, and permits its address and links. Error pages of servers are returned but not stored.
    async fn store_page(&self, browsed: RenderedPage, steps: u32, reached: RetrievalMethod) -> Result<ViewedPage, OpenError> {
        let RenderedPage { page: BrowsedPage { page, is_complete, asks_login, controls }, bytes } = browsed;
        let text = page.documents.first().map(|document| document.text.clone()).unwrap_or_default();
        let address = page.final_url.clone();
        if !matches!(page.status, 200..=203) {
            let opened =
                OpenedPage { final_url: address, documents: vec![], new: 0, known: vec![], links: vec![], rejected: vec![] };
            return Ok(ViewedPage { opened, text, controls, is_complete, asks_login });
        }
        let mut opened = keep(self.engine, self.investigation.collection_id, None, WebPage { page, bytes }, reached).await?;
        offer(self.engine, self.session, &[address], steps).await?;
        if !offer_links(self.engine, self.session, &opened.links, steps + 1).await? {
            opened.links.clear();
        }
        Ok(ViewedPage { opened, text, controls, is_complete, asks_login })
    }
}

pub(crate) fn browser(engine: &Engine) -> Result<&dyn Browse, FetchError> {
    let missing = || FetchError::new(FetchFailure::Unavailable, "No browser is configured.");
    engine.browse.as_deref().ok_or_else(missing)
}

/// Guard that closes the browser pages of an agent session when dropped, also when the session is suspended.
pub(crate) struct BrowserGuard(Option<(Arc<dyn Browse>, SessionId)>);

impl BrowserGuard {
    pub(crate) fn new(engine: &Engine, session: SessionId) -> Self {
        Self(engine.browse.clone().map(|browse| (browse, session)))
    }

    /// Closes the pages and waits for it.
    pub(crate) async fn close(&mut self) {
        if let Some((browse, session)) = self.0.take() {
            browse.close_all(session).await;
        }
    }
}

impl Drop for BrowserGuard {
    fn drop(&mut self) {
        let Some((browse, session)) = self.0.take() else { return };
        if let Ok(runtime) = tokio::runtime::Handle::try_current() {
            runtime.spawn(async move { browse.close_all(session).await });
        }
    }
}

fn refused(url: &str, engine: &Engine) -> FetchError {
    metrics::counter!("autosint_fetch_failures_total", "reason" => "not_named").increment(1);
    let message = format!(
        "'{url}' was not opened: only addresses may be opened, as they stand there, that the order names, that a source listed in this \
         session, or that a page opened in it links to, at most {} links away",
        engine.config.web.max_steps
    );
    FetchError::new(FetchFailure::Refused, message)
}
