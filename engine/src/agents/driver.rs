//! Drives one session: does the machine's I/O, stores every step before the next, and tells who watches.

mod closing;
mod opening;
mod parts;

use super::{
    Agents, Decomposition, Desk, Ending,
    machine::{Input, Judging, Machine, Next, Outcome, Phase, RefusedDocument, ToolOutcome},
    names,
    record::{Setup, Step},
    tools::ToolContext,
};
use crate::{
    Engine, StoreError,
    browse::Leaving,
    budget::CapReached,
    events::say,
    models::Cast,
    reliability::{CallError, Caller, Outage, retry::outlast},
    sessions::SessionEnd,
};
use domain::{
    DocumentId, SessionId,
    agent::{AgentRole, AgentSession, SessionStatus},
    document::DocumentText,
    event::EventKind,
    investigation::Investigation,
    work_order::WorkOrder,
};
use protocol::{
    model::{ModelReply, ToolRequest},
    pack::{Pack, Portion},
    refs::SessionRefs,
};
use std::sync::Arc;
use tracing::Instrument;

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
    /// A hard dependency is down: suspend, and run it again later, when it goes on from its last step.
    Suspended(Outage),
    /// A budget is used up: write with what there is.
    OutOfBudget(CapReached),
    /// A final session has used up what was kept for it by searching: another writes from what is there, if that can be paid.
    OutOfShare(CapReached),
}

impl SessionTask<'_> {
    fn role(&self) -> AgentRole {
        if self.order.is_some() { AgentRole::Processor } else { AgentRole::Analyst }
    }
}

/// Runs a session to its end. One that was left unfinished, by a process that died or for want of a model, is rebuilt from its steps and
/// goes on: what was paid for is not paid for again.
pub async fn run_session(
    engine: &Engine,
    agents: &Agents,
    task: SessionTask<'_>,
) -> Result<(SessionId, SessionOutcome), StoreError> {
    let mut session = Session::open(engine, agents, task).await?;
    let span = tracing::error_span!(
        "session",
        investigation_id = %session.record.investigation_id,
        work_order_id = session.record.work_order_id.map(|id| id.to_string()),
        session_id = %session.record.id,
        role = session.record.role.as_str(),
        traceparent = session.task.investigation.traceparent,
    );
    let outcome = match session.run().instrument(span).await {
        // The graph, or the state: what was done is stored, and nothing is gained by doing it again before the store is back.
        Err(error @ StoreError::Unavailable(_)) => SessionOutcome::Suspended(Outage::of(error.to_string())),
        outcome => outcome?,
    };
    Ok((session.record.id, outcome))
}

/// A session in progress.
struct Session<'a> {
    engine: &'a Engine,
    agents: &'a Agents,
    cast: Cast,
    task: SessionTask<'a>,
    desk: Desk<'a>,
    record: AgentSession,
    machine: Machine,
    next_step: u32,
    refs: Arc<SessionRefs>,
    /// What is open in the browser is closed when the session is left, however it is.
    leaving: Leaving,
}

