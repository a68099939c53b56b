//! Rate limits shared by all processes.

use super::Redis;
use crate::limits::{LocalLimits, WINDOW_MS};
use async_trait::async_trait;
use engine::{StoreResult, limits::RateLimits};
use redis::Script;
use std::sync::LazyLock;

static TAKE: LazyLock<Script> = LazyLock::new(|| Script::new(include_str!("limits.lua")));

/// Token buckets in Redis. While Redis is down each process counts alone.
pub struct RedisLimits {
    redis: Redis,
    alone: LocalLimits,
}

impl RedisLimits {
    pub fn new(redis: &Redis) -> Self {
        Self { redis: redis.clone(), alone: LocalLimits::new(redis.inner.clock.clone()) }
    }
}

#[async_trait]
impl RateLimits for RedisLimits {
    async fn take(&self, bucket: &str, per_minute: u32) -> StoreResult<bool> {
        let mut script = TAKE.key(self.redis.key(&format!("limit:{bucket}")));
        script.arg(WINDOW_MS / i64::from(per_minute.max(1))).arg(WINDOW_MS);
        match self.redis.script_once(&script).await {
            Ok(taken) => Ok(taken),
            Err(error) => {
                tracing::warn!(%error, "redis rate limits unavailable, counting in this process");
                self.alone.take(bucket, per_minute).await
            }
        }
    }
}
