//! Launching and stopping investigations.

use crate::{
    Engine, StoreError, StoreResult,
    budget::{BudgetShare, CapReached},
};
use domain::{
    CollectionId, InvestigationId, Scope,
    agent::AgentRole,
    event::EventKind,
    investigation::{Investigation, InvestigationKind, Progress, Trigger},
    user::User,
};

/// Request for a new investigation.
#[derive(Debug, Clone)]
pub struct NewInvestigation<'a> {
    pub id: InvestigationId,
    pub owner: &'a User,
    pub question: String,
    pub kind: InvestigationKind,
    pub trigger: Trigger,
    /// Model named for every role, if any.
    pub model: Option<String>,
    /// Scope that its agents may read.
    pub scope: Scope,
    /// Collection for captured documents; the scope must include it.
    pub collection_id: CollectionId,
}

/// Errors of launching an investigation.
#[derive(Debug, thiserror::Error)]
pub enum LaunchError {
    #[error("the question is empty: enter one, for example \"Who was behind …?\"")]
    NoQuestion,
    #[error("the question has no words: enter one, for example \"Who was behind …?\"")]
    NoWords,
    #[error("the question has {chars} characters, the maximum is {max}: shorten it and move background into a document")]
    TooLong { chars: usize, max: usize },
    /// No budget for even a final session.
    #[error("budget exhausted, the investigation was not started: {0}")]
    OverBudget(CapReached),
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Returns the cap that leaves no budget for a final session, the minimum of an investigation. Concurrent calls may still use up
/// that budget; the ledger decides on each call.
pub async fn over_budget(engine: &Engine, owner: &User, model: Option<&str>) -> StoreResult<Option<CapReached>> {
    let least = engine.budget.min_output_tokens.min(engine.config.max_output_tokens);
    let analyst = engine.models_named(model).model(AgentRole::Analyst).clone();
    Ok(BudgetShare::load(engine, owner.id, owner.cap, None, &*analyst, least).await?.holds(0).err())
}

/// Returns the trimmed question, or an error when empty, without words, or too long.
pub fn check_question(engine: &Engine, question: &str) -> Result<String, LaunchError> {
    let question = question.split_whitespace().collect::<Vec<_>>().join(" ");
    let (chars, max) = (question.chars().count(), engine.config.max_prompt_chars);
    match chars {
        0 => Err(LaunchError::NoQuestion),
        _ if !question.chars().any(char::is_alphanumeric) => Err(LaunchError::NoWords),
        _ if chars > max => Err(LaunchError::TooLong { chars, max }),
        _ => Ok(question),
    }
}

/// Stores a new investigation, which an orchestrator then runs.
pub async fn launch(engine: &Engine, new: NewInvestigation<'_>) -> Result<Investigation, LaunchError> {
    let prompt = check_question(engine, &new.question)?;
    if let Some(cap) = over_budget(engine, new.owner, new.model.as_deref()).await? {
        return Err(LaunchError::OverBudget(cap));
    }
    let id = new.id;
    let investigation = Investigation {
        id,
        owner: new.owner.id,
        prompt,
        kind: new.kind,
        trigger: new.trigger,
        model: new.model,
        parent_id: None,
        scope: new.scope,
        collection_id: new.collection_id,
        progress: Progress::default(),
        reason: None,
        suspended_at: None,
        traceparent: traceparent(id, engine.ids.next().as_u128()),
        created_at: engine.clock.now(),
        completed_at: None,
    };
    engine.investigations.add(&investigation).await?;
    Ok(investigation)
}

/// Requests an end with the present evidence, for its parts too. Idempotent, and harmless when too late.
pub async fn stop(engine: &Engine, investigation: &Investigation) -> Result<(), StoreError> {
    request_finish(engine, investigation).await?;
    // Read after storing the request: parts added later inherit it.
    for part in engine.investigations.parts(investigation.id).await? {
        request_finish(engine, &part).await?;
    }
    Ok(())
}

async fn request_finish(engine: &Engine, investigation: &Investigation) -> Result<(), StoreError> {
    if investigation.progress.status.is_terminal() {
        return Ok(());
    }
    let now = engine.clock.now();
    engine.investigations.request_finish(investigation.id, now).await?;
    engine.events.append(investigation.id, now, EventKind::FinishRequested).await?;
    Ok(())
}

/// Returns the W3C trace context of an investigation, with its id as trace id.
pub(crate) fn traceparent(id: InvestigationId, chance: u128) -> String {
    let span = (chance as u64) | 1;
    format!("00-{:032x}-{span:016x}-01", id.0.as_u128())
}
