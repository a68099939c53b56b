//! Configuration of Redis.

use crate::Address;
use engine::reliability::RetryConfig;
use serde::Deserialize;

domain::settings! {
    /// The `redis` part of the configuration.
    #[derive(Debug, Clone, PartialEq, Deserialize)]
    pub struct RedisConfig {
        /// `redis://` or `rediss://` (TLS). `None`: the database serves what processes share.
        pub url: Option<Address> = None,
        /// Prefix of every key, so that several installations can share one server.
        pub prefix: String = "autosint:".to_owned(),
        /// Time limit for connecting.
        pub connect_timeout_ms: u64 = 2_000,
        /// Time limit for a reply.
        pub timeout_ms: u64 = 2_000,
        /// Interval at which a waiting worker checks for expired heartbeats.
        pub recheck_ms: u64 = 1_000,
        /// Share of `maxmemory` up to which tool results are cached; the rest is reserved for the queue.
        pub cache_share: f64 = 0.5,
        /// Retries while Redis is unreachable; set by `reliability.store`.
        #[serde(skip)]
        pub retry: RetryConfig = RetryConfig::STORE,
    }
}

impl RedisConfig {
    /// Returns a problem with these settings, if any.
    pub fn problem(&self) -> Option<String> {
        let share = self.cache_share;
        (!(0.0..=1.0).contains(&share)).then(|| format!("redis.cache_share is {share}; it must be from 0 to 1"))
    }
}
