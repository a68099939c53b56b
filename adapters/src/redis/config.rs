//! Configuration of Redis.

use crate::Address;
use engine::reliability::RetryConfig;
use serde::Deserialize;

/// The `redis` part of the configuration.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct RedisConfig {
    /// `redis://` or `rediss://` (TLS). `None`: the database serves what processes share.
    pub url: Option<Address>,
    /// Prefix of every key, so that several installations can share one server.
    pub prefix: String,
    /// Time limit for connecting.
    pub connect_timeout_ms: u64,
    /// Time limit for a reply.
    pub timeout_ms: u64,
    /// Interval at which a waiting worker checks for expired heartbeats.
    pub recheck_ms: u64,
    /// Share of `maxmemory` up to which tool results are cached; the rest is reserved for the queue.
    pub cache_share: f64,
    /// Retries while Redis is unreachable; set by `reliability.store`.
    #[serde(skip)]
    pub retry: RetryConfig,
}

impl RedisConfig {
    /// Returns a problem with these settings, if any.
    pub fn problem(&self) -> Option<String> {
        let share = self.cache_share;
        (!(0.0..=1.0).contains(&share)).then(|| format!("redis.cache_share is {share}; it must be from 0 to 1"))
    }
}

impl Default for RedisConfig {
    fn default() -> Self {
        Self {
            url: None,
            prefix: "autosint:".to_owned(),
            connect_timeout_ms: 2_000,
            timeout_ms: 2_000,
            recheck_ms: 1_000,
            cache_share: 0.5,
            retry: RetryConfig::STORE,
        }
    }
}
