//! `autosint worker`: Processors only, for a scaled-out installation, until a stop signal.

use super::{Exit, Failure, help, open_for_work, output::write_status, serve, shutdown::cancel_on_stop_signal};
use crate::{
    config::{LoadedConfig, Override},
    runner,
};
use clap::Args;
use domain::HolderId;
use engine::{investigations::ProcessRole, leader, workers};
use tokio_util::sync::CancellationToken;

#[derive(Debug, Args)]
#[command(after_help = help::with_examples(&["worker", "worker --workers 8"]))]
pub(super) struct WorkerArgs {
    /// Number of work orders processed at once [default: engine.workers]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1024))]
    workers: Option<u32>,
}

impl WorkerArgs {
    pub(super) fn overrides(&self) -> Option<Override> {
        self.workers.map(|count| ("engine.workers", count.into()))
    }
}

pub(super) async fn run(loaded: LoadedConfig) -> Result<Exit, Failure> {
    if !loaded.config.is_scaled_out() {
        let message = "a separate worker needs sql.url: a data directory is served by one process, `autosint serve`";
        return Err(Failure::new(Exit::Configuration, message));
    }
    let count = loaded.config.engine.workers;
    if count == 0 {
        return Err(Failure::new(Exit::Usage, "engine.workers is 0: set --workers N"));
    }
    let program = open_for_work(loaded).await?;
    let shutdown = cancel_on_stop_signal("stopping, no new work orders");
    serve::serve_monitoring(&program, &shutdown).await?;
    let (me, gone) = (HolderId(program.engine.ids.next()), CancellationToken::new());
    if !runner::register_when_ready(&program, me, ProcessRole::WorkerOnly, &shutdown).await {
        program.store.close().await;
        return Ok(Exit::Done);
    }
    tracing::info!(workers = count, "worker started");
    write_status(&format!("autosint processes {count} work orders at once (Ctrl-C stops it)"));
    let working = async {
        workers::run(program.engine.clone(), program.agents.clone(), count, runner::stop_policy(&program, shutdown)).await;
        program.drain().await;
        gone.cancel();
    };
    tokio::join!(working, leader::stay_registered(&program.engine, me, ProcessRole::WorkerOnly, &gone));
    program.store.close().await;
    Ok(Exit::Done)
}
