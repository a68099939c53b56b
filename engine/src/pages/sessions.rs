//! How agents worked on an investigation: the list of sessions, one session step by step, and the whole of a long text in it.

mod steps;

use super::Reach;
use crate::{Engine, StoreResult};
use domain::{
    InvestigationId, SessionId, WorkOrderId,
    agent::{AgentSession, SessionStatus, SessionTally},
    budget::{CallOutcome, ModelCall, Spend},
    investigation::Investigation,
    pages::{SessionLine, SessionView, SessionsView, StepPart, StepView},
    user::User,
};
use std::collections::{BTreeMap, HashMap};

impl Engine {
    /// Page `page` (from 1) of the sessions of an investigation, when `viewer` may see all that they have read.
    pub async fn sessions_view(&self, viewer: &User, id: InvestigationId, page: u64) -> StoreResult<Option<SessionsView>> {
        let reach = self.reach(viewer).await?;
        let Some(investigation) = self.open_book(viewer, &reach, id).await? else { return Ok(None) };
        // Read before the sessions: what happens meanwhile is told again.
        let last_event = self.last_event(&investigation).await?;
        let sessions = self.sessions.sessions(id).await?;
        let book = Book { tallies: self.sessions.tallies(id).await?, spent: self.ledger.spent_by_session(id).await? };
        let objectives: HashMap<WorkOrderId, String> =
            self.work_orders.work_orders(id).await?.into_iter().map(|order| (order.id, order.objective)).collect();
        let per_page = u64::from(self.config.pages.sessions_per_page);
        let (total, page) = (sessions.len() as u64, page.max(1));
        let lines = sessions.into_iter().skip(to_usize((page - 1).saturating_mul(per_page))).take(to_usize(per_page));
        Ok(Some(SessionsView {
            investigation_id: id,
            is_sample: reach.is_sample(investigation.collection_id),
            is_over: investigation.progress.status.is_terminal(),
            lines: lines.map(|session| book.line(session, &objectives)).collect(),
            question: investigation.prompt,
            total,
            page,
            per_page,
            spent: book.spent.values().map(|(spent, _)| *spent).sum(),
            currency: self.budget.currency.clone(),
            last_event,
            now: self.clock.now(),
        }))
    }

    /// A session with page `page` (from 1) of its steps. None: the first, or the last while it runs.
    pub async fn session_view(&self, viewer: &User, id: SessionId, page: Option<u64>) -> StoreResult<Option<SessionView>> {
        let Some(session) = self.sessions.session(id).await? else { return Ok(None) };
        let reach = self.reach(viewer).await?;
        let Some(investigation) = self.open_book(viewer, &reach, session.investigation_id).await? else { return Ok(None) };
        let last_event = self.last_event(&investigation).await?;
        let objectives = match session.work_order_id {
            Some(order) => self.work_orders.work_order(order).await?.map(|order| (order.id, order.objective)),
            None => None,
        };
        let calls = self.ledger.model_calls(id).await?;
        let answers = calls.iter().filter(|call| call.outcome == CallOutcome::Answered).count();
        let spent = (calls.iter().map(|call| call.spent).sum(), u32::try_from(answers).unwrap_or(u32::MAX));
        let book = Book { tallies: self.sessions.tallies(investigation.id).await?, spent: [(id, spent)].into() };
        let line = book.line(session, &objectives.into_iter().collect());
        let per_page = u64::from(self.config.pages.steps_per_page);
        let last_page = line.tally.steps.div_ceil(per_page).max(1);
        let first_shown = if line.session.status == SessionStatus::Running { last_page } else { 1 };
        let page = page.unwrap_or(first_shown).clamp(1, last_page);
        Ok(Some(SessionView {
            question: investigation.prompt,
            is_sample: reach.is_sample(investigation.collection_id),
            is_over: investigation.progress.status.is_terminal(),
            injections: self.sessions.lures(id).await?,
            steps: self.seen_steps(id, (page - 1) * per_page, calls).await?,
            line,
            currency: self.budget.currency.clone(),
            page,
            last_page,
            last_event,
            now: self.clock.now(),
        }))
    }

    /// The whole of a part of a step.
    pub async fn session_part(&self, viewer: &User, id: SessionId, step: u32, part: StepPart) -> StoreResult<Option<String>> {
        let Some(session) = self.sessions.session(id).await? else { return Ok(None) };
        let reach = self.reach(viewer).await?;
        if self.open_book(viewer, &reach, session.investigation_id).await?.is_none() {
            return Ok(None);
        }
        let step = self.sessions.steps_from(id, step, 1).await?.into_iter().find(|stored| stored.number == step);
        Ok(step.and_then(|step| steps::part(&step, part)))
    }

    /// The investigation, when `viewer` owns it, or sees where it writes and everything that it reads: sessions quote what they read.
    async fn open_book(&self, viewer: &User, reach: &Reach, id: InvestigationId) -> StoreResult<Option<Investigation>> {
        let found = self.investigations.investigation(id).await?;
        Ok(found.filter(|found| {
            let sees_all = || found.scope.collections().iter().all(|collection| reach.scope.sees(*collection));
            found.owner == viewer.id || (reach.scope.sees(found.collection_id) && sees_all())
        }))
    }

    /// From which event on a page follows: what has ended is not followed.
    async fn last_event(&self, investigation: &Investigation) -> StoreResult<u64> {
        match investigation.progress.status.is_terminal() {
            true => Ok(0),
            false => self.events.last(investigation.id).await,
        }
    }

    async fn seen_steps(&self, session: SessionId, first: u64, spent: Vec<ModelCall>) -> StoreResult<Vec<StepView>> {
        let pages = &self.config.pages;
        let first = u32::try_from(first).unwrap_or(u32::MAX);
        // One before and one after the page: whose answers the first are, and the answers to the last calls.
        let before = u32::from(first > 0);
        let shown = before..pages.steps_per_page.saturating_add(before);
        let stored = self.sessions.steps_from(session, first - before, shown.end.saturating_add(1)).await?;
        let shown = shown.start as usize..shown.end as usize;
        let is_last = stored.len() <= shown.end;
        let calls = match (stored.first(), stored.last()) {
            (Some(from), Some(_)) if is_last => self.sessions.calls_between(session, from.at, self.clock.now()).await?,
            (Some(from), Some(to)) => self.sessions.calls_between(session, from.at, to.at).await?,
            _ => vec![],
        };
        let mut seen = steps::seen(session, &stored, calls, shown, pages.excerpt_chars);
        for call in spent {
            if let Some(step) = seen.iter_mut().find(|step| step.number == call.step) {
                step.model_calls.push(call);
            }
        }
        Ok(seen)
    }
}

/// What was recorded of the sessions of an investigation, by session.
struct Book {
    tallies: BTreeMap<SessionId, SessionTally>,
    spent: BTreeMap<SessionId, (Spend, u32)>,
}

impl Book {
    fn line(&self, session: AgentSession, objectives: &HashMap<WorkOrderId, String>) -> SessionLine {
        let (spent, answers) = self.spent.get(&session.id).copied().unwrap_or_default();
        SessionLine {
            objective: session.work_order_id.and_then(|order| objectives.get(&order).cloned()),
            tally: self.tallies.get(&session.id).copied().unwrap_or_default(),
            spent,
            answers,
            session,
        }
    }
}

fn to_usize(number: u64) -> usize {
    usize::try_from(number).unwrap_or(usize::MAX)
}
