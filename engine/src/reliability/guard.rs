//! Guard of a dependency that is called often: no cost while it answers, no calls while its circuit is open.
//!
//! Invariant: the stored circuit is read by the first call of a process and after a failure in it, so that a working dependency costs
//! no statement.

use super::{
    Breaker, BreakerConfig, BreakerHandle, CallIdentity, CircuitOpen, Circuits, Failure,
    breaker::{BreakerDeps, Permit},
};
use crate::{Clock, Engine, Ids, task_tracker::TaskTracker};
use std::sync::{
    Arc,
    atomic::{AtomicBool, Ordering},
};
use uuid::Uuid;

/// Circuit breaker of one dependency in this process.
pub struct DependencyGuard {
    handle: BreakerHandle,
    ids: Arc<dyn Ids>,
    dependency: String,
    /// Turn of this process.
    turn: Uuid,
    /// Whether the last call from here failed.
    is_failing: AtomicBool,
    /// Whether no call from here has read the stored circuit, which an earlier process may have opened.
    is_unread: AtomicBool,
}

impl DependencyGuard {
    /// Creates the guard; `dependency` is the name that operators see.
    pub fn new(
        dependency: &str,
        circuits: Arc<dyn Circuits>,
        clock: Arc<dyn Clock>,
        ids: Arc<dyn Ids>,
        config: BreakerConfig,
    ) -> Self {
        let turn = ids.next();
        let handle = BreakerHandle { circuits, clock, config, cleanup: TaskTracker::default() };
        Self {
            handle,
            ids,
            dependency: dependency.to_owned(),
            turn,
            is_failing: AtomicBool::new(false),
            is_unread: AtomicBool::new(true),
        }
    }

    /// Creates a guard for one call, which reads the stored circuit first.
    pub(crate) fn for_one_call(engine: &Engine, dependency: &str) -> Self {
        let (ids, turn) = (engine.ids.clone(), engine.ids.next());
        let (is_failing, is_unread) = (AtomicBool::new(true), AtomicBool::new(true));
        Self { handle: engine.breaker_handle(), ids, dependency: dependency.to_owned(), turn, is_failing, is_unread }
    }

    /// Returns whether the last call from this process failed.
    pub fn is_failing(&self) -> bool {
        self.is_failing.load(Ordering::Relaxed)
    }

    /// Makes a call unless the circuit is open. `outage` returns the reason when a result means that the dependency is down; any
    /// other result is an answer.
    pub async fn call<T>(
        &self,
        call: impl Future<Output = T>,
        outage: impl Fn(&T) -> Option<String>,
    ) -> Result<T, CircuitOpen> {
        let identity = CallIdentity { turn: self.turn, call: self.ids.next() };
        let mut permit = Permit::new(self.handle.clone(), &self.dependency, identity);
        let reads_circuit = self.is_unread.swap(false, Ordering::Relaxed) || self.is_failing();
        if reads_circuit {
            permit.acquire();
            match self.breaker(identity).admit_now().await {
                Ok(Ok(())) => {}
                Ok(Err(open)) => {
                    permit.settle();
                    return Err(open);
                }
                Err(error) => tracing::warn!(%error, dependency = self.dependency, "circuit not read, calling"),
            }
        }
        let result = call.await;
        self.report(identity, outage(&result).as_deref(), reads_circuit).await;
        permit.settle();
        Ok(result)
    }

    /// Reports a call that was made without the guard; `outage` is the reason when the dependency is down.
    pub async fn note(&self, outage: Option<&str>) {
        let identity = CallIdentity { turn: self.turn, call: self.ids.next() };
        self.report(identity, outage, false).await;
    }

    /// `has_read`: the call read the stored circuit, which its success may close.
    async fn report(&self, identity: CallIdentity, outage: Option<&str>, has_read: bool) {
        let was_failing = self.is_failing.swap(outage.is_some(), Ordering::Relaxed);
        let breaker = self.breaker(identity);
        let reported = match outage {
            Some(why) => breaker.failed(Failure::NoAnswer { retry_after_ms: None }, why).await,
            None if was_failing || has_read => breaker.succeeded().await,
            None => Ok(()),
        };
        if let Err(error) = reported {
            tracing::warn!(%error, dependency = self.dependency, "circuit not stored");
        }
    }

    fn breaker(&self, identity: CallIdentity) -> Breaker<'_> {
        let BreakerHandle { circuits, clock, config, .. } = &self.handle;
        Breaker::new(BreakerDeps { circuits: &**circuits, clock: &**clock, config }, self.dependency.clone(), identity)
    }
}
