//! Drive loop of one investigation: wait for a signal, apply the state table, store, execute effects.

use super::{dissent, fallback, interruptions::Interruptions, partial, parts};
use crate::{
    Engine, StoreError,
    agents::{Agents, SessionOutcome, SessionTask, machine::Outcome, run_session},
    budget::CapReached,
    events::record_event,
    investigations::{Lease, Obstacle, Obstacles, StagedOrders, Suspension, Transition, report_obstacle},
    reliability::retry::retry_while_unavailable,
};
use domain::{
    agent::{AgentRole, SessionOwner},
    event::EventKind,
    investigation::{Effect, Investigation, Progress, ResumeFrom, Signal, Status},
    work_order::WorkOrderStatus,
};
use futures::StreamExt;
use std::time::Duration;

/// Error of an ended event stream: it ends only with the investigation.
const INVESTIGATION_ENDED: StoreError = StoreError::Stale("investigation ended or was removed");

/// Signal with the data of its transition.
pub(super) struct PendingTransition {
    pub signal: Signal,
    pub reason: Option<String>,
    pub orders: StagedOrders,
    /// Questions of new parts.
    pub questions: Vec<String>,
}

impl PendingTransition {
    pub fn new(signal: Signal) -> Self {
        Self { signal, reason: None, orders: StagedOrders::Discard, questions: vec![] }
    }

    /// Builds the transition of a person's finish request.
    pub fn finish_requested() -> Self {
        Self::with_reason(Signal::FinishRequested, "finish requested")
    }

    /// Builds a transition after which the interrupted session resumes.
    fn keeping_orders(signal: Signal) -> Self {
        Self { orders: StagedOrders::Keep, ..Self::new(signal) }
    }

    fn suspend(reason: impl Into<String>) -> Self {
        Self { reason: Some(reason.into()), ..Self::keeping_orders(Signal::DependencyDown) }
    }

    /// Builds the transition that the obstacles of workers lead to; none without obstacles.
    fn from_obstacles(Obstacles { outage, budget, .. }: Obstacles) -> Option<Self> {
        let finish = budget.map(|why| Self::with_reason(Signal::FinishRequested, why));
        finish.or_else(|| outage.map(Self::suspend))
    }

    fn with_reason(signal: Signal, reason: impl Into<String>) -> Self {
        Self { reason: Some(reason.into()), ..Self::new(signal) }
    }
}

/// Drives to a terminal status. On errors the investigation stays as stored for the next holder.
pub(super) async fn drive(
    engine: &Engine,
    agents: &Agents,
    interruptions: &Interruptions,
    lease: &Lease,
) -> Result<(), StoreError> {
    let mut recovering = true;
    loop {
        let id = lease.investigation_id;
        // Removed with its collection.
        let Some(investigation) = engine.investigations.investigation(id).await? else { return Ok(()) };
        let status = investigation.progress.status;
        if status.is_terminal() {
            interruptions.clear(id);
            return Ok(());
        }
        let pending = match status {
            Status::Pending => PendingTransition::new(Signal::Started),
            Status::Processing => match parts::state(engine, &investigation).await? {
                parts::PartsState::AtWork => return Ok(()),
                parts::PartsState::Ended(pending) => pending,
                parts::PartsState::None if recovering => recover(engine, &investigation).await?,
                parts::PartsState::None => wait_for_orders(engine, &investigation).await?,
            },
            _ if recovering => recover(engine, &investigation).await?,
            Status::AnalystRunning => run_analyst(engine, agents, &investigation).await?,
            Status::Suspended => wait_suspended(engine, interruptions, &investigation).await?,
            Status::Completed | Status::Failed => return Ok(()),
        };
        recovering = false;
        let signal = pending.signal;
        apply(engine, agents, lease, &investigation, pending).await?;
        match signal {
            Signal::DependencyDown => {
                // Suspended by a store or a search, which have no circuit that says when to go on.
                if engine.investigations.suspension(id).await?.obstacles.waits_for.is_empty() {
                    interruptions.count(engine, id);
                }
            }
            Signal::DependencyUp | Signal::Recovered => {}
            _ => interruptions.clear(id),
        }
    }
}

