//! Opening of a final session without search budget.
//!
//! It gets as many claims of the graph as it can pay for, so that one call writes the assessment.

use crate::{
    Engine, StoreError,
    agents::{
        context::ToolContext,
        machine::{Finish, JudgeMode, ToolOutcome},
        offer::Ending,
        prompts::Additions,
        resources::Agents,
        spec::AgentSpec,
    },
    budget::{BudgetShare, prompt_tokens},
};
use domain::{
    agent::{AgentRole, SessionStatus},
    investigation::Investigation,
};
use protocol::model::{ModelRequest, ToolRequest};
use serde_json::json;
use std::{iter, sync::Arc};

/// Tool whose result the session is given.
const SEARCH: &str = "search_claims";
/// Maximum number of times the evidence is halved to fit.
const HALVINGS: usize = 8;

/// Returns the permitted ending of a new session.
pub(super) async fn ending(
    engine: &Engine,
    agents: &Agents,
    spec: &'static AgentSpec,
    investigation: &Investigation,
) -> Result<Ending, StoreError> {
    if spec.finish != Finish::Product || !investigation.progress.final_session {
        return Ok(Ending::Open);
    }
    // Only a cap fails such a session, so the previous final session searched without finishing.
    let synthesis = !engine.investigations.parts(investigation.id).await?.is_empty();
    let told = agents.prompts.hash_of(spec, Additions { final_session: true, synthesis }, JudgeMode::Off);
    let earlier = engine.sessions.sessions(investigation.id).await?;
    let has_searched = earlier.iter().any(|session| session.status == SessionStatus::Failed && session.prompt_hash == told);
    let share = share_of(engine, spec.role, investigation).await?;
    let may_search = !has_searched && share.holds(engine.budget.final_search_tokens).is_ok();
    Ok(if may_search { Ending::Final } else { Ending::FromRecord })
}

/// Returns whether an assessment can be written: there are claims, or reading is over. Always for roles that write none.
pub(super) async fn has_evidence(
    engine: &Engine,
    spec: &'static AgentSpec,
    ending: Ending,
    investigation: &Investigation,
) -> Result<bool, StoreError> {
    if spec.finish != Finish::Product || ending.is_final() || investigation.progress.cycle > 0 {
        return Ok(true);
    }
    let (claims, ..) = engine.graph.counts(&investigation.scope).await?;
    Ok(claims > 0)
}

/// Builds the first message of a session without search: `task` and the claims on the question. `first` is its first request
/// without them.
pub(super) async fn with_evidence(
    engine: &Engine,
    agents: &Agents,
    investigation: &Investigation,
    context: ToolContext<'_>,
    task: Arc<str>,
    first: &ModelRequest,
) -> Result<Arc<str>, StoreError> {
    let bytes_per_token = engine.budget.bytes_per_token;
    let fixed = prompt_tokens(first, bytes_per_token) + (task.len() as f64 / bytes_per_token).ceil() as u64;
    let room = evidence_chars(engine, &share_of(engine, context.role, investigation).await?, fixed);
    let context = context.offered_everything().within(room);
    let query = engine.search.query.text(&investigation.question);
    let arguments = json!({"query": &*query, "limit": engine.budget.final_claims});
    let request = ToolRequest { id: "given".into(), name: SEARCH.into(), arguments };
    let ToolOutcome { result: found, refs, .. } = agents.gateway.call(&context, &request).await?;
    // The references are stored with the opening.
    context.refs.give_again(refs);
    Ok(match found.is_error {
        true => task,
        false => format!("{task}\nClaims that the graph holds on it, found by `{SEARCH}`:\n{}", found.content).into(),
    })
}

/// Returns the budget share left for the session's calls.
async fn share_of(engine: &Engine, role: AgentRole, investigation: &Investigation) -> Result<BudgetShare, StoreError> {
    let owner = engine.accounts.user(investigation.owner).await?;
    let own = owner.map(|owner| owner.cap).unwrap_or_default();
    let model = engine.models_for(investigation).model(role).clone();
    BudgetShare::load(engine, investigation.owner, own, Some(investigation), &*model, answer_tokens(engine)).await
}

fn answer_tokens(engine: &Engine) -> u32 {
    engine.budget.final_answer_tokens.min(engine.config.max_output_tokens)
}

/// Returns the characters of evidence affordable beside a prompt of `fixed` tokens. It leaves room for a second call to correct a
/// refused draft, or else for one call.
fn evidence_chars(engine: &Engine, share: &BudgetShare, fixed: u64) -> usize {
    let answer = u64::from(answer_tokens(engine));
    let sizes = || iter::successors(Some(engine.config.max_tool_result_chars), |chars| Some(chars / 2)).take(HALVINGS);
    let tokens = |chars: usize| fixed + (chars as f64 / engine.budget.bytes_per_token).ceil() as u64;
    let twice = sizes().find(|chars| share.holds(2 * tokens(*chars) + 2 * answer).is_ok());
    let once = || sizes().find(|chars| share.holds(tokens(*chars)).is_ok());
    twice.or_else(once).or_else(|| sizes().last()).unwrap_or(0)
}
