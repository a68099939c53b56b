//! Replay: runs a recorded session offline with the current program and compares it step by step.
//!
//! Invariant: only session records are read. Tool results, texts and model replies come from the log; only deterministic
//! providers are called again.

mod count;
mod reason;

pub use count::PromptTotals;
pub use reason::{Reason, StepDifference};

use crate::{
    Engine, EngineConfig, StoreResult,
    agents::{
        Agents, SessionToolkit,
        machine::{Input, JudgeMode, Machine, Outcome, Phase},
        record::{MachineRequest, RecordedStep, SessionSetup, SetupChange},
    },
    sessions::StoredStep,
};
use domain::{
    InvestigationId, SessionId,
    agent::{AgentRole, AgentSession, SessionStatus},
    investigation::Investigation,
};
use protocol::model::{Model, ModelError, ModelReply, ModelRequest};
use serde::Serialize;

/// Result of replaying one session.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct SessionReplay {
    pub session_id: SessionId,
    pub role: AgentRole,
    pub cycle: u32,
    /// Number of recorded steps, and of identical ones.
    pub steps: u32,
    pub same_steps: u32,
    /// Totals of identical prompts.
    pub said: PromptTotals,
    /// First difference.
    pub difference: Option<StepDifference>,
    /// All differences of the setup, relevant or not.
    pub changes: Vec<SetupChange>,
}

impl SessionReplay {
    fn new(session: &AgentSession, steps: usize) -> Self {
        Self {
            session_id: session.id,
            role: session.role,
            cycle: session.cycle,
            steps: u32::try_from(steps).unwrap_or(u32::MAX),
            same_steps: 0,
            said: PromptTotals::default(),
            difference: None,
            changes: vec![],
        }
    }
}

/// Replays every session of an investigation.
pub async fn replay(engine: &Engine, agents: &Agents, investigation: InvestigationId) -> StoreResult<Vec<SessionReplay>> {
    let mut replays = vec![];
    let recorded = engine.investigations.investigation(investigation).await?;
    let models = recorded.map_or_else(|| engine.role_models.clone(), |recorded| engine.models_for(&recorded));
    for session in engine.sessions.sessions(investigation).await? {
        let setup = engine.sessions.setup(session.id).await?;
        let steps = engine.sessions.steps(session.id).await?;
        let setup = setup.map(|setup| SessionSetup::read(&setup)).transpose()?;
        let model = models.model(session.role);
        replays.push(replay_session(agents, &engine.config, &**model, &session, setup.as_ref(), &steps).await?);
    }
    Ok(replays)
}

/// Replays one session from its record.
pub async fn replay_session(
    agents: &Agents,
    config: &EngineConfig,
    model: &dyn Model,
    session: &AgentSession,
    setup: Option<&SessionSetup>,
    steps: &[StoredStep],
) -> StoreResult<SessionReplay> {
    rerun_session(agents, config, model, session, setup, steps, &mut |_, _| {}).await
}

/// Returns the model calls of an investigation as the current program builds them, with recorded replies; or the first
/// difference.
pub async fn model_calls(
    engine: &Engine,
    agents: &Agents,
    investigation: &Investigation,
) -> StoreResult<Result<Vec<(ModelRequest, ModelReply)>, StepDifference>> {
    let (models, mut calls) = (engine.models_for(investigation), vec![]);
    for session in engine.sessions.sessions(investigation.id).await? {
        let setup = engine.sessions.setup(session.id).await?.map(|setup| SessionSetup::read(&setup)).transpose()?;
        let steps = engine.sessions.steps(session.id).await?;
        let mut collect = |request: ModelRequest, reply: &ModelReply| calls.push((request, reply.clone()));
        let model = models.model(session.role);
        let replayed = rerun_session(agents, &engine.config, &**model, &session, setup.as_ref(), &steps, &mut collect).await?;
        if let Some(difference) = replayed.difference {
            return Ok(Err(difference));
        }
    }
    Ok(Ok(calls))
}

/// Callback for each model call and its recorded reply.
type OnCall<'a> = &'a mut (dyn FnMut(ModelRequest, &ModelReply) + Send);

