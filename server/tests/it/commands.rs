//! Tests of the command line: output and exit codes.

mod added;
mod backup;
mod chromium;
mod common;
mod configuration;
#[cfg(feature = "figures")]
mod found_tensions;
mod ingestion;
mod investigate;
mod killed;
mod list;
mod migrate;
mod models;
pub mod module;
mod older_backup;
mod queue;
mod replay;
mod secrets;
mod serve;
mod statements;
#[cfg(target_os = "linux")]
mod uploads;
mod user;

use crate::prelude::*;
use sqlx::{Connection, SqliteConnection, sqlite::SqliteConnectOptions};
use std::{io::Write, process::Output};

/// Result of a command.
pub struct CommandOutput {
    pub code: Option<i32>,
    pub stdout: String,
    pub stderr: String,
}

/// Returns `autosint` in an empty folder with a clean environment.
pub fn autosint(folder: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_autosint"));
    command.current_dir(folder).env_clear().env("AUTOSINT__EMBED__PROVIDER", "none");
    command.env("AUTOSINT__AUTH__PASSWORDS__MEMORY_KIB", "8").env("AUTOSINT__AUTH__PASSWORDS__PASSES", "1");
    command
}

/// Connects to the database of the data in a folder.
pub async fn database(folder: &Path) -> SqliteConnection {
    let options = SqliteConnectOptions::new().filename(folder.join("data/autosint.db"));
    SqliteConnection::connect_with(&options).await.unwrap()
}

/// Sends a signal by name to a process.
pub fn signal(child: &Child, name: &str) {
    assert!(Command::new("kill").args([name, &child.id().to_string()]).status().unwrap().success(), "{name}");
}

/// Runs a command to its end with `input` on standard input.
pub fn run(command: &mut Command, input: &str) -> CommandOutput {
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    child.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
    let Output { status, stdout, stderr } = child.wait_with_output().unwrap();
    CommandOutput {
        code: status.code(),
        stdout: String::from_utf8_lossy(&stdout).into_owned(),
        stderr: String::from_utf8_lossy(&stderr).into_owned(),
    }
}

/// Runs a command that succeeds.
#[track_caller]
pub fn succeed(command: &mut Command, input: &str) -> CommandOutput {
    let ended = run(command, input);
    assert_eq!(ended.code, Some(0), "{}", ended.stderr);
    ended
}

/// Adds a user with the password of the tests.
#[track_caller]
pub fn add_user(mut autosint: Command, name: &str, role: &str) {
    succeed(autosint.args(["user", "add", name, "--role", role, "--password-stdin"]), PASSWORD);
}

/// Returns the first line on the standard output of a server: the address of the first account.
pub fn first_line(child: &mut Child) -> String {
    let mut line = String::new();
    BufReader::new(child.stdout.as_mut().unwrap()).read_line(&mut line).unwrap();
    assert!(line.starts_with("create the first account: http://"), "{line}");
    line
}
