//! What one of all processes does for everybody: it makes vectors, and looks at cited pages again.
//!
//! Of those that are alive it falls to the one that has been there longest. Invariant: that saves work and nothing else. For a moment
//! two may think that it falls to them; what they do is harmless when it is done twice.

use crate::{Engine, StoreResult};
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
        let Some(holder) = self.holder else { return };
        let length_ms = engine.config.lease_ms;
        while !shutdown.is_cancelled() {
            let until = engine.clock.now().plus_ms(length_ms.cast_signed());
            if let Err(error) = engine.investigations.register_holder(holder, until).await {
                tracing::debug!(%error, "this process is not registered just now");
            }
            tokio::select! {
                () = shutdown.cancelled() => {}
                () = tokio::time::sleep(Duration::from_millis(length_ms / 3)) => {}
            }
        }
        if let Err(error) = engine.investigations.register_holder(holder, engine.clock.now()).await {
            tracing::debug!(%error, "the registration of this process ends by itself");
        }
    }

    /// Ids of holders grow with time: the first that is alive has been there longest.
    pub async fn falls_to_us(self, engine: &Engine) -> StoreResult<bool> {
        let Some(holder) = self.holder else { return Ok(true) };
        let alive = engine.investigations.live_holders(engine.clock.now()).await?;
        Ok(alive.first() == Some(&holder))
    }
}
