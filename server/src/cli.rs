//! Command line: commands, shared options, and one path for every failure.

mod added;
mod audit;
mod backup;
mod doctor;
mod exit;
mod export;
mod help;
mod investigate;
mod list;
mod migrate;
mod module;
mod output;
mod progress;
mod queue;
mod replay;
mod restore;
mod resume_condition;
mod schema;
mod serve;
mod shutdown;
mod transfer;
mod users;
mod worker;

pub use exit::Exit;

use crate::{
    DataStore, OpenError, Program, clock_check,
    config::{self, Config, ConfigError, LoadedConfig, Override},
    logging::{self, LogProfile},
    role_models, system,
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
    common: CommonArgs,
    #[command(subcommand)]
    command: Command,
}

/// Options of every command, before or after its name.
#[derive(Debug, Args)]
#[command(next_help_heading = "Options of every command")]
struct CommonArgs {
    /// Configuration file; without it config/autosint.toml where there is one, else built-in defaults
    #[arg(long, global = true, value_name = "FILE")]
    config: Option<PathBuf>,
    /// Data directory [default: ./data]
    #[arg(long, global = true, value_name = "DIR")]
    data_dir: Option<PathBuf>,
}

impl CommonArgs {
    /// Loads the configuration with the overrides of the command line, and starts the log.
    fn load(&self, command_overrides: impl IntoIterator<Item = Override>, log: LogProfile) -> Result<LoadedConfig, Failure> {
        let data_dir = self.data_dir.as_ref().map(|path| ("server.data_dir", path.to_string_lossy().into_owned().into()));
        let overrides = data_dir.into_iter().chain(command_overrides).collect();
        let loaded = config::load(self.config.as_deref(), overrides)?;
        logging::start(&loaded.config.log, &loaded.config.traces, log)
            .map_err(|problem| Failure::new(Exit::Configuration, problem))?;
        Ok(loaded)
    }
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Serve the web app and the API, and run investigations
    Serve(serve::ServeArgs),
    /// Run one part of the program as a service
    Module(module::ModuleArgs),
    /// Process work orders for other processes, on this or another machine
    Worker(worker::WorkerArgs),
    /// Investigate one question, to a finished assessment on standard output
    Investigate(investigate::InvestigateArgs),
    /// List the investigations: id, status, age, question
    List(list::ListArgs),
    /// Print an assessment, a document or a recording
    Export(export::ExportArgs),
    /// Add and list users, and set passwords and caps
    User(users::UserArgs),
    /// Print the audit log: who did what, when and from where
    Audit(audit::AuditArgs),
    /// List, requeue and discard work orders that failed for good
    Queue(queue::QueueArgs),
    /// Show what is in use and why, and report problems
    Doctor(doctor::DoctorArgs),
    /// Replay a recorded investigation offline and step by step, or with another model on the same documents
    Replay(replay::ReplayArgs),
    /// Back up all data into one file
    ///
    /// Works while `autosint serve` runs; the file is a consistent snapshot. It is verified after writing and appears only when
    /// complete. --data-dir, or sql.url and graph.neo4j.url if set, say where the data is.
    Backup(backup::BackupArgs),
    /// Restore a backup into an empty data directory or empty databases
    ///
    /// The target is --data-dir, or the databases of sql.url and graph.neo4j.url if set. A damaged file is refused before
    /// anything is written, and every record is compared at the end. After an interruption, run the same command again to
    /// resume; until then no other command opens the target.
    Restore(restore::RestoreArgs),
    /// Copy a data directory to the databases of the scaled-out size
    ///
    /// First stop all processes on the folder, and name two empty databases: PostgreSQL as AUTOSINT__SQL__URL and Neo4j as
    /// AUTOSINT__GRAPH__NEO4J__URL (or in the configuration file). The folder stays unchanged. Every record is compared at the
    /// end. After an interruption, run the same command again to resume; until then no other command opens the databases.
    Migrate(migrate::MigrateArgs),
    #[command(flatten)]
    Added(added::AddedCommand<added::TopLevel>),
    /// Parse files for another autosint, on standard input and output
    #[command(hide = true)]
    ParseChild,
    /// Write the JSON schema of assessments
    #[command(hide = true)]
    Schema(schema::SchemaArgs),
}

/// Failure of a command: a message for the user, and an exit code.
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

