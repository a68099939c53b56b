//! System clock and random ids: the only sources of time and randomness.

use domain::Timestamp;
use engine::{Clock, Ids};
use std::time::{Duration, SystemTime, UNIX_EPOCH};
use uuid::Uuid;

/// System clock.
#[derive(Debug, Clone, Copy, Default)]
pub struct SystemClock;

impl Clock for SystemClock {
    #[expect(clippy::disallowed_methods, reason = "the only place that reads the clock")]
    fn now(&self) -> Timestamp {
        let elapsed = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or(Duration::ZERO);
        Timestamp::from_micros(i64::try_from(elapsed.as_micros()).unwrap_or(i64::MAX))
    }
}

/// UUIDv7 generator.
#[derive(Debug, Clone, Copy, Default)]
pub struct SystemIds;

impl Ids for SystemIds {
    #[expect(clippy::disallowed_methods, reason = "the only place that generates ids")]
    fn next(&self) -> Uuid {
        Uuid::now_v7()
    }
}