/// Suspends an investigation whose step failed too often in a row; returns false in a status that cannot wait.
pub(super) async fn suspend(engine: &Engine, agents: &Agents, lease: &Lease, error: &StoreError) -> Result<bool, StoreError> {
    let Some(investigation) = engine.investigations.investigation(lease.investigation_id).await? else { return Ok(true) };
    if !matches!(investigation.progress.status, Status::AnalystRunning | Status::Processing) {
        return Ok(false);
    }
    let attempts = engine.reliability.investigation.max_attempts;
    let pending = PendingTransition::suspend(format!("failed {attempts} times in a row: {error}"));
    apply(engine, agents, lease, &investigation, pending).await?;
    Ok(true)
}

/// Recovers an investigation in progress. An interrupted session resumes with its staged orders; orders of a session that ended
/// without a transition are discarded.
async fn recover(engine: &Engine, investigation: &Investigation) -> Result<PendingTransition, StoreError> {
    tracing::info!(status = investigation.progress.status.as_str(), "resuming investigation");
    let owner = SessionOwner::Investigation(investigation.id);
    let recovered = match engine.sessions.unfinished(owner, AgentRole::Analyst).await? {
        Some(_) => PendingTransition::keeping_orders(Signal::Recovered),
        None => PendingTransition::new(Signal::Recovered),
    };
    Ok(PendingTransition { reason: investigation.reason.clone(), ..recovered })
}

async fn apply(
    engine: &Engine,
    agents: &Agents,
    lease: &Lease,
    investigation: &Investigation,
    pending: PendingTransition,
) -> Result<(), StoreError> {
    let (to, effects) = investigation
        .progress
        .after(pending.signal, engine.config.limits(investigation.terms.depth))
        .map_err(|refused| StoreError::Defect(refused.to_string()))?;
    // The report comes first, because a closed investigation accepts none; writing it twice is harmless.
    if effects.contains(&Effect::WritePartialReport) {
        partial::write(engine, agents, investigation, pending.reason.as_deref()).await?;
    }
    let orders = if effects.contains(&Effect::CancelOrders) { StagedOrders::CancelOpen } else { pending.orders };
    store(engine, lease, investigation, &to, PendingTransition { orders, ..pending }).await?;
    for effect in effects {
        if matches!(effect, Effect::DispatchOrders | Effect::ResumeOrders) {
            match dispatch(engine, investigation).await {
                // The wait for the orders detects and reports it.
                Err(StoreError::Unavailable(why)) => tracing::warn!(why, "work orders not queued, queue unavailable"),
                dispatched => dispatched?,
            }
        }
    }
    if to.status.is_terminal() {
        let took_ms = engine.clock.now().ms_since(investigation.created_at);
        metrics::counter!("autosint_investigations_ended_total", "status" => to.status.as_str()).increment(1);
        metrics::histogram!("autosint_investigation_seconds", "status" => to.status.as_str()).record(took_ms as f64 / 1_000.0);
        tracing::info!(status = to.status.as_str(), "investigation ended");
    }
    Ok(())
}

async fn store(
    engine: &Engine,
    lease: &Lease,
    investigation: &Investigation,
    to: &Progress,
    pending: PendingTransition,
) -> Result<(), StoreError> {
    let PendingTransition { reason, orders, questions, .. } = pending;
    let transition = Transition {
        from: investigation.progress.clone(),
        to: to.clone(),
        at: engine.clock.now(),
        orders,
        // As with orders, parts of a session treated as empty are discarded.
        parts: if to.status == Status::Processing { parts::new(engine, investigation, questions) } else { vec![] },
        event: EventKind::StatusChanged {
            status: to.status,
            cycle: to.cycle,
            final_session: to.final_session,
            reason: reason.clone(),
        },
        parent_event: parts::event(investigation, to.status, reason.as_deref()),
        reason,
    };
    // A session's outcome must not be lost; a repeated transition is refused.
    retry_while_unavailable(engine.config.worker_pause_ms, || engine.investigations.advance(lease, &transition)).await
}

