//! The engine's way to the web where Fetch runs in this process.

use async_trait::async_trait;
use domain::fetch::{FetchError, FetchRequest};
use engine::fetch::{Fetch, WebPage};
use fetch::Web;

/// The door itself.
pub struct InProcess(pub Web);

#[async_trait]
impl Fetch for InProcess {
    async fn page(&self, request: &FetchRequest) -> Result<WebPage, FetchError> {
        let found = self.0.page(request).await?;
        Ok(WebPage { page: found.page.clone(), bytes: found.bytes.clone() })
    }
}
