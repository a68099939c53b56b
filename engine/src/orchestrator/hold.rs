//! Keeping a lease: renewed at a third of its length, until it is lost.

use crate::{Engine, StoreError, investigations::Lease};
use std::{convert::Infallible, time::Duration};

/// Renews until the lease is lost or the store fails; never returns otherwise.
pub(super) async fn renew_forever(engine: &Engine, lease: &Lease) -> Result<(), StoreError> {
    match renew(engine, lease).await {
        Ok(never) => match never {},
        Err(error) => Err(error),
    }
}

async fn renew(engine: &Engine, lease: &Lease) -> Result<Infallible, StoreError> {
    let length_ms = engine.config.lease_ms;
    loop {
        tokio::time::sleep(Duration::from_millis(length_ms / 3)).await;
        let until = engine.clock.now().plus_ms(length_ms.cast_signed());
        if !engine.investigations.renew(lease, until).await? {
            return Err(StoreError::Stale("the lease went to another process"));
        }
    }
}
