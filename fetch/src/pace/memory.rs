//! Turns of one process.

use super::{Buckets, Rule};
use async_trait::async_trait;
use std::{
    collections::HashMap,
    sync::{Mutex, PoisonError},
    time::{Duration, Instant},
};

/// What is further away than anybody means is held to be so far away: moments have an end.
const FARTHEST: Duration = Duration::from_secs(100 * 365 * 86_400);

/// For each key the moment at which its burst is whole again (GCRA): one number, whatever the rule.
#[derive(Debug)]
pub struct MemoryBuckets {
    whole_at: Mutex<HashMap<String, Instant>>,
    max_keys: usize,
}

impl MemoryBuckets {
    /// Keys whose time has passed are forgotten from `max_keys` on.
    pub fn new(max_keys: usize) -> Self {
        Self { whole_at: Mutex::default(), max_keys }
    }

    fn with<T>(&self, now: Instant, change: impl FnOnce(&mut HashMap<String, Instant>) -> T) -> T {
        let mut whole_at = self.whole_at.lock().unwrap_or_else(PoisonError::into_inner);
        if whole_at.len() >= self.max_keys {
            whole_at.retain(|_, moment| *moment > now);
        }
        change(&mut whole_at)
    }

    fn reserve_at(&self, now: Instant, key: &str, rule: Rule) -> Result<Duration, Duration> {
        self.with(now, |whole_at| {
            let whole = whole_at.get(key).copied().unwrap_or(now).max(now);
            let wait = whole.duration_since(now).saturating_sub(rule.ahead());
            if wait > rule.max_wait {
                return Err(wait);
            }
            whole_at.insert(key.to_owned(), whole + rule.interval.min(FARTHEST));
            Ok(wait)
        })
    }

    fn hold_at(&self, now: Instant, key: &str, pause: Duration) {
        self.with(now, |whole_at| {
            let until = whole_at.entry(key.to_owned()).or_insert(now);
            *until = (*until).max(now + pause.min(FARTHEST));
        });
    }
}

#[async_trait]
impl Buckets for MemoryBuckets {
    async fn reserve(&self, key: &str, rule: Rule) -> Result<Duration, Duration> {
        self.reserve_at(Instant::now(), key, rule)
    }

    async fn hold(&self, key: &str, pause: Duration) {
        self.hold_at(Instant::now(), key, pause);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rule(burst: u32) -> Rule {
        Rule { interval: Duration::from_secs(1), burst, max_wait: Duration::from_secs(3) }
    }

    #[test]
    fn a_burst_goes_at_once_and_the_rest_in_step() {
        let (buckets, now) = (MemoryBuckets::new(10), Instant::now());
        let waits: Vec<_> = (0..5).map(|_| buckets.reserve_at(now, "a", rule(2)).map(|wait| wait.as_secs())).collect();
        assert_eq!(waits, [Ok(0), Ok(0), Ok(1), Ok(2), Ok(3)]);
        assert_eq!(buckets.reserve_at(now, "a", rule(2)), Err(Duration::from_secs(4)));
        assert_eq!(buckets.reserve_at(now, "b", rule(2)), Ok(Duration::ZERO));
    }

    #[test]
    fn no_pause_and_no_interval_is_too_long_to_be_counted() {
        let (buckets, now) = (MemoryBuckets::new(10), Instant::now());
        buckets.hold_at(now, "a", Duration::from_secs(u64::MAX));
        assert!(buckets.reserve_at(now, "a", rule(1)).is_err());
        let slow = Rule { interval: Duration::from_secs(u64::MAX), burst: 3, max_wait: Duration::MAX };
        assert!((0..3).all(|_| buckets.reserve_at(now, "b", slow).is_ok()));
    }

    #[test]
    fn a_host_that_asked_for_a_pause_gets_it_and_what_has_passed_is_forgotten() {
        let (buckets, now) = (MemoryBuckets::new(2), Instant::now());
        buckets.hold_at(now, "a", Duration::from_secs(2));
        assert_eq!(buckets.reserve_at(now, "a", rule(1)), Ok(Duration::from_secs(2)));
        let later = now + Duration::from_secs(10);
        for key in ["b", "c", "d"] {
            assert_eq!(buckets.reserve_at(later, key, rule(1)), Ok(Duration::ZERO));
        }
        assert!(!buckets.whole_at.lock().unwrap().contains_key("a"));
    }
}
