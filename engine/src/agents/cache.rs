//! Cache of results of tools that read the outside world, with the time to live of `config/tools`.

use crate::StoreResult;
use async_trait::async_trait;
use domain::Timestamp;

#[async_trait]
pub trait ToolCache: Send + Sync {
    /// Returns the cached result when it has not expired at `now`.
    async fn cached(&self, key: &str, now: Timestamp) -> StoreResult<Option<String>>;
    /// Stores a result, replacing the previous one of the key.
    async fn keep(&self, key: &str, result: &str, expires_at: Timestamp) -> StoreResult<()>;
}
