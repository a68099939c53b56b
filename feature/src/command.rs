//! Commands of the `autosint` binary.

use crate::Web;
use engine::StoreError;
use futures::future::BoxFuture;

/// Command that a feature adds. It needs data that exists; its output goes to standard output when it ends.
#[derive(Debug, Clone, Copy)]
pub struct Command {
    /// Word after `autosint`, usually the name of the feature.
    pub name: &'static str,
    /// Line of the help.
    pub about: &'static str,
    /// Examples of the help, without `autosint`.
    pub examples: &'static [&'static str],
    /// Adds arguments and subcommands: `augment_args` or `augment_subcommands` of a type that derives them.
    pub arguments: fn(clap::Command) -> clap::Command,
    pub run: fn(Web, clap::ArgMatches) -> BoxFuture<'static, Result<String, CommandError>>,
}

/// Failure of a command.
#[derive(Debug, thiserror::Error)]
pub enum CommandError {
    /// An argument that the command cannot use, and how to fix it.
    #[error("{0}")]
    Usage(String),
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl From<clap::Error> for CommandError {
    fn from(error: clap::Error) -> Self {
        Self::Usage(error.to_string())
    }
}
