//! Partial report of a failed investigation: contents of the graph, without judgement. The built-in provider writes it as an evidence
//! brief; without anything read, or where that fails, it is a list of quotes.

use crate::{
    Engine, StoreError,
    agents::{Agents, SessionOutcome, SessionTask, machine::Outcome, run_session},
    assessments::{self, AssessmentDraft, FindingsPolicy, ProduceError, failure},
    events::record_event,
    graph::{ClaimQuery, search},
};
use domain::{
    agent::AgentRole,
    assessment::{AssessmentKind, Body, Gap, escape_markdown},
    event::EventKind,
    investigation::{Investigation, Progress, Status},
    model_choice::ModelChoices,
};
use protocol::tools::ClaimRef;
use views::settings::BUILT_IN_MODEL;

/// Writes the report and records an event. Idempotent.
pub(super) async fn write(
    engine: &Engine,
    agents: &Agents,
    investigation: &Investigation,
    reason: Option<&str>,
) -> Result<(), StoreError> {
    let query = ClaimQuery { text: Some(engine.search.query.text(&investigation.question)), ..ClaimQuery::default() };
    let query = query.within(&investigation.terms.period);
    let quotes = engine.config.partial_quotes;
    let found = search::search_claims(&*engine.graph, None, &engine.search, &investigation.scope, query, quotes).await;
    let claims =
        skip_permanent_error(found, "search for the partial report failed, writing without quotes")?.unwrap_or_default();
    if !claims.is_empty() && write_brief(engine, agents, investigation, reason).await? {
        return Ok(());
    }
    let gaps = failure::gaps(reason, &engine.work_orders.work_orders(investigation.id).await?);
    let quotes: Vec<&str> = claims.iter().map(|hit| hit.item.quote.as_str()).collect();
    let claims = (1..).zip(&claims).map(|(marker, hit)| ClaimRef { marker, claim_id: hit.item.id }).collect();
    let draft = |body, claims| AssessmentDraft {
        kind: AssessmentKind::EvidenceBrief,
        body,
        claims,
        entities: vec![],
        unknown: vec![],
        review: FindingsPolicy::Partial,
    };
    let quoting = draft(body(investigation, gaps.clone(), &quotes), claims);
    let plain = draft(body(investigation, gaps, &[]), vec![]);
    // The end must not depend on the report: with refused quotes it is written without quotes.
    let mut written = assessments::produce(engine, &agents.prompts, investigation, quoting).await;
    if let Err(ProduceError::Refused { problems, .. }) = &written {
        tracing::error!(?problems, "partial report quotes refused, writing without quotes");
        written = assessments::produce(engine, &agents.prompts, investigation, plain).await;
    }
    let stored = match written {
        Ok(produced) => produced.stored,
        Err(ProduceError::Store(error)) => return Err(error),
        Err(ProduceError::Refused { problems, .. }) => {
            tracing::error!(?problems, "partial report refused");
            return Ok(());
        }
    };
    let event =
        EventKind::AssessmentWritten { assessment_id: stored.assessment.id, bottom_line: stored.assessment.body.bottom_line };
    record_event(engine, investigation.id, event).await
}

/// Has the built-in provider write an evidence brief of what was read, in a session of its own. Returns whether it did.
async fn write_brief(
    engine: &Engine,
    agents: &Agents,
    investigation: &Investigation,
    reason: Option<&str>,
) -> Result<bool, StoreError> {
    let model = engine.models_for(investigation).model(AgentRole::Analyst).clone();
    if !model.product().is_assessment() {
        return Ok(false);
    }
    let failed = Investigation {
        model: Some(BUILT_IN_MODEL.into()),
        models: ModelChoices::default(),
        progress: Progress { status: Status::Failed, final_session: true, ..investigation.progress.clone() },
        reason: reason.map(str::to_owned),
        ..investigation.clone()
    };
    let task = SessionTask::for_investigation(AgentRole::Analyst, &failed);
    let ended = run_session(engine, agents, task).await;
    let Some((_, outcome)) = skip_permanent_error(ended, "evidence brief failed, writing quotes")? else { return Ok(false) };
    let is_written = matches!(outcome, SessionOutcome::Ended(Outcome::AssessmentProduced { .. }));
    if !is_written {
        tracing::warn!(?outcome, "evidence brief not written, writing quotes");
    }
    Ok(is_written)
}

/// Returns the result of a step, or none with a log message after a permanent error: the end must not depend on a step that cannot
/// succeed.
fn skip_permanent_error<T>(result: Result<T, StoreError>, message: &str) -> Result<Option<T>, StoreError> {
    match result {
        Err(error @ (StoreError::Defect(_) | StoreError::Invalid(_))) => {
            tracing::error!(%error, "{message}");
            Ok(None)
        }
        result => result.map(Some),
    }
}

fn body(investigation: &Investigation, gaps: Vec<Gap>, quotes: &[&str]) -> Body {
    let found = match quotes.len() {
        0 => "Nothing that bears on the question was collected.".to_owned(),
        n => format!("{n} quotes that bear on the question were collected and are listed without judgement."),
    };
    let listed = (1..).zip(quotes).map(|(n, quote)| format!("- “{}” [{n}]", escape_markdown(quote)));
    Body {
        title: format!("Partial report: {}", investigation.question.chars().take(120).collect::<String>()),
        bottom_line: format!("We do not know: the investigation failed before an assessment was written. {found}"),
        analysis: listed.collect::<Vec<_>>().join("\n"),
        gaps,
        ..Body::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_permanent_error_skips_a_step_and_an_outage_is_passed_on() {
        assert_eq!(skip_permanent_error(Ok(7), "failed").unwrap(), Some(7));
        assert_eq!(skip_permanent_error::<u8>(Err(StoreError::Defect("torn".into())), "failed").unwrap(), None);
        let outage = skip_permanent_error::<u8>(Err(StoreError::Unavailable("down".into())), "failed");
        assert!(matches!(outage, Err(StoreError::Unavailable(_))), "{outage:?}");
    }
}
