//! Orchestrator: leases investigations and drives them through the state table, one task each.
//!
//! Invariant: deterministic; a status changes only through `Progress::after` and `Investigations::advance`, under a lease.
//! Event-driven, without polling.

mod drive;
pub(crate) mod fallback;
mod lease_renewal;
mod partial;
mod parts;

use crate::{Engine, StoreError, agents::Agents, in_flight::InFlightGauge, investigations, investigations::Lease};
use domain::{HolderId, InvestigationId};
use std::{sync::Arc, time::Duration};
use tokio::task::JoinSet;
use tokio_util::sync::CancellationToken;
use tracing::Instrument;

/// Orchestrator of all investigations without a live lease.
pub struct Orchestrator {
    engine: Engine,
    agents: Arc<Agents>,
    holder: HolderId,
}

impl Orchestrator {
    pub fn new(engine: Engine, agents: Arc<Agents>) -> Self {
        let holder = HolderId(engine.ids.next());
        Self { engine, agents, holder }
    }

    /// Returns the holder id of its leases.
    pub const fn holder(&self) -> HolderId {
        self.holder
    }

    /// Runs until `shutdown`. Work in progress is left as stored and recovered by the next process.
    pub async fn run(&self, shutdown: CancellationToken) -> Result<(), StoreError> {
        let mut tasks = JoinSet::new();
        loop {
            if let Err(error) = self.start_unheld(&mut tasks, &shutdown).await {
                self.engine.note_failure(&error);
                tracing::error!(%error, "investigation look-up failed, retrying");
                tokio::select! {
                    () = shutdown.cancelled() => break,
                    () = pause(&self.engine) => continue,
                }
            }
            tokio::select! {
                () = shutdown.cancelled() => break,
                () = self.engine.investigations.changed() => {}
                Some(_) = tasks.join_next() => {}
            }
        }
        while tasks.join_next().await.is_some() {}
        Ok(())
    }

    async fn start_unheld(&self, tasks: &mut JoinSet<()>, shutdown: &CancellationToken) -> Result<(), StoreError> {
        let room = self.engine.config.max_investigations.saturating_sub(u32::try_from(tasks.len()).unwrap_or(u32::MAX));
        if room == 0 {
            return Ok(());
        }
        for id in self.engine.investigations.unheld(self.engine.clock.now(), room).await? {
            let now = self.engine.clock.now();
            let until = now.plus_ms(self.engine.config.lease_ms.cast_signed());
            if let Some(lease) = self.engine.investigations.take(id, self.holder, now, until).await? {
                let (engine, agents, shutdown) = (self.engine.clone(), self.agents.clone(), shutdown.clone());
                let traceparent = investigations::traceparent(id, id.0.as_u128());
                // Error level, so that the span applies to log lines of every level.
                let span = tracing::error_span!("investigation", investigation_id = %id, traceparent);
                tasks.spawn(async move { hold_lease(&engine, &agents, lease, shutdown).await }.instrument(span));
            }
        }
        Ok(())
    }
}

/// Pauses after a failure, so that retries do not load the machine.
async fn pause(engine: &Engine) {
    tokio::time::sleep(Duration::from_millis(engine.config.worker_pause_ms)).await;
}

/// Holds the lease while the investigation is driven, then releases it.
async fn hold_lease(engine: &Engine, agents: &Agents, lease: Lease, shutdown: CancellationToken) {
    let _active = InFlightGauge::increment(metrics::gauge!("autosint_investigations_active"));
    let session = async {
        tokio::select! {
            result = drive::drive(engine, agents, &lease) => result,
            lost = lease_renewal::renew_forever(engine, &lease) => lost,
            () = shutdown.cancelled() => Ok(()),
        }
    };
    let failed = session.await.err();
    if let (Some(_), Ok(None)) = (&failed, engine.investigations.investigation(lease.investigation_id).await) {
        tracing::info!("investigation was removed while running");
    } else if let Some(error) = failed {
        engine.note_failure(&error);
        tracing::error!(%error, "investigation interrupted, it will be resumed");
        tokio::select! {
            () = shutdown.cancelled() => {}
            () = pause(engine) => {}
        }
    }
    if let Err(error) = engine.investigations.release(&lease).await {
        tracing::warn!(%error, "lease release failed, the lease expires");
    }
}

/// Builds the error of a missing investigation.
pub(crate) fn missing_investigation(id: InvestigationId) -> StoreError {
    StoreError::Defect(format!("investigation {id} is gone"))
}
