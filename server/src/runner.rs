//! Background work of a process: orchestrator, workers and backfills. Embedded, only the holder of the data-directory lock
//! works; scaled out, every process works under leases.
//!
//! Invariant: leases and heartbeats of other processes are cleared only under the lock, which proves that those processes are
//! gone. Processes without the lock wait for it. Scaled out, leases and heartbeats only expire.

use crate::{Program, data_dir::WorkLock, features, http::feature_state, wiring::interrupted_import_source};
use domain::HolderId;
use engine::{
    StoreError, embeddings,
    investigations::ProcessRole,
    leader::{self, Leadership},
    library::origins,
    orchestrator::Orchestrator,
    reliability::breaker,
    workers::{self, ShutdownPolicy},
};
use std::time::Duration;
use tokio::task::JoinSet;
use tokio_util::sync::CancellationToken;

/// The background work of this process.
pub struct Runner {
    shutdown: CancellationToken,
    task: tokio::task::JoinHandle<()>,
    works_here: bool,
}

/// Right to run background work on a data store.
enum WorkClaim {
    /// Exclusive right to a data directory.
    Exclusive { _lock: WorkLock },
    /// Shared right to the databases of the scaled-out size.
    Shared,
}

impl Runner {
    /// Starts the work now, or as soon as the process that holds the folder ends.
    pub async fn start(program: &Program, workers: u32) -> Result<Self, StoreError> {
        Self::start_until(program, workers, CancellationToken::new()).await
    }

    /// Like `start`, but the work also ends when `shutdown` is cancelled.
    pub async fn start_until(program: &Program, workers: u32, shutdown: CancellationToken) -> Result<Self, StoreError> {
        let claim = WorkClaim::try_acquire(program);
        let works_here = claim.is_some();
        let (program, token) = (program.clone(), shutdown.clone());
        if let Some(claim) = &claim {
            recover(&program, claim).await?;
        }
        let task = tokio::spawn(async move {
            let claim = match claim {
                Some(claim) => claim,
                None => match WorkClaim::acquire(&program, &token).await {
                    Some(claim) => claim,
                    None => return,
                },
            };
            run_background_tasks(&program, workers, token).await;
            drop(claim);
        });
        Ok(Self { shutdown, task, works_here })
    }

    /// Returns whether this process does the work, rather than only submitting and following it.
    pub fn works_here(&self) -> bool {
        self.works_here
    }

    /// Stops the work. The next process resumes unfinished investigations.
    pub async fn stop(self) {
        self.shutdown.cancel();
        if let Err(error) = self.task.await {
            tracing::error!(%error, "background work failed");
        }
    }
}

impl WorkClaim {
    /// Claims the right to work; `None` if another process holds the folder.
    fn try_acquire(program: &Program) -> Option<Self> {
        if program.config.is_scaled_out() {
            return Some(Self::Shared);
        }
        let lock = program.data_dir.try_lock().unwrap_or_else(|error| {
            tracing::error!(%error, "data directory lock failed, no background work in this process");
            None
        });
        lock.map(|lock| Self::Exclusive { _lock: lock })
    }

    async fn acquire(program: &Program, shutdown: &CancellationToken) -> Option<Self> {
        let pause = Duration::from_millis(program.config.server.lock_check_ms);
        loop {
            tokio::select! {
                () = shutdown.cancelled() => return None,
                () = tokio::time::sleep(pause) => {}
            }
            let Some(claim) = Self::try_acquire(program) else { continue };
            match recover(program, &claim).await {
                Ok(()) => return Some(claim),
                Err(error) => tracing::error!(%error, "takeover failed, retrying"),
            }
        }
    }
}

/// Retries circuits that waited for a person, and frees what dead processes held if this process is the only one.
async fn recover(program: &Program, claim: &WorkClaim) -> Result<(), StoreError> {
    breaker::reset_misconfigured(&*program.engine.circuits, None).await?;
    match claim {
        WorkClaim::Exclusive { .. } => {
            program.engine.investigations.forget_holders().await?;
            program.engine.queue.forget_workers().await
        }
        WorkClaim::Shared => Ok(()),
    }
}

/// Stop policy for workers. Embedded workers release their work orders at once; scaled-out workers may finish them within
/// `server.shutdown_ms`.
pub(crate) fn stop_policy(program: &Program, shutdown: CancellationToken) -> ShutdownPolicy {
    let drain_ms = if program.config.is_scaled_out() { program.config.server.shutdown_ms } else { 0 };
    ShutdownPolicy { shutdown, drain: Duration::from_millis(drain_ms) }
}

/// Registers this process as a holder, and waits while an import fills the databases. Returns false if `shutdown` comes first.
/// The importer marks the databases first and then looks for holders (`engine::archive::receive`); here the order is reversed.
pub(crate) async fn register_when_ready(
    program: &Program,
    holder: HolderId,
    does: ProcessRole,
    shutdown: &CancellationToken,
) -> bool {
    let pause = Duration::from_millis(program.config.server.lock_check_ms);
    while let Err(error) = try_register(program, holder, does).await {
        tracing::warn!(%error, "registration failed, retrying");
        tokio::select! {
            () = shutdown.cancelled() => return false,
            () = tokio::time::sleep(pause) => {}
        }
    }
    true
}

async fn try_register(program: &Program, holder: HolderId, does: ProcessRole) -> Result<(), StoreError> {
    let engine = &program.engine;
    leader::register(engine, holder, does).await?;
    match interrupted_import_source(&program.store).await? {
        Some(source) => {
            engine.investigations.register_holder(holder, does, engine.clock.now()).await?;
            Err(StoreError::Unavailable(format!("an import from {source} into the databases is running")))
        }
        None => Ok(()),
    }
}

async fn run_background_tasks(program: &Program, count: u32, shutdown: CancellationToken) {
    let mut tasks = JoinSet::new();
    let (engine, agents) = (program.engine.clone(), program.agents.clone());
    let orchestrator = Orchestrator::new(engine.clone(), agents.clone());
    let leadership =
        if program.config.is_scaled_out() { Leadership::for_holder(orchestrator.holder()) } else { Leadership::SOLE };
    if program.config.is_scaled_out()
        && !register_when_ready(program, orchestrator.holder(), ProcessRole::Full, &shutdown).await
    {
        return;
    }
    let pause = Duration::from_millis(engine.config.worker_pause_ms);
    let token = shutdown.clone();
    tasks.spawn(async move {
        while let Err(error) = orchestrator.run(token.clone()).await {
            tracing::error!(%error, "orchestrator failed, restarting");
            tokio::select! {
                () = token.cancelled() => return,
                () = tokio::time::sleep(pause) => {}
            }
        }
    });
    tasks.spawn(workers::run(engine.clone(), agents, count, stop_policy(program, shutdown.clone())));
    tasks.spawn(leadership.stay_registered(engine.clone(), shutdown.clone()));
    tasks.spawn(engine::fetch::watch_forever(engine.clone(), leadership, shutdown.clone()));
    let state = feature_state(program);
    for job in features::FEATURES.iter().flat_map(|feature| feature.jobs) {
        tracing::debug!(job = job.name, "background job starts");
        tasks.spawn(job.run(state.clone(), leadership, shutdown.clone()));
    }
    tasks.spawn(origins::backfill(engine.clone(), shutdown.clone()));
    if engine.config.embedding_backfill {
        tasks.spawn(embeddings::backfill_forever(engine, leadership, shutdown));
    }
    while let Some(ended) = tasks.join_next().await {
        if let Err(error) = ended {
            tracing::error!(%error, "background task failed");
        }
    }
}
