//! Background work of features.

use crate::{FeatureSettings, Web};
use domain::Timestamp;
use engine::{StoreResult, leader::Leadership};
use futures::future::BoxFuture;
use std::time::Duration;
use tokio_util::sync::CancellationToken;

/// Shortest pause between rounds in milliseconds.
const SHORTEST_MS: u64 = 1_000;

/// Background work in rounds, in the leader of the processes that run an orchestrator; `autosint worker` runs none.
#[derive(Clone, Copy)]
pub struct Job {
    /// Name in the log.
    pub name: &'static str,
    /// Returns the pause before each round in milliseconds; 0 disables the job.
    pub interval_ms: fn(&FeatureSettings) -> u64,
    /// Whether `Store::notify_jobs` begins a round before the pause is over.
    pub is_woken: bool,
    /// Runs one round. It is dropped at the shutdown, and tried again after a failure.
    pub round: fn(JobContext) -> BoxFuture<'static, StoreResult<()>>,
}

/// Context of a round.
#[derive(Clone)]
pub struct JobContext {
    pub web: Web,
    /// Time of the start of this process.
    pub started: Timestamp,
    leadership: Leadership,
}

impl JobContext {
    /// Returns whether this process still leads, for rounds of many steps.
    pub async fn is_leader(&self) -> StoreResult<bool> {
        self.leadership.is_leader(&self.web.engine).await
    }
}

impl Job {
    /// Runs rounds until `shutdown`, while this process is the leader.
    pub async fn run(self, web: Web, leadership: Leadership, shutdown: CancellationToken) {
        let interval_ms = (self.interval_ms)(&web.settings);
        if interval_ms > 0 {
            let pause = Duration::from_millis(interval_ms.max(SHORTEST_MS));
            let context = JobContext { started: web.engine.clock.now(), web, leadership };
            shutdown.run_until_cancelled(self.run_forever(context, pause)).await;
        }
    }

    async fn run_forever(self, context: JobContext, pause: Duration) {
        let mut work = context.web.store.subscribe_jobs();
        loop {
            tokio::select! {
                () = tokio::time::sleep(pause) => {}
                Ok(()) = work.changed(), if self.is_woken => {}
            }
            if let Err(error) = self.run_round(&context).await {
                context.web.engine.note_failure(&error);
                tracing::warn!(job = self.name, %error, "background job failed, retrying");
            }
        }
    }

    async fn run_round(self, context: &JobContext) -> StoreResult<()> {
        if context.is_leader().await? {
            (self.round)(context.clone()).await?;
        }
        Ok(())
    }
}
