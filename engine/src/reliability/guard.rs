//! Guard of a dependency that is called often: no cost while it answers, no calls while its circuit is open.
//!
//! Invariant: the stored circuit is read only after a failure in this process, so that a working dependency costs no statement.

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
        Self { handle, ids, dependency: dependency.to_owned(), turn, is_failing: AtomicBool::new(false) }
    }

    /// Creates a guard for one call, which reads the stored circuit first.
    pub(crate) fn for_one_call(engine: &Engine, dependency: &str) -> Self {
        let (ids, turn) = (engine.ids.clone(), engine.ids.next());
        let is_failing = AtomicBool::new(true);
        Self { handle: engine.breaker_handle(), ids, dependency: dependency.to_owned(), turn, is_failing }
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
        if self.is_failing() {
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
        self.report(identity, outage(&result).as_deref()).await;
        permit.settle();
        Ok(result)
    }

    /// Reports a call that was made without the guard; `outage` is the reason when the dependency is down.
    pub async fn note(&self, outage: Option<&str>) {
        let identity = CallIdentity { turn: self.turn, call: self.ids.next() };
        self.report(identity, outage).await;
    }

    async fn report(&self, identity: CallIdentity, outage: Option<&str>) {
        let was_failing = self.is_failing.swap(outage.is_some(), Ordering::Relaxed);
        let breaker = self.breaker(identity);
        let reported = match outage {
            Some(why) => breaker.failed(Failure::NoAnswer { retry_after_ms: None }, why).await,
            None if was_failing => breaker.succeeded().await,
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
