//! In-process rate limits.
//!
//! Invariant: the number of buckets is bounded, and no call walks over all of them.

use async_trait::async_trait;
use domain::Timestamp;
use engine::{
    Clock, StoreResult,
    limits::{Attempt, Pauses, RateLimits},
};
use std::{
    collections::HashMap,
    hash::{BuildHasher, RandomState},
    mem,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

/// Capacity of a bucket: one minute's worth, in milliseconds.
pub(crate) const WINDOW_MS: i64 = 60_000;
/// Parts of the buckets, each with a lock of its own.
const SHARDS: usize = 16;
/// Buckets of one generation of a shard.
const MAX_GENERATION: usize = 1_024;

/// Rate limits in memory.
pub struct LocalLimits {
    clock: Arc<dyn Clock>,
    hasher: RandomState,
    shards: [Mutex<Shard>; SHARDS],
}

/// Buckets of two generations. When the newer one is full, the older one is dropped: buckets not used since then are forgotten.
#[derive(Default)]
struct Shard {
    newer: HashMap<String, Bucket>,
    older: HashMap<String, Bucket>,
}

/// State of a bucket.
#[derive(Debug, Clone, Copy)]
struct Bucket {
    /// Time at which all tokens are back.
    full_at: Timestamp,
    failures: u32,
    attempted_at: Timestamp,
    paused_until: Timestamp,
    /// Whether the pause refused an attempt already.
    has_refused: bool,
}

impl Bucket {
    const fn new(now: Timestamp) -> Self {
        Self { full_at: now, failures: 0, attempted_at: now, paused_until: now, has_refused: false }
    }
}

impl Shard {
    fn bucket(&mut self, name: &str, now: Timestamp) -> &mut Bucket {
        if !self.newer.contains_key(name) {
            let bucket = self.older.remove(name).unwrap_or(Bucket::new(now));
            if self.newer.len() >= MAX_GENERATION {
                self.older = mem::take(&mut self.newer);
            }
            self.newer.insert(name.to_owned(), bucket);
        }
        self.newer.entry(name.to_owned()).or_insert(Bucket::new(now))
    }
}

impl LocalLimits {
    pub fn new(clock: Arc<dyn Clock>) -> Self {
        Self { clock, hasher: RandomState::new(), shards: Default::default() }
    }

    fn shard(&self, bucket: &str) -> MutexGuard<'_, Shard> {
        let index = self.hasher.hash_one(bucket) as usize % SHARDS;
        self.shards[index].lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[async_trait]
impl RateLimits for LocalLimits {
    async fn take(&self, bucket: &str, per_minute: u32) -> StoreResult<bool> {
        let now = self.clock.now();
        let mut shard = self.shard(bucket);
        let bucket = shard.bucket(bucket, now);
        let full_at = bucket.full_at.max(now).plus_ms(WINDOW_MS / i64::from(per_minute.max(1)));
        let is_enough = full_at.ms_since(now) <= WINDOW_MS;
        if is_enough {
            bucket.full_at = full_at;
        }
        Ok(is_enough)
    }

    async fn attempt(&self, bucket: &str, pauses: &Pauses) -> StoreResult<Attempt> {
        let now = self.clock.now();
        let mut shard = self.shard(bucket);
        let bucket = shard.bucket(bucket, now);
        let left_ms = bucket.paused_until.ms_since(now);
        if left_ms > 0 {
            let is_first = !mem::replace(&mut bucket.has_refused, true);
            return Ok(Attempt::Paused { left: Duration::from_millis(left_ms.unsigned_abs()), is_first });
        }
        if now.ms_since(bucket.attempted_at).unsigned_abs() >= pauses.forget_ms {
            bucket.failures = 0;
        }
        bucket.failures = bucket.failures.saturating_add(1);
        bucket.attempted_at = now;
        bucket.has_refused = false;
        bucket.paused_until = now.plus_ms(i64::try_from(pauses.after(bucket.failures).as_millis()).unwrap_or(i64::MAX));
        Ok(Attempt::Allowed)
    }

    async fn reset(&self, bucket: &str) -> StoreResult<()> {
        let mut shard = self.shard(bucket);
        shard.newer.remove(bucket);
        shard.older.remove(bucket);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Debug)]
    struct StillClock;

    impl Clock for StillClock {
        fn now(&self) -> Timestamp {
            Timestamp::from_micros(1_900_000_000_000_000)
        }
    }

    #[tokio::test]
    async fn any_number_of_names_fills_a_bounded_number_of_buckets() {
        let limits = LocalLimits::new(Arc::new(StillClock));
        let pauses = Pauses { after_failures: 1, ..Pauses::default() };
        limits.attempt("ada", &pauses).await.unwrap();
        for n in 0..100_000 {
            limits.take(&format!("name {n}"), 10).await.unwrap();
            // A bucket in use is not among those that are forgotten.
            if n % 1_000 == 0 {
                assert!(matches!(limits.attempt("ada", &pauses).await.unwrap(), Attempt::Paused { .. }), "{n}");
            }
        }
        let sizes = limits.shards.iter().map(|shard| {
            let shard = shard.lock().unwrap();
            shard.newer.len() + shard.older.len()
        });
        assert!(sizes.max().unwrap() <= 2 * MAX_GENERATION);
    }
}
