//! Commands that features add, by themselves and below `export`. Those that work on existing data are given the state of handlers.

use super::{Exit, Failure, check_clock, help, open_existing, output::write_result};
use crate::{config::LoadedConfig, features, http::feature_state};
use clap::{ArgMatches, FromArgMatches, Subcommand, error::ErrorKind};
use feature::{Command, CommandError, RunOffline, RunOnData};
use std::{fmt::Debug, marker::PhantomData};

/// Code of a command.
#[derive(Debug, Clone, Copy)]
pub(super) enum AddedRun {
    OnData(RunOnData),
    Offline(RunOffline),
}

/// Command of a feature as the command line sees it.
pub(super) struct Entry {
    described: clap::Command,
    run: AddedRun,
}

impl Entry {
    fn new<R: Copy>(command: &Command<R>, before: &str, run: impl Fn(R) -> AddedRun) -> Self {
        let described = (command.arguments)(clap::Command::new(command.name)).about(command.about);
        let words = format!("{before}{}", command.name);
        Self { described: with_examples(described, &words, command.examples), run: run(command.run) }
    }
}

/// List of commands of features.
pub(super) trait CommandList: Debug {
    fn entries() -> Vec<Entry>;
}

/// Commands directly after `autosint`.
#[derive(Debug)]
pub(super) struct TopLevel;

/// Commands after `autosint export`.
#[derive(Debug)]
pub(super) struct Exports;

impl CommandList for TopLevel {
    fn entries() -> Vec<Entry> {
        let on_data = features::commands().map(|command| Entry::new(command, "", AddedRun::OnData));
        on_data.chain(features::offline_commands().map(|command| Entry::new(command, "", AddedRun::Offline))).collect()
    }
}

impl CommandList for Exports {
    fn entries() -> Vec<Entry> {
        features::exports().map(|command| Entry::new(command, "export ", AddedRun::OnData)).collect()
    }
}

/// Command of a list with its arguments.
#[derive(Debug)]
pub(super) struct AddedCommand<L> {
    run: AddedRun,
    arguments: ArgMatches,
    list: PhantomData<L>,
}

impl<L: CommandList> FromArgMatches for AddedCommand<L> {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let found = matches.subcommand().and_then(|(name, arguments)| {
            let entry = L::entries().into_iter().find(|entry| entry.described.get_name() == name)?;
            Some(Self { run: entry.run, arguments: arguments.clone(), list: PhantomData })
        });
        found.ok_or_else(|| clap::Error::raw(ErrorKind::InvalidSubcommand, "unknown command\n"))
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

impl<L: CommandList> Subcommand for AddedCommand<L> {
    fn augment_subcommands(cli: clap::Command) -> clap::Command {
        L::entries().into_iter().fold(cli, |cli, entry| cli.subcommand(entry.described))
    }

    fn augment_subcommands_for_update(cli: clap::Command) -> clap::Command {
        Self::augment_subcommands(cli)
    }

    fn has_subcommand(name: &str) -> bool {
        L::entries().iter().any(|entry| entry.described.get_name() == name)
    }
}

/// Adds examples and exit codes to the help of a command and its subcommands: to each the examples that begin with its words.
fn with_examples(command: clap::Command, words: &str, examples: &[&str]) -> clap::Command {
    let own: Vec<&str> = examples.iter().copied().filter(|example| example.starts_with(words)).collect();
    command.after_help(help::with_examples(&own)).mut_subcommands(|inner| {
        let words = format!("{words} {}", inner.get_name());
        with_examples(inner, &words, examples)
    })
}

pub(super) async fn run<L: CommandList>(loaded: LoadedConfig, added: AddedCommand<L>) -> Result<Exit, Failure> {
    let done = match added.run {
        AddedRun::Offline(run) => run(&added.arguments),
        AddedRun::OnData(run) => {
            let program = open_existing(loaded).await?;
            check_clock(&program).await?;
            let done = run(feature_state(&program), added.arguments).await;
            program.drain().await;
            done
        }
    };
    write_result(done?.as_bytes())?;
    Ok(Exit::Done)
}

impl From<CommandError> for Failure {
    fn from(error: CommandError) -> Self {
        match error {
            CommandError::Usage(problem) => Self::new(Exit::Usage, problem),
            CommandError::Different(problem) => Self::new(Exit::Different, problem),
            CommandError::Store(error) => error.into(),
        }
    }
}
