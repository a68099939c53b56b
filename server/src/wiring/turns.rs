//! Politeness of several processes towards one host: they take turns through Redis.

use adapters::redis::{Redis, RedisPace};
use async_trait::async_trait;
use engine::StoreError;
use fetch::{Buckets, FetchConfig, MemoryBuckets, Rule};
use std::{sync::Arc, time::Duration};

/// Turns that all processes share. While Redis is away each process takes its own.
#[derive(Debug)]
struct Shared {
    pace: RedisPace,
    alone: MemoryBuckets,
}

/// Turns through Redis.
pub(super) fn shared(redis: &Redis, config: &FetchConfig) -> Arc<dyn Buckets> {
    Arc::new(Shared { pace: RedisPace::new(redis), alone: MemoryBuckets::new(config.pace.max_hosts) })
}

#[async_trait]
impl Buckets for Shared {
    async fn reserve(&self, key: &str, rule: Rule) -> Result<Duration, Duration> {
        match self.pace.reserve(key, rule.interval, rule.ahead(), rule.max_wait).await {
            Ok(turn) => turn,
            Err(error) => {
                warn(&error);
                self.alone.reserve(key, rule).await
            }
        }
    }

    async fn hold(&self, key: &str, pause: Duration) {
        // Here as well, in case that Redis goes before the pause is over.
        self.alone.hold(key, pause).await;
        if let Err(error) = self.pace.hold(key, pause).await {
            warn(&error);
        }
    }
}

fn warn(error: &StoreError) {
    tracing::warn!(%error, "Redis does not count requests to hosts; this process counts alone");
}
