//! In-process rate limiter.

use super::{RateLimit, RateLimiter};
use async_trait::async_trait;
use std::{
    collections::HashMap,
    sync::{Mutex, PoisonError},
    time::Duration,
};
use tokio::time::Instant;

/// Cap on delays, because `Instant` cannot represent more.
const MAX_DELAY: Duration = Duration::from_secs(100 * 365 * 86_400);

/// Time at which each key's burst is full again (GCRA).
#[derive(Debug)]
pub struct MemoryRateLimiter {
    full_at: Mutex<HashMap<String, Instant>>,
    max_keys: usize,
}

impl MemoryRateLimiter {
    /// A limiter that evicts idle keys from `max_keys` on.
    pub fn new(max_keys: usize) -> Self {
        Self { full_at: Mutex::default(), max_keys }
    }

    fn with<T>(&self, now: Instant, change: impl FnOnce(&mut HashMap<String, Instant>) -> T) -> T {
        let mut full_at = self.full_at.lock().unwrap_or_else(PoisonError::into_inner);
        if full_at.len() >= self.max_keys {
            full_at.retain(|_, moment| *moment > now);
        }
        change(&mut full_at)
    }

    fn reserve_at(&self, now: Instant, key: &str, limit: RateLimit) -> Result<Duration, Duration> {
        self.with(now, |full_at| {
            let full = full_at.get(key).copied().unwrap_or(now).max(now);
            let wait = full.duration_since(now).saturating_sub(limit.burst_lead());
            if wait > limit.max_wait {
                return Err(wait);
            }
            full_at.insert(key.to_owned(), full + limit.interval.min(MAX_DELAY));
            Ok(wait)
        })
    }

    fn pause_at(&self, now: Instant, key: &str, pause: Duration) {
        self.with(now, |full_at| {
            let until = full_at.entry(key.to_owned()).or_insert(now);
            *until = (*until).max(now + pause.min(MAX_DELAY));
        });
    }
}

#[async_trait]
impl RateLimiter for MemoryRateLimiter {
    async fn reserve(&self, key: &str, limit: RateLimit) -> Result<Duration, Duration> {
        self.reserve_at(Instant::now(), key, limit)
    }

    async fn pause(&self, key: &str, pause: Duration) {
        self.pause_at(Instant::now(), key, pause);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn limit(burst: u32) -> RateLimit {
        RateLimit { interval: Duration::from_secs(1), burst, max_wait: Duration::from_secs(3) }
    }

    #[test]
    fn a_burst_goes_at_once_and_the_rest_in_step() {
        let (limiter, now) = (MemoryRateLimiter::new(10), Instant::now());
        let waits: Vec<_> = (0..5).map(|_| limiter.reserve_at(now, "a", limit(2)).map(|wait| wait.as_secs())).collect();
        assert_eq!(waits, [Ok(0), Ok(0), Ok(1), Ok(2), Ok(3)]);
        assert_eq!(limiter.reserve_at(now, "a", limit(2)), Err(Duration::from_secs(4)));
        assert_eq!(limiter.reserve_at(now, "b", limit(2)), Ok(Duration::ZERO));
    }

    #[test]
    fn no_pause_and_no_interval_is_too_long_to_be_counted() {
        let (limiter, now) = (MemoryRateLimiter::new(10), Instant::now());
        limiter.pause_at(now, "a", Duration::from_secs(u64::MAX));
        assert!(limiter.reserve_at(now, "a", limit(1)).is_err());
        let slow = RateLimit { interval: Duration::from_secs(u64::MAX), burst: 3, max_wait: Duration::MAX };
        assert!((0..3).all(|_| limiter.reserve_at(now, "b", slow).is_ok()));
    }

    #[test]
    fn a_host_that_asked_for_a_pause_gets_it_and_what_has_passed_is_forgotten() {
        let (limiter, now) = (MemoryRateLimiter::new(2), Instant::now());
        limiter.pause_at(now, "a", Duration::from_secs(2));
        assert_eq!(limiter.reserve_at(now, "a", limit(1)), Ok(Duration::from_secs(2)));
        let later = now + Duration::from_secs(10);
        for key in ["b", "c", "d"] {
            assert_eq!(limiter.reserve_at(later, key, limit(1)), Ok(Duration::ZERO));
        }
        assert!(!limiter.full_at.lock().unwrap().contains_key("a"));
    }
}
