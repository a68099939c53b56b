//! Retry utility: exponential backoff with jitter and an attempt limit.
//!
//! Invariant: calls whose loss would cost a session or a paid reply repeat as long as the lease or heartbeat lasts
//! (`retry_while_unavailable`).

use super::RetryConfig;
use crate::{Ids, StoreError, StoreResult};
use std::time::Duration;

/// Advice on retrying a failure.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RetryAdvice {
    /// Permanent failure: refused key, broken rule, wrong parameters, conversation too long.
    Never,
    Soon,
    /// Not before this waiting time, set by the other side.
    AfterMs(u64),
}

/// Backoff between the attempts of one call.
pub struct Backoff<'a> {
    config: &'a RetryConfig,
    chance: &'a dyn Ids,
    attempt: u32,
}

impl<'a> Backoff<'a> {
    pub fn new(config: &'a RetryConfig, chance: &'a dyn Ids) -> Self {
        Self { config, chance, attempt: 1 }
    }

    /// Builds the backoff of a call that has failed `attempts` times.
    pub fn after(config: &'a RetryConfig, chance: &'a dyn Ids, attempts: u32) -> Self {
        Self { config, chance, attempt: attempts.max(1) }
    }

    /// Returns the number of the current attempt, from 1.
    pub fn attempt(&self) -> u32 {
        self.attempt
    }

    /// Returns the wait before the next attempt; none after the last, or when the requested wait is too long.
    pub fn next_ms(&mut self, again: RetryAdvice) -> Option<u64> {
        let least = match again {
            RetryAdvice::Never => return None,
            RetryAdvice::Soon => 0,
            RetryAdvice::AfterMs(ms) => ms,
        };
        if self.attempt >= self.config.max_attempts || least > self.config.max_backoff_ms {
            return None;
        }
        let grown = self.config.initial_backoff_ms as f64 * self.config.multiplier.powi(self.attempt.cast_signed() - 1);
        let full = grown.min(self.config.max_backoff_ms as f64);
        let wait = full * (1.0 - self.config.jitter * random_fraction(self.chance));
        self.attempt += 1;
        Some((wait as u64).max(least))
    }
}

/// Calls until success, a permanent failure, or the last attempt.
pub async fn retry<T, E, F: Future<Output = Result<T, E>>>(
    config: &RetryConfig,
    chance: &dyn Ids,
    mut call: impl FnMut() -> F,
    again: impl Fn(&E) -> RetryAdvice,
) -> Result<T, E> {
    let mut backoff = Backoff::new(config, chance);
    loop {
        let error = match call().await {
            Ok(done) => return Ok(done),
            Err(error) => error,
        };
        match backoff.next_ms(again(&error)) {
            Some(wait_ms) => tokio::time::sleep(Duration::from_millis(wait_ms)).await,
            None => return Err(error),
        }
    }
}

/// Repeats a call while the store is unavailable, without its own limit: the caller's lease or heartbeat bounds it.
pub(crate) async fn retry_while_unavailable<T, F: Future<Output = StoreResult<T>>>(
    pause_ms: u64,
    mut call: impl FnMut() -> F,
) -> StoreResult<T> {
    let mut is_told = false;
    loop {
        match call().await {
            Err(StoreError::Unavailable(why)) => {
                // Warn once per waiter: there may be a thousand.
                match std::mem::replace(&mut is_told, true) {
                    false => tracing::warn!(why, "store unavailable, retrying"),
                    true => tracing::debug!(why, "store still unavailable"),
                }
                tokio::time::sleep(Duration::from_millis(pause_ms)).await;
            }
            done => return done,
        }
    }
}

/// Returns a number in [0, 1) from the random part of an id.
fn random_fraction(chance: &dyn Ids) -> f64 {
    f64::from(chance.next().as_u128() as u32) / (f64::from(u32::MAX) + 1.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::Cell;
    use uuid::Uuid;

    /// Id source with a fixed random part.
    struct FixedIds(u32);

    impl Ids for FixedIds {
        fn next(&self) -> Uuid {
            Uuid::from_u128(u128::from(self.0))
        }
    }

    fn waits(config: RetryConfig, chance: u32, again: RetryAdvice) -> Vec<u64> {
        let ids = FixedIds(chance);
        let mut backoff = Backoff::new(&config, &ids);
        std::iter::from_fn(|| backoff.next_ms(again)).collect()
    }

    #[test]
    fn waits_grow_to_their_bound_and_chance_shortens_them() {
        let config = RetryConfig { max_attempts: 6, max_backoff_ms: 5_000, ..RetryConfig::MODEL };
        assert_eq!(waits(config, 0, RetryAdvice::Soon), [1_000, 2_000, 4_000, 5_000, 5_000]);
        assert_eq!(waits(config, u32::MAX, RetryAdvice::Soon), [500, 1_000, 2_000, 2_500, 2_500]);
    }

    #[test]
    fn a_requested_wait_is_kept_or_ends_the_retries() {
        assert_eq!(waits(RetryConfig::MODEL, 0, RetryAdvice::AfterMs(7_000)), [7_000, 7_000]);
        assert!(waits(RetryConfig::MODEL, 0, RetryAdvice::AfterMs(30_001)).is_empty());
        assert!(waits(RetryConfig::MODEL, 0, RetryAdvice::Never).is_empty());
    }

    #[tokio::test]
    async fn retries_stop_at_the_first_success_or_the_last_attempt() {
        for (succeeds_at, expect, calls) in [(2, Ok(2), 2), (9, Err(3), 3)] {
            let made = Cell::new(0);
            let call = || async {
                made.set(made.get() + 1);
                if made.get() == succeeds_at { Ok(made.get()) } else { Err(made.get()) }
            };
            let config = RetryConfig { initial_backoff_ms: 1, ..RetryConfig::MODEL };
            assert_eq!(retry(&config, &FixedIds(0), call, |_| RetryAdvice::Soon).await, expect);
            assert_eq!(made.get(), calls);
        }
    }
}
