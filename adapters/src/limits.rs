//! In-process rate limits.

use async_trait::async_trait;
use domain::Timestamp;
use engine::{Clock, StoreResult, limits::RateLimits};
use std::{
    collections::HashMap,
    sync::{Arc, Mutex, PoisonError},
};

/// Capacity of a bucket: one minute's worth, in milliseconds.
pub(crate) const WINDOW_MS: i64 = 60_000;
/// Number of buckets above which full ones are dropped.
const MAX_REMEMBERED: usize = 10_000;

/// Token buckets in memory: for each bucket that is not full, the time when it will be.
pub struct LocalLimits {
    clock: Arc<dyn Clock>,
    full_at: Mutex<HashMap<String, Timestamp>>,
}

impl LocalLimits {
    pub fn new(clock: Arc<dyn Clock>) -> Self {
        Self { clock, full_at: Mutex::default() }
    }
}

#[async_trait]
impl RateLimits for LocalLimits {
    async fn take(&self, bucket: &str, per_minute: u32) -> StoreResult<bool> {
        let now = self.clock.now();
        let mut buckets = self.full_at.lock().unwrap_or_else(PoisonError::into_inner);
        if buckets.len() > MAX_REMEMBERED {
            buckets.retain(|_, full_at| *full_at > now);
        }
        let before = buckets.get(bucket).copied().unwrap_or(now).max(now);
        let full_at = before.plus_ms(WINDOW_MS / i64::from(per_minute.max(1)));
        let is_enough = full_at.ms_since(now) <= WINDOW_MS;
        if is_enough {
            buckets.insert(bucket.to_owned(), full_at);
        }
        Ok(is_enough)
    }
}
