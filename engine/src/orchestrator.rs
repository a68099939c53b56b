//! Orchestrator: leases investigations and drives them through the state table, one task each.
//!
//! Invariant: deterministic; a status changes only through `Progress::after` and `Investigations::advance`, under a lease.
//! Event-driven, without polling.

mod dissent;
mod drive;
pub(crate) mod fallback;
mod interruptions;
mod lease_renewal;
mod partial;
mod parts;

use crate::{Engine, StoreError, agents::Agents, in_flight::InFlightGauge, investigations, investigations::Lease};
use domain::{HolderId, InvestigationId};
use interruptions::Interruptions;
use std::{sync::Arc, time::Duration};
use tokio::task::JoinSet;
use tokio_util::sync::CancellationToken;
use tracing::Instrument;

/// Orchestrator of all investigations without a live lease.
pub struct Orchestrator {
    engine: Engine,
    agents: Arc<Agents>,
    holder: HolderId,
    interruptions: Arc<Interruptions>,
}

impl Orchestrator {
    pub fn new(engine: Engine, agents: Arc<Agents>) -> Self {
        let holder = HolderId(engine.ids.next());
        Self { engine, agents, holder, interruptions: Arc::default() }
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
                let interruptions = self.interruptions.clone();
                let held = async move { hold_lease(&engine, &agents, &interruptions, lease, shutdown).await };
                tasks.spawn(held.instrument(span));
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
async fn hold_lease(
    engine: &Engine,
    agents: &Agents,
    interruptions: &Interruptions,
    lease: Lease,
    shutdown: CancellationToken,
) {
    let _active = InFlightGauge::increment(metrics::gauge!("autosint_investigations_active"));
    let session = async {
        tokio::select! {
            result = drive::drive(engine, agents, interruptions, &lease) => result,
            lost = lease_renewal::renew_forever(engine, &lease) => lost,
            () = shutdown.cancelled() => Ok(()),
        }
    };
    let failed = session.await.err();
    if let (Some(_), Ok(None)) = (&failed, engine.investigations.investigation(lease.investigation_id).await) {
        tracing::info!("investigation was removed while running");
        interruptions.clear(lease.investigation_id);
    } else if let Some(error) = failed {
        engine.note_failure(&error);
        let recovery = async {
            tokio::select! {
                () = go_on_later(engine, agents, interruptions, &lease, &error) => {}
                _ = lease_renewal::renew_forever(engine, &lease) => {}
            }
        };
        tokio::select! {
            () = shutdown.cancelled() => {}
            () = recovery => {}
        }
    }
    if let Err(error) = engine.investigations.release(&lease).await {
        tracing::warn!(%error, "lease release failed, the lease expires");
    }
}

/// Waits before an interrupted investigation is resumed, longer after each failure in a row; after the last attempt it is suspended.
async fn go_on_later(engine: &Engine, agents: &Agents, interruptions: &Interruptions, lease: &Lease, error: &StoreError) {
    if matches!(error, StoreError::Stale(_)) {
        tracing::warn!(%error, "investigation interrupted, it will be resumed");
        return pause(engine).await;
    }
    tracing::error!(%error, "investigation interrupted, it will be resumed");
    let wait = interruptions.count(engine, lease.investigation_id);
    if wait.is_none() {
        match drive::suspend(engine, agents, lease, error).await {
            Ok(true) => return,
            Ok(false) => {}
            Err(error) => tracing::error!(%error, "investigation not suspended after failures in a row"),
        }
    }
    tokio::time::sleep(wait.unwrap_or(Duration::from_millis(engine.reliability.investigation.max_backoff_ms))).await;
}

/// Builds the error of a missing investigation.
pub(crate) fn missing_investigation(id: InvestigationId) -> StoreError {
    StoreError::Defect(format!("investigation {id} is gone"))
}