impl<'a> Session<'a> {
    async fn open(engine: &'a Engine, agents: &'a Agents, task: SessionTask<'a>) -> Result<Self, StoreError> {
        let role = task.role();
        let cast = engine.cast_of(task.investigation);
        let judging = Judging::by(cast.judge.is_some());
        let order = task.order.map(|order| order.id);
        let unfinished = engine.sessions.unfinished(task.investigation.id, order).await?;
        // A session goes on under the limits that it began with.
        let setup = match &unfinished {
            Some(record) => engine.sessions.setup(record.id).await?.map(|setup| Setup::read(&setup)).transpose()?,
            None => None,
        };
        let ending = match &setup {
            Some(setup) => setup.ending(),
            None => closing::ending(engine, agents, role, task.investigation).await?,
        };
        let decomposition = match &setup {
            Some(setup) => setup.decomposition,
            None => parts::decomposition(engine, role, task.investigation, ending).await?,
        };
        let product = setup.as_ref().map_or_else(|| cast.model(role).product(), |setup| setup.product);
        let desk = Desk::new(agents, &engine.config, role, ending, decomposition, judging, product);
        let record = match unfinished {
            Some(record) => record,
            None => {
                let record = new_record(engine, &desk, &cast, &task);
                engine.sessions.start(&record, &desk.setup().stored()?).await?;
                record
            }
        };
        let limits = setup.map_or_else(|| desk.limits(), |setup| setup.limits);
        let machine = Machine::new(role, limits);
        let leaving = Leaving::of(engine, record.id);
        let refs = Arc::default();
        let mut session = Self { engine, agents, cast, task, desk, record, machine, next_step: 0, refs, leaving };
        session.replay().await?;
        session.announce_start().await?;
        Ok(session)
    }

    /// Feeds what the log holds; a fresh session has no log.
    async fn replay(&mut self) -> Result<(), StoreError> {
        for stored in self.engine.sessions.steps(self.record.id).await? {
            let step = Step::read(&stored)?;
            match &step.fed {
                Input::Opened { refs, .. } => self.refs.restore(refs),
                Input::Tools { results } => results.iter().for_each(|outcome| self.refs.restore(&outcome.refs)),
                _ => {}
            }
            self.machine.feed(step.fed).map_err(|error| StoreError::Defect(error.to_string()))?;
            self.next_step = stored.number + 1;
        }
        Ok(())
    }

    async fn announce_start(&self) -> Result<(), StoreError> {
        let happening = EventKind::SessionStarted {
            session_id: self.record.id,
            role: self.record.role,
            cycle: self.record.cycle,
            work_order_id: self.record.work_order_id,
            model: format!("{} {}", self.record.provider, self.record.model),
        };
        self.tell(happening).await
    }

    async fn run(&mut self) -> Result<SessionOutcome, StoreError> {
        loop {
            let input = match self.machine.next().clone() {
                Next::Open => self.opening().await?,
                Next::CallModel => match self.call_model().await {
                    Ok(reply) => Input::Reply { reply },
                    Err(CallError::Store(error)) => return Err(error),
                    // What is extracted is written all the same, before anything else comes of it.
                    Err(error) if self.machine.phase() == Phase::Judge => unjudged(&error),
                    Err(CallError::Down(outage)) => return Ok(SessionOutcome::Suspended(outage)),
                    Err(CallError::TooLong) => Input::TooLong,
                    Err(CallError::Rejected(why)) => return self.end(Outcome::Empty { why }).await,
                    Err(CallError::Malformed(why)) => Input::Unreadable { why },
                    Err(CallError::OverBudget(cap)) => {
                        self.end(Outcome::Failed { why: cap.to_string() }).await?;
                        return Ok(match self.desk.ending() {
                            Ending::Final => SessionOutcome::OutOfShare(cap),
                            Ending::Open | Ending::FromRecord => SessionOutcome::OutOfBudget(cap),
                        });
                    }
                },
                Next::CallTools(requests) => Input::Tools { results: self.call_tools(&requests).await? },
                Next::ReadPack(portion) => Input::Pack { pack: self.read_pack(&portion).await? },
                Next::FindPairs(extract) => Input::Pairs { pairs: names::find(&self.context(), &extract).await? },
                Next::NoteRefused(refused) => {
                    self.note_refused(&refused).await?;
                    Input::Noted
                }
                Next::AskHuman(_) => return self.end(Outcome::Failed { why: "nobody is there to answer".into() }).await,
                Next::Done(outcome) => return self.end(outcome).await,
            };
            self.refuse_unasked(&input).await?;
            self.store(&input).await?;
            self.machine.feed(input).map_err(|error| StoreError::Defect(error.to_string()))?;
        }
    }

