//! Launching and stopping investigations.

use crate::{
    Engine, StoreError, StoreResult,
    budget::{CapReached, Share},
};
use domain::{
    CollectionId, InvestigationId, Scope,
    agent::AgentRole,
    event::EventKind,
    investigation::{Investigation, InvestigationKind, Progress, Trigger},
    user::User,
};

/// What is asked.
#[derive(Debug, Clone)]
pub struct NewInvestigation<'a> {
    pub id: InvestigationId,
    pub owner: &'a User,
    pub question: String,
    pub kind: InvestigationKind,
    pub trigger: Trigger,
    /// Who answers for every role, where the question names somebody.
    pub model: Option<String>,
    /// What its agents may read.
    pub scope: Scope,
    /// Where what it captures goes; the scope must see it.
    pub collection_id: CollectionId,
}

/// Why it was not launched.
#[derive(Debug, thiserror::Error)]
pub enum LaunchError {
    #[error("the question is empty: ask something, for example \"Who was behind …?\"")]
    NoQuestion,
    #[error("the question has no words: ask something, for example \"Who was behind …?\"")]
    NoWords,
    #[error("the question has {chars} characters, {max} are allowed: shorten it, and put background into a document")]
    TooLong { chars: usize, max: usize },
    /// Not even a final session could be held.
    #[error("the question was not asked, because no model could answer it: {0}")]
    OverBudget(CapReached),
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// The cap that leaves no room for the one call that a question needs at least, that of a final session. What runs meanwhile may still
/// take that room away: the ledger decides over every call.
pub async fn over_budget(engine: &Engine, owner: &User, model: Option<&str>) -> StoreResult<Option<CapReached>> {
    let least = engine.budget.min_output_tokens.min(engine.config.max_output_tokens);
    let analyst = engine.cast_named(model).model(AgentRole::Analyst).clone();
    Ok(Share::of(engine, owner.id, owner.cap, None, &*analyst, least).await?.holds(0).err())
}

/// A question as it is asked: trimmed, of words, and neither empty nor too long.
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

/// Stores a new investigation; an orchestrator takes it up.
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

/// Asks for an end with what there is, of the parts too. Harmless when repeated or too late.
pub async fn stop(engine: &Engine, investigation: &Investigation) -> Result<(), StoreError> {
    request_finish(engine, investigation).await?;
    // Read after the request is stored: parts that are added later inherit it.
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

/// W3C trace context of an investigation: its id is the trace id, so that the two lead to each other.
pub(crate) fn traceparent(id: InvestigationId, chance: u128) -> String {
    let span = (chance as u64) | 1;
    format!("00-{:032x}-{span:016x}-01", id.0.as_u128())
}
