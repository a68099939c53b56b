//! Who does the work: orchestrator, workers and backfill. In one folder that is the process that holds the lock of the data
//! directory; scaled out every process works, and leases and heartbeats say who works on what.
//!
//! Invariant: leases and heartbeats of others are ended only under the lock, when their processes are certainly gone. Whoever
//! does not get the lock waits for it, so that work goes on when its holder ends. Without a lock they only expire.

use crate::{Program, data_dir::WorkLock, wiring::half_filled_from};
use domain::HolderId;
use engine::{
    StoreError,
    duty::{self, Duty},
    embeddings,
    investigations::Does,
    library::origins,
    orchestrator::Orchestrator,
    reliability::breaker,
    workers::{self, Stop},
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

/// The right to work.
enum Claim {
    /// Nobody else works on the folder.
    Alone { _lock: WorkLock },
    /// Others may.
    Among,
}

impl Runner {
    /// Starts at once, or on a folder that another process works on, as soon as that ends.
    pub async fn start(program: &Program, workers: u32) -> Result<Self, StoreError> {
        Self::start_until(program, workers, CancellationToken::new()).await
    }

    /// The same, where the work ends by itself when the whole process is told to.
    pub async fn start_until(program: &Program, workers: u32, shutdown: CancellationToken) -> Result<Self, StoreError> {
        let claim = Claim::now(program);
        let works_here = claim.is_some();
        let (program, token) = (program.clone(), shutdown.clone());
        if let Some(claim) = &claim {
            recover(&program, claim).await?;
        }
        let task = tokio::spawn(async move {
            let claim = match claim {
                Some(claim) => claim,
                None => match Claim::in_time(&program, &token).await {
                    Some(claim) => claim,
                    None => return,
                },
            };
            work(&program, workers, token).await;
            drop(claim);
        });
        Ok(Self { shutdown, task, works_here })
    }

    /// False: another process does the work, this one only asks and follows.
    pub fn works_here(&self) -> bool {
        self.works_here
    }

    /// Ends the work; what is open goes on in the next process.
    pub async fn stop(self) {
        self.shutdown.cancel();
        if let Err(error) = self.task.await {
            tracing::error!(%error, "the background work ended badly");
        }
    }
}

impl Claim {
    /// None: another process works on the folder.
    fn now(program: &Program) -> Option<Self> {
        if program.config.is_scaled_out() {
            return Some(Self::Among);
        }
        let lock = program.data_dir.try_lock().unwrap_or_else(|error| {
            tracing::error!(%error, "the lock of the data directory cannot be taken; nothing is worked on here");
            None
        });
        lock.map(|lock| Self::Alone { _lock: lock })
    }

    async fn in_time(program: &Program, shutdown: &CancellationToken) -> Option<Self> {
        let pause = Duration::from_millis(program.config.server.lock_check_ms);
        loop {
            tokio::select! {
                () = shutdown.cancelled() => return None,
                () = tokio::time::sleep(pause) => {}
            }
            let Some(claim) = Self::now(program) else { continue };
            match recover(program, &claim).await {
                Ok(()) => return Some(claim),
                Err(error) => tracing::error!(%error, "the work of another process could not be taken over; trying again"),
            }
        }
    }
}

/// What a person had to mend before is tried with the configuration of now; and what dead processes held is free again, where it is
/// certain that they are dead.
async fn recover(program: &Program, claim: &Claim) -> Result<(), StoreError> {
    breaker::person_acted(&*program.engine.circuits, None).await?;
    match claim {
        Claim::Alone { .. } => {
            program.engine.investigations.forget_holders().await?;
            program.engine.queue.forget_workers().await
        }
        Claim::Among => Ok(()),
    }
}

/// How the workers of this process end: those of one folder leave what they hold to the next start at once, others finish it if they can.
pub(crate) fn stop(program: &Program, shutdown: CancellationToken) -> Stop {
    let drain_ms = if program.config.is_scaled_out() { program.config.server.shutdown_ms } else { 0 };
    Stop { shutdown, drain: Duration::from_millis(drain_ms) }
}

/// Begins to work on databases that others may be filling. Whoever fills them says so and looks then whether somebody works there
/// (`engine::archive::receive`), so here it is the other way round. False: told to stop meanwhile, and nothing may be worked on.
pub(crate) async fn enter(program: &Program, holder: HolderId, does: Does, shutdown: &CancellationToken) -> bool {
    let pause = Duration::from_millis(program.config.server.lock_check_ms);
    while let Err(error) = entered(program, holder, does).await {
        tracing::warn!(%error, "nothing is worked on here yet");
        tokio::select! {
            () = shutdown.cancelled() => return false,
            () = tokio::time::sleep(pause) => {}
        }
    }
    true
}

async fn entered(program: &Program, holder: HolderId, does: Does) -> Result<(), StoreError> {
    let engine = &program.engine;
    duty::register(engine, holder, does).await?;
    match half_filled_from(&program.store).await? {
        Some(source) => {
            engine.investigations.register_holder(holder, does, engine.clock.now()).await?;
            Err(StoreError::Unavailable(format!("the databases are being filled from {source}")))
        }
        None => Ok(()),
    }
}

async fn work(program: &Program, count: u32, shutdown: CancellationToken) {
    let mut tasks = JoinSet::new();
    let (engine, agents) = (program.engine.clone(), program.agents.clone());
    let orchestrator = Orchestrator::new(engine.clone(), agents.clone());
    let duty = if program.config.is_scaled_out() { Duty::of(orchestrator.holder()) } else { Duty::ALONE };
    if program.config.is_scaled_out() && !enter(program, orchestrator.holder(), Does::All, &shutdown).await {
        return;
    }
    let pause = Duration::from_millis(engine.config.worker_pause_ms);
    let token = shutdown.clone();
    tasks.spawn(async move {
        while let Err(error) = orchestrator.run(token.clone()).await {
            tracing::error!(%error, "the orchestrator stopped; it starts again");
            tokio::select! {
                () = token.cancelled() => return,
                () = tokio::time::sleep(pause) => {}
            }
        }
    });
    tasks.spawn(workers::run(engine.clone(), agents, count, stop(program, shutdown.clone())));
    tasks.spawn(duty.stay_registered(engine.clone(), shutdown.clone()));
    tasks.spawn(engine::fetch::watch_forever(engine.clone(), duty, shutdown.clone()));
    tasks.spawn(origins::backfill(engine.clone(), shutdown.clone()));
    if engine.config.embedding_backfill {
        tasks.spawn(embeddings::backfill_forever(engine, duty, shutdown));
    }
    while let Some(ended) = tasks.join_next().await {
        if let Err(error) = ended {
            tracing::error!(%error, "a part of the background work ended badly");
        }
    }
}
