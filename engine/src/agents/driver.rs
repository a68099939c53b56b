//! Session driver: performs the machine's I/O, stores every step before the next, and records events.

mod closing;
mod feature_run;
mod opening;
mod parts;
mod task;

pub use feature_run::{FeatureRun, RunOutcome, run_role, run_role_watched};
pub use task::{PersonReply, SessionTask, SideSession};

use super::{
    context::ToolContext,
    machine::{Finish, Input, JudgeMode, Machine, Next, Outcome, PersonQuestion, Phase, RefusedDocument, ToolOutcome},
    names,
    offer::{Decomposition, Ending},
    record::{RecordedStep, SessionSetup},
    resources::Agents,
    spec::AgentSpec,
    toolkit::SessionToolkit,
};
use crate::{
    Engine, StoreError,
    browse::BrowserGuard,
    budget::CapReached,
    events::record_event,
    library::question_key,
    models::RoleModels,
    reliability::{CallError, Caller, Outage, retry::retry_while_unavailable},
    sessions::SessionEnd,
};
use domain::{
    DocumentId, SessionId,
    agent::{AgentSession, SessionStatus},
    document::DocumentText,
    event::EventKind,
};
use protocol::{
    model::{ModelReply, ModelRequest, ToolRequest},
    pack::{Pack, Portion},
    refs::SessionRefs,
};
use std::sync::Arc;
use tracing::Instrument;

/// Outcome of a session, as its caller sees it.
#[derive(Debug)]
pub enum SessionOutcome {
    Ended(Outcome),
    /// The session asks a person and waits for the answer.
    Waiting(PersonQuestion),
    /// A hard dependency is down. The session is suspended and later resumes from its last step.
    Suspended(Outage),
    /// A budget cap is reached: finish with what there is. A session that ends in an answer later resumes from its last step.
    OutOfBudget(CapReached),
    /// A final session spent its reserved share on searching. Another session writes from the record, if affordable.
    OutOfShare(CapReached),
}

/// Runs a session to its end. A session left unfinished by a crash or an outage is rebuilt from its steps and resumed, so that
/// nothing is paid for twice.
pub async fn run_session(
    engine: &Engine,
    agents: &Agents,
    task: SessionTask<'_>,
) -> Result<(SessionId, SessionOutcome), StoreError> {
    let mut session = Session::open(engine, agents, task).await?;
    let span = tracing::error_span!(
        "session",
        investigation_id = session.record.investigation_id.map(tracing::field::display),
        work_order_id = session.record.work_order_id().map(|id| id.to_string()),
        session_id = %session.record.id,
        role = session.record.role.as_str(),
        traceparent = session.task.investigation.traceparent,
    );
    let outcome = match session.run().instrument(span).await {
        // Graph or state store: finished steps are stored, so the session waits until the store is back.
        Err(error @ StoreError::Unavailable(_)) => SessionOutcome::Suspended(Outage::without_circuit(error.to_string())),
        outcome => outcome?,
    };
    Ok((session.record.id, outcome))
}

/// Session in progress.
struct Session<'a> {
    engine: &'a Engine,
    agents: &'a Agents,
    role_models: RoleModels,
    task: SessionTask<'a>,
    toolkit: SessionToolkit<'a>,
    record: AgentSession,
    machine: Machine,
    next_step: u32,
    refs: Arc<SessionRefs>,
    /// Guard that closes the session's browser pages when dropped.
    browser: BrowserGuard,
}

