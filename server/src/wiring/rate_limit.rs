//! The rate limit of each host, shared by all processes through Redis.

use adapters::redis::{Redis, RedisHostPermits};
use async_trait::async_trait;
use engine::StoreError;
use fetch::{FetchConfig, MemoryRateLimiter, RateLimit, RateLimiter};
use std::{sync::Arc, time::Duration};

/// A limiter in Redis. While Redis is unavailable each process counts for itself.
#[derive(Debug)]
struct SharedRateLimiter {
    redis: RedisHostPermits,
    local: MemoryRateLimiter,
}

pub(super) fn shared(redis: &Redis, config: &FetchConfig) -> Arc<dyn RateLimiter> {
    Arc::new(SharedRateLimiter {
        redis: RedisHostPermits::new(redis),
        local: MemoryRateLimiter::new(config.rate_limit.max_hosts),
    })
}

#[async_trait]
impl RateLimiter for SharedRateLimiter {
    async fn reserve(&self, key: &str, limit: RateLimit) -> Result<Duration, Duration> {
        match self.redis.reserve(key, limit.interval, limit.burst_lead(), limit.max_wait).await {
            Ok(wait) => wait,
            Err(error) => {
                warn(&error);
                self.local.reserve(key, limit).await
            }
        }
    }

    async fn pause(&self, key: &str, pause: Duration) {
        // Also locally, in case Redis goes down before the pause is over.
        self.local.pause(key, pause).await;
        if let Err(error) = self.redis.hold(key, pause).await {
            warn(&error);
        }
    }
}

fn warn(error: &StoreError) {
    tracing::warn!(%error, "shared rate limit unavailable, counting requests in this process only");
}
