//! View models of agent sessions: list, steps of a session, and whole texts of a step.

mod steps;

use crate::{Engine, StoreResult};
use domain::{
    InvestigationId, SessionId, WorkOrderId,
    agent::{AgentSession, SessionStatus, SessionTally},
    budget::{CallOutcome, ModelCall, Spend},
    investigation::Investigation,
    user::User,
};
use std::collections::{BTreeMap, HashMap};
use views::{SessionLine, SessionView, SessionsView, StepPart, StepView};

impl Engine {
    /// Returns page `page` (from 1) of the sessions of an investigation, if `viewer` may see all they read.
    pub async fn sessions_view(&self, viewer: &User, id: InvestigationId, page: u64) -> StoreResult<Option<SessionsView>> {
        let visible = self.visible(viewer).await?;
        let Some(investigation) = self.visible_investigation(viewer, &visible.scope, id).await? else { return Ok(None) };
        // Read before the sessions, so that later changes arrive as events.
        let last_event = self.last_event(&investigation).await?;
        let prices_known = self.prices_known(&investigation);
        let sessions = self.sessions.sessions(id).await?;
        let records =
            SessionRecords { tallies: self.sessions.tallies(id).await?, spent: self.ledger.spent_by_session(id).await? };
        let objectives: HashMap<WorkOrderId, String> =
            self.work_orders.work_orders(id).await?.into_iter().map(|order| (order.id, order.objective)).collect();
        let per_page = u64::from(self.config.pages.sessions_per_page);
        let (total, page) = (sessions.len() as u64, page.max(1));
        let lines = sessions.into_iter().skip(to_usize((page - 1).saturating_mul(per_page))).take(to_usize(per_page));
        Ok(Some(SessionsView {
            investigation_id: id,
            is_sample: visible.is_sample(investigation.collection_id),
            is_over: investigation.progress.status.is_terminal(),
            lines: lines.map(|session| records.line(session, &objectives)).collect(),
            question: investigation.question,
            total,
            page,
            per_page,
            spent: records.spent.values().map(|(spent, _)| *spent).sum(),
            currency: self.budget.currency.clone(),
            prices_known,
            last_event,
            now: self.clock.now(),
        }))
    }

    /// Returns a session with page `page` (from 1) of its steps. None: the first page, or the last while it runs.
    pub async fn session_view(&self, viewer: &User, id: SessionId, page: Option<u64>) -> StoreResult<Option<SessionView>> {
        let Some(session) = self.sessions.session(id).await? else { return Ok(None) };
        let Some(investigation_id) = session.investigation_id else { return Ok(None) };
        let visible = self.visible(viewer).await?;
        let Some(investigation) = self.visible_investigation(viewer, &visible.scope, investigation_id).await? else {
            return Ok(None);
        };
        let last_event = self.last_event(&investigation).await?;
        let prices_known = self.prices_known(&investigation);
        let objectives = match session.work_order_id() {
            Some(order) => self.work_orders.work_order(order).await?.map(|order| (order.id, order.objective)),
            None => None,
        };
        let calls = self.ledger.model_calls(id).await?;
        let answers = calls.iter().filter(|call| call.outcome == CallOutcome::Answered).count();
        let spent = (calls.iter().map(|call| call.spent).sum(), u32::try_from(answers).unwrap_or(u32::MAX));
        let records = SessionRecords { tallies: self.sessions.tallies(investigation.id).await?, spent: [(id, spent)].into() };
        let line = records.line(session, &objectives.into_iter().collect());
        let per_page = u64::from(self.config.pages.steps_per_page);
        let last_page = line.tally.steps.div_ceil(per_page).max(1);
        let first_shown = if line.session.status == SessionStatus::Running { last_page } else { 1 };
        let page = page.unwrap_or(first_shown).clamp(1, last_page);
        Ok(Some(SessionView {
            investigation_id,
            question: investigation.question,
            is_sample: visible.is_sample(investigation.collection_id),
            is_over: investigation.progress.status.is_terminal(),
            injections: self.sessions.injections(id).await?,
            steps: self.seen_steps(id, (page - 1) * per_page, calls).await?,
            line,
            currency: self.budget.currency.clone(),
            prices_known,
            page,
            last_page,
            last_event,
            now: self.clock.now(),
        }))
    }

    /// Returns a whole text of a step.
    pub async fn session_part(&self, viewer: &User, id: SessionId, step: u32, part: StepPart) -> StoreResult<Option<String>> {
        let Some(session) = self.sessions.session(id).await? else { return Ok(None) };
        let Some(investigation_id) = session.investigation_id else { return Ok(None) };
        let visible = self.visible(viewer).await?;
        if self.visible_investigation(viewer, &visible.scope, investigation_id).await?.is_none() {
            return Ok(None);
        }
        let step = self.sessions.steps_from(id, step, 1).await?.into_iter().find(|stored| stored.number == step);
        let Some(step) = step else { return Ok(None) };
        if let StepPart::Raw(at) = part {
            let calls = self.sessions.calls_between(id, session.started_at, step.at).await?;
            return Ok(steps::raw_result(&step, at, calls));
        }
        Ok(steps::part(&step, part))
    }

    /// Returns the event from which a page follows; none when it has ended.
    async fn last_event(&self, investigation: &Investigation) -> StoreResult<u64> {
        match investigation.progress.status.is_terminal() {
            true => Ok(0),
            false => self.events.last(investigation.id).await,
        }
    }

    async fn seen_steps(&self, session: SessionId, first: u64, spent: Vec<ModelCall>) -> StoreResult<Vec<StepView>> {
        let pages = &self.config.pages;
        let first = u32::try_from(first).unwrap_or(u32::MAX);
        // One step before and after the page: the caller of the first answers, and the answers of the last calls.
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
        let mut seen = steps::render(session, &stored, calls, shown, pages.excerpt_chars);
        for call in spent {
            if let Some(step) = seen.iter_mut().find(|step| step.number == call.step) {
                step.model_calls.push(call);
            }
        }
        Ok(seen)
    }
}

/// Records of an investigation's sessions, by session.
struct SessionRecords {
    tallies: BTreeMap<SessionId, SessionTally>,
    spent: BTreeMap<SessionId, (Spend, u32)>,
}

impl SessionRecords {
    fn line(&self, session: AgentSession, objectives: &HashMap<WorkOrderId, String>) -> SessionLine {
        let (spent, answers) = self.spent.get(&session.id).copied().unwrap_or_default();
        SessionLine {
            objective: session.work_order_id().and_then(|order| objectives.get(&order).cloned()),
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