/// Runs the command line of this process.
pub fn main() -> ExitCode {
    system::forbid_inspection();
    system::create_private_files();
    let ended = run(Cli::parse());
    logging::stop();
    match ended {
        Ok(exit) => exit.into(),
        Err(failure) => {
            output::write_status(&format!("autosint: {}", failure.message));
            failure.exit.into()
        }
    }
}

fn run(Cli { common, command }: Cli) -> Result<Exit, Failure> {
    match command {
        Command::ParseChild => Ok(Exit::Done),
        Command::Schema(args) => schema::run(&args),
        Command::Serve(args) => block_on(serve::run(common.load(args.overrides(), LogProfile::Serve)?, args)),
        Command::Module(args) => block_on(module::run(common.load([], LogProfile::Serve)?, args)),
        Command::Worker(args) => block_on(worker::run(common.load(args.overrides(), LogProfile::Serve)?)),
        Command::Investigate(args) => block_on(investigate::run(common.load(args.overrides(), LogProfile::Command)?, args)),
        Command::List(args) => block_on(list::run(common.load([], LogProfile::Command)?, args)),
        Command::Export(args) => block_on(export::run(common.load([], LogProfile::Command)?, args)),
        Command::User(args) => block_on(users::run(common.load([], LogProfile::Command)?, args)),
        Command::Audit(args) => block_on(audit::run(common.load([], LogProfile::Command)?, args)),
        Command::Queue(args) => block_on(queue::run(common.load([], LogProfile::Command)?, args)),
        Command::Replay(args) => block_on(replay::run(common.load([], LogProfile::Command)?, args)),
        Command::Backup(args) => block_on(backup::run(common.load([], LogProfile::Command)?, args)),
        Command::Migrate(args) => block_on(migrate::run(common.load([], LogProfile::Command)?, args)),
        Command::Restore(args) => block_on(restore::run(common.load([], LogProfile::Command)?, args)),
        Command::Added(command) => block_on(added::run(common.load([], LogProfile::Command)?, command)),
        Command::Doctor(args) => block_on(doctor::run(common.load([], LogProfile::Command)?, args)),
    }
}

/// Stack of a worker thread, in bytes. A page is rendered in one call tree, which the 2 MiB of tokio do not always hold without
/// optimisation. Only what is used becomes memory.
const WORKER_STACK_BYTES: usize = 16 * 1024 * 1024;

fn block_on(command: impl Future<Output = Result<Exit, Failure>>) -> Result<Exit, Failure> {
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().thread_stack_size(WORKER_STACK_BYTES).build();
    let runtime = runtime.map_err(|error| Failure::new(Exit::Io, format!("cannot start: {error}")))?;
    let result = runtime.block_on(command);
    // Does not wait for a busy embedder or parser.
    runtime.shutdown_background();
    result
}

/// Opens the configured data and wires the program.
async fn open(loaded: LoadedConfig) -> Result<Program, Failure> {
    let config_dir = loaded.file.as_deref().and_then(Path::parent).map(Path::to_owned);
    Ok(Program::open(loaded.config, config_dir).await?)
}

/// Like `open`, for a command that does work; also checks the clock.
async fn open_for_work(loaded: LoadedConfig) -> Result<Program, Failure> {
    let program = open(loaded).await?;
    check_clock(&program).await?;
    Ok(program)
}

/// Fails if the clock is skewed, because leases are shared timestamps.
async fn check_clock(program: &Program) -> Result<(), Failure> {
    match clock_check::clock_problem(program).await? {
        Some(problem) => Err(Failure::new(Exit::Configuration, problem)),
        None => Ok(()),
    }
}

/// Like `open`, for a command that only reads; creates nothing.
async fn open_existing(loaded: LoadedConfig) -> Result<Program, Failure> {
    let data_dir = &loaded.config.server.data_dir;
    if !DataStore::exists(&loaded.config) {
        let what = if data_dir.exists() { "contains no database" } else { "does not exist" };
        let message = format!("no data yet: {} {what}; check --data-dir, or start an investigation first", data_dir.display());
        return Err(Failure::new(Exit::Usage, message));
    }
    open(loaded).await
}

/// Checks the model from the command line before anything is written.
fn check_model(config: &Config, name: Option<&ModelRef>) -> Result<(), Failure> {
    let checked = name.map_or(Ok(()), |name| role_models::check(&config.models, &config.budget.currency, name));
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
