//! `autosint watching`: a search on request, such as by a timer of the machine where `check_ms` is 0.

use crate::search::search_all;
use clap::{ArgMatches, Args, FromArgMatches, Subcommand};
use feature::{Command, CommandError, Web};

pub const COMMAND: Command = Command {
    name: "watching",
    about: "Search for watched indicators",
    examples: &["watching search"],
    arguments: WatchingArgs::augment_args,
    run: |web, matches| Box::pin(run(web, matches)),
};

#[derive(Debug, Args)]
struct WatchingArgs {
    #[command(subcommand)]
    action: WatchingAction,
}

#[derive(Debug, Subcommand)]
enum WatchingAction {
    /// Search once for the indicators that are due, and print how many these were
    Search,
}

async fn run(web: Web, matches: ArgMatches) -> Result<String, CommandError> {
    match WatchingArgs::from_arg_matches(&matches)?.action {
        WatchingAction::Search => Ok(format!("indicators searched: {}\n", search_all(&web).await?)),
    }
}
