//! Where Redis is, and how long it is waited for.

use crate::Address;
use engine::reliability::RetryConfig;
use serde::Deserialize;

/// The `redis` part of the configuration.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct RedisConfig {
    /// `redis://` or `rediss://` (TLS). None: the database carries what processes share.
    pub url: Option<Address>,
    /// What every key begins with, so that several installations can share one server.
    pub prefix: String,
    /// How long a connection may take to be made.
    pub connect_timeout_ms: u64,
    /// How long an answer may take.
    pub timeout_ms: u64,
    /// How often a waiting worker looks whether another's heartbeat has expired.
    pub recheck_ms: u64,
    /// Results of tools are kept until the server holds this share of its `maxmemory`: the rest is the queue's, which throws nothing away.
    pub cache_share: f64,
    /// How many of the orders that failed for good are remembered, the newest first.
    pub max_dead_letters: u32,
    /// How often and how long it is tried to reach it; set by `reliability.store`.
    #[serde(skip)]
    pub retry: RetryConfig,
}

impl RedisConfig {
    /// What is wrong with it, where anything is.
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
            max_dead_letters: 1_000,
            retry: RetryConfig::STORE,
        }
    }
}
