//! Rate limits shared by all processes.

use super::Redis;
use crate::limits::{LocalLimits, WINDOW_MS};
use async_trait::async_trait;
use engine::{
    StoreResult,
    limits::{Attempt, Pauses, RateLimits},
};
use redis::{RedisError, Script};
use std::{sync::LazyLock, time::Duration};

static TAKE: LazyLock<Script> = LazyLock::new(|| Script::new(include_str!("limits.lua")));
static ATTEMPT: LazyLock<Script> = LazyLock::new(|| Script::new(include_str!("attempt.lua")));
static RESET: LazyLock<Script> = LazyLock::new(|| Script::new("return redis.call('del', KEYS[1], KEYS[2])"));

/// Token buckets in Redis. While Redis is down each process counts alone.
pub struct RedisLimits {
    redis: Redis,
    alone: LocalLimits,
}

impl RedisLimits {
    pub fn new(redis: &Redis) -> Self {
        Self { redis: redis.clone(), alone: LocalLimits::new(redis.inner.clock.clone()) }
    }

    /// Keys of the failures and of the pause of a bucket.
    fn keys(&self, bucket: &str) -> [String; 2] {
        ["failures", "pause"].map(|what| self.redis.key(&format!("{what}:{bucket}")))
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
                warn(&error);
                self.alone.take(bucket, per_minute).await
            }
        }
    }

    async fn attempt(&self, bucket: &str, pauses: &Pauses) -> StoreResult<Attempt> {
        let [failures, pause] = self.keys(bucket);
        let mut script = ATTEMPT.key(failures);
        script.key(pause).arg(pauses.after_failures).arg(pauses.first_ms).arg(pauses.max_ms).arg(pauses.forget_ms);
        match self.redis.script_once::<(u64, bool)>(&script).await {
            Ok((0, _)) => Ok(Attempt::Allowed),
            Ok((left_ms, is_first)) => Ok(Attempt::Paused { left: Duration::from_millis(left_ms), is_first }),
            Err(error) => {
                warn(&error);
                self.alone.attempt(bucket, pauses).await
            }
        }
    }

    async fn reset(&self, bucket: &str) -> StoreResult<()> {
        let [failures, pause] = self.keys(bucket);
        let mut script = RESET.key(failures);
        script.key(pause);
        if let Err(error) = self.redis.script_once::<u64>(&script).await {
            warn(&error);
        }
        self.alone.reset(bucket).await
    }
}

fn warn(error: &RedisError) {
    tracing::warn!(%error, "redis rate limits unavailable, counting in this process");
}
