//! Turns at hosts of the web, which all processes on one Redis take together.

use super::{Redis, translate};
use engine::StoreResult;
use redis::Script;
use std::{fmt, sync::LazyLock, time::Duration};

static RESERVE: LazyLock<Script> = LazyLock::new(|| Script::new(include_str!("pace.lua")));
static HOLD: LazyLock<Script> = LazyLock::new(|| Script::new(include_str!("pause.lua")));
/// Longer times than anybody means, so that sums of them stay whole numbers in Lua: a hundred years.
const LONGEST_MS: u128 = 100 * 365 * 86_400_000;

/// Turns by host, counted by the clock of Redis.
#[derive(Clone)]
pub struct RedisPace {
    redis: Redis,
}

impl fmt::Debug for RedisPace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RedisPace").finish_non_exhaustive()
    }
}

impl RedisPace {
    pub fn new(redis: &Redis) -> Self {
        Self { redis: redis.clone() }
    }

    /// Reserves the next turn at `host` and says how long it is until then; or, where that is longer than `longest`, reserves nothing and
    /// says how long it would have been. Turns are `interval` apart, but for a burst, which may be `ahead` of that.
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

    /// No turn at `host` before that much time has passed.
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
