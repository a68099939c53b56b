//! `autosint user`: user accounts, managed by the operator.

use super::{Exit, Failure, help, open, output::write_result};
use crate::{Program, config::LoadedConfig};
use clap::{Args, Subcommand};
use domain::{
    budget::OwnCap,
    user::{Role, SYSTEM_USER},
};
use engine::accounts::{self, AccountChange, AccountError, Actor, NewAccount};
use std::io::stdin;

#[derive(Debug, Args)]
#[command(after_help = help::with_examples(&["user add ada --role analyst --password-stdin < FILE", "user password ada --password-stdin < FILE", "user cap ada --money 5", "user list"]))]
pub(super) struct UserArgs {
    #[command(subcommand)]
    what: UserCommand,
}

#[derive(Debug, Subcommand)]
enum UserCommand {
    /// Add a user who can sign in
    #[command(after_help = help::with_examples(&["user add ada --role analyst --password-stdin < FILE"]))]
    Add {
        /// User name for sign-in
        #[arg(value_name = "NAME")]
        name: String,
        /// Role: reader, analyst or admin
        #[arg(long, value_name = "ROLE", value_parser = role)]
        role: Role,
        /// Read the password from the first line of standard input, so that no process list shows it
        #[arg(long, required = true)]
        password_stdin: bool,
        /// Ask for another password at the first sign-in
        #[arg(long)]
        must_change: bool,
    },
    /// Set the password of a user, and end all their sessions
    #[command(after_help = help::with_examples(&["user password ada --password-stdin < FILE"]))]
    Password {
        /// User name
        #[arg(value_name = "NAME")]
        name: String,
        /// Read the password from the first line of standard input, so that no process list shows it
        #[arg(long, required = true)]
        password_stdin: bool,
        /// Ask for another password at the next sign-in
        #[arg(long)]
        must_change: bool,
    },
    /// Set the daily cap of a user, replacing budget.user; omitted values revert to the configuration
    #[command(after_help = help::with_examples(&["user cap ada --tokens 2000000 --money 5", "user cap ada"]))]
    Cap {
        /// User name; `system` is the command line itself
        #[arg(value_name = "NAME")]
        name: String,
        /// Tokens, input and output
        #[arg(long, value_name = "N")]
        tokens: Option<u64>,
        /// Money, in budget.currency
        #[arg(long, value_name = "AMOUNT", value_parser = micros)]
        money: Option<u64>,
    },
    /// List all users: name, role, creation time, caps
    #[command(after_help = help::with_examples(&["user list"]))]
    List,
}

pub(super) async fn run(loaded: LoadedConfig, args: UserArgs) -> Result<Exit, Failure> {
    let program = open(loaded).await?;
    match args.what {
        UserCommand::Add { name, role, must_change, .. } => add(&program, &name, role, must_change).await,
        UserCommand::Password { name, must_change, .. } => set_password(&program, &name, must_change).await,
        UserCommand::Cap { name, tokens, money } => cap(&program, &name, OwnCap { tokens, cost_micros: money }).await,
        UserCommand::List => list(&program).await,
    }
}

/// Reads a password from the first line of standard input.
fn read_password() -> Result<String, Failure> {
    let mut line = String::new();
    stdin().read_line(&mut line).map_err(|error| Failure::new(Exit::Io, format!("cannot read the password: {error}")))?;
    Ok(line.trim_end_matches(['\n', '\r']).to_owned())
}

async fn add(program: &Program, name: &str, role: Role, must_change_password: bool) -> Result<Exit, Failure> {
    let password = read_password()?;
    let new = NewAccount { name, password: &password, role, must_change_password };
    let user = accounts::create(&program.engine, &program.passwords, new, Actor::default()).await?;
    write_result(format!("added {} as {}\n", user.name, user.role.as_str()).as_bytes())?;
    Ok(Exit::Done)
}

async fn set_password(program: &Program, name: &str, must_change: bool) -> Result<Exit, Failure> {
    let password = read_password()?;
    let done =
        accounts::reset_password(&program.engine, &program.passwords, Actor::default(), name, &password, must_change).await;
    let user = done.map_err(|error| match error {
        AccountError::Missing => not_found(name),
        other => other.into(),
    })?;
    write_result(format!("set the password of {}; all their sessions have ended\n", user.name).as_bytes())?;
    Ok(Exit::Done)
}

fn not_found(name: &str) -> Failure {
    Failure::new(Exit::Usage, format!("user '{name}' not found: see `autosint user list`"))
}

async fn cap(program: &Program, name: &str, cap: OwnCap) -> Result<Exit, Failure> {
    let system = accounts::system_user(&program.engine).await?;
    let found = program.engine.accounts.user_by_name(name).await?;
    let (user, _) = found.ok_or_else(|| not_found(name))?;
    accounts::change(&program.engine, system.id.into(), user.id, AccountChange::Cap(cap)).await?;
    write_result(format!("{} may use {} a day\n", user.name, describe_cap(program, cap)).as_bytes())?;
    Ok(Exit::Done)
}

fn describe_cap(program: &Program, cap: OwnCap) -> String {
    let tokens = cap.tokens.map(|tokens| format!("{tokens} tokens"));
    let money = cap.cost_micros.map(|micros| format!("{} {:.2}", program.config.budget.currency, micros as f64 / 1e6));
    let parts: Vec<String> = tokens.into_iter().chain(money).collect();
    if parts.is_empty() { "the amount of budget.user".to_owned() } else { parts.join(" and ") }
}

async fn list(program: &Program) -> Result<Exit, Failure> {
    let mut lines = String::new();
    for user in program.engine.accounts.users().await? {
        let note = match (user.name == SYSTEM_USER, user.is_disabled) {
            (true, _) => "\tcannot sign in",
            (_, true) => "\tdisabled",
            _ if user.must_change_password => "\tmust change the password",
            _ => "",
        };
        let cap = match user.cap == OwnCap::default() {
            true => String::new(),
            false => format!("\t{} a day", describe_cap(program, user.cap)),
        };
        lines += &format!("{}\t{}\t{}{note}{cap}\n", user.name, user.role.as_str(), user.created_at);
    }
    write_result(lines.as_bytes())?;
    Ok(Exit::Done)
}

fn micros(text: &str) -> Result<u64, String> {
    let money = text.parse::<f64>().ok().and_then(OwnCap::micros);
    money.ok_or_else(|| "must be an amount of 0 or more".to_owned())
}

fn role(text: &str) -> Result<Role, String> {
    Role::parse(text).ok_or_else(|| "must be one of: reader, analyst, admin".to_owned())
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
