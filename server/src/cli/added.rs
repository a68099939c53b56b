//! Commands that features add. They work on existing data, with the state that handlers of features are given.

use super::{Exit, Failure, check_clock, help, open_existing, output::write_result};
use crate::{config::LoadedConfig, features, http::feature_state};
use clap::{ArgMatches, FromArgMatches, Subcommand, error::ErrorKind};
use feature::{Command, CommandError};

/// Command of a feature with its arguments.
#[derive(Debug)]
pub(super) struct AddedCommand {
    command: &'static Command,
    arguments: ArgMatches,
}

impl FromArgMatches for AddedCommand {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let found = matches.subcommand().and_then(|(name, arguments)| {
            let command = features::commands().find(|command| command.name == name)?;
            Some(Self { command, arguments: arguments.clone() })
        });
        found.ok_or_else(|| clap::Error::raw(ErrorKind::InvalidSubcommand, "unknown command\n"))
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

impl Subcommand for AddedCommand {
    fn augment_subcommands(cli: clap::Command) -> clap::Command {
        features::commands().fold(cli, |cli, command| cli.subcommand(described(command)))
    }

    fn augment_subcommands_for_update(cli: clap::Command) -> clap::Command {
        Self::augment_subcommands(cli)
    }

    fn has_subcommand(name: &str) -> bool {
        features::commands().any(|command| command.name == name)
    }
}

/// Returns the command with its arguments and help.
fn described(command: &Command) -> clap::Command {
    let described = (command.arguments)(clap::Command::new(command.name)).about(command.about);
    with_examples(described, command.name, command.examples)
}

/// Adds examples and exit codes to the help of a command and its subcommands: to each the examples that begin with its words.
fn with_examples(command: clap::Command, words: &str, examples: &[&str]) -> clap::Command {
    let own: Vec<&str> = examples.iter().copied().filter(|example| example.starts_with(words)).collect();
    command.after_help(help::with_examples(&own)).mut_subcommands(|inner| {
        let words = format!("{words} {}", inner.get_name());
        with_examples(inner, &words, examples)
    })
}

pub(super) async fn run(loaded: LoadedConfig, added: AddedCommand) -> Result<Exit, Failure> {
    let program = open_existing(loaded).await?;
    check_clock(&program).await?;
    let done = (added.command.run)(feature_state(&program), added.arguments).await;
    program.drain().await;
    write_result(done?.as_bytes())?;
    Ok(Exit::Done)
}

impl From<CommandError> for Failure {
    fn from(error: CommandError) -> Self {
        match error {
            CommandError::Usage(problem) => Self::new(Exit::Usage, problem),
            CommandError::Store(error) => error.into(),
        }
    }
}