/// Queues every open work order; queued ones stay unchanged.
async fn dispatch(engine: &Engine, investigation: &Investigation) -> Result<(), StoreError> {
    for order in engine.work_orders.work_orders(investigation.id).await? {
        if !order.status.is_resolved() {
            engine.queue.push(order.id, order.priority).await?;
        }
    }
    Ok(())
}

async fn run_analyst(engine: &Engine, agents: &Agents, investigation: &Investigation) -> Result<PendingTransition, StoreError> {
    if dissent::is_assessed(engine, investigation).await? {
        dissent::add(engine, agents, investigation).await?;
        return Ok(PendingTransition::new(Signal::AssessmentProduced));
    }
    let session = run_session(engine, agents, SessionTask::for_investigation(AgentRole::Analyst, investigation));
    let (session_id, outcome) = tokio::select! {
        ended = session => ended?,
        finish = finish_requested(engine, investigation) => {
            abandon(engine, investigation).await?;
            return finish;
        }
    };
    Ok(match outcome {
        SessionOutcome::Suspended(outage) => {
            let pending = PendingTransition::suspend(outage.reason.clone());
            report_obstacle(engine, investigation.id, Obstacle::Outage(outage)).await?;
            pending
        }
        SessionOutcome::OutOfBudget(cap) => {
            record_budget_reached(engine, investigation, &cap).await?;
            match investigation.progress.final_session {
                false => PendingTransition::with_reason(Signal::FinishRequested, cap.to_string()),
                true => PendingTransition::with_reason(
                    Signal::SessionFailed,
                    format!("no budget left for the final session: {cap}"),
                ),
            }
        }
        SessionOutcome::OutOfShare(cap) => {
            record_budget_reached(engine, investigation, &cap).await?;
            PendingTransition::with_reason(Signal::SessionEmpty, cap.to_string())
        }
        SessionOutcome::Waiting(_) => PendingTransition::with_reason(Signal::SessionFailed, "the session asks a person"),
        SessionOutcome::Ended(outcome) => match outcome {
            Outcome::AssessmentProduced { .. } => {
                dissent::add(engine, agents, investigation).await?;
                PendingTransition::new(Signal::AssessmentProduced)
            }
            Outcome::OrdersCreated => {
                PendingTransition { orders: StagedOrders::Commit(session_id), ..PendingTransition::new(Signal::OrdersCreated) }
            }
            Outcome::Decomposed { questions } => PendingTransition { questions, ..PendingTransition::new(Signal::Decomposed) },
            Outcome::Finished { .. } | Outcome::Answered { .. } => PendingTransition::new(Signal::SessionEmpty),
            Outcome::Empty { why } => match fallback::order_unread(engine, investigation).await? {
                Some(staged_by) => PendingTransition {
                    orders: StagedOrders::Commit(staged_by),
                    ..PendingTransition::with_reason(Signal::OrdersCreated, why)
                },
                None => PendingTransition::with_reason(Signal::SessionEmpty, why),
            },
            Outcome::Failed { why } => PendingTransition::with_reason(Signal::SessionFailed, why),
        },
    })
}

async fn record_budget_reached(engine: &Engine, investigation: &Investigation, cap: &CapReached) -> Result<(), StoreError> {
    record_event(engine, investigation.id, EventKind::BudgetReached { reason: cap.to_string() }).await
}

/// Abandons the interrupted session; the next one starts from the graph.
async fn abandon(engine: &Engine, investigation: &Investigation) -> Result<(), StoreError> {
    engine.sessions.abandon(investigation.id, AgentRole::Analyst, engine.clock.now()).await
}

