//! Drives one session: does the machine's I/O, stores every step before the next, and tells who watches.

use super::{
    Agents,
    machine::{Input, Machine, MachineLimits, Next, Outcome, ToolEffect, ToolOutcome},
    prompts::Prompt,
    tools::ToolContext,
};
use crate::{
    Engine, StoreError,
    models::{ModelError, ModelRequest, ToolRequest},
    sessions::{SessionEnd, StoredStep},
};
use domain::{
    SessionId,
    agent::{AgentRole, AgentSession, SessionStatus},
    event::Happening,
    investigation::Investigation,
    work_order::WorkOrder,
};
use std::sync::Arc;
use tracing::Instrument;

/// Tools that a final Analyst session is not given.
const WITHHELD_IN_FINAL: &[&str] = &["create_work_order"];

/// What a session is to do.
pub struct SessionTask<'a> {
    pub investigation: &'a Investigation,
    /// The order, for a Processor; none for the Analyst.
    pub order: Option<&'a WorkOrder>,
}

/// How a session ended for whoever started it.
#[derive(Debug)]
pub enum SessionOutcome {
    Ended(Outcome),
    /// A hard dependency is down: suspend, and go on later.
    Suspended(String),
}

impl SessionTask<'_> {
    fn role(&self) -> AgentRole {
        if self.order.is_some() { AgentRole::Processor } else { AgentRole::Analyst }
    }

    fn withheld(&self) -> &'static [&'static str] {
        if self.investigation.progress.final_session { WITHHELD_IN_FINAL } else { &[] }
    }

    /// What the agent is told first: the question, or the order.
    fn opening(&self) -> Arc<str> {
        match self.order {
            None => format!("Question: {}\nCycle: {}", self.investigation.prompt, self.investigation.progress.cycle + 1).into(),
            Some(order) => {
                let mut text = format!("Work order: {}", order.objective);
                for entity in &order.referenced_entities {
                    text += &format!("\nEntity: {entity}");
                }
                for guidance in &order.source_guidance {
                    text += &format!("\nSource guidance: {guidance}");
                }
                text.into()
            }
        }
    }
}

/// Runs a session to its end. A Processor's session that a dead worker left unfinished is rebuilt from its steps and goes on.
pub async fn run_session(
    engine: &Engine,
    agents: &Agents,
    task: SessionTask<'_>,
) -> Result<(SessionId, SessionOutcome), StoreError> {
    let mut session = Session::open(engine, agents, task).await?;
    let span = tracing::info_span!(
        "session",
        investigation_id = %session.record.investigation_id,
        work_order_id = session.record.work_order_id.map(|id| id.to_string()),
        session_id = %session.record.id,
        role = session.record.role.as_str(),
        traceparent = session.task.investigation.traceparent,
    );
    let outcome = session.run().instrument(span).await?;
    Ok((session.record.id, outcome))
}

/// A session in progress.
struct Session<'a> {
    engine: &'a Engine,
    agents: &'a Agents,
    task: SessionTask<'a>,
    prompt: Prompt,
    record: AgentSession,
    machine: Machine,
    next_step: u32,
}

impl<'a> Session<'a> {
    async fn open(engine: &'a Engine, agents: &'a Agents, task: SessionTask<'a>) -> Result<Self, StoreError> {
        let role = task.role();
        let prompt = agents.prompts.of(role, task.investigation.progress.final_session);
        let unfinished = match task.order {
            Some(order) => engine.sessions.unfinished(order.id).await?,
            None => None,
        };
        let machine = Machine::new(role, task.opening(), limits(engine, role));
        let mut session = match unfinished {
            Some(record) => Self { engine, agents, task, prompt, record, machine, next_step: 0 },
            None => {
                let record = new_record(engine, &task, &prompt);
                engine.sessions.start(&record).await?;
                Self { engine, agents, task, prompt, record, machine, next_step: 0 }
            }
        };
        session.replay().await?;
        session.announce_start().await?;
        Ok(session)
    }

    /// Feeds what the log holds; a fresh session has no log.
    async fn replay(&mut self) -> Result<(), StoreError> {
        for step in self.engine.sessions.steps(self.record.id).await? {
            let input = serde_json::from_str(&step.input).map_err(|error| StoreError::Defect(error.to_string()))?;
            self.machine.feed(input).map_err(|error| StoreError::Defect(error.to_string()))?;
            self.next_step = step.number + 1;
        }
        Ok(())
    }

    async fn announce_start(&self) -> Result<(), StoreError> {
        let happening = Happening::SessionStarted {
            session_id: self.record.id,
            role: self.record.role,
            cycle: self.record.cycle,
            work_order_id: self.record.work_order_id,
            model: format!("{} {}", self.record.provider, self.record.model),
        };
        self.engine.events.append(self.record.investigation_id, self.engine.clock.now(), happening).await?;
        Ok(())
    }

