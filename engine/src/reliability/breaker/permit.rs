//! Whoever was let through and goes away without a word hands the probe on: others would wait for it in vain.

use super::{Breaker, BreakerDeps};
use crate::{
    Clock,
    reliability::{BreakerConfig, CallIdentity, Circuits},
    task_tracker::TaskTracker,
};
use std::sync::Arc;

/// What a pass needs to speak for a call that is gone.
#[derive(Clone)]
pub(crate) struct BreakerHandle {
    pub circuits: Arc<dyn Circuits>,
    pub clock: Arc<dyn Clock>,
    pub config: BreakerConfig,
    pub cleanup: TaskTracker,
}

/// One call on its way through a breaker.
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

    /// It asks, and is perhaps let through.
    pub fn acquire(&mut self) {
        self.is_through = true;
    }

    /// The breaker has heard what came of it.
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
                tracing::warn!(%error, "a probe that was not sent is not handed on; it lapses by itself");
            }
        });
    }
}
