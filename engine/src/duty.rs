//! What one of all processes does for everybody: it makes vectors, and looks at cited pages again.
//!
//! Of those that are alive it falls to the one that has been there longest. Invariant: that saves work and nothing else. For a moment
//! two may think that it falls to them; what they do is harmless when it is done twice.

use crate::{Engine, StoreResult, investigations::Does};
use domain::HolderId;
use std::time::Duration;
use tokio_util::sync::CancellationToken;

/// Whether it falls to this process. A cheap clone.
#[derive(Debug, Clone, Copy)]
pub struct Duty {
    /// None: there is no other process.
    holder: Option<HolderId>,
}

impl Duty {
    /// Of a process that works alone.
    pub const ALONE: Self = Self { holder: None };

    /// Of one among several, by the name under which it holds investigations.
    pub const fn of(holder: HolderId) -> Self {
        Self { holder: Some(holder) }
    }

    /// Says that this process is alive, until `shutdown`, and then that it is not.
    pub async fn stay_registered(self, engine: Engine, shutdown: CancellationToken) {
        if let Some(holder) = self.holder {
            stay_registered(&engine, holder, Does::All, &shutdown).await;
        }
    }

    /// Ids of holders grow with time: the first that is alive has been there longest.
    pub async fn falls_to_us(self, engine: &Engine) -> StoreResult<bool> {
        let Some(holder) = self.holder else { return Ok(true) };
        let alive = engine.investigations.live_holders(engine.clock.now()).await?;
        Ok(alive.into_iter().find(|(_, does)| *does == Does::All) == Some((holder, Does::All)))
    }
}

/// Says that a process is alive, once.
pub async fn register(engine: &Engine, holder: HolderId, does: Does) -> StoreResult<()> {
    let until = engine.clock.now().plus_ms(engine.config.lease_ms.cast_signed());
    engine.investigations.register_holder(holder, does, until).await
}

/// Says that a process is alive, until `shutdown`, and then that it is not.
pub async fn stay_registered(engine: &Engine, holder: HolderId, does: Does, shutdown: &CancellationToken) {
    while !shutdown.is_cancelled() {
        if let Err(error) = register(engine, holder, does).await {
            tracing::debug!(%error, "this process is not registered just now");
        }
        tokio::select! {
            () = shutdown.cancelled() => {}
            () = tokio::time::sleep(Duration::from_millis(engine.config.lease_ms / 3)) => {}
        }
    }
    if let Err(error) = engine.investigations.register_holder(holder, does, engine.clock.now()).await {
        tracing::debug!(%error, "the registration of this process ends by itself");
    }
}