impl<'a> Session<'a> {
    /// Opens the session that an earlier run left, or a new one where there is none or its steps no longer fit the role.
    async fn open(engine: &'a Engine, agents: &'a Agents, task: SessionTask<'a>) -> Result<Self, StoreError> {
        let role = task.role;
        let unknown = || StoreError::Defect(format!("this build has no role {}", role.as_str()));
        let spec = agents.spec(role).ok_or_else(unknown)?;
        let unfinished = match engine.sessions.unfinished(task.owner, role).await? {
            // The answer is kept: its caller may have been interrupted before it used it.
            None if spec.finish == Finish::Answer => engine.sessions.completed(task.owner, role).await?,
            unfinished => unfinished,
        };
        let mut session = Self::build(engine, agents, spec, task, unfinished).await?;
        if !session.replay().await? {
            if session.record.status == SessionStatus::Running {
                session.end(Outcome::Failed { why: "its steps do not fit the role as it is now".into() }).await?;
            }
            session = Self::build(engine, agents, spec, task, None).await?;
        }
        // A stored answer is only given again.
        if session.record.status == SessionStatus::Running {
            session.announce_start().await?;
        }
        Ok(session)
    }

    /// Builds the session of a record, or of a new one.
    async fn build(
        engine: &'a Engine,
        agents: &'a Agents,
        spec: &'static AgentSpec,
        task: SessionTask<'a>,
        unfinished: Option<AgentSession>,
    ) -> Result<Self, StoreError> {
        let role = task.role;
        let models = engine.models_for(task.investigation);
        let judging = JudgeMode::enabled(models.judge.is_some());
        // A resumed session keeps its original limits.
        let setup = match &unfinished {
            Some(record) => engine.sessions.setup(record.id).await?.map(|setup| SessionSetup::read(&setup)).transpose()?,
            None => None,
        };
        let ending = match &setup {
            Some(setup) => setup.ending(),
            None => closing::ending(engine, agents, spec, task.investigation).await?,
        };
        let decomposition = match &setup {
            Some(setup) => setup.decomposition,
            None => parts::decomposition(engine, spec, task.investigation, ending).await?,
        };
        let product = setup.as_ref().map_or_else(|| models.model(role).product(), |setup| setup.product);
        let web = setup.as_ref().map_or_else(|| engine.web_access(task.investigation), |setup| setup.web);
        let has_browser = setup.as_ref().map_or_else(|| engine.has_browser(), |setup| setup.has_browser);
        let offers_drafts = match &setup {
            Some(setup) => setup.offers_drafts,
            None => closing::has_evidence(engine, spec, ending, task.investigation).await?,
        };
        let toolkit = SessionToolkit::new(agents, &engine.config, spec, ending, decomposition, judging, product)
            .with_web(web, has_browser)
            .with_drafts(offers_drafts)
            .at_depth(task.investigation.terms.depth)
            .with_limits(task.limits);
        let record = match unfinished {
            Some(record) => record,
            None => {
                let record = new_record(engine, &toolkit, &models, &task);
                engine.sessions.start(&record, &toolkit.setup().stored()?).await?;
                record
            }
        };
        let limits = setup.map_or_else(|| toolkit.limits(), |setup| setup.limits);
        let machine = toolkit.machine(limits).with_tool_limits(task.tool_limits);
        let browser = BrowserGuard::new(engine, record.id);
        let refs = Arc::default();
        Ok(Self { engine, agents, role_models: models, task, toolkit, record, machine, next_step: 0, refs, browser })
    }

    /// Feeds the recorded steps to the machine; a new session has none. Returns whether they fit the role: a role of a feature may have
    /// changed since, so that an answer is no longer one of its shape.
    async fn replay(&mut self) -> Result<bool, StoreError> {
        for stored in self.engine.sessions.steps(self.record.id).await? {
            let step = RecordedStep::read(&stored)?;
            match &step.fed {
                Input::Opened { refs, .. } => self.refs.restore(refs),
                Input::Tools { results } => results.iter().for_each(|outcome| self.refs.restore(&outcome.refs)),
                _ => {}
            }
            match self.machine.feed(step.fed) {
                Ok(()) => self.next_step = stored.number + 1,
                Err(_) if self.spec().finish == Finish::Answer => return Ok(false),
                Err(error) => return Err(StoreError::Defect(error.to_string())),
            }
        }
        let has_answer = matches!(self.machine.outcome(), Some(Outcome::Answered { .. }));
        Ok(has_answer || self.record.status != SessionStatus::Completed)
    }

