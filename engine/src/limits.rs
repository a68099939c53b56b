//! Rate limit port, counted per process or shared.

use crate::StoreResult;
use async_trait::async_trait;
use serde::{Deserialize, Serialize};
use std::time::Duration;

const HOUR_MS: u64 = 3_600_000;

#[async_trait]
pub trait RateLimits: Send + Sync {
    /// Takes a token from a bucket of `per_minute` that refills evenly. Returns false when it is empty.
    async fn take(&self, bucket: &str, per_minute: u32) -> StoreResult<bool>;
    /// Begins an attempt, and counts it as failed until `reset`: attempts at once cannot pass together. During a pause nothing is
    /// counted.
    async fn attempt(&self, bucket: &str, pauses: &Pauses) -> StoreResult<Attempt>;
    /// Forgets the failures of a bucket, after a success.
    async fn reset(&self, bucket: &str) -> StoreResult<()>;
}

/// Answer to an attempt.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Attempt {
    Allowed,
    /// A pause after failures. `is_first`: the first attempt that this pause refuses.
    Paused {
        left: Duration,
        is_first: bool,
    },
}

domain::settings! {
    /// Growing pauses between failed attempts.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
    pub struct Pauses {
        /// Number of the failure that the first pause follows.
        pub after_failures: u32 = 5,
        /// First pause; each further failure doubles it.
        pub first_ms: u64 = 1_000,
        pub max_ms: u64 = 120_000,
        /// Time without an attempt after which failures are forgotten.
        pub forget_ms: u64 = HOUR_MS,
    }
}

impl Pauses {
    /// Returns the pause after that many failures in a row.
    pub fn after(&self, failures: u32) -> Duration {
        let Some(doublings) = failures.checked_sub(self.after_failures.max(1)) else { return Duration::ZERO };
        let factor = 1_u64.checked_shl(doublings).unwrap_or(u64::MAX);
        Duration::from_millis(self.first_ms.saturating_mul(factor).min(self.max_ms))
    }

    /// Returns how many attempts pass in one hour if all fail; `most` at most.
    pub fn per_hour(&self, most: u32) -> u32 {
        let mut elapsed_ms = 0;
        let is_within = |failures: &u32| {
            elapsed_ms += self.after(*failures).as_millis() as u64;
            elapsed_ms < HOUR_MS
        };
        (0..most).take_while(is_within).count() as u32
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pauses_double_up_to_the_longest() {
        let pauses = Pauses::default();
        let seconds = [1, 4, 5, 6, 7, 11, 12, 90, u32::MAX].map(|failures| pauses.after(failures).as_secs());
        assert_eq!(seconds, [0, 0, 1, 2, 4, 64, 120, 120, 120]);
        assert_eq!(Pauses { after_failures: 0, ..pauses }.after(0), Duration::ZERO);
    }

    #[test]
    fn fewer_than_a_hundred_attempts_pass_in_an_hour() {
        assert_eq!(Pauses::default().per_hour(1_000), 40);
        assert_eq!(Pauses { max_ms: 1_000, ..Pauses::default() }.per_hour(1_000), 1_000);
    }
}
