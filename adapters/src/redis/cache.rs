//! Shared cache of tool results. An unreachable or full Redis counts as a cache miss, never as an error.

use super::Redis;
use async_trait::async_trait;
use domain::Timestamp;
use engine::{StoreResult, agents::cache::ToolCache};

/// The tool-result cache in Redis, which expires entries itself.
pub struct RedisCache(Redis);

impl RedisCache {
    pub fn new(redis: &Redis) -> Self {
        Self(redis.clone())
    }

    fn name(&self, key: &str) -> String {
        self.0.key(&format!("tool:{key}"))
    }
}

#[async_trait]
impl ToolCache for RedisCache {
    async fn cached(&self, key: &str, _now: Timestamp) -> StoreResult<Option<String>> {
        let found = self.0.command(redis::cmd("GET").arg(self.name(key))).await;
        Ok(found.unwrap_or_else(|error| {
            tracing::warn!(%error, "shared cache read failed, calling the tool");
            None
        }))
    }

    async fn keep(&self, key: &str, result: &str, expires_at: Timestamp) -> StoreResult<()> {
        if !self.0.has_room().await.unwrap_or(true) {
            tracing::debug!("shared cache full (redis.cache_share), tool result not cached");
            return Ok(());
        }
        let mut command = redis::cmd("SET");
        command.arg(self.name(key)).arg(result).arg("PX").arg(self.0.ttl_ms(expires_at));
        let kept: StoreResult<()> = self.0.command(&command).await;
        kept.unwrap_or_else(|error| tracing::warn!(%error, "shared cache write failed"));
        Ok(())
    }
}
