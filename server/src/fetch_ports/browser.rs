//! Browser port for Fetch in this process.

use async_trait::async_trait;
use domain::{
    SessionId,
    fetch::{BrowseCommand, BrowseRequest, FetchError},
};
use engine::browse::{Browse, RenderedPage};
use fetch::Browser;

/// Browser in this process.
pub struct InProcessBrowser(pub Browser);

#[async_trait]
impl Browse for InProcessBrowser {
    async fn render(&self, request: &BrowseRequest) -> Result<RenderedPage, FetchError> {
        self.0.render(request).await.map(browsed)
    }

    async fn open(&self, owner: SessionId, url: &str, sites: &[String]) -> Result<(String, RenderedPage), FetchError> {
        let (id, page) = self.0.open(&owner.to_string(), url, sites).await?;
        Ok((id, browsed(page)))
    }

    async fn step(&self, owner: SessionId, session: &str, command: &BrowseCommand) -> Result<RenderedPage, FetchError> {
        self.0.step(&owner.to_string(), session, command).await.map(browsed)
    }

    async fn close(&self, owner: SessionId, session: &str) -> Result<(), FetchError> {
        self.0.close(&owner.to_string(), session).await
    }

    async fn close_all(&self, owner: SessionId) {
        self.0.close_all(&owner.to_string()).await;
    }

    async fn stop(&self) {
        self.0.stop().await;
    }
}

fn browsed(page: fetch::BrowserPage) -> RenderedPage {
    RenderedPage { page: page.page, bytes: page.bytes }
}