    /// What the agent is told first; where it cannot search, with what it would have found.
    async fn opening(&self) -> Result<Input, StoreError> {
        let (engine, agents, investigation) = (self.engine, self.agents, self.task.investigation);
        let mut task: Arc<str> = opening::text(engine, &self.task, &self.refs).await?.into();
        if self.desk.decomposition() == Decomposition::Done {
            task = parts::with_parts(engine, investigation, task, &self.refs).await?;
        }
        let text = match self.desk.ending() {
            Ending::Open | Ending::Final => task,
            Ending::FromRecord => {
                let first = self.desk.request(&self.machine);
                closing::with_evidence(engine, agents, investigation, self.context(), task, &first).await?
            }
        };
        Ok(Input::Opened { text, refs: self.refs.take_new() })
    }

    /// Where no tools are offered none runs, whatever a reply asks for; that it asked is on record.
    async fn refuse_unasked(&self, input: &Input) -> Result<(), StoreError> {
        let Input::Reply { reply } = input else { return Ok(()) };
        if matches!(self.machine.phase(), Phase::Plan | Phase::Extract | Phase::Judge) {
            for request in &reply.tool_calls {
                self.agents.gateway.refuse(&self.context(), request).await?;
            }
        }
        Ok(())
    }

    async fn call_model(&self) -> Result<ModelReply, CallError> {
        let role = self.record.role;
        let investigation = self.task.investigation;
        let caller = Caller {
            user_id: investigation.owner,
            investigation_id: investigation.id,
            parent_id: investigation.parent_id,
            session_id: self.record.id,
            step: self.next_step,
            is_final: role == AgentRole::Analyst && investigation.progress.final_session,
        };
        let models = match self.machine.phase() {
            Phase::Judge => {
                let judge = self.cast.judge.as_ref();
                judge.ok_or_else(|| CallError::Down(Outage::of("no model is set up to judge names")))?
            }
            _ => self.cast.models(role),
        };
        models.call(self.engine, caller, |product| self.desk.request_for(&self.machine, product)).await
    }