/// Waits for a finish request; never returns in the final session.
async fn finish_requested(engine: &Engine, investigation: &Investigation) -> Result<PendingTransition, StoreError> {
    if investigation.progress.final_session {
        return std::future::pending().await;
    }
    let pause_ms = engine.config.worker_pause_ms;
    retry_while_unavailable(pause_ms, || wait_until(engine, investigation, WaitCondition::FinishRequested)).await?;
    Ok(PendingTransition::finish_requested())
}

/// Waits until a person asks to go on.
async fn resume_requested(engine: &Engine, investigation: &Investigation) -> Result<(), StoreError> {
    let seen = engine.events.last(investigation.id).await?;
    let mut events = engine.events.follow(investigation.id, seen);
    while let Some(event) = events.next().await {
        if matches!(event?.kind, EventKind::ResumeRequested) {
            return Ok(());
        }
    }
    Err(INVESTIGATION_ENDED)
}

async fn wait_for_orders(engine: &Engine, investigation: &Investigation) -> Result<PendingTransition, StoreError> {
    if let Some(blocked) = blocked(engine, investigation).await? {
        return Ok(blocked);
    }
    tokio::select! {
        resolved = wait_until_resolved(engine, investigation) => resolved,
        down = redispatch_orders(engine, investigation) => down,
        finish = finish_requested(engine, investigation) => finish,
        blocked = wait_until_blocked(engine, investigation) => blocked,
    }
}

/// Returns the transition that reported obstacles lead to.
async fn blocked(engine: &Engine, investigation: &Investigation) -> Result<Option<PendingTransition>, StoreError> {
    Ok(PendingTransition::from_obstacles(engine.investigations.suspension(investigation.id).await?.obstacles))
}

async fn wait_until_blocked(engine: &Engine, investigation: &Investigation) -> Result<PendingTransition, StoreError> {
    wait_until(engine, investigation, WaitCondition::Blocked).await?;
    blocked(engine, investigation).await?.ok_or(INVESTIGATION_ENDED)
}

/// Queues open orders now and once per lease length, because a worker may die before queueing. Returns when the queue is down.
async fn redispatch_orders(engine: &Engine, investigation: &Investigation) -> Result<PendingTransition, StoreError> {
    loop {
        match dispatch(engine, investigation).await {
            Err(StoreError::Unavailable(why)) => {
                return Ok(PendingTransition::suspend(format!("work order queue unavailable: {why}")));
            }
            dispatched => dispatched?,
        }
        tokio::time::sleep(Duration::from_millis(engine.config.lease_ms)).await;
    }
}

/// Waits until queue and graph respond.
async fn wait_for_stores(engine: &Engine) {
    let is_away = async || {
        matches!(engine.queue.depth().await, Err(StoreError::Unavailable(_)))
            || matches!(engine.graph.describe().await, Err(StoreError::Unavailable(_)))
    };
    while is_away().await {
        tokio::time::sleep(Duration::from_millis(engine.config.worker_pause_ms)).await;
    }
}

async fn wait_until_resolved(engine: &Engine, investigation: &Investigation) -> Result<PendingTransition, StoreError> {
    let cycle = investigation.progress.cycle;
    wait_until(engine, investigation, WaitCondition::OrdersResolved).await?;
    let orders = engine.work_orders.work_orders(investigation.id).await?;
    let is_any = |status| orders.iter().any(|order| order.cycle == cycle && order.status == status);
    // Orders that a person removed are no failures: without any other, the cycle is over.
    let any_completed = is_any(WorkOrderStatus::Completed) || !is_any(WorkOrderStatus::Failed);
    let reason = (!any_completed).then(|| "all work orders of the cycle failed".to_owned());
    Ok(PendingTransition { reason, ..PendingTransition::new(Signal::OrdersResolved { any_completed }) })
}

