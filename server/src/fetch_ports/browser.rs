//! Browser port for Fetch in this process, with a circuit breaker: a browser that does not start or crashes rests for a while.

use async_trait::async_trait;
use domain::{
    SessionId,
    fetch::{BrowseCommand, BrowseRequest, FetchError, FetchFailure},
};
use engine::{
    browse::{Browse, RenderedPage},
    reliability::{CircuitOpen, DependencyGuard},
};
use fetch::Browser;

/// Browser in this process.
pub struct InProcessBrowser {
    pub browser: Browser,
    pub guard: DependencyGuard,
}

impl InProcessBrowser {
    async fn call<T>(&self, call: impl Future<Output = Result<T, FetchError>>) -> Result<T, FetchError> {
        // A missing browser is a matter of configuration, and costs nothing.
        if self.browser.unavailable().is_some() {
            return call.await;
        }
        let outage = |result: &Result<T, FetchError>| {
            let error = result.as_ref().err()?;
            matches!(error.reason, FetchFailure::Crashed | FetchFailure::Unavailable).then(|| error.message.clone())
        };
        let resting = |CircuitOpen { reason }| {
            let message = format!("The browser rests after repeated failures; try again later. Last failure: {reason}");
            Err(FetchError::new(FetchFailure::Unavailable, message))
        };
        self.guard.call(call, outage).await.unwrap_or_else(resting)
    }
}

#[async_trait]
impl Browse for InProcessBrowser {
    fn is_available(&self) -> bool {
        self.browser.unavailable().is_none()
    }

    async fn render(&self, request: &BrowseRequest) -> Result<RenderedPage, FetchError> {
        self.call(self.browser.render(request)).await.map(browsed)
    }

    async fn open(&self, owner: SessionId, url: &str, sites: &[String]) -> Result<(String, RenderedPage), FetchError> {
        let (id, page) = self.call(self.browser.open(&owner.to_string(), url, sites)).await?;
        Ok((id, browsed(page)))
    }

    async fn step(&self, owner: SessionId, session: &str, command: &BrowseCommand) -> Result<RenderedPage, FetchError> {
        self.call(self.browser.step(&owner.to_string(), session, command)).await.map(browsed)
    }

    async fn close(&self, owner: SessionId, session: &str) -> Result<(), FetchError> {
        self.browser.close(&owner.to_string(), session).await
    }

    async fn close_all(&self, owner: SessionId) {
        self.browser.close_all(&owner.to_string()).await;
    }

    async fn stop(&self) {
        self.browser.stop().await;
    }
}

fn browsed(page: fetch::BrowserPage) -> RenderedPage {
    RenderedPage { page: page.page, bytes: page.bytes }
}
