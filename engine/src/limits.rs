//! How often something may be done: counted in this process, or among all.

use crate::StoreResult;
use async_trait::async_trait;

#[async_trait]
pub trait RateLimits: Send + Sync {
    /// Takes one out of a bucket that holds `per_minute` and refills evenly; false when it is empty.
    async fn take(&self, bucket: &str, per_minute: u32) -> StoreResult<bool>;
}