/// Condition to wait for.
#[derive(Clone, Copy)]
enum WaitCondition {
    FinishRequested,
    OrdersResolved,
    /// A worker reported an obstacle.
    Blocked,
}

impl WaitCondition {
    /// Returns whether an event may have fulfilled the condition.
    const fn may_follow_from(self, what: &EventKind) -> bool {
        match self {
            Self::FinishRequested => matches!(what, EventKind::FinishRequested),
            Self::OrdersResolved => matches!(what, EventKind::WorkOrderChanged { .. }),
            Self::Blocked => matches!(what, EventKind::DependencyDown { .. } | EventKind::BudgetReached { .. }),
        }
    }

    async fn holds(self, engine: &Engine, investigation: &Investigation) -> Result<bool, StoreError> {
        match self {
            Self::FinishRequested => engine.investigations.finish_requested(investigation.id).await,
            Self::OrdersResolved => {
                let orders = engine.work_orders.work_orders(investigation.id).await?;
                let mut of_cycle = orders.iter().filter(|order| order.cycle == investigation.progress.cycle);
                Ok(of_cycle.all(|order| order.status.is_resolved()))
            }
            Self::Blocked => Ok(blocked(engine, investigation).await?.is_some()),
        }
    }
}

/// Rechecks after each relevant event, and once per lease length in case one was lost.
async fn wait_until(engine: &Engine, investigation: &Investigation, until: WaitCondition) -> Result<(), StoreError> {
    let seen = engine.events.last(investigation.id).await?;
    let mut events = engine.events.follow(investigation.id, seen);
    let patience = Duration::from_millis(engine.config.lease_ms);
    while !until.holds(engine, investigation).await? {
        let next = async {
            loop {
                match events.next().await {
                    Some(Ok(event)) if !until.may_follow_from(&event.kind) => {}
                    Some(event) => return event.map(drop),
                    None => return Err(INVESTIGATION_ENDED),
                }
            }
        };
        match tokio::time::timeout(patience, next).await {
            Err(_) => {}
            Ok(came) => came?,
        }
    }
    Ok(())
}

/// Waits until a circuit closes or it is this investigation's turn to probe, until it is suspended for too long, or until a
/// finish request.
async fn wait_suspended(
    engine: &Engine,
    interruptions: &Interruptions,
    investigation: &Investigation,
) -> Result<PendingTransition, StoreError> {
    let Suspension { obstacles, since } = engine.investigations.suspension(investigation.id).await?;
    let age_ms = engine.clock.now().ms_since(since.unwrap_or(investigation.created_at));
    let left_ms = engine.config.max_suspended_ms.saturating_sub(age_ms.max(0).cast_unsigned());
    let role = match investigation.progress.resume_from {
        Some(ResumeFrom::Processing) => AgentRole::Processor,
        Some(ResumeFrom::Analyst) | None => AgentRole::Analyst,
    };
    let models = engine.models_for(investigation);
    let turn = async {
        tokio::select! {
            () = tokio::time::sleep(interruptions.pause(engine, investigation.id)) => {}
            resumed = retry_while_unavailable(engine.config.worker_pause_ms, || resume_requested(engine, investigation)) => {
                resumed?;
                interruptions.clear(investigation.id);
            }
        }
        wait_for_stores(engine).await;
        models.models(role).await_turn(engine, investigation.id.0, &obstacles.waits_for).await
    };
    let too_long = async {
        if left_ms > 0 {
            tokio::time::sleep(Duration::from_millis(left_ms)).await;
        }
    };
    let ended = tokio::select! {
        biased;
        () = too_long => {
            let why = investigation.reason.clone().unwrap_or_else(|| "a dependency was down for too long".into());
            PendingTransition::with_reason(Signal::SuspendedTooLong, why)
        }
        finish = finish_requested(engine, investigation) => finish?,
        turn = turn => return turn.map(|()| PendingTransition::keeping_orders(Signal::DependencyUp)),
    };
    abandon(engine, investigation).await?;
    Ok(ended)
}
