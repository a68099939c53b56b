//! Permit guard: dropping it releases the half-open probe.

use super::{Breaker, BreakerDeps};
use crate::{
    Clock,
    reliability::{BreakerConfig, CallIdentity, Circuits},
    task_tracker::TaskTracker,
};
use std::sync::Arc;

/// Handle by which a dropped permit reaches the breaker.
#[derive(Clone)]
pub(crate) struct BreakerHandle {
    pub circuits: Arc<dyn Circuits>,
    pub clock: Arc<dyn Clock>,
    pub config: BreakerConfig,
    pub cleanup: TaskTracker,
}

/// Permit of one call.
pub(in crate::reliability) struct Permit {
    handle: BreakerHandle,
    dependency: String,
    identity: CallIdentity,
    is_through: bool,
}

impl Permit {
    pub fn new(handle: BreakerHandle, dependency: &str, identity: CallIdentity) -> Self {
        Self { handle, dependency: dependency.to_owned(), identity, is_through: false }
    }

    /// Marks that the call may hold the probe.
    pub fn acquire(&mut self) {
        self.is_through = true;
    }

    /// Marks that the outcome was reported.
    pub fn settle(&mut self) {
        self.is_through = false;
    }
}

impl Drop for Permit {
    fn drop(&mut self) {
        if !self.is_through {
            return;
        }
        let (handle, dependency, identity) = (self.handle.clone(), self.dependency.clone(), self.identity);
        self.handle.cleanup.spawn(async move {
            let deps = BreakerDeps { circuits: &*handle.circuits, clock: &*handle.clock, config: &handle.config };
            if let Err(error) = Breaker::new(deps, dependency, identity).release_probe().await {
                tracing::warn!(%error, "probe release failed, the probe expires");
            }
        });
    }
}