    async fn run(&mut self) -> Result<SessionOutcome, StoreError> {
        loop {
            let input = match self.machine.next().clone() {
                Next::CallModel => match self.call_model().await {
                    Ok(input) => input,
                    Err(ModelError::Unavailable { message, .. }) => return Ok(SessionOutcome::Suspended(message)),
                    Err(error) => return self.end(Outcome::Failed { why: error.to_string() }).await,
                },
                Next::CallTools(requests) => Input::Tools { results: self.call_tools(&requests).await? },
                Next::AskHuman(_) => return self.end(Outcome::Failed { why: "nobody is there to answer".into() }).await,
                Next::Done(outcome) => return self.end(outcome).await,
            };
            self.store(&input).await?;
            self.machine.feed(input).map_err(|error| StoreError::Defect(error.to_string()))?;
        }
    }

    async fn call_model(&self) -> Result<Input, ModelError> {
        let role = self.record.role;
        let request = ModelRequest {
            role,
            system: self.prompt.text.clone(),
            messages: self.machine.messages().to_vec(),
            tools: self.agents.gateway.registry().schemas(role, self.task.withheld()),
            max_output_tokens: self.engine.config.max_output_tokens,
            output_schema: None,
            progress: None,
        };
        let started = std::time::Instant::now();
        let reply = self.engine.model(role).call(&request).await;
        metrics::histogram!("autosint_model_call_seconds", "role" => role.as_str()).record(started.elapsed().as_secs_f64());
        if let Err(error) = &reply {
            metrics::counter!("autosint_model_errors_total", "role" => role.as_str()).increment(1);
            tracing::warn!(%error, "the model call failed");
        }
        Ok(Input::Reply { reply: reply? })
    }

    async fn call_tools(&self, requests: &[ToolRequest]) -> Result<Vec<ToolOutcome>, StoreError> {
        let context = ToolContext::new(
            self.engine,
            &self.agents.prompts,
            self.task.investigation,
            self.record.id,
            self.task.order,
            self.task.withheld(),
        );
        let mut outcomes: Vec<ToolOutcome> = vec![];
        for request in requests {
            let written = outcomes.iter().any(|outcome| matches!(outcome.effect, ToolEffect::AssessmentProduced(_)));
            outcomes.push(match written {
                // Nothing comes after the assessment, least of all orders.
                true => ToolOutcome::refused(&request.id, "the assessment is written: the session has ended"),
                false => self.agents.gateway.call(&context, request).await?,
            });
        }
        Ok(outcomes)
    }

    async fn store(&mut self, input: &Input) -> Result<(), StoreError> {
        let input = serde_json::to_string(input).map_err(|error| StoreError::Defect(error.to_string()))?;
        let step = StoredStep { number: self.next_step, at: self.engine.clock.now(), input };
        self.engine.sessions.append_step(self.record.id, &step).await?;
        self.next_step += 1;
        Ok(())
    }

    async fn end(&self, outcome: Outcome) -> Result<SessionOutcome, StoreError> {
        let status = match &outcome {
            Outcome::OrdersCreated | Outcome::AssessmentProduced { .. } | Outcome::Finished { .. } => SessionStatus::Completed,
            Outcome::Empty { why } => {
                tracing::warn!(why, "the session ended empty");
                SessionStatus::Empty
            }
            Outcome::Failed { why } => {
                tracing::warn!(why, "the session failed");
                SessionStatus::Failed
            }
        };
        let (at, turns, usage) = (self.engine.clock.now(), self.machine.turns(), self.machine.usage());
        let end = SessionEnd { status, turns, tokens_in: usage.tokens_in, tokens_out: usage.tokens_out, at };
        self.engine.sessions.end(self.record.id, &end).await?;
        let happening = Happening::SessionEnded { session_id: self.record.id, status, turns };
        self.engine.events.append(self.record.investigation_id, at, happening).await?;
        Ok(SessionOutcome::Ended(outcome))
    }
}

fn limits(engine: &Engine, role: AgentRole) -> MachineLimits {
    let config = &engine.config;
    let max_tool_calls = match role {
        AgentRole::Analyst => config.analyst_max_tool_calls,
        AgentRole::Processor => config.processor_max_tool_calls,
    };
    MachineLimits { max_tool_calls, max_malformed_calls: config.max_malformed_calls }
}

fn new_record(engine: &Engine, task: &SessionTask<'_>, prompt: &Prompt) -> AgentSession {
    let role = task.role();
    let model = engine.model(role);
    AgentSession {
        id: SessionId(engine.ids.next()),
        investigation_id: task.investigation.id,
        work_order_id: task.order.map(|order| order.id),
        role,
        cycle: task.order.map_or(task.investigation.progress.cycle + 1, |order| order.cycle),
        provider: model.provider().to_owned(),
        model: model.model().to_owned(),
        prompt_hash: prompt.hash.clone(),
        status: SessionStatus::Running,
        turns: 0,
        tokens_in: 0,
        tokens_out: 0,
        started_at: engine.clock.now(),
        ended_at: None,
    }
}
