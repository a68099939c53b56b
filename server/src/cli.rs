//! The command line: what can be asked for, and one way out for every failure.

mod bench;
mod doctor;
mod exit;
mod export;
mod investigate;
mod progress;
mod replay;
mod schema;
mod serve;
mod users;

pub use exit::Exit;

use crate::{
    OpenError, Program,
    config::{self, ConfigError, Loaded, Override},
    logging::{self, LogOf},
};
use adapters::llm::ModelRef;
use clap::{Args, Parser, Subcommand};
use std::{
    net::SocketAddr,
    path::{Path, PathBuf},
    process::ExitCode,
};

/// From a question to a cited assessment.
#[derive(Debug, Parser)]
#[command(name = "autosint", version, about, after_help = exit::HELP, propagate_version = true)]
struct Cli {
    /// Configuration file; without it config/autosint.toml where there is one, else built-in defaults
    #[arg(long, global = true, value_name = "FILE")]
    config: Option<PathBuf>,
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Serve the web app and the API, and do the work
    Serve(serve::ServeArgs),
    /// Investigate one question, to a finished assessment on standard output
    Investigate(investigate::InvestigateArgs),
    /// Print an assessment or a document
    Export(export::ExportArgs),
    /// Add and list people
    User(users::UserArgs),
    /// Say what is in use and why, and what is wrong
    Doctor(doctor::DoctorArgs),
    /// Run a recorded investigation again: offline and step by step, or with another model on the same documents
    Replay(replay::ReplayArgs),
    /// Measure what documents cost on this machine
    Bench(bench::BenchArgs),
    /// Parse files for another autosint, on standard input and output
    #[command(hide = true)]
    ParseChild,
    /// Write the JSON schema of assessments
    #[command(hide = true)]
    Schema(schema::SchemaArgs),
}

/// Where the data is; every command that opens it has this.
#[derive(Debug, Args)]
struct DataArgs {
    /// Data directory [default: ./data]
    #[arg(long, value_name = "DIR")]
    data_dir: Option<PathBuf>,
}

impl DataArgs {
    fn overrides(&self) -> Vec<Override> {
        let path = self.data_dir.as_deref().map(|path| ("server.data_dir", text(path)));
        path.into_iter().collect()
    }
}

/// A failure in words for a person, and the exit code that goes with it.
#[derive(Debug)]
struct Failure {
    exit: Exit,
    message: String,
}

impl Failure {
    fn new(exit: Exit, message: impl ToString) -> Self {
        Self { exit, message: message.to_string() }
    }
}

/// Runs the command that the process was started with.
pub fn main() -> ExitCode {
    let cli = Cli::parse();
    match run(cli) {
        Ok(exit) => exit.into(),
        Err(failure) => {
            eprintln!("autosint: {}", failure.message);
            failure.exit.into()
        }
    }
}

fn run(cli: Cli) -> Result<Exit, Failure> {
    let file = cli.config.as_deref();
    match cli.command {
        Command::ParseChild => Ok(Exit::Done),
        Command::Schema(args) => schema::run(&args),
        Command::Serve(args) => {
            let loaded = load(file, args.overrides(), LogOf::Serve)?;
            in_runtime(serve::run(loaded, args))
        }
        Command::Investigate(args) => {
            let loaded = load(file, args.overrides(), LogOf::Command)?;
            in_runtime(investigate::run(loaded, args))
        }
        Command::Export(args) => {
            let loaded = load(file, args.data.overrides(), LogOf::Command)?;
            in_runtime(export::run(loaded, args))
        }
        Command::User(args) => {
            let loaded = load(file, args.overrides(), LogOf::Command)?;
            in_runtime(users::run(loaded, args))
        }
        Command::Replay(args) => {
            let loaded = load(file, args.overrides()?, LogOf::Command)?;
            in_runtime(replay::run(loaded, args))
        }
        Command::Bench(args) => {
            let loaded = load(file, vec![], LogOf::Command)?;
            in_runtime(bench::run(loaded, args))
        }
        Command::Doctor(args) => {
            let loaded = load(file, args.data.overrides(), LogOf::Command)?;
            in_runtime(doctor::run(loaded, args))
        }
    }
}

fn load(file: Option<&Path>, overrides: Vec<Override>, log: LogOf) -> Result<Loaded, Failure> {
    let loaded = config::load(file, overrides)?;
    logging::start(&loaded.config.log, log).map_err(|problem| Failure::new(Exit::Configuration, problem))?;
    Ok(loaded)
}

fn in_runtime(command: impl Future<Output = Result<Exit, Failure>>) -> Result<Exit, Failure> {
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build();
    let runtime = runtime.map_err(|error| Failure::new(Exit::Io, format!("cannot start: {error}")))?;
    let result = runtime.block_on(command);
    // An embedder or parser that is still busy is not waited for.
    runtime.shutdown_background();
    result
}

/// Opens the data directory and wires the program.
async fn open(loaded: Loaded) -> Result<Program, Failure> {
    let config_dir = loaded.file.as_deref().and_then(Path::parent).map(Path::to_owned);
    Ok(Program::open(loaded.config, config_dir).await?)
}

/// The value of an override.
fn text(path: &Path) -> figment::value::Value {
    path.to_string_lossy().into_owned().into()
}

fn address(listen: SocketAddr) -> figment::value::Value {
    listen.to_string().into()
}

fn provider_overrides(provider: Option<&ModelRef>) -> impl Iterator<Item = Override> {
    let keys = provider.map(|provider| ["models.analyst", "models.processor"].map(|key| (key, provider.to_string().into())));
    keys.into_iter().flatten()
}

impl From<ConfigError> for Failure {
    fn from(error: ConfigError) -> Self {
        Self::new(Exit::Configuration, format!("configuration: {error}"))
    }
}

impl From<OpenError> for Failure {
    fn from(error: OpenError) -> Self {
        let exit = if matches!(error, OpenError::Configuration(_)) { Exit::Configuration } else { Exit::Io };
        if error.is_full() {
            return Self::new(exit, engine::StoreError::Full);
        }
        Self::new(exit, error)
    }
}

impl From<engine::StoreError> for Failure {
    fn from(error: engine::StoreError) -> Self {
        match error {
            engine::StoreError::Full | engine::StoreError::Unavailable(_) => Self::new(Exit::Io, error),
            other => Self::new(Exit::Defect, other),
        }
    }
}
