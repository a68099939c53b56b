//! The command line: what can be asked for, and one way out for every failure.

mod backup;
mod bench;
mod doctor;
mod exit;
mod export;
mod help;
mod investigate;
mod list;
mod migrate;
mod module;
mod moving;
mod output;
mod progress;
mod replay;
mod restore;
mod schema;
mod serve;
mod stopping;
mod users;
mod waiting;
mod worker;

pub use exit::Exit;

use crate::{
    OpenError, Place, Program, cast, clocks,
    config::{self, Config, ConfigError, Loaded, Override},
    logging::{self, LogOf},
};
use adapters::llm::ModelRef;
use clap::{Args, Parser, Subcommand};
use std::{
    path::{Path, PathBuf},
    process::ExitCode,
};

/// From a question to a cited assessment.
#[derive(Debug, Parser)]
#[command(name = "autosint", version, about, propagate_version = true)]
#[command(after_help = help::with_examples(&[
    "serve",
    "investigate \"Who was behind the explosion?\" --documents FOLDER",
    "help investigate",
]))]
struct Cli {
    #[command(flatten)]
    common: Common,
    #[command(subcommand)]
    command: Command,
}

/// What every command takes, before or after its name.
#[derive(Debug, Args)]
#[command(next_help_heading = "Options of every command")]
struct Common {
    /// Configuration file; without it config/autosint.toml where there is one, else built-in defaults
    #[arg(long, global = true, value_name = "FILE")]
    config: Option<PathBuf>,
    /// Data directory [default: ./data]
    #[arg(long, global = true, value_name = "DIR")]
    data_dir: Option<PathBuf>,
}

impl Common {
    /// The configuration, with what the command line says, and the log.
    fn load(&self, of_command: impl IntoIterator<Item = Override>, log: LogOf) -> Result<Loaded, Failure> {
        let data_dir = self.data_dir.as_ref().map(|path| ("server.data_dir", path.to_string_lossy().into_owned().into()));
        let overrides = data_dir.into_iter().chain(of_command).collect();
        let loaded = config::load(self.config.as_deref(), overrides)?;
        logging::start(&loaded.config.log, &loaded.config.traces, log)
            .map_err(|problem| Failure::new(Exit::Configuration, problem))?;
        Ok(loaded)
    }
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Serve the web app and the API, and do the work
    Serve(serve::ServeArgs),
    /// Serve one part of the program to others
    Module(module::ModuleArgs),
    /// Carry out work orders for other processes, on this or another machine
    Worker(worker::WorkerArgs),
    /// Investigate one question, to a finished assessment on standard output
    Investigate(investigate::InvestigateArgs),
    /// List the investigations: id, status, age, question
    List(list::ListArgs),
    /// Print an assessment or a document
    Export(export::ExportArgs),
    /// Add and list people
    User(users::UserArgs),
    /// Say what is in use and why, and what is wrong
    Doctor(doctor::DoctorArgs),
    /// Run a recorded investigation again: offline and step by step, or with another model on the same documents
    Replay(replay::ReplayArgs),
    /// Write everything that is kept into one file
    ///
    /// Also while `autosint serve` runs: the file is one moment of it. It is read again at once, and is there only when it is whole.
    /// Where the data is says --data-dir, or sql.url and graph.neo4j.url where these are set.
    Backup(backup::BackupArgs),
    /// Fill an empty place from a backup
    ///
    /// The place is --data-dir, or what sql.url and graph.neo4j.url name where these are set. A damaged file is refused before
    /// anything is written, and every record is compared in the end. Stopped by whatever, the same command goes on where it
    /// stopped; until it is done, nothing else opens the place.
    Restore(restore::RestoreArgs),
    /// Copy what is in one folder to the databases of the scaled-out size
    ///
    /// First stop what works on the folder, and name two empty databases: PostgreSQL as AUTOSINT__SQL__URL and Neo4j as
    /// AUTOSINT__GRAPH__NEO4J__URL (or in the configuration file). The folder stays as it is. Every record is compared in the
    /// end. Stopped by whatever, the same command goes on where it stopped; until it is done, nothing else opens the databases.
    Migrate(migrate::MigrateArgs),
    /// Measure what documents cost on this machine
    Bench(bench::BenchArgs),
    /// Parse files for another autosint, on standard input and output
    #[command(hide = true)]
    ParseChild,
    /// Write the JSON schema of assessments
    #[command(hide = true)]
    Schema(schema::SchemaArgs),
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
    let ended = run(Cli::parse());
    logging::stop();
    match ended {
        Ok(exit) => exit.into(),
        Err(failure) => {
            output::say(&format!("autosint: {}", failure.message));
            failure.exit.into()
        }
    }
}

