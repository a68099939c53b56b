//! `autosint tensions`: the cycle and the scout on request, for the user `system`.

use crate::{
    cycle::{
        OrderProgress,
        order::{OrderKind, StageRun},
        run_order, system_order,
    },
    settings::TensionSettings,
    store::TensionStore,
};
use clap::{ArgMatches, Args, FromArgMatches, Subcommand};
use feature::{Command, CommandError, Web};

pub const COMMAND: Command = Command {
    name: "tensions",
    about: "Look for what eases tensions",
    examples: &["tensions run", "tensions scout --limit 3"],
    arguments: TensionsArgs::augment_args,
    run: |web, matches| Box::pin(run(web, matches)),
};

#[derive(Debug, Args)]
struct TensionsArgs {
    #[command(subcommand)]
    action: TensionsAction,
}

#[derive(Debug, Subcommand)]
enum TensionsAction {
    /// Run the whole cycle once, and print the figures of its stages
    Run,
    /// Look for responses to the most neglected tensions
    Scout {
        /// Maximum number of tensions [default: features.tensions.scout_targets]
        #[arg(long)]
        limit: Option<u32>,
    },
}

async fn run(web: Web, matches: ArgMatches) -> Result<String, CommandError> {
    let most = web.settings.get::<TensionSettings>().scout_targets;
    let (kind, most) = match TensionsArgs::from_arg_matches(&matches)?.action {
        TensionsAction::Run => (OrderKind::Cycle, most),
        TensionsAction::Scout { limit } => (OrderKind::Scout, limit.unwrap_or(most)),
    };
    let (store, order) = (TensionStore::new(&web), system_order(&web, kind, most).await?);
    store.add_order(&order).await?;
    let progress = run_order(&web, &order).await?;
    if progress == OrderProgress::Held {
        return Ok("A running server carries this out: see /tensions/runs.\n".to_owned());
    }
    let mut text: String = store.stage_runs(&[order.id]).await?.iter().map(stage_line).collect();
    if let OrderProgress::Waiting(reason) = progress {
        text.push_str(&format!("waiting: {reason}\nA running server goes on with it, and so does the next start.\n"));
    }
    Ok(text)
}

/// `Response scout: 2 sessions, 3 responses new`
fn stage_line(run: &StageRun) -> String {
    let error = if run.error.is_empty() { String::new() } else { format!(" ({})", run.error) };
    format!("{}: {}{error}\n", run.stage.label(), run.figures())
}
