//! Replay: a recorded session is run again, offline, by the program as it is now, and compared step by step.
//!
//! Invariant: it reads the record of sessions and nothing else. Tool results, texts of documents and the replies of models come
//! from the log; only a provider that always answers alike is asked again.

mod compare;
mod count;
mod reason;

pub use compare::{ComparedAssessment, Comparison, HypothesisChange, JudgementChange, UnmatchedCitation, compare};
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

/// What came of running one session again.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct SessionReplay {
    pub session_id: SessionId,
    pub role: AgentRole,
    pub cycle: u32,
    /// Steps recorded, and how many of them were the same again.
    pub steps: u32,
    pub same_steps: u32,
    /// What the models were asked, as far as it was the same.
    pub said: PromptTotals,
    /// The first difference.
    pub difference: Option<StepDifference>,
    /// Everything in the set-up that is not as it was, whether it made a difference or not.
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

/// Runs every session of an investigation again.
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

/// Runs one session again out of its record.
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

/// The model calls of an investigation, each with its reply, as the program asks for them now; or what the program does otherwise.
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

/// Who is given each call of a model with its recorded reply.
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
        replay.difference = Some(StepDifference::new(0, "it was recorded before sessions could be replayed", vec![]));
        return Ok(replay);
    };
    let judging = JudgeMode::enabled(setup.limits.judge_pairs > 0);
    let toolkit = SessionToolkit::new(agents, config, setup.role, setup.ending(), setup.decomposition, judging, setup.product);
    replay.changes = setup.changes(&toolkit.setup());
    let same_model = model.provider() == session.provider && model.model() == session.model;
    let asks_again = (same_model && model.is_deterministic()).then_some(model);
    let mut rerun =
        Rerun { machine: Machine::new(setup.role, toolkit.limits()), toolkit, asks_again, on_call, replay: &mut replay };
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
    /// The provider, where it always answers alike.
    asks_again: Option<&'a dyn Model>,
    on_call: OnCall<'a>,
    replay: &'a mut SessionReplay,
}

impl Rerun<'_> {
    /// One step; inside the result, whether it is the same.
    async fn step(&mut self, recorded: RecordedStep) -> StoreResult<Result<(), StepDifference>> {
        let number = self.replay.same_steps;
        let asked = self.toolkit.machine_request(&self.machine);
        if let Some((what, reasons)) = reason::explain(&recorded.asked, &asked, &self.replay.changes) {
            return Ok(Err(StepDifference::new(number, what, reasons)));
        }
        if let MachineRequest::Model { phase, .. } = asked {
            let request = self.toolkit.request(&self.machine);
            self.replay.said.add(&request);
            // A judge may be another model.
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
            let what = "what was fed in then does not fit what is asked for now";
            return Ok(Err(StepDifference::new(number, what, reason::of_code(&self.replay.changes))));
        }
        self.replay.same_steps += 1;
        Ok(Ok(()))
    }

    /// Whether it ends as it ended. What was stopped from outside has no end of its own.
    fn end(&self, recorded: SessionStatus) -> Option<StepDifference> {
        let is_whole = matches!(recorded, SessionStatus::Completed | SessionStatus::Empty);
        let now = self.machine.outcome().map(Outcome::status);
        let differs = match now {
            Some(now) => is_whole && now != recorded,
            None => recorded == SessionStatus::Completed,
        };
        let now = now.map_or("not ended", SessionStatus::as_str);
        differs.then(|| {
            let what = format!("it ended as {} and would now be {now}", recorded.as_str());
            StepDifference::new(self.replay.same_steps, what, reason::explain_limits(&self.replay.changes))
        })
    }
}

/// How a reply differs from the recorded one; none: it does not.
fn reply_difference(recorded: &ModelReply, now: &Result<ModelReply, ModelError>) -> Option<String> {
    match now {
        Err(error) => Some(format!("the provider fails where it answered: {error}")),
        Ok(now) if (&now.text, &now.tool_calls, now.stop) != (&recorded.text, &recorded.tool_calls, recorded.stop) => {
            Some("the provider answers otherwise".into())
        }
        Ok(_) => None,
    }
}