    fn spec(&self) -> &'static AgentSpec {
        self.toolkit.spec()
    }

    async fn announce_start(&self) -> Result<(), StoreError> {
        let event = EventKind::SessionStarted {
            session_id: self.record.id,
            role: self.record.role,
            cycle: self.record.cycle,
            work_order_id: self.record.work_order_id(),
            model: format!("{} {}", self.record.provider, self.record.model),
        };
        self.record_event(event).await
    }

    async fn run(&mut self) -> Result<SessionOutcome, StoreError> {
        if let (SessionStatus::Completed, Some(outcome)) = (self.record.status, self.machine.outcome()) {
            return Ok(SessionOutcome::Ended(outcome.clone()));
        }
        loop {
            let input = match self.machine.next().clone() {
                Next::Open => self.opening().await?,
                Next::CallModel => match self.call_model().await {
                    Ok(reply) => Input::Reply { reply },
                    Err(CallError::Store(error)) => return Err(error),
                    // The extract is written even when the judge fails.
                    Err(error) if self.machine.phase() == Phase::Judge => unjudged(&error),
                    Err(CallError::Down(outage)) if self.task.side.is_some() => {
                        return self.end(Outcome::Failed { why: outage.reason }).await;
                    }
                    Err(CallError::Down(outage)) => return Ok(SessionOutcome::Suspended(outage)),
                    Err(CallError::TooLong) => Input::TooLong,
                    Err(CallError::Rejected(why)) => return self.end(Outcome::Empty { why }).await,
                    Err(CallError::Malformed(why)) => Input::Unreadable { why },
                    // The answers of a person are kept: the session goes on when the cap allows it.
                    Err(CallError::OverBudget(cap)) if self.spec().finish == Finish::Answer && self.task.side.is_none() => {
                        return Ok(SessionOutcome::OutOfBudget(cap));
                    }
                    Err(CallError::OverBudget(cap)) => {
                        let why = self.task.side.map_or_else(|| cap.to_string(), |side| side.explain(&cap));
                        self.end(Outcome::Failed { why }).await?;
                        return Ok(match self.toolkit.ending() {
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
                Next::AskPerson(question) => match self.task.reply.filter(|reply| reply.number == question.number) {
                    Some(reply) => Input::Answered { text: reply.text.as_deref().map(Arc::from) },
                    None => return Ok(SessionOutcome::Waiting(question)),
                },
                Next::Done(outcome) => return self.end(outcome).await,
            };
            self.refuse_unasked(&input).await?;
            self.store(&input).await?;
            self.machine.feed(input).map_err(|error| StoreError::Defect(error.to_string()))?;
        }
    }

    /// Builds the first message. A session that cannot search gets the search results with it.
    async fn opening(&self) -> Result<Input, StoreError> {
        let (engine, agents, investigation) = (self.engine, self.agents, self.task.investigation);
        let mut task: Arc<str> = opening::text(engine, self.spec(), &self.task, &self.refs).await?.into();
        if self.toolkit.decomposition() == Decomposition::Done {
            task = parts::with_parts(engine, investigation, task, &self.refs).await?;
        }
        let text = match self.toolkit.ending() {
            Ending::Open | Ending::Final => task,
            Ending::FromRecord => {
                let first = self.toolkit.request(&self.machine);
                closing::with_evidence(engine, agents, investigation, self.context(), task, &first).await?
            }
        };
        let given = self.task.side.map(|side| side.given.clone());
        Ok(Input::Opened { text, refs: self.refs.take_new(), given })
    }

    /// Records and refuses tool calls in a reply for which no tools were offered.
    async fn refuse_unasked(&self, input: &Input) -> Result<(), StoreError> {
        let Input::Reply { reply } = input else { return Ok(()) };
        if !self.spec().phase(self.machine.phase()).has_tools() {
            for request in &reply.tool_calls {
                self.agents.gateway.refuse(&self.context(), request).await?;
            }
        }
        Ok(())
    }

    async fn call_model(&self) -> Result<ModelReply, CallError> {
        let (spec, investigation) = (self.spec(), self.task.investigation);
        let caller = Caller {
            user_id: investigation.owner,
            investigation_id: investigation.id,
            is_stored: investigation.stored_id().is_some(),
            parent_id: investigation.parent_id,
            session_id: self.record.id,
            step: self.next_step,
            is_final: self.task.side.is_some() || (spec.finish == Finish::Product && investigation.progress.final_session),
            depth_share: self.engine.config.at(investigation.terms.depth).budget_share,
            session_share: self.task.side.map(|side| side.budget_share),
        };
        let models = match spec.phase(self.machine.phase()).model {
            Some(role) => {
                let missing = || Outage::without_circuit(format!("no model is set up as {}", role.as_str()));
                self.role_models.chain(role).ok_or_else(|| CallError::Down(missing()))?
            }
            None => self.role_models.models(spec.role),
        };
        let progress = self.task.progress;
        let request =
            |product| ModelRequest { progress: progress.cloned(), ..self.toolkit.request_for(&self.machine, product) };
        models.call(self.engine, caller, request).await
    }

    fn context(&self) -> ToolContext<'_> {
        let (investigation, offer) = (self.task.investigation, self.toolkit.offer_of_tools());
        let (session, role, order) = (self.record.id, self.task.role, self.task.order);
        let context = ToolContext::new(self.engine, &self.agents.prompts, investigation, session, role, order, offer);
        let context = context.at_step(self.next_step).with_pack(self.machine.writable()).with_refs(self.refs.clone());
        context.after_findings(self.machine.findings_returned())
    }

    async fn call_tools(&self, requests: &[ToolRequest]) -> Result<Vec<ToolOutcome>, StoreError> {
        let context = self.context().after_messages(self.machine.messages());
        let mut outcomes: Vec<ToolOutcome> = vec![];
        for (n, request) in requests.iter().enumerate() {
            // The assessment or the parts end the session, and a question its turn: later calls are refused.
            let refused = outcomes.iter().find_map(|outcome| outcome.effect.refuses_later_calls()).map(str::to_owned);
            outcomes.push(match refused.or_else(|| self.machine.beyond_limit(&requests[n..])) {
                Some(why) => ToolOutcome::refused(&request.id, &why),
                None => self.agents.gateway.call(&context, request).await?,
            });
        }
        Ok(outcomes)
    }

    /// Reads the documents of a pack that are not yet extracted and that no other work order holds.
    async fn read_pack(&self, portion: &Portion) -> Result<Pack, StoreError> {
        let engine = self.engine;
        let question = &self.task.investigation.question;
        let extracted = engine.documents.extracted_for(&portion.documents, Some(&question_key(question))).await?;
        let mut open: Vec<DocumentId> = portion.documents.iter().copied().filter(|id| !extracted.contains(id)).collect();
        if let Some(order) = self.task.order {
            let held = engine.work_orders.hold_documents(order.id, &open).await?;
            open.retain(|id| held.contains(id));
        }
        let mut texts = engine.documents.texts(&self.task.investigation.scope, &open).await?;
        texts.retain(|text| self.task.investigation.terms.period.contains(text.document.published));
        if let Some(order) = self.task.order {
            let reading = texts.iter().map(|DocumentText { document, .. }| EventKind::Reading {
                work_order_id: order.id,
                document_id: document.id,
                title: document.title.clone(),
            });
            engine.events.append_all(self.task.investigation.id, engine.clock.now(), reading.collect()).await?;
        }
        let pack = Pack::new(&texts, portion.part, || engine.ids.next().simple().to_string());
        let begun = engine.documents.extracted(&pack.documents).await?;
        let in_full: Vec<DocumentId> = pack.documents.iter().copied().filter(|id| begun.contains(id)).collect();
        Ok(pack.with_question(question).with_full(&in_full))
    }

    async fn note_refused(&self, refused: &[RefusedDocument]) -> Result<(), StoreError> {
        for document in refused {
            let RefusedDocument { document_id, ref reason, in_part } = *document;
            tracing::warn!(%document_id, reason, in_part, "document not recorded whole");
            let (session_id, reason) = (self.record.id, reason.clone());
            self.record_event(EventKind::DocumentRefused { session_id, document_id, reason, in_part }).await?;
        }
        metrics::counter!("autosint_documents_refused_total").increment(refused.len() as u64);
        Ok(())
    }

    async fn record_event(&self, event: EventKind) -> Result<(), StoreError> {
        match self.record.investigation_id {
            Some(investigation) => record_event(self.engine, investigation, event).await,
            None => Ok(()),
        }
    }

    async fn store(&mut self, input: &Input) -> Result<(), StoreError> {
        let step = RecordedStep { asked: self.toolkit.machine_request(&self.machine), fed: input.clone() };
        let stored = step.stored(self.next_step, self.engine.clock.now())?;
        // The reply is paid for, so keep trying while the store is unavailable.
        let (sessions, pause_ms) = (&self.engine.sessions, self.engine.config.worker_pause_ms);
        retry_while_unavailable(pause_ms, || sessions.append_step(self.record.id, &stored)).await?;
        self.next_step += 1;
        Ok(())
    }

    async fn end(&mut self, outcome: Outcome) -> Result<SessionOutcome, StoreError> {
        self.browser.close().await;
        let status = outcome.status();
        if let Outcome::Empty { why } | Outcome::Failed { why } = &outcome {
            tracing::warn!(why, status = status.as_str(), "session failed");
        }
        let (at, turns, usage) = (self.engine.clock.now(), self.machine.turns(), self.machine.usage());
        let reason = match &outcome {
            Outcome::Empty { why } | Outcome::Failed { why } => Some(why.clone()),
            _ => None,
        };
        let (tokens_in, tokens_out) = (usage.tokens_in, usage.tokens_out);
        let end = SessionEnd { status, reason, turns, tokens_in, tokens_out, at };
        // Only this process knows the outcome, so keep trying while the store is unavailable.
        let (sessions, pause_ms) = (&self.engine.sessions, self.engine.config.worker_pause_ms);
        retry_while_unavailable(pause_ms, || sessions.end(self.record.id, &end)).await?;
        let role = self.record.role.as_str();
        metrics::counter!("autosint_sessions_ended_total", "role" => role, "status" => status.as_str()).increment(1);
        metrics::histogram!("autosint_session_turns", "role" => role).record(f64::from(turns));
        self.record_event(EventKind::SessionEnded { session_id: self.record.id, status, turns }).await?;
        Ok(SessionOutcome::Ended(outcome))
    }
}

fn unjudged(error: &CallError) -> Input {
    let why = error.to_string();
    tracing::warn!(why, "name verdicts unavailable, probable matches go to review");
    Input::Unjudged { why }
}

fn new_record(engine: &Engine, toolkit: &SessionToolkit<'_>, models: &RoleModels, task: &SessionTask<'_>) -> AgentSession {
    let role = task.role;
    let model = models.model(role);
    AgentSession {
        id: SessionId(engine.ids.next()),
        owner: task.owner,
        investigation_id: task.investigation.stored_id(),
        role,
        cycle: task.order.map_or(task.investigation.progress.cycle + 1, |order| order.cycle),
        provider: model.provider().to_owned(),
        model: model.model().to_owned(),
        prompt_hash: toolkit.prompt_hash(),
        status: SessionStatus::Running,
        reason: None,
        turns: 0,
        tokens_in: 0,
        tokens_out: 0,
        started_at: engine.clock.now(),
        ended_at: None,
    }
}
