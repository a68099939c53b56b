//! Lease renewal at a third of the lease length. Others get the lease only after it expires, so that short store outages cost no
//! work.

use crate::{Engine, StoreError, investigations::Lease};
use std::{convert::Infallible, time::Duration};

/// Renews until the lease is lost or the store fails.
pub(super) async fn renew_forever(engine: &Engine, lease: &Lease) -> Result<(), StoreError> {
    match renew(engine, lease).await {
        Ok(never) => match never {},
        Err(error) => Err(error),
    }
}

async fn renew(engine: &Engine, lease: &Lease) -> Result<Infallible, StoreError> {
    let length_ms = engine.config.lease_ms;
    let (usual, soon) = (length_ms / 3, engine.config.worker_pause_ms);
    let (mut held_until, mut pause_ms) = (engine.clock.now().plus_ms(length_ms.cast_signed()), usual);
    loop {
        tokio::time::sleep(Duration::from_millis(pause_ms)).await;
        let until = engine.clock.now().plus_ms(length_ms.cast_signed());
        pause_ms = match engine.investigations.renew(lease, until).await {
            Ok(true) => {
                held_until = until;
                usual
            }
            Ok(false) => return Err(StoreError::Stale("the lease went to another process")),
            Err(StoreError::Unavailable(why)) if engine.clock.now() < held_until => {
                tracing::warn!(why, "lease renewal failed, retrying");
                soon.min(usual)
            }
            Err(error) => return Err(error),
        };
    }
}
