//! Dissent: after an assessment is stored, a session with the same citations argues against its leading answer.
//!
//! Invariant: one attempt per investigation, which never delays it for an outage or fails it. A stored answer is used after a restart.

use crate::{
    Engine, StoreError,
    agents::{Agents, SessionOutcome, SessionTask, SideSession, machine::Outcome, run_session},
    assessments::{StoredAssessment, investigation_cost},
    investigations::{FollowedQuestion, followed_question},
};
use domain::{
    Precision, PublicationDate,
    agent::{AgentRole, SessionStatus},
    assessment::{Assessment, Citation, Dissent, DissentTerms, Marker},
    investigation::Investigation,
};
use protocol::fence::fence;
use serde_json::{Value, json};
use std::collections::BTreeSet;

/// Key of its prompt in the assessment.
const PROMPT: &str = "dissent";

/// Returns whether the last Analyst session ended with the assessment: an earlier process died before the transition.
pub(super) async fn is_assessed(engine: &Engine, investigation: &Investigation) -> Result<bool, StoreError> {
    if complete(engine, investigation).await?.is_none() {
        return Ok(false);
    }
    let sessions = engine.sessions.sessions(investigation.id).await?;
    let last = sessions.iter().rfind(|session| session.role == AgentRole::Analyst);
    Ok(last.is_some_and(|session| session.status == SessionStatus::Completed))
}

/// Adds the dissent to the stored assessment, where one is due. Idempotent.
pub(super) async fn add(engine: &Engine, agents: &Agents, investigation: &Investigation) -> Result<(), StoreError> {
    let Some(stored) = complete(engine, investigation).await? else { return Ok(()) };
    let mut assessment = stored.assessment;
    if !is_due(engine, investigation, &assessment) || has_failed(engine, investigation).await? {
        return Ok(());
    }
    let followed = followed_question(engine, investigation).await?;
    let (terms, opening) = assignment(engine, &assessment, followed.as_ref());
    let given = serde_json::to_value(&terms).map_err(|error| StoreError::Defect(error.to_string()))?;
    let (budget_share, share_setting) = engine.config.dissent_share(investigation.terms.depth);
    let task = SessionTask::for_investigation(AgentRole::Dissenter, investigation)
        .as_side_session(&opening, SideSession { given: &given, budget_share, share_setting });
    let (session, outcome) = run_session(engine, agents, task).await?;
    match outcome {
        SessionOutcome::Ended(Outcome::Answered { answer }) => match serde_json::from_value::<Dissent>(answer) {
            Ok(dissent) => assessment.dissent = Some(dissent.with_verdict(&terms)),
            Err(error) => tracing::warn!(%error, "dissent not readable, assessment kept without it"),
        },
        // Only a store: an unavailable model fails the session.
        SessionOutcome::Suspended(outage) => return Err(StoreError::Unavailable(outage.reason)),
        // The session has the reason.
        _ => tracing::warn!("assessment kept without a dissent"),
    }
    if assessment.dissent.is_some() && engine.models_for(investigation).model(AgentRole::Dissenter).prompt_hashes().is_none() {
        let session = engine.sessions.session(session).await?;
        let hash = session.map(|session| (PROMPT.to_owned(), session.prompt_hash));
        assessment.producer.prompts.extend(hash);
    }
    assessment.cost = investigation_cost(engine, investigation).await?;
    engine.assessments.update(&assessment).await
}

async fn complete(engine: &Engine, investigation: &Investigation) -> Result<Option<StoredAssessment>, StoreError> {
    let stored = engine.assessments.of_investigation(&investigation.scope, investigation.id).await?;
    Ok(stored.filter(|stored| !stored.is_partial))
}

/// Returns whether the assessment is to have a dissent that it does not have. Parts have none: their whole has one.
fn is_due(engine: &Engine, investigation: &Investigation, assessment: &Assessment) -> bool {
    let has_figures = assessment.body.hypotheses.iter().any(|hypothesis| hypothesis.probability.is_some());
    assessment.kind.is_assessment()
        && assessment.dissent.is_none()
        && has_figures
        && investigation.parent_id.is_none()
        && engine.config.dissent_share(investigation.terms.depth).0 > 0.0
        && engine.models_for(investigation).dissenter.is_some()
}

async fn has_failed(engine: &Engine, investigation: &Investigation) -> Result<bool, StoreError> {
    let sessions = engine.sessions.sessions(investigation.id).await?;
    let mut attempts = sessions.iter().filter(|session| session.role == AgentRole::Dissenter);
    Ok(attempts.any(|session| !matches!(session.status, SessionStatus::Running | SessionStatus::Completed)))
}

