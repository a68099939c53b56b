//! `autosint queue`: work orders that failed for good (dead letters).

use super::{
    Exit, Failure, help, open_existing,
    output::{one_line, to_json, write_result},
};
use crate::config::LoadedConfig;
use clap::{Args, Subcommand};
use domain::WorkOrderId;
use engine::{accounts::Actor, investigations};
use views::FailedOrderLine;

#[derive(Debug, Args)]
#[command(after_help = help::with_examples(&["queue failed", "queue requeue ID", "queue discard ID"]))]
pub(super) struct QueueArgs {
    #[command(subcommand)]
    what: QueueCommand,
}

#[derive(Debug, Subcommand)]
enum QueueCommand {
    /// List work orders that failed for good: id, time, attempts, reason, objective
    #[command(after_help = help::with_examples(&["queue failed", "queue failed --limit 1000 --json"]))]
    Failed {
        /// Number of work orders
        #[arg(long, value_name = "N", default_value_t = 100)]
        limit: u32,
        /// As JSON
        #[arg(long)]
        json: bool,
    },
    /// Queue a failed work order again, with all its attempts, while its investigation goes on
    #[command(after_help = help::with_examples(&["queue requeue ID"]))]
    Requeue {
        /// Work order
        #[arg(value_name = "ID")]
        id: WorkOrderId,
    },
    /// Take a failed work order off the list
    #[command(after_help = help::with_examples(&["queue discard ID"]))]
    Discard {
        /// Work order
        #[arg(value_name = "ID")]
        id: WorkOrderId,
    },
}

pub(super) async fn run(loaded: LoadedConfig, args: QueueArgs) -> Result<Exit, Failure> {
    let program = open_existing(loaded).await?;
    let (engine, by) = (&program.engine, Actor::default());
    let (done, text) = match args.what {
        QueueCommand::Failed { limit, json } => {
            let lines = engine.failed_order_lines(limit).await?;
            (true, if json { to_json(&lines)? } else { lines.iter().map(write_line).collect() })
        }
        QueueCommand::Requeue { id } => (investigations::requeue_order(engine, by, id).await?, format!("requeued {id}\n")),
        QueueCommand::Discard { id } => (investigations::discard_order(engine, by, id).await?, format!("discarded {id}\n")),
    };
    if !done {
        let message = "not among the failed work orders, or its investigation has ended: see `autosint queue failed`";
        return Err(Failure::new(Exit::Usage, message));
    }
    write_result(text.as_bytes())?;
    Ok(Exit::Done)
}

/// Formats id, time, attempts, reason and objective, with tabs between them.
fn write_line(line: &FailedOrderLine) -> String {
    let time = line.failed_at.map(|at| at.to_string()).unwrap_or_default();
    let objective = line.words.as_ref().map(|words| one_line(&words.objective)).unwrap_or_default();
    format!("{}\t{time}\t{}\t{}\t{objective}\n", line.id, line.attempts, one_line(&line.reason))
}
