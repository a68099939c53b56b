//! `autosint list`: all investigations, with the operator's access.

use super::{
    Exit, Failure, help, open_existing,
    output::{one_line, to_json, write_result, write_status},
};
use crate::{Program, config::LoadedConfig};
use clap::Args;
use domain::{
    AssessmentId, InvestigationId, Timestamp,
    investigation::{Investigation, Status},
};
use engine::{StoreResult, accounts, investigations::InvestigationFilter};
use serde::Serialize;

#[derive(Debug, Args)]
#[command(after_help = help::with_examples(&["list", "list --unfinished --json"]))]
pub(super) struct ListArgs {
    /// Only unfinished investigations
    #[arg(long)]
    unfinished: bool,
    /// Print JSON instead of lines
    #[arg(long)]
    json: bool,
}

/// Investigation in the output of `--json`.
#[derive(Debug, Serialize)]
struct InvestigationRow {
    id: InvestigationId,
    /// Parent investigation of a part.
    parent_id: Option<InvestigationId>,
    status: Status,
    question: String,
    /// Model named by the question; null: as configured.
    model: Option<String>,
    reason: Option<String>,
    created_at: Timestamp,
    completed_at: Option<Timestamp>,
    assessment_id: Option<AssessmentId>,
}

pub(super) async fn run(loaded: LoadedConfig, args: ListArgs) -> Result<Exit, Failure> {
    let program = open_existing(loaded).await?;
    let found = if args.unfinished { unfinished(&program).await? } else { newest(&program, vec![]).await? };
    let text = if args.json {
        to_json(&rows(&program, &found).await?)?
    } else {
        let now = program.engine.clock.now();
        found.iter().map(|investigation| format_line(investigation, now) + "\n").collect()
    };
    write_result(text.as_bytes())?;
    if found.len() as u64 >= u64::from(program.config.server.api_list_limit) {
        write_status(&format!("showing the newest {} (server.api_list_limit)", found.len()));
    }
    Ok(Exit::Done)
}

/// Returns unfinished investigations, newest first.
pub(super) async fn unfinished(program: &Program) -> StoreResult<Vec<Investigation>> {
    newest(program, Status::ALL.into_iter().filter(|status| !status.is_terminal()).collect()).await
}

/// Formats `ID  STATUS  AGE  QUESTION` with tabs, and `part of ID` for a part. Control characters are removed from the
/// question.
pub(super) fn format_line(investigation: &Investigation, now: Timestamp) -> String {
    let question = one_line(&investigation.question);
    let age = age(investigation.created_at, now);
    let part = investigation.parent_id.map(|parent| format!("\tpart of {parent}")).unwrap_or_default();
    format!("{}\t{}\t{age}\t{question}{part}", investigation.id, investigation.progress.status.as_str())
}

async fn newest(program: &Program, statuses: Vec<Status>) -> StoreResult<Vec<Investigation>> {
    let limit = program.config.server.api_list_limit;
    program.engine.investigations.list(&InvestigationFilter { statuses, limit, ..Default::default() }).await
}

async fn rows(program: &Program, found: &[Investigation]) -> StoreResult<Vec<InvestigationRow>> {
    let engine = &program.engine;
    let all = accounts::every_collection(engine).await?;
    let ids: Vec<InvestigationId> = found.iter().map(|investigation| investigation.id).collect();
    let mut assessments = engine.assessments.ids_of(&all, &ids).await?;
    let line = |investigation: &Investigation| InvestigationRow {
        id: investigation.id,
        parent_id: investigation.parent_id,
        status: investigation.progress.status,
        question: investigation.question.clone(),
        model: investigation.model.clone(),
        reason: investigation.reason.clone(),
        created_at: investigation.created_at,
        completed_at: investigation.completed_at,
        assessment_id: assessments.remove(&investigation.id),
    };
    Ok(found.iter().map(line).collect())
}

/// Formats an age: `just now`, `12 min`, `3 h`, `5 d`.
fn age(then: Timestamp, now: Timestamp) -> String {
    match now.ms_since(then) / 60_000 {
        ..=0 => "just now".to_owned(),
        minutes @ 1..60 => format!("{minutes} min"),
        minutes @ 60..1_440 => format!("{} h", minutes / 60),
        minutes => format!("{} d", minutes / 1_440),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_age_is_in_one_unit() {
        let now = Timestamp::from_micros(200 * 3_600 * 1_000_000);
        let ages = [0, 59, 60, 3_599, 3_600, 86_399, 86_400].map(|seconds| age(now.plus_ms(-seconds * 1_000), now));
        assert_eq!(ages, ["just now", "just now", "1 min", "59 min", "1 h", "23 h", "1 d"]);
    }
}
