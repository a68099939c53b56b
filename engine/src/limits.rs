//! Rate limit port, counted per process or shared.

use crate::StoreResult;
use async_trait::async_trait;

#[async_trait]
pub trait RateLimits: Send + Sync {
    /// Takes a token from a bucket of `per_minute` that refills evenly. Returns false when it is empty.
    async fn take(&self, bucket: &str, per_minute: u32) -> StoreResult<bool>;
}
