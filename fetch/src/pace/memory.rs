//! Turns of one process.

use super::{Buckets, Rule};
use async_trait::async_trait;
use std::{
    collections::HashMap,
    sync::{Mutex, PoisonError},
    time::{Duration, Instant},
};

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
            let ahead = rule.interval * rule.burst.saturating_sub(1);
            let wait = whole.duration_since(now).saturating_sub(ahead);
            if wait > rule.max_wait {
                return Err(wait);
            }
            whole_at.insert(key.to_owned(), whole + rule.interval);
            Ok(wait)
        })
    }

    fn hold_at(&self, now: Instant, key: &str, pause: Duration) {
        self.with(now, |whole_at| {
            let until = whole_at.entry(key.to_owned()).or_insert(now);
            *until = (*until).max(now + pause);
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
