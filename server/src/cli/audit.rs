//! `autosint audit`: the audit log, newest first.

use super::{
    Exit, Failure, help, open_existing,
    output::{to_json, write_result},
};
use crate::config::LoadedConfig;
use clap::Args;
use domain::Timestamp;
use engine::accounts::{Accounts, AuditEntry};
use views::AuditLine;

#[derive(Debug, Args)]
#[command(after_help = help::with_examples(&["audit", "audit --limit 1000 --json"]))]
pub(super) struct AuditArgs {
    /// Number of entries
    #[arg(long, value_name = "N", default_value_t = 100)]
    limit: u32,
    /// As JSON
    #[arg(long)]
    json: bool,
}

pub(super) async fn run(loaded: LoadedConfig, args: AuditArgs) -> Result<Exit, Failure> {
    let program = open_existing(loaded).await?;
    let entries = program.engine.accounts.audit_log(args.limit).await?;
    let lines = program.engine.audit_lines(entries).await?;
    let text = if args.json { to_json(&lines)? } else { lines.iter().map(write_line).collect() };
    write_result(text.as_bytes())?;
    Ok(Exit::Done)
}

/// Formats time, actor, action, target and address, with tabs between them.
fn write_line(line: &AuditLine) -> String {
    let AuditLine { at, actor, act, object, address } = line;
    let (actor, address) = (actor.as_deref().unwrap_or("-"), address.as_deref().unwrap_or("-"));
    format!("{at}\t{actor}\t{act}\t{object}\t{address}\n")
}

/// Records an action of the command line. A log that cannot be written does not undo the action.
pub(super) async fn record(log: &dyn Accounts, at: Timestamp, act: &str, object: &str) {
    let entry = AuditEntry { at, user: None, act: act.to_owned(), object: object.to_owned(), address: None };
    if let Err(error) = log.audit(&entry).await {
        tracing::warn!(%error, "audit entry not written");
    }
}
