//! What one of all processes does for everybody: it makes vectors, and looks at cited pages again.
//!
//! Of those that are alive it falls to the one that has been there longest. Invariant: that saves work and nothing else. For a moment
//! two may think that it falls to them; what they do is harmless when it is done twice.

use crate::{Engine, StoreResult, investigations::ProcessRole};
use domain::HolderId;
use std::time::Duration;
use tokio_util::sync::CancellationToken;

/// Whether it falls to this process. A cheap clone.
#[derive(Debug, Clone, Copy)]
pub struct Leadership {
    /// None: there is no other process.
    holder: Option<HolderId>,
}

impl Leadership {
    /// Of a process that works alone.
    pub const SOLE: Self = Self { holder: None };

    /// Of one among several, by the name under which it holds investigations.
    pub const fn for_holder(holder: HolderId) -> Self {
        Self { holder: Some(holder) }
    }

    /// Says that this process is alive, until `shutdown`, and then that it is not.
    pub async fn stay_registered(self, engine: Engine, shutdown: CancellationToken) {
        if let Some(holder) = self.holder {
            stay_registered(&engine, holder, ProcessRole::Full, &shutdown).await;
        }
    }

    /// Ids of holders grow with time: the first that is alive has been there longest.
    pub async fn is_leader(self, engine: &Engine) -> StoreResult<bool> {
        let Some(holder) = self.holder else { return Ok(true) };
        let alive = engine.investigations.live_holders(engine.clock.now()).await?;
        Ok(alive.into_iter().find(|(_, role)| *role == ProcessRole::Full) == Some((holder, ProcessRole::Full)))
    }
}

/// Says that a process is alive, once.
pub async fn register(engine: &Engine, holder: HolderId, role: ProcessRole) -> StoreResult<()> {
    let until = engine.clock.now().plus_ms(engine.config.lease_ms.cast_signed());
    engine.investigations.register_holder(holder, role, until).await
}

/// Says that a process is alive, until `shutdown`, and then that it is not.
pub async fn stay_registered(engine: &Engine, holder: HolderId, role: ProcessRole, shutdown: &CancellationToken) {
    while !shutdown.is_cancelled() {
        if let Err(error) = register(engine, holder, role).await {
            tracing::debug!(%error, "this process is not registered just now");
        }
        tokio::select! {
            () = shutdown.cancelled() => {}
            () = tokio::time::sleep(Duration::from_millis(engine.config.lease_ms / 3)) => {}
        }
    }
    if let Err(error) = engine.investigations.register_holder(holder, role, engine.clock.now()).await {
        tracing::debug!(%error, "the registration of this process ends by itself");
    }
}
