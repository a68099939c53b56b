//! Who does the work: the one process that holds the lock of the data directory runs orchestrator, workers and backfill.
//!
//! Invariant: leases and heartbeats of others are ended only under the lock, when their processes are certainly gone. Whoever
//! does not get the lock waits for it, so that work goes on when its holder ends.

use crate::{Program, data_dir::WorkLock};
use engine::{StoreError, embeddings, orchestrator::Orchestrator, reliability::breaker, workers};
use std::time::Duration;
use tokio::task::JoinSet;
use tokio_util::sync::CancellationToken;

/// The background work of this process.
pub struct Runner {
    shutdown: CancellationToken,
    task: tokio::task::JoinHandle<()>,
    works_here: bool,
}

impl Runner {
    /// Starts at once when the lock is free, else as soon as it becomes free.
    pub async fn start(program: &Program, workers: u32) -> Result<Self, StoreError> {
        let shutdown = CancellationToken::new();
        let lock = try_lock(program);
        let works_here = lock.is_some();
        let (program, token) = (program.clone(), shutdown.clone());
        if works_here {
            recover(&program).await?;
        }
        let task = tokio::spawn(async move {
            let lock = match lock {
                Some(lock) => lock,
                None => match wait_for_lock(&program, &token).await {
                    Some(lock) => lock,
                    None => return,
                },
            };
            work(&program, workers, token).await;
            drop(lock);
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

/// What dead processes held is free again, and what a person had to mend before is tried with the configuration of now.
async fn recover(program: &Program) -> Result<(), StoreError> {
    program.engine.investigations.forget_holders().await?;
    breaker::person_acted(&*program.engine.circuits, None).await?;
    program.engine.queue.forget_workers().await
}

fn try_lock(program: &Program) -> Option<WorkLock> {
    program.data_dir.try_lock().unwrap_or_else(|error| {
        tracing::error!(%error, "the lock of the data directory cannot be taken; nothing is worked on here");
        None
    })
}

async fn wait_for_lock(program: &Program, shutdown: &CancellationToken) -> Option<WorkLock> {
    let pause = Duration::from_millis(program.config.server.lock_check_ms);
    loop {
        tokio::select! {
            () = shutdown.cancelled() => return None,
            () = tokio::time::sleep(pause) => {}
        }
        let Some(lock) = try_lock(program) else { continue };
        match recover(program).await {
            Ok(()) => return Some(lock),
            Err(error) => tracing::error!(%error, "the work of another process could not be taken over; trying again"),
        }
    }
}

async fn work(program: &Program, count: u32, shutdown: CancellationToken) {
    let mut tasks = JoinSet::new();
    let (engine, agents) = (program.engine.clone(), program.agents.clone());
    let orchestrator = Orchestrator::new(engine.clone(), agents.clone());
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
    tasks.spawn(workers::run(engine.clone(), agents, count, shutdown.clone()));
    tasks.spawn(engine::fetch::watch_forever(engine.clone(), shutdown.clone()));
    if engine.config.embedding_backfill {
        tasks.spawn(embeddings::backfill_forever(engine, shutdown));
    }
    while let Some(ended) = tasks.join_next().await {
        if let Err(error) = ended {
            tracing::error!(%error, "a part of the background work ended badly");
        }
    }
}
