//! Leader election for singleton background tasks: embedding backfill and the citation watch.
//!
//! The live process with the lowest holder id, which is the oldest, leads. Invariant: leadership only saves work. Two processes
//! may briefly both lead, so every led task is idempotent.

use crate::{Engine, StoreResult, investigations::ProcessRole};
use domain::HolderId;
use std::time::Duration;
use tokio_util::sync::CancellationToken;

/// Leadership of this process. A cheap clone.
#[derive(Debug, Clone, Copy)]
pub struct Leadership {
    /// None when no other process shares the store.
    holder: Option<HolderId>,
}

impl Leadership {
    /// Leadership of the only process.
    pub const SOLE: Self = Self { holder: None };

    /// Leadership among several processes, identified by the holder id of its leases.
    pub const fn for_holder(holder: HolderId) -> Self {
        Self { holder: Some(holder) }
    }

    /// Keeps this process registered until `shutdown`, then ends the registration.
    pub async fn stay_registered(self, engine: Engine, shutdown: CancellationToken) {
        if let Some(holder) = self.holder {
            stay_registered(&engine, holder, ProcessRole::Full, &shutdown).await;
        }
    }

    /// Returns whether this process is the oldest live one. Holder ids grow with time.
    pub async fn is_leader(self, engine: &Engine) -> StoreResult<bool> {
        let Some(holder) = self.holder else { return Ok(true) };
        let alive = engine.investigations.live_holders(engine.clock.now()).await?;
        Ok(alive.into_iter().find(|(_, role)| *role == ProcessRole::Full) == Some((holder, ProcessRole::Full)))
    }
}

/// Registers a process for one lease length.
pub async fn register(engine: &Engine, holder: HolderId, role: ProcessRole) -> StoreResult<()> {
    let until = engine.clock.now().plus_ms(engine.config.lease_ms.cast_signed());
    engine.investigations.register_holder(holder, role, until).await
}

/// Keeps a process registered until `shutdown`, then ends the registration.
pub async fn stay_registered(engine: &Engine, holder: HolderId, role: ProcessRole, shutdown: &CancellationToken) {
    while !shutdown.is_cancelled() {
        if let Err(error) = register(engine, holder, role).await {
            tracing::debug!(%error, "process registration failed, retrying");
        }
        tokio::select! {
            () = shutdown.cancelled() => {}
            () = tokio::time::sleep(Duration::from_millis(engine.config.lease_ms / 3)) => {}
        }
    }
    if let Err(error) = engine.investigations.register_holder(holder, role, engine.clock.now()).await {
        tracing::debug!(%error, "process deregistration failed, the registration expires");
    }
}
