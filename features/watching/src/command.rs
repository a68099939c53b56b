//! `autosint watching`: a search on request, such as by a timer of the machine where `check_ms` is 0.

use crate::{objects::look_all, search::search_all};
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
    /// Search once for the indicators that are due, look at all watched objects, and print how many these were
    Search,
}

async fn run(web: Web, matches: ArgMatches) -> Result<String, CommandError> {
    match WatchingArgs::from_arg_matches(&matches)?.action {
        WatchingAction::Search => {
            let (searched, compared) = (search_all(&web).await?, look_all(&web).await?);
            Ok(format!("indicators searched: {searched}\nobjects compared: {compared}\n"))
        }
    }
}
