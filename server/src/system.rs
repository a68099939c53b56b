//! The real clock and the real ids: the edge where time and chance come in.

use domain::Timestamp;
use engine::{Clock, Ids};
use std::time::{Duration, SystemTime, UNIX_EPOCH};
use uuid::Uuid;

/// The time of this machine.
#[derive(Debug, Clone, Copy, Default)]
pub struct SystemClock;

impl Clock for SystemClock {
    #[expect(clippy::disallowed_methods, reason = "the one place that reads the clock, for everybody to be given")]
    fn now(&self) -> Timestamp {
        let elapsed = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or(Duration::ZERO);
        Timestamp::from_micros(i64::try_from(elapsed.as_micros()).unwrap_or(i64::MAX))
    }
}

/// UUIDv7 of this machine's time and chance.
#[derive(Debug, Clone, Copy, Default)]
pub struct SystemIds;

impl Ids for SystemIds {
    #[expect(clippy::disallowed_methods, reason = "the one place that draws ids, for everybody to be given")]
    fn next(&self) -> Uuid {
        Uuid::now_v7()
    }
}