async fn rerun_session(
    agents: &Agents,
    config: &EngineConfig,
    model: &dyn Model,
    session: &AgentSession,
    setup: Option<&SessionSetup>,
    steps: &[StoredStep],
    on_call: OnCall<'_>,
) -> StoreResult<SessionReplay> {
    let mut replay = SessionReplay::new(session, steps.len());
    let Some(setup) = setup else {
        replay.difference = Some(StepDifference::new(0, "the session has no recorded setup, so it cannot be replayed", vec![]));
        return Ok(replay);
    };
    let judging = JudgeMode::enabled(setup.limits.judge_pairs > 0);
    let Some(spec) = agents.spec(setup.role) else {
        replay.difference = Some(StepDifference::new(0, "the role of the session is unknown to this build", vec![]));
        return Ok(replay);
    };
    let toolkit = SessionToolkit::new(agents, config, spec, setup.ending(), setup.decomposition, judging, setup.product)
        .with_web(setup.web, setup.has_browser)
        .with_drafts(setup.offers_drafts);
    replay.changes = setup.changes(&toolkit.setup());
    let same_model = model.provider() == session.provider && model.model() == session.model;
    let asks_again = (same_model && model.is_deterministic()).then_some(model);
    let mut rerun = Rerun { machine: toolkit.machine(toolkit.limits()), toolkit, asks_again, on_call, replay: &mut replay };
    for step in steps {
        if let Err(difference) = rerun.step(RecordedStep::read(step)?).await? {
            replay.difference = Some(difference);
            return Ok(replay);
        }
    }
    let difference = rerun.end(session.status);
    replay.difference = difference;
    Ok(replay)
}

struct Rerun<'a> {
    machine: Machine,
    toolkit: SessionToolkit<'a>,
    /// Provider, if deterministic.
    asks_again: Option<&'a dyn Model>,
    on_call: OnCall<'a>,
    replay: &'a mut SessionReplay,
}

impl Rerun<'_> {
    /// Replays one step and returns whether it is identical.
    async fn step(&mut self, recorded: RecordedStep) -> StoreResult<Result<(), StepDifference>> {
        let number = self.replay.same_steps;
        let asked = self.toolkit.machine_request(&self.machine);
        if let Some((what, reasons)) = reason::explain(&recorded.asked, &asked, &self.replay.changes) {
            return Ok(Err(StepDifference::new(number, what, reasons)));
        }
        if let MachineRequest::Model { phase, .. } = asked {
            let request = self.toolkit.request(&self.machine);
            self.replay.said.add(&request);
            // The judge may be another model.
            let asks_again = self.asks_again.filter(|_| phase != Phase::Judge);
            if let (Some(model), Input::Reply { reply }) = (asks_again, &recorded.fed)
                && let Some(what) = reply_difference(reply, &model.call(&request).await)
            {
                return Ok(Err(StepDifference::new(number, what, reason::of_code(&self.replay.changes))));
            }
            if let Input::Reply { reply } = &recorded.fed {
                (self.on_call)(request, reply);
            }
        }
        if self.machine.feed(recorded.fed).is_err() {
            let what = "the recorded input does not match the current request";
            return Ok(Err(StepDifference::new(number, what, reason::of_code(&self.replay.changes))));
        }
        self.replay.same_steps += 1;
        Ok(Ok(()))
    }

    /// Compares the endings. A session stopped from outside has none.
    fn end(&self, recorded: SessionStatus) -> Option<StepDifference> {
        let is_whole = matches!(recorded, SessionStatus::Completed | SessionStatus::Empty);
        let now = self.machine.outcome().map(Outcome::status);
        let differs = match now {
            Some(now) => is_whole && now != recorded,
            None => recorded == SessionStatus::Completed,
        };
        let now = now.map_or("not ended", SessionStatus::as_str);
        differs.then(|| {
            let what = format!("recorded end: {}, current end: {now}", recorded.as_str());
            StepDifference::new(self.replay.same_steps, what, reason::explain_limits(&self.replay.changes))
        })
    }
}

/// Returns how a reply differs from the recorded one, if at all.
fn reply_difference(recorded: &ModelReply, now: &Result<ModelReply, ModelError>) -> Option<String> {
    match now {
        Err(error) => Some(format!("the provider failed: {error}")),
        Ok(now) if (&now.text, &now.tool_calls, now.stop) != (&recorded.text, &recorded.tool_calls, recorded.stop) => {
            Some("the provider's answer differs".into())
        }
        Ok(_) => None,
    }
}
