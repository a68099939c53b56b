//! `autosint user`: people are added on the command line of whoever runs the server.

use super::{DataArgs, Exit, Failure, open};
use crate::{
    Program,
    config::{Loaded, Override},
};
use clap::{Args, Subcommand};
use domain::user::{Role, SYSTEM_USER};
use engine::accounts::{self, AccountError, NewAccount};
use std::io::stdin;

#[derive(Debug, Args)]
pub(super) struct UserArgs {
    #[command(subcommand)]
    what: What,
}

#[derive(Debug, Subcommand)]
enum What {
    /// Add somebody who can sign in
    Add {
        name: String,
        /// What they may do: reader, analyst or admin
        #[arg(long, value_parser = role)]
        role: Role,
        /// Read the password from the first line of standard input, where no list of processes shows it
        #[arg(long, required = true)]
        password_stdin: bool,
        #[command(flatten)]
        data: DataArgs,
    },
    /// List everybody
    List {
        #[command(flatten)]
        data: DataArgs,
    },
}

impl UserArgs {
    pub(super) fn overrides(&self) -> Vec<Override> {
        match &self.what {
            What::Add { data, .. } | What::List { data } => data.overrides(),
        }
    }
}

pub(super) async fn run(loaded: Loaded, args: UserArgs) -> Result<Exit, Failure> {
    let program = open(loaded).await?;
    match args.what {
        What::Add { name, role, .. } => add(&program, &name, role).await,
        What::List { .. } => list(&program).await,
    }
}

async fn add(program: &Program, name: &str, role: Role) -> Result<Exit, Failure> {
    let mut line = String::new();
    stdin().read_line(&mut line).map_err(|error| Failure::new(Exit::Io, format!("cannot read the password: {error}")))?;
    let password = line.trim_end_matches(['\n', '\r']);
    let user = accounts::create(&program.engine, &program.passwords, NewAccount { name, password, role }, None).await?;
    println!("added {} as {}", user.name, user.role.as_str());
    Ok(Exit::Done)
}

async fn list(program: &Program) -> Result<Exit, Failure> {
    for user in program.engine.accounts.users().await? {
        let note = match (user.name == SYSTEM_USER, user.is_disabled) {
            (true, _) => "\tcannot sign in",
            (_, true) => "\tdisabled",
            _ => "",
        };
        println!("{}\t{}\t{}{note}", user.name, user.role.as_str(), user.created_at);
    }
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