fn run(Cli { common, command }: Cli) -> Result<Exit, Failure> {
    match command {
        Command::ParseChild => Ok(Exit::Done),
        Command::Schema(args) => schema::run(&args),
        Command::Serve(args) => in_runtime(serve::run(common.load(args.overrides(), LogOf::Serve)?, args)),
        Command::Module(args) => in_runtime(module::run(common.load([], LogOf::Serve)?, args)),
        Command::Worker(args) => in_runtime(worker::run(common.load(args.overrides(), LogOf::Serve)?)),
        Command::Investigate(args) => in_runtime(investigate::run(common.load(args.overrides(), LogOf::Command)?, args)),
        Command::List(args) => in_runtime(list::run(common.load([], LogOf::Command)?, args)),
        Command::Export(args) => in_runtime(export::run(common.load([], LogOf::Command)?, args)),
        Command::User(args) => in_runtime(users::run(common.load([], LogOf::Command)?, args)),
        Command::Replay(args) => in_runtime(replay::run(common.load([], LogOf::Command)?, args)),
        Command::Backup(args) => in_runtime(backup::run(common.load([], LogOf::Command)?, args)),
        Command::Migrate(args) => in_runtime(migrate::run(common.load([], LogOf::Command)?, args)),
        Command::Restore(args) => in_runtime(restore::run(common.load([], LogOf::Command)?, args)),
        Command::Bench(args) => in_runtime(bench::run(common.load([], LogOf::Command)?, args)),
        Command::Doctor(args) => in_runtime(doctor::run(common.load([], LogOf::Command)?, args)),
    }
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

/// The same for a command that works.
async fn open_to_work(loaded: Loaded) -> Result<Program, Failure> {
    let program = open(loaded).await?;
    clock_is_right(&program).await?;
    Ok(program)
}

/// Leases are moments: who works where others do must have the time that they have.
async fn clock_is_right(program: &Program) -> Result<(), Failure> {
    match clocks::problem(program).await? {
        Some(problem) => Err(Failure::new(Exit::Configuration, problem)),
        None => Ok(()),
    }
}

/// Opens it for a command that only reads: where nothing is, nothing is made.
async fn open_existing(loaded: Loaded) -> Result<Program, Failure> {
    let data_dir = &loaded.config.server.data_dir;
    if !Place::exists(&loaded.config) {
        let what = if data_dir.exists() { "holds no database" } else { "does not exist" };
        let message = format!("there is nothing yet: {} {what}; check --data-dir, or ask something first", data_dir.display());
        return Err(Failure::new(Exit::Usage, message));
    }
    open(loaded).await
}

/// A model that the command line names must be one that can be called, before anything is written.
fn check_model(config: &Config, name: Option<&ModelRef>) -> Result<(), Failure> {
    let checked = name.map_or(Ok(()), |name| cast::check(&config.models, &config.budget.currency, name));
    checked.map_err(|problem| Failure::new(Exit::Configuration, format!("--provider: {problem}")))
}

impl From<ConfigError> for Failure {
    fn from(error: ConfigError) -> Self {
        Self::new(Exit::Configuration, format!("configuration: {error}"))
    }
}

impl From<OpenError> for Failure {
    fn from(error: OpenError) -> Self {
        let exit = match &error {
            OpenError::Configuration(_) | OpenError::Service { cause: engine::StoreError::Invalid(_), .. } => {
                Exit::Configuration
            }
            _ => Exit::Io,
        };
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
