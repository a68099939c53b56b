//! `autosint user`: people are added on the command line of whoever runs the server.

use super::{Exit, Failure, help, open, output::write_out};
use crate::{Program, config::Loaded};
use clap::{Args, Subcommand};
use domain::user::{Role, SYSTEM_USER};
use engine::accounts::{self, AccountError, NewAccount};
use std::io::stdin;

#[derive(Debug, Args)]
#[command(after_help = help::with_examples(&["user add ada --role analyst --password-stdin < FILE", "user list"]))]
pub(super) struct UserArgs {
    #[command(subcommand)]
    what: What,
}

#[derive(Debug, Subcommand)]
enum What {
    /// Add somebody who can sign in
    #[command(after_help = help::with_examples(&["user add ada --role analyst --password-stdin < FILE"]))]
    Add {
        /// What they sign in with
        #[arg(value_name = "NAME")]
        name: String,
        /// What they may do: reader, analyst or admin
        #[arg(long, value_name = "ROLE", value_parser = role)]
        role: Role,
        /// Read the password from the first line of standard input, where no list of processes shows it
        #[arg(long, required = true)]
        password_stdin: bool,
    },
    /// List everybody: name, role, since when
    #[command(after_help = help::with_examples(&["user list"]))]
    List,
}

pub(super) async fn run(loaded: Loaded, args: UserArgs) -> Result<Exit, Failure> {
    let program = open(loaded).await?;
    match args.what {
        What::Add { name, role, .. } => add(&program, &name, role).await,
        What::List => list(&program).await,
    }
}

async fn add(program: &Program, name: &str, role: Role) -> Result<Exit, Failure> {
    let mut line = String::new();
    stdin().read_line(&mut line).map_err(|error| Failure::new(Exit::Io, format!("cannot read the password: {error}")))?;
    let password = line.trim_end_matches(['\n', '\r']);
    let user = accounts::create(&program.engine, &program.passwords, NewAccount { name, password, role }, None).await?;
    write_out(format!("added {} as {}\n", user.name, user.role.as_str()).as_bytes())?;
    Ok(Exit::Done)
}

async fn list(program: &Program) -> Result<Exit, Failure> {
    let mut lines = String::new();
    for user in program.engine.accounts.users().await? {
        let note = match (user.name == SYSTEM_USER, user.is_disabled) {
            (true, _) => "\tcannot sign in",
            (_, true) => "\tdisabled",
            _ => "",
        };
        lines += &format!("{}\t{}\t{}{note}\n", user.name, user.role.as_str(), user.created_at);
    }
    write_out(lines.as_bytes())?;
    Ok(Exit::Done)
}

fn role(text: &str) -> Result<Role, String> {
    Role::parse(text).ok_or_else(|| "it is one of: reader, analyst, admin".to_owned())
}

impl From<AccountError> for Failure {
    fn from(error: AccountError) -> Self {
        match error {
            AccountError::Store(error) => error.into(),
            AccountError::Hashing => Self::new(Exit::Defect, error),
            other => Self::new(Exit::Usage, other),
        }
    }
}
