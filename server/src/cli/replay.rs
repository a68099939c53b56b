//! `autosint replay`: replays a recorded investigation offline, or reruns it with another model on the same documents.

mod rerun;

use super::{
    Exit, Failure, check_model, help, open,
    output::{to_json, write_result},
};
use crate::{Program, config::LoadedConfig};
use adapters::llm::ModelRef;
use clap::Args;
use domain::{AssessmentId, InvestigationId, investigation::Investigation};
use engine::{
    accounts,
    replay::{self, PromptTotals, SessionReplay},
};
use serde::Serialize;

#[derive(Debug, Args)]
#[command(after_help = help::with_examples(&["replay ID", "replay ID --provider ollama --model qwen3:8b"]))]
pub(super) struct ReplayArgs {
    /// The investigation, or its assessment
    #[arg(value_name = "ID")]
    id: String,
    /// Investigate again with this provider on the original documents, and compare the assessments
    #[arg(long, value_name = "P")]
    provider: Option<String>,
    /// The provider's model
    #[arg(long, value_name = "M", requires = "provider")]
    model: Option<String>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// Result of a replay.
#[derive(Debug, Serialize)]
struct Report {
    investigation_id: InvestigationId,
    question: String,
    identical: bool,
    said: PromptTotals,
    sessions: Vec<SessionReplay>,
}

impl ReplayArgs {
    fn model_ref(&self) -> Result<Option<ModelRef>, Failure> {
        let Some(provider) = &self.provider else { return Ok(None) };
        let name = self.model.as_ref().map_or_else(|| provider.clone(), |model| format!("{provider}:{model}"));
        name.parse().map(Some).map_err(|error| Failure::new(Exit::Usage, format!("--provider {provider}: {error}")))
    }
}

pub(super) async fn run(loaded: LoadedConfig, args: ReplayArgs) -> Result<Exit, Failure> {
    let model = args.model_ref()?;
    check_model(&loaded.config, model.as_ref())?;
    let program = open(loaded).await?;
    let investigation = find(&program, &args.id).await?;
    if let Some(model) = model {
        return rerun::run(&program, &investigation, &model, args.json).await;
    }
    let sessions = replay::replay(&program.engine, &program.agents, investigation.id).await?;
    if sessions.is_empty() {
        return Err(Failure::new(Exit::Usage, "this investigation has no session to replay yet"));
    }
    let mut said = PromptTotals::default();
    sessions.iter().for_each(|session| said += session.said);
    let identical = sessions.iter().all(|session| session.difference.is_none());
    let report =
        Report { investigation_id: investigation.id, question: investigation.question.clone(), identical, said, sessions };
    let text = if args.json { to_json(&report)? } else { format_report(&report) };
    write_result(text.as_bytes())?;
    Ok(if identical { Exit::Done } else { Exit::Different })
}

/// Finds an investigation by its own id or that of its assessment.
async fn find(program: &Program, id: &str) -> Result<Investigation, Failure> {
    let engine = &program.engine;
    let given: InvestigationId = id.parse().map_err(|error| Failure::new(Exit::Usage, error))?;
    if let Some(found) = engine.investigations.investigation(given).await? {
        return Ok(found);
    }
    let scope = accounts::every_collection(engine).await?;
    let of_assessment = match engine.assessments.assessment(&scope, AssessmentId(given.0)).await? {
        Some(stored) => engine.investigations.investigation(stored.assessment.investigation_id).await?,
        None => None,
    };
    let missing = || format!("investigation {id} not found: check the id and --data-dir");
    of_assessment.ok_or_else(|| Failure::new(Exit::Usage, missing()))
}

fn format_report(report: &Report) -> String {
    let mut text = format!("{}\n", report.question);
    for session in &report.sessions {
        let (role, cycle, id) = (session.role.as_str(), session.cycle, session.session_id);
        let end = match &session.difference {
            None => format!("{} steps, identical", session.steps),
            Some(difference) => {
                let reasons: Vec<String> = difference.reasons.iter().map(ToString::to_string).collect();
                let why = if reasons.is_empty() { String::new() } else { format!("\n    because {}", reasons.join(", and ")) };
                format!("differs at step {} of {}: {}{why}", difference.step, session.steps, difference.what)
            }
        };
        text += &format!("  {role:9} cycle {cycle}  {id}  {end}\n");
        if session.difference.is_none() {
            for change in &session.changes {
                text += &format!("    without effect: {change}\n");
            }
        }
    }
    let different = report.sessions.iter().filter(|session| session.difference.is_some()).count();
    text += &match different {
        0 => format!("Identical: {} sessions, {} model calls.\n", report.sessions.len(), report.said.calls),
        _ => format!("Not identical: {different} of {} sessions differ.\n", report.sessions.len()),
    };
    text
}