/// Returns the first message, and what the answer to it is checked against.
fn assignment(engine: &Engine, assessment: &Assessment, followed: Option<&FollowedQuestion>) -> (DissentTerms, String) {
    let citations = given_citations(assessment, engine.config.dissent.max_citations);
    let markers = citations.iter().map(|citation| citation.marker).collect();
    let terms = DissentTerms::new(assessment, markers, engine.config.dissent.max_words);
    (terms, opening(engine, assessment, followed, &citations))
}

/// Returns at most `limit` citations in their order; those of the hypotheses go before others.
fn given_citations(assessment: &Assessment, limit: usize) -> Vec<&Citation> {
    let hypotheses = assessment.body.hypotheses.iter();
    let weighed: BTreeSet<Marker> =
        hypotheses.flat_map(|hypothesis| hypothesis.supporting.iter().chain(&hypothesis.against)).copied().collect();
    let mut citations: Vec<&Citation> = assessment.citations.iter().collect();
    citations.sort_by_key(|citation| (!weighed.contains(&citation.marker), citation.marker));
    citations.truncate(limit);
    citations.sort_by_key(|citation| citation.marker);
    citations
}

/// Builds the first message: the question, then the argument, answers, citations and outlets, one JSON object per line. Citations
/// come from outside, and the others repeat them.
fn opening(engine: &Engine, assessment: &Assessment, followed: Option<&FollowedQuestion>, citations: &[&Citation]) -> String {
    let body = &assessment.body;
    let mut lines = argument_lines(assessment, followed);
    lines.push("Answers:".to_owned());
    for (question, hypotheses) in body.hypothesis_sets() {
        lines.extend(question.map(|question| json!({"question": question.id, "text": question.text}).to_string()));
        for one in hypotheses {
            let answer = json!({
                "hypothesis": one.id, "statement": one.statement, "probability": one.probability, "reasoning": one.reasoning,
                "for": one.supporting, "against": one.against, "weaknesses": one.weaknesses,
            });
            lines.push(answer.to_string());
        }
    }
    lines.push("Citations:".to_owned());
    let max_chars = engine.config.dissent.max_quote_chars;
    lines.extend(citations.iter().map(|citation| citation_line(citation, max_chars).to_string()));
    lines.push("Outlets:".to_owned());
    lines.extend(body.outlets.iter().map(|outlet| json!({"outlet": outlet.name, "notes": outlet.notes}).to_string()));
    let fenced = fence(&lines.join("\n"), &engine.ids.next().simple().to_string());
    let max_words = engine.config.dissent.max_words;
    format!("Question: {}\nMaximum words of the paragraph: {max_words}\nThe assessment:\n{fenced}", assessment.question)
}

/// Returns what the question follows, the day of the assessment, its bottom line, reasons and objection.
fn argument_lines(assessment: &Assessment, followed: Option<&FollowedQuestion>) -> Vec<String> {
    let body = &assessment.body;
    let mut lines = vec![];
    if let Some(followed) = followed {
        let earlier = followed.assessment.as_ref().map(|stored| stored.assessment.bottom_line_text());
        lines.push("Follows:".to_owned());
        lines.push(json!({"question": followed.question, "bottom_line": earlier}).to_string());
    }
    let written = assessment.created_at.map(|at| at.to_datetime().format("%Y-%m-%d").to_string());
    lines.push("Argument:".to_owned());
    lines.push(json!({"as_of": body.argument.as_of.clone().or(written), "bottom_line": body.bottom_line}).to_string());
    let reasons = body.argument.reasons.iter();
    lines.extend(reasons.map(|reason| json!({"reason": reason.text, "citations": reason.citations}).to_string()));
    let objection = body.argument.objection.iter();
    lines.extend(objection.map(|one| json!({"objection": one.text, "citations": one.citations}).to_string()));
    lines
}

/// Returns a time of publication as a day, or as exactly as it is known.
fn day_of(published: PublicationDate) -> String {
    PublicationDate { precision: published.precision.min(Precision::Day), ..published }.to_string()
}

/// One citation; the prompt says what the mark at the end of a shortened quote means.
fn citation_line(citation: &Citation, max_chars: usize) -> Value {
    let quote = match citation.quote.char_indices().nth(max_chars) {
        Some((end, _)) => format!("{}…", &citation.quote[..end]),
        None => citation.quote.clone(),
    };
    json!({
        "marker": citation.marker, "quote": quote, "claim": citation.content, "speaker": citation.speaker,
        "outlet": citation.source_name(), "published": citation.published_at.map(day_of), "attribution": citation.attribution,
        "origin": citation.origin, "is_opinion": citation.is_opinion(),
    })
}
