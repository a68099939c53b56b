//! Failures in a row of each investigation that this process drives: how long it waits before it goes on, and when it is suspended.

use crate::{
    Engine,
    reliability::retry::{Backoff, RetryAdvice},
};
use domain::InvestigationId;
use std::{
    collections::HashMap,
    sync::{Mutex, PoisonError},
    time::Duration,
};

/// Number of failures since each investigation last moved on.
#[derive(Debug, Default)]
pub(super) struct Interruptions {
    counts: Mutex<HashMap<InvestigationId, u32>>,
}

impl Interruptions {
    /// Counts one more failure and returns the pause before the next attempt; none after `reliability.investigation.max_attempts`.
    pub fn count(&self, engine: &Engine, id: InvestigationId) -> Option<Duration> {
        let mut counts = self.counts.lock().unwrap_or_else(PoisonError::into_inner);
        let count = counts.entry(id).or_default();
        *count = count.saturating_add(1);
        let mut backoff = Backoff::after(&engine.reliability.investigation, &*engine.ids, *count);
        backoff.next_ms(RetryAdvice::Soon).map(Duration::from_millis)
    }

    /// Returns how long a suspended investigation waits before it is tried again, beside what else it waits for.
    pub fn pause(&self, engine: &Engine, id: InvestigationId) -> Duration {
        let count = self.counts.lock().unwrap_or_else(PoisonError::into_inner).get(&id).copied().unwrap_or_default();
        let retry = &engine.reliability.investigation;
        let backoff = (count > 0).then(|| Backoff::after(retry, &*engine.ids, count).next_ms(RetryAdvice::Soon));
        Duration::from_millis(backoff.map_or(0, |ms| ms.unwrap_or(retry.max_backoff_ms)))
    }

    /// Forgets the failures of an investigation that moved on or ended.
    pub fn clear(&self, id: InvestigationId) {
        self.counts.lock().unwrap_or_else(PoisonError::into_inner).remove(&id);
    }
}
