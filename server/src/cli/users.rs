//! `autosint user`: people are added on the command line of whoever runs the server.

use super::{Exit, Failure, help, open, output::write_out};
use crate::{Program, config::Loaded};
use clap::{Args, Subcommand};
use domain::{
    budget::OwnCap,
    user::{Role, SYSTEM_USER},
};
use engine::accounts::{self, AccountError, Change, NewAccount};
use std::io::stdin;

#[derive(Debug, Args)]
#[command(after_help = help::with_examples(&["user add ada --role analyst --password-stdin < FILE", "user cap ada --money 5", "user list"]))]
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
    /// Set what somebody may use on one day, in the place of budget.user: what is not named is as configured again
    #[command(after_help = help::with_examples(&["user cap ada --tokens 2000000 --money 5", "user cap ada"]))]
    Cap {
        /// Whom; `system` is who asks on the command line
        #[arg(value_name = "NAME")]
        name: String,
        /// Tokens read and written
        #[arg(long, value_name = "N")]
        tokens: Option<u64>,
        /// Money, in budget.currency
        #[arg(long, value_name = "AMOUNT", value_parser = micros)]
        money: Option<u64>,
    },
    /// List everybody: name, role, since when, their own caps
    #[command(after_help = help::with_examples(&["user list"]))]
    List,
}

pub(super) async fn run(loaded: Loaded, args: UserArgs) -> Result<Exit, Failure> {
    let program = open(loaded).await?;
    match args.what {
        What::Add { name, role, .. } => add(&program, &name, role).await,
        What::Cap { name, tokens, money } => cap(&program, &name, OwnCap { tokens, cost_micros: money }).await,
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

async fn cap(program: &Program, name: &str, cap: OwnCap) -> Result<Exit, Failure> {
    let system = accounts::system_user(&program.engine).await?;
    let found = program.engine.accounts.user_by_name(name).await?;
    let (user, _) =
        found.ok_or_else(|| Failure::new(Exit::Usage, format!("there is no user '{name}': see `autosint user list`")))?;
    accounts::change(&program.engine, &system, user.id, Change::Cap(cap)).await?;
    write_out(format!("{} may use {} a day\n", user.name, cap_in_words(program, cap)).as_bytes())?;
    Ok(Exit::Done)
}

fn cap_in_words(program: &Program, cap: OwnCap) -> String {
    let tokens = cap.tokens.map(|tokens| format!("{tokens} tokens"));
    let money = cap.cost_micros.map(|micros| format!("{} {:.2}", program.config.budget.currency, micros as f64 / 1e6));
    let parts: Vec<String> = tokens.into_iter().chain(money).collect();
    if parts.is_empty() { "what budget.user says".to_owned() } else { parts.join(" and ") }
}

async fn list(program: &Program) -> Result<Exit, Failure> {
    let mut lines = String::new();
    for user in program.engine.accounts.users().await? {
        let note = match (user.name == SYSTEM_USER, user.is_disabled) {
            (true, _) => "\tcannot sign in",
            (_, true) => "\tdisabled",
            _ => "",
        };
        let cap = match user.cap == OwnCap::default() {
            true => String::new(),
            false => format!("\t{} a day", cap_in_words(program, user.cap)),
        };
        lines += &format!("{}\t{}\t{}{note}{cap}\n", user.name, user.role.as_str(), user.created_at);
    }
    write_out(lines.as_bytes())?;
    Ok(Exit::Done)
}

fn micros(text: &str) -> Result<u64, String> {
    let money = text.parse::<f64>().ok().and_then(OwnCap::micros);
    money.ok_or_else(|| "it is an amount of 0 or more".to_owned())
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
