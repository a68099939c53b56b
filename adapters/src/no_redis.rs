//! Stand-in for Redis in builds without the feature `scale`: no connection can exist.

#[path = "redis/config.rs"]
mod config;

pub use config::RedisConfig;

use engine::StoreResult;
use std::time::Duration;

/// Connection to Redis.
#[derive(Debug, Clone)]
pub enum Redis {}

impl Redis {
    pub async fn describe(&self) -> StoreResult<(String, Option<String>)> {
        match *self {}
    }
}

/// Permits for requests to web hosts. A caller does not see that none exist, so that its code is not reported as unreachable.
#[derive(Debug, Clone)]
pub struct RedisHostPermits(Redis);

impl RedisHostPermits {
    pub fn new(redis: &Redis) -> Self {
        match *redis {}
    }

    pub async fn reserve(&self, _: &str, _: Duration, _: Duration, _: Duration) -> StoreResult<Result<Duration, Duration>> {
        match self.0 {}
    }

    pub async fn hold(&self, _: &str, _: Duration) -> StoreResult<()> {
        match self.0 {}
    }
}

pub(crate) mod pubsub {
    use super::Redis;
    use crate::sql::notify::{ChangeNotifier, Transport, TransportTimings};

    pub(crate) fn start(redis: &Redis, _: &ChangeNotifier, _: TransportTimings) -> Transport {
        match *redis {}
    }
}
