//! The browser as the engine sees it: pages that only show their text when their scripts have run, and sessions of a few steps.
//!
//! Invariant: an agent gets no further in the browser than without it. What a page may be opened, filled or left for is decided here, before
//! and after each step.

use crate::{
    Engine, StoreError,
    fetch::{OpenError, OpenedPage, RetrievalMethod, WebPage, keep, offer, steps_to},
};
use async_trait::async_trait;
use bytes::Bytes;
use domain::{
    CollectionId, SessionId,
    fetch::{BrowseCommand, BrowseRequest, BrowsedPage, Control, FetchError, FetchFailure},
    work_order::WorkOrder,
};
use protocol::addresses::addresses_in;
use std::sync::Arc;
use url::Url;

/// What renders pages.
#[async_trait]
pub trait Browse: Send + Sync {
    /// Renders one page in a context of its own.
    async fn render(&self, request: &BrowseRequest) -> Result<RenderedPage, FetchError>;
    /// Opens a session that only `owner` can use; fields are filled on `sites` only, which are names of hosts.
    async fn open(&self, owner: SessionId, url: &str, sites: &[String]) -> Result<(String, RenderedPage), FetchError>;
    async fn step(&self, owner: SessionId, session: &str, command: &BrowseCommand) -> Result<RenderedPage, FetchError>;
    async fn close(&self, owner: SessionId, session: &str) -> Result<(), FetchError>;
    /// Closes what an owner has left open.
    async fn close_all(&self, owner: SessionId);
    /// Ends what this process runs for it, where it runs anything, and returns when that is gone.
    async fn stop(&self) {}
}

/// A page as it stands, and the bytes of its documents in the same order.
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

/// A page that was rendered and stored.
#[derive(Debug, Clone)]
pub struct ViewedPage {
    pub opened: OpenedPage,
    /// Its text, for whoever has to decide on the next step.
    pub text: String,
    pub controls: Vec<Control>,
    pub is_complete: bool,
    pub asks_login: bool,
}

/// On whose behalf pages are opened.
#[derive(Clone, Copy)]
pub struct BrowseContext<'a> {
    pub engine: &'a Engine,
    pub session: SessionId,
    pub collection: CollectionId,
    pub order: Option<&'a WorkOrder>,
}

impl BrowseContext<'_> {
    /// Renders an address that the session may open, and stores it.
    pub async fn render(&self, url: &str) -> Result<ViewedPage, OpenError> {
        let steps = self.steps(url).await?;
        let browsed = browser(self.engine)?.render(&BrowseRequest::page(url)).await?;
        self.store_page(browsed, steps, RetrievalMethod::Rendered).await
    }

    /// Opens a session of the browser with an address that the agent's session may open.
    pub async fn open(&self, url: &str) -> Result<(String, ViewedPage), OpenError> {
        let steps = self.steps(url).await?;
        let browser = browser(self.engine)?;
        let (id, browsed) = browser.open(self.session, url, &sites_of(self.order)).await?;
        match self.store_page(browsed, steps, RetrievalMethod::Rendered).await {
            Ok(seen) => Ok((id, seen)),
            Err(error) => {
                let _ = browser.close(self.session, &id).await;
                Err(error)
            }
        }
    }

    /// Takes one step in a session of the browser. Where it leads too far away, the session is closed.
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

    /// How far away an address is that may be opened.
    async fn steps(&self, url: &str) -> Result<u32, OpenError> {
        let steps = steps_to(self.engine, self.session, self.order, url).await?;
        Ok(steps.ok_or_else(|| refused(url, self.engine))?)
    }

    /// How far away the page is after a step: as far as before where it stayed, else one link further, or as near as it was named.
    async fn steps_after(&self, page: &BrowsedPage) -> Result<Option<u32>, StoreError> {
        let named = steps_to(self.engine, self.session, self.order, &page.page.final_url).await?;
        let before = steps_to(self.engine, self.session, self.order, &page.page.url).await?;
        let is_same = page.page.url == page.page.final_url;
        let walked = before.map(|before| if is_same { before } else { before + 1 });
        let steps = named.into_iter().chain(walked).min();
        Ok(steps.filter(|steps| *steps <= self.engine.config.web.max_steps))
    }

    /// Stores a page, and lets the session open what it is and what it links to. What a server says instead of a page is seen and not stored.
    async fn store_page(&self, browsed: RenderedPage, steps: u32, reached: RetrievalMethod) -> Result<ViewedPage, OpenError> {
        let RenderedPage { page: BrowsedPage { page, is_complete, asks_login, controls }, bytes } = browsed;
        let text = page.documents.first().map(|document| document.text.clone()).unwrap_or_default();
        let address = page.final_url.clone();
        if !matches!(page.status, 200..=203) {
            let opened = OpenedPage { final_url: address, documents: vec![], new: 0, links: vec![], rejected: vec![] };
            return Ok(ViewedPage { opened, text, controls, is_complete, asks_login });
        }
        let mut opened = keep(self.engine, self.collection, None, WebPage { page, bytes }, reached).await?;
        offer(self.engine, self.session, &[address], steps).await?;
        if !offer(self.engine, self.session, &opened.links, steps + 1).await? {
            opened.links.clear();
        }
        Ok(ViewedPage { opened, text, controls, is_complete, asks_login })
    }
}

pub(crate) fn browser(engine: &Engine) -> Result<&dyn Browse, FetchError> {
    let missing = || FetchError::new(FetchFailure::Unavailable, "This program was started without a browser.");
    engine.browse.as_deref().ok_or_else(missing)
}

/// Sees to it that a session leaves no page open, also where it is not gone on with: whoever holds this has ended when it is dropped.
pub(crate) struct BrowserGuard(Option<(Arc<dyn Browse>, SessionId)>);

impl BrowserGuard {
    pub(crate) fn new(engine: &Engine, session: SessionId) -> Self {
        Self(engine.browse.clone().map(|browse| (browse, session)))
    }

    /// Closes what is open, and returns when it is.
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

/// The hosts that an order names by an address: forms are filled on these and no others.
fn sites_of(order: Option<&WorkOrder>) -> Vec<String> {
    let texts = order.into_iter().flat_map(|order| std::iter::once(&order.objective).chain(&order.source_guidance));
    let addresses = texts.flat_map(|text| addresses_in(text));
    let mut sites: Vec<String> =
        addresses.filter_map(|address| Some(Url::parse(address).ok()?.host_str()?.to_owned())).collect();
    sites.sort_unstable();
    sites.dedup();
    sites
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