    fn context(&self) -> ToolContext<'_> {
        let (investigation, offer) = (self.task.investigation, self.desk.offer_of_tools());
        let context = ToolContext::new(self.engine, self.agents, investigation, self.record.id, self.task.order, offer);
        let context = context.at_step(self.next_step).with_pack(self.machine.writable()).with_refs(self.refs.clone());
        context.after_findings(self.machine.findings_returned())
    }

    async fn call_tools(&self, requests: &[ToolRequest]) -> Result<Vec<ToolOutcome>, StoreError> {
        let context = self.context();
        let mut outcomes: Vec<ToolOutcome> = vec![];
        for request in requests {
            let has_ended = outcomes.iter().any(|outcome| outcome.effect.ends_session());
            outcomes.push(match has_ended {
                // Nothing comes after the assessment or the parts, least of all orders.
                true => ToolOutcome::refused(&request.id, "the session has ended with the call before"),
                false => self.agents.gateway.call(&context, request).await?,
            });
        }
        Ok(outcomes)
    }

    /// Puts those of the documents side by side that nobody has extracted meanwhile, and that no other order is reading.
    async fn read_pack(&self, portion: &Portion) -> Result<Pack, StoreError> {
        let engine = self.engine;
        let extracted = engine.documents.extracted(&portion.documents).await?;
        let mut open: Vec<DocumentId> = portion.documents.iter().copied().filter(|id| !extracted.contains(id)).collect();
        if let Some(order) = self.task.order {
            let held = engine.work_orders.hold_documents(order.id, &open).await?;
            open.retain(|id| held.contains(id));
        }
        let texts = engine.documents.texts(&self.task.investigation.scope, &open).await?;
        if let Some(order) = self.task.order {
            let reading = texts.iter().map(|DocumentText { document, .. }| EventKind::Reading {
                work_order_id: order.id,
                document_id: document.id,
                title: document.title.clone(),
            });
            engine.events.append_all(self.record.investigation_id, engine.clock.now(), reading.collect()).await?;
        }
        Ok(Pack::new(&texts, portion.part, || engine.ids.next().simple().to_string()))
    }

    async fn note_refused(&self, refused: &[RefusedDocument]) -> Result<(), StoreError> {
        for document in refused {
            tracing::warn!(document_id = %document.document_id, reason = document.reason, "a document could not be recorded");
            let (document_id, reason) = (document.document_id, document.reason.clone());
            self.tell(EventKind::DocumentRefused { session_id: self.record.id, document_id, reason }).await?;
        }
        metrics::counter!("autosint_documents_refused_total").increment(refused.len() as u64);
        Ok(())
    }

    async fn tell(&self, happening: EventKind) -> Result<(), StoreError> {
        say(self.engine, self.record.investigation_id, happening).await
    }

    async fn store(&mut self, input: &Input) -> Result<(), StoreError> {
        let step = Step { asked: self.desk.asked(&self.machine), fed: input.clone() };
        let stored = step.stored(self.next_step, self.engine.clock.now())?;
        // A reply is paid for: it is not lost because the store could not be reached for a moment.
        let (sessions, pause_ms) = (&self.engine.sessions, self.engine.config.worker_pause_ms);
        outlast(pause_ms, || sessions.append_step(self.record.id, &stored)).await?;
        self.next_step += 1;
        Ok(())
    }

    async fn end(&mut self, outcome: Outcome) -> Result<SessionOutcome, StoreError> {
        self.leaving.leave().await;
        let status = outcome.status();
        if let Outcome::Empty { why } | Outcome::Failed { why } = &outcome {
            tracing::warn!(why, status = status.as_str(), "the session did not do what it was for");
        }
        let (at, turns, usage) = (self.engine.clock.now(), self.machine.turns(), self.machine.usage());
        let reason = match &outcome {
            Outcome::Empty { why } | Outcome::Failed { why } => Some(why.clone()),
            _ => None,
        };
        let (tokens_in, tokens_out) = (usage.tokens_in, usage.tokens_out);
        let end = SessionEnd { status, reason, turns, tokens_in, tokens_out, at };
        // What it came to is known to whoever called only: it is not lost because its end could not be told.
        let (sessions, pause_ms) = (&self.engine.sessions, self.engine.config.worker_pause_ms);
        outlast(pause_ms, || sessions.end(self.record.id, &end)).await?;
        let role = self.record.role.as_str();
        metrics::counter!("autosint_sessions_ended_total", "role" => role, "status" => status.as_str()).increment(1);
        metrics::histogram!("autosint_session_turns", "role" => role).record(f64::from(turns));
        self.tell(EventKind::SessionEnded { session_id: self.record.id, status, turns }).await?;
        Ok(SessionOutcome::Ended(outcome))
    }
}

fn unjudged(error: &CallError) -> Input {
    let why = error.to_string();
    tracing::warn!(why, "names that are probably known go to the review list");
    Input::Unjudged { why }
}

fn new_record(engine: &Engine, desk: &Desk<'_>, cast: &Cast, task: &SessionTask<'_>) -> AgentSession {
    let role = task.role();
    let model = cast.model(role);
    AgentSession {
        id: SessionId(engine.ids.next()),
        investigation_id: task.investigation.id,
        work_order_id: task.order.map(|order| order.id),
        role,
        cycle: task.order.map_or(task.investigation.progress.cycle + 1, |order| order.cycle),
        provider: model.provider().to_owned(),
        model: model.model().to_owned(),
        prompt_hash: desk.prompt_hash(),
        status: SessionStatus::Running,
        reason: None,
        turns: 0,
        tokens_in: 0,
        tokens_out: 0,
        started_at: engine.clock.now(),
        ended_at: None,
    }
}
