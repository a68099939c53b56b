//! Results of tools that read the outside world, kept for as long as `config/tools` says.

use crate::StoreResult;
use async_trait::async_trait;
use domain::Timestamp;

#[async_trait]
pub trait ToolCache: Send + Sync {
    /// A result that is younger than its time to live.
    async fn cached(&self, key: &str, now: Timestamp) -> StoreResult<Option<String>>;
    /// The newest word on a key replaces what was there.
    async fn keep(&self, key: &str, result: &str, expires_at: Timestamp) -> StoreResult<()>;
}
