//! The orchestrator: takes investigations up and moves them through the state table, each in a task of its own.
//!
//! Invariant: deterministic code without judgement; a status changes only through `Progress::after` and `Investigations::advance`,
//! under a lease. It reacts to events and has no polling of its own.

mod drive;
mod lease_renewal;
mod partial;
mod parts;
mod waiting;

use crate::{Engine, StoreError, agents::Agents, in_flight::InFlightGauge, investigations::Lease, launch};
use domain::{HolderId, InvestigationId};
use std::{sync::Arc, time::Duration};
use tokio::task::JoinSet;
use tokio_util::sync::CancellationToken;
use tracing::Instrument;

/// Works on every investigation that nobody holds.
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

    /// The name under which it holds investigations.
    pub const fn holder(&self) -> HolderId {
        self.holder
    }

    /// Runs until `shutdown`; what is in progress then is left as it is and recovered by the next process.
    pub async fn run(&self, shutdown: CancellationToken) -> Result<(), StoreError> {
        let mut tasks = JoinSet::new();
        loop {
            if let Err(error) = self.start_unheld(&mut tasks, &shutdown).await {
                self.engine.note_failure(&error);
                tracing::error!(%error, "cannot look for investigations; trying again");
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
                let traceparent = launch::traceparent(id, id.0.as_u128());
                // Of the gravest level, so that lines of every level carry it.
                let span = tracing::error_span!("investigation", investigation_id = %id, traceparent);
                tasks.spawn(async move { hold_lease(&engine, &agents, lease, shutdown).await }.instrument(span));
            }
        }
        Ok(())
    }
}

/// Lets what failed settle: whatever it was, trying again at once would only load the machine.
async fn pause(engine: &Engine) {
    tokio::time::sleep(Duration::from_millis(engine.config.worker_pause_ms)).await;
}

/// Holds the lease while the investigation is driven, and lets it go afterwards.
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
        tracing::info!("the investigation was removed while it was worked on");
    } else if let Some(error) = failed {
        engine.note_failure(&error);
        tracing::error!(%error, "the investigation stopped; it will be taken up again");
        tokio::select! {
            () = shutdown.cancelled() => {}
            () = pause(engine) => {}
        }
    }
    if let Err(error) = engine.investigations.release(&lease).await {
        tracing::warn!(%error, "the lease was not released; it expires by itself");
    }
}

/// The id in log lines and errors.
pub(crate) fn missing_investigation(id: InvestigationId) -> StoreError {
    StoreError::Defect(format!("investigation {id} is gone"))
}
