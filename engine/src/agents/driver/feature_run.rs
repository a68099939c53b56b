//! Run of a role of a feature for an object of that feature, such as a tension or an interview.

use super::{PersonReply, SessionOutcome, SessionTask, run_session};
use crate::{
    Engine, StoreError, StoreResult,
    agents::{
        machine::{Outcome, PersonQuestion, ToolLimit},
        resources::Agents,
        toolkit::RunLimits,
    },
    budget::CapReached,
    investigations,
    reliability::Outage,
};
use domain::{
    CollectionId, InvestigationId, Scope, UserId, Word,
    agent::{AgentRole, SessionOwner},
    investigation::{Investigation, InvestigationKind, Progress, Terms, Trigger, WebAccess},
};
use protocol::model::ReplyProgress;
use serde_json::Value;
use tokio::sync::watch;
use uuid::Uuid;

/// Run of a role of a feature. Its sessions belong to an object of the feature, and to no investigation.
#[derive(Debug, Clone)]
pub struct FeatureRun {
    pub role: AgentRole,
    /// Kind of the object, such as `interview`.
    pub kind: Word,
    /// Id of the object. It has one answer per role; one that is to be worked on again needs a new id.
    pub id: Uuid,
    /// Person whose budget is used.
    pub user: UserId,
    /// Collections that the tools may read, `collection` among them.
    pub scope: Scope,
    /// Collection of the pages that are read.
    pub collection: CollectionId,
    /// Question for which results of tools are scored.
    pub question: String,
    /// First message; text from outside in it is fenced by the caller (`protocol::fence`).
    pub opening: String,
    /// Addresses that the session may open besides those that its searches list.
    pub addresses: Vec<String>,
    pub web: WebAccess,
    pub limits: RunLimits,
    /// Tools whose calls are limited on their own. A call beyond is refused; the session goes on.
    pub tool_limits: Vec<ToolLimit>,
}

/// Outcome of a run.
#[derive(Debug)]
pub enum RunOutcome {
    /// Structured answer of the last phase. A later run of the same object gives it again, without a call.
    Answered(Value),
    /// The session waits for the answer of a person.
    Waiting(PersonQuestion),
    /// A model or store is down. A later run goes on from the last step.
    Suspended(Outage),
    /// A budget cap is reached. A later run goes on from the last step.
    OutOfBudget(CapReached),
    /// The session ended without an answer. A later run begins anew.
    Failed(String),
}

/// Runs a role of a feature to its answer, or to a question to a person. The caller holds the object by a lease: two runs at once
/// would share one session. A run that was interrupted goes on from its last stored step.
pub async fn run_role(
    engine: &Engine,
    agents: &Agents,
    run: &FeatureRun,
    reply: Option<&PersonReply>,
) -> StoreResult<RunOutcome> {
    run_role_watched(engine, agents, run, reply, None).await
}

/// Runs a role as [`run_role`] does, with the progress of its replies for a person who waits.
pub async fn run_role_watched(
    engine: &Engine,
    agents: &Agents,
    run: &FeatureRun,
    reply: Option<&PersonReply>,
    progress: Option<&watch::Sender<ReplyProgress>>,
) -> StoreResult<RunOutcome> {
    if !matches!(run.role, AgentRole::Feature(_)) || !run.kind.is_valid() {
        return Err(StoreError::Defect(format!("no role or kind of a feature: {}, {}", run.role.as_str(), run.kind)));
    }
    let setting = setting(engine, run).await?;
    let task = SessionTask {
        owner: SessionOwner::Feature { kind: run.kind, id: run.id },
        opening: Some(&run.opening),
        limits: Some(run.limits),
        tool_limits: &run.tool_limits,
        reply,
        progress,
        ..SessionTask::for_investigation(run.role, &setting)
    };
    Ok(match run_session(engine, agents, task).await?.1 {
        SessionOutcome::Ended(Outcome::Answered { answer }) => RunOutcome::Answered(answer),
        SessionOutcome::Ended(Outcome::Failed { why } | Outcome::Empty { why }) => RunOutcome::Failed(why),
        SessionOutcome::Ended(other) => RunOutcome::Failed(format!("the session ended with {other:?}")),
        SessionOutcome::Waiting(question) => RunOutcome::Waiting(question),
        SessionOutcome::Suspended(outage) => RunOutcome::Suspended(outage),
        SessionOutcome::OutOfBudget(cap) | SessionOutcome::OutOfShare(cap) => RunOutcome::OutOfBudget(cap),
    })
}

/// Returns what the tools of the session find in place of an investigation.
async fn setting(engine: &Engine, run: &FeatureRun) -> StoreResult<Investigation> {
    let id = InvestigationId(run.id);
    Ok(Investigation {
        id,
        owner: run.user,
        question: run.question.clone(),
        kind: InvestigationKind::Feature,
        trigger: Trigger::default(),
        model: None,
        models: engine.model_choices().await?,
        parent_id: None,
        scope: run.scope.clone(),
        collection_id: run.collection,
        addresses: run.addresses.clone(),
        web: run.web,
        terms: Terms::default(),
        progress: Progress::default(),
        reason: None,
        suspended_at: None,
        traceparent: investigations::traceparent(id, id.0.as_u128()),
        created_at: engine.clock.now(),
        completed_at: None,
    })
}
