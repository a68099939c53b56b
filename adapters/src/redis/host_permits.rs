//! Permits for requests to web hosts, shared by all processes on one Redis.

use super::{Redis, translate};
use engine::StoreResult;
use redis::Script;
use std::{fmt, sync::LazyLock, time::Duration};

static RESERVE: LazyLock<Script> = LazyLock::new(|| Script::new(include_str!("reserve.lua")));
static HOLD: LazyLock<Script> = LazyLock::new(|| Script::new(include_str!("pause.lua")));
/// Maximum interval, a hundred years, so that sums stay exact integers in Lua.
const LONGEST_MS: u128 = 100 * 365 * 86_400_000;

/// Permits by host, timed by the clock of Redis.
#[derive(Clone)]
pub struct RedisHostPermits {
    redis: Redis,
}

impl fmt::Debug for RedisHostPermits {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RedisHostPermits").finish_non_exhaustive()
    }
}

impl RedisHostPermits {
    pub fn new(redis: &Redis) -> Self {
        Self { redis: redis.clone() }
    }

    /// Reserves the next permit for `host` and returns the wait until then. A wait longer than `longest` reserves nothing and is returned
    /// as the error. Permits are `interval` apart, except for a burst of up to `ahead`.
    pub async fn reserve(
        &self,
        host: &str,
        interval: Duration,
        ahead: Duration,
        longest: Duration,
    ) -> StoreResult<Result<Duration, Duration>> {
        let mut script = RESERVE.key(self.key(host));
        script.arg(millis(interval)).arg(millis(ahead)).arg(millis(longest));
        let (is_reserved, wait_ms): (bool, u64) = self.redis.script_once(&script).await.map_err(translate)?;
        let wait = Duration::from_millis(wait_ms);
        Ok(if is_reserved { Ok(wait) } else { Err(wait) })
    }

    /// Grants no permit for `host` before that time has passed.
    pub async fn hold(&self, host: &str, pause: Duration) -> StoreResult<()> {
        let mut script = HOLD.key(self.key(host));
        script.arg(millis(pause));
        self.redis.script(&script).await.map_err(translate)
    }

    fn key(&self, host: &str) -> String {
        self.redis.key(&format!("pace:{host}"))
    }
}

fn millis(time: Duration) -> u64 {
    time.as_millis().min(LONGEST_MS) as u64
}
