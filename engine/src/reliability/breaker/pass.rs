//! Whoever was let through and goes away without a word hands the probe on: others would wait for it in vain.

use super::{Breaker, Wires};
use crate::{
    Clock,
    afterwards::Afterwards,
    reliability::{BreakerConfig, Circuits, Who},
};
use std::sync::Arc;

/// What a pass needs to speak for a call that is gone.
#[derive(Clone)]
pub(crate) struct Heir {
    pub circuits: Arc<dyn Circuits>,
    pub clock: Arc<dyn Clock>,
    pub config: BreakerConfig,
    pub afterwards: Afterwards,
}

/// One call on its way through a breaker.
pub(in crate::reliability) struct Pass {
    heir: Heir,
    dependency: String,
    who: Who,
    is_through: bool,
}

impl Pass {
    pub fn new(heir: Heir, dependency: &str, who: Who) -> Self {
        Self { heir, dependency: dependency.to_owned(), who, is_through: false }
    }

    /// It asks, and is perhaps let through.
    pub fn enter(&mut self) {
        self.is_through = true;
    }

    /// The breaker has heard what came of it.
    pub fn told(&mut self) {
        self.is_through = false;
    }
}

impl Drop for Pass {
    fn drop(&mut self) {
        if !self.is_through {
            return;
        }
        let (heir, dependency, who) = (self.heir.clone(), self.dependency.clone(), self.who);
        self.heir.afterwards.begin(async move {
            let wires = Wires { circuits: &*heir.circuits, clock: &*heir.clock, config: &heir.config };
            if let Err(error) = Breaker::new(wires, dependency, who).forgo().await {
                tracing::warn!(%error, "a probe that was not sent is not handed on; it lapses by itself");
            }
        });
    }
}
