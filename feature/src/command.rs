//! Commands of the `autosint` binary.

use crate::Web;
use engine::StoreError;
use futures::future::BoxFuture;

/// Code of a command on existing data.
pub type RunOnData = fn(Web, clap::ArgMatches) -> BoxFuture<'static, Result<String, CommandError>>;

/// Code of a command that needs its arguments alone.
pub type RunOffline = fn(&clap::ArgMatches) -> Result<String, CommandError>;

/// Command that needs no data, such as a check of a file.
pub type OfflineCommand = Command<RunOffline>;

/// Command that a feature adds. It needs data that exists, unless it is an `OfflineCommand`. Its output goes to standard output when it
/// ends.
#[derive(Debug, Clone, Copy)]
pub struct Command<R = RunOnData> {
    /// Word after `autosint`, usually the name of the feature; of an export the word after `autosint export`.
    pub name: &'static str,
    /// Line of the help.
    pub about: &'static str,
    /// Examples of the help, without `autosint`.
    pub examples: &'static [&'static str],
    /// Adds arguments and subcommands: `augment_args` or `augment_subcommands` of a type that derives them.
    pub arguments: fn(clap::Command) -> clap::Command,
    pub run: R,
}

/// Failure of a command.
#[derive(Debug, thiserror::Error)]
pub enum CommandError {
    /// An argument that the command cannot use, and how to fix it.
    #[error("{0}")]
    Usage(String),
    /// A check that fails, and where.
    #[error("{0}")]
    Different(String),
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl From<clap::Error> for CommandError {
    fn from(error: clap::Error) -> Self {
        Self::Usage(error.to_string())
    }
}
