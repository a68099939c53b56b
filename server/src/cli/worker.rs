//! `autosint worker`: Processors only, for a scaled-out installation, until the order to stop.

use super::{Exit, Failure, help, open_to_work, output::say, serve, stopping::told_to_stop};
use crate::{
    config::{Loaded, Override},
    runner,
};
use clap::Args;
use domain::HolderId;
use engine::{duty, investigations::Does, workers};
use tokio_util::sync::CancellationToken;

#[derive(Debug, Args)]
#[command(after_help = help::with_examples(&["worker", "worker --workers 8"]))]
pub(super) struct WorkerArgs {
    /// How many work orders are carried out at once [default: engine.workers]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1024))]
    workers: Option<u32>,
}

impl WorkerArgs {
    pub(super) fn overrides(&self) -> Option<Override> {
        self.workers.map(|count| ("engine.workers", count.into()))
    }
}

pub(super) async fn run(loaded: Loaded) -> Result<Exit, Failure> {
    if !loaded.config.is_scaled_out() {
        let message = "a worker of its own needs sql.url: one folder is worked on by one process, which `autosint serve` does";
        return Err(Failure::new(Exit::Configuration, message));
    }
    let count = loaded.config.engine.workers;
    if count == 0 {
        return Err(Failure::new(Exit::Usage, "engine.workers is 0: say how many with --workers N"));
    }
    let program = open_to_work(loaded).await?;
    let shutdown = told_to_stop("stopping: no more orders are taken");
    serve::watch(&program, &shutdown).await?;
    let (me, gone) = (HolderId(program.engine.ids.next()), CancellationToken::new());
    if !runner::enter(&program, me, Does::Orders, &shutdown).await {
        program.store.close().await;
        return Ok(Exit::Done);
    }
    tracing::info!(workers = count, "working");
    say(&format!("autosint carries out {count} work orders at once (Ctrl-C stops it)"));
    let working = async {
        workers::run(program.engine.clone(), program.agents.clone(), count, runner::stop(&program, shutdown)).await;
        program.settle().await;
        gone.cancel();
    };
    tokio::join!(working, duty::stay_registered(&program.engine, me, Does::Orders, &gone));
    program.store.close().await;
    Ok(Exit::Done)
}
