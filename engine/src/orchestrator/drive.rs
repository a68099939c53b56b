//! One investigation from where it stands to its end: wait for a signal, apply the table, store, carry out the effects.

use super::{
    partial, parts,
    waiting::{self, Said},
};
use crate::{
    Engine, StoreError,
    agents::{Agents, SessionOutcome, SessionTask, machine::Outcome, run_session},
    budget::CapReached,
    events::say,
    investigations::{Lease, StagedOrders, Transition},
    reliability::retry::outlast,
};
use domain::{
    agent::AgentRole,
    event::EventKind,
    investigation::{Effect, Investigation, Progress, ResumeFrom, Signal, Status},
    work_order::WorkOrderStatus,
};
use futures::StreamExt;
use std::time::Duration;

/// A signal with what its transition needs to know.
pub(super) struct Moved {
    pub signal: Signal,
    pub reason: Option<String>,
    pub orders: StagedOrders,
    /// Questions of the parts that it adds.
    pub questions: Vec<String>,
}

impl Moved {
    pub fn by(signal: Signal) -> Self {
        Self { signal, reason: None, orders: StagedOrders::Discard, questions: vec![] }
    }

    /// A person wants it to end.
    pub fn finish_requested() -> Self {
        Self::because(Signal::FinishRequested, "asked to end with what there is")
    }

    /// The session that was left in the middle is taken up again after it.
    fn waiting(signal: Signal) -> Self {
        Self { orders: StagedOrders::Keep, ..Self::by(signal) }
    }

    fn down(reason: impl Into<String>) -> Self {
        Self { reason: Some(reason.into()), ..Self::waiting(Signal::DependencyDown) }
    }

    fn because(signal: Signal, reason: impl Into<String>) -> Self {
        Self { reason: Some(reason.into()), ..Self::by(signal) }
    }
}

impl From<Said> for Moved {
    fn from(said: Said) -> Self {
        match said {
            Said::Down(why) => Self::down(why),
            Said::BudgetReached(why) => Self::because(Signal::FinishRequested, why),
        }
    }
}

/// Drives to a terminal status. Errors leave the investigation as stored; whoever takes it next goes on from there.
pub(super) async fn drive(engine: &Engine, agents: &Agents, lease: &Lease) -> Result<(), StoreError> {
    let mut recovering = true;
    loop {
        let id = lease.investigation_id;
        // Removed with its collection: nothing is left to do.
        let Some(investigation) = engine.investigations.investigation(id).await? else { return Ok(()) };
        let status = investigation.progress.status;
        if status.is_terminal() {
            return Ok(());
        }
        let moved = match status {
            Status::Pending => Moved::by(Signal::Started),
            Status::Processing => match parts::state(engine, &investigation).await? {
                parts::PartsState::AtWork => return Ok(()),
                parts::PartsState::Ended(moved) => moved,
                parts::PartsState::None if recovering => recover(engine, &investigation).await?,
                parts::PartsState::None => wait_for_orders(engine, &investigation).await?,
            },
            _ if recovering => recover(engine, &investigation).await?,
            Status::AnalystRunning => run_analyst(engine, agents, &investigation).await?,
            Status::Suspended => wait_suspended(engine, &investigation).await?,
            Status::Completed | Status::Failed => return Ok(()),
        };
        recovering = false;
        apply(engine, agents, lease, &investigation, moved).await?;
    }
}

/// The table says what is taken up again. A session that a dead process left in the middle goes on, with what it has staged; what one
/// staged that has ended since was never told to the table, and is nobody's.
async fn recover(engine: &Engine, investigation: &Investigation) -> Result<Moved, StoreError> {
    tracing::info!(status = investigation.progress.status.as_str(), "taking up an investigation that was in progress");
    let recovered = match engine.sessions.unfinished(investigation.id, None).await? {
        Some(_) => Moved::waiting(Signal::Recovered),
        None => Moved::by(Signal::Recovered),
    };
    Ok(Moved { reason: investigation.reason.clone(), ..recovered })
}

async fn apply(
    engine: &Engine,
    agents: &Agents,
    lease: &Lease,
    investigation: &Investigation,
    moved: Moved,
) -> Result<(), StoreError> {
    let (to, effects) = investigation
        .progress
        .after(moved.signal, engine.config.limits())
        .map_err(|refused| StoreError::Defect(refused.to_string()))?;
    // A report that cannot be written any more once the investigation is closed comes first; writing it twice is harmless.
    if effects.contains(&Effect::WritePartialReport) {
        partial::write(engine, agents, investigation, moved.reason.as_deref()).await?;
    }
    let orders = if effects.contains(&Effect::CancelOrders) { StagedOrders::CancelOpen } else { moved.orders };
    store(engine, lease, investigation, &to, Moved { orders, ..moved }).await?;
    for effect in effects {
        if matches!(effect, Effect::DispatchOrders | Effect::ResumeOrders) {
            match dispatch(engine, investigation).await {
                // Whoever waits for the orders finds it out, and says so.
                Err(StoreError::Unavailable(why)) => tracing::warn!(why, "orders were not put into the queue yet"),
                dispatched => dispatched?,
            }
        }
    }
    if to.status.is_terminal() {
        let took_ms = engine.clock.now().ms_since(investigation.created_at);
        metrics::counter!("autosint_investigations_ended_total", "status" => to.status.as_str()).increment(1);
        metrics::histogram!("autosint_investigation_seconds", "status" => to.status.as_str()).record(took_ms as f64 / 1_000.0);
        tracing::info!(status = to.status.as_str(), "the investigation has ended");
    }
    Ok(())
}

async fn store(
    engine: &Engine,
    lease: &Lease,
    investigation: &Investigation,
    to: &Progress,
    moved: Moved,
) -> Result<(), StoreError> {
    let Moved { reason, orders, questions, .. } = moved;
    let transition = Transition {
        from: investigation.progress.clone(),
        to: to.clone(),
        at: engine.clock.now(),
        orders,
        // As with orders, those of a session that the table takes for empty never were.
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
    // What a session came to is not lost because its end could not be told. Told twice, the second time is refused.
    outlast(engine.config.worker_pause_ms, || engine.investigations.advance(lease, &transition)).await
}

/// Puts every open order into the queue; those that are there already stay as they are.
async fn dispatch(engine: &Engine, investigation: &Investigation) -> Result<(), StoreError> {
    for order in engine.work_orders.work_orders(investigation.id).await? {
        if !order.status.is_resolved() {
            engine.queue.push(order.id, order.priority).await?;
        }
    }
    Ok(())
}

async fn run_analyst(engine: &Engine, agents: &Agents, investigation: &Investigation) -> Result<Moved, StoreError> {
    let session = run_session(engine, agents, SessionTask { investigation, order: None });
    let (session_id, outcome) = tokio::select! {
        ended = session => ended?,
        finish = finish_requested(engine, investigation) => {
            abandon(engine, investigation).await?;
            return finish;
        }
    };
    Ok(match outcome {
        SessionOutcome::Suspended(outage) => {
            let moved = Moved::down(outage.reason.clone());
            say(engine, investigation.id, outage.into()).await?;
            moved
        }
        SessionOutcome::OutOfBudget(cap) => {
            say_budget_reached(engine, investigation, &cap).await?;
            match investigation.progress.final_session {
                false => Moved::because(Signal::FinishRequested, cap.to_string()),
                true => Moved::because(Signal::SessionFailed, format!("no money is left for the final session: {cap}")),
            }
        }
        SessionOutcome::OutOfShare(cap) => {
            say_budget_reached(engine, investigation, &cap).await?;
            Moved::because(Signal::SessionEmpty, cap.to_string())
        }
        SessionOutcome::Ended(outcome) => match outcome {
            Outcome::AssessmentProduced { .. } => Moved::by(Signal::AssessmentProduced),
            Outcome::OrdersCreated => Moved { orders: StagedOrders::Commit(session_id), ..Moved::by(Signal::OrdersCreated) },
            Outcome::Decomposed { questions } => Moved { questions, ..Moved::by(Signal::Decomposed) },
            Outcome::Finished { .. } => Moved::by(Signal::SessionEmpty),
            Outcome::Empty { why } => Moved::because(Signal::SessionEmpty, why),
            Outcome::Failed { why } => Moved::because(Signal::SessionFailed, why),
        },
    })
}

async fn say_budget_reached(engine: &Engine, investigation: &Investigation, cap: &CapReached) -> Result<(), StoreError> {
    say(engine, investigation.id, EventKind::BudgetReached { reason: cap.to_string() }).await
}

/// A session that was left in the middle is not taken up again: what comes after it begins with what the graph holds.
async fn abandon(engine: &Engine, investigation: &Investigation) -> Result<(), StoreError> {
    engine.sessions.abandon(investigation.id, engine.clock.now()).await
}

/// Never returns unless a person asks for the end of an investigation that is not yet in its final session.
async fn finish_requested(engine: &Engine, investigation: &Investigation) -> Result<Moved, StoreError> {
    if investigation.progress.final_session {
        return std::future::pending().await;
    }
    let pause_ms = engine.config.worker_pause_ms;
    outlast(pause_ms, || wait_until(engine, investigation, Until::FinishRequested)).await?;
    Ok(Moved::finish_requested())
}

async fn wait_for_orders(engine: &Engine, investigation: &Investigation) -> Result<Moved, StoreError> {
    let seen = engine.events.last(investigation.id).await?;
    if let Some(said) = waiting::said_since_last_change(engine, investigation.id).await? {
        return Ok(said.into());
    }
    tokio::select! {
        resolved = orders_resolved(engine, investigation) => resolved,
        down = keep_dispatched(engine, investigation) => down,
        finish = finish_requested(engine, investigation) => finish,
        said = waiting::said_after(engine, investigation.id, seen) => said.map(Moved::from),
    }
}

/// Puts open orders in at once and every length of a lease: a worker may have died between its last word and the queue. Returns when the
/// queue is down.
async fn keep_dispatched(engine: &Engine, investigation: &Investigation) -> Result<Moved, StoreError> {
    loop {
        match dispatch(engine, investigation).await {
            Err(StoreError::Unavailable(why)) => {
                return Ok(Moved::down(format!("the queue of work orders does not answer: {why}")));
            }
            dispatched => dispatched?,
        }
        tokio::time::sleep(Duration::from_millis(engine.config.lease_ms)).await;
    }
}

/// Waits as long as the queue or the graph cannot be reached.
async fn stores_answer(engine: &Engine) {
    let is_away = async || {
        matches!(engine.queue.depth().await, Err(StoreError::Unavailable(_)))
            || matches!(engine.graph.describe().await, Err(StoreError::Unavailable(_)))
    };
    while is_away().await {
        tokio::time::sleep(Duration::from_millis(engine.config.worker_pause_ms)).await;
    }
}

async fn orders_resolved(engine: &Engine, investigation: &Investigation) -> Result<Moved, StoreError> {
    let cycle = investigation.progress.cycle;
    wait_until(engine, investigation, Until::OrdersResolved).await?;
    let orders = engine.work_orders.work_orders(investigation.id).await?;
    let mut of_cycle = orders.iter().filter(|order| order.cycle == cycle);
    let any_completed = of_cycle.any(|order| order.status == WorkOrderStatus::Completed);
    let reason = (!any_completed).then(|| "every work order of the cycle failed".to_owned());
    Ok(Moved { reason, ..Moved::by(Signal::OrdersResolved { any_completed }) })
}

/// What can be waited for.
#[derive(Clone, Copy)]
enum Until {
    FinishRequested,
    OrdersResolved,
}

impl Until {
    /// Whether an event may have brought it about; of the others there are many.
    const fn may_come_with(self, what: &EventKind) -> bool {
        match self {
            Self::FinishRequested => matches!(what, EventKind::FinishRequested),
            Self::OrdersResolved => matches!(what, EventKind::WorkOrderChanged { .. }),
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
        }
    }
}

/// Looks again after each event that could matter, and, should a word be lost, every length of a lease.
async fn wait_until(engine: &Engine, investigation: &Investigation, until: Until) -> Result<(), StoreError> {
    let seen = engine.events.last(investigation.id).await?;
    let mut events = engine.events.follow(investigation.id, seen);
    let patience = Duration::from_millis(engine.config.lease_ms);
    while !until.holds(engine, investigation).await? {
        let next = async {
            loop {
                match events.next().await {
                    Some(Ok(event)) if !until.may_come_with(&event.kind) => {}
                    Some(event) => return event.map(drop),
                    None => return Err(waiting::OVER),
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

/// Goes on when a circuit closes or when it is its turn to probe, unless the investigation gets too old before; a person may end it.
async fn wait_suspended(engine: &Engine, investigation: &Investigation) -> Result<Moved, StoreError> {
    let waiting::Suspension { since, waits_for } = waiting::suspension(engine, investigation).await?;
    let age_ms = engine.clock.now().ms_since(since);
    let left_ms = engine.config.max_suspended_ms.saturating_sub(age_ms.max(0).cast_unsigned());
    let role = match investigation.progress.resume_from {
        Some(ResumeFrom::Processing) => AgentRole::Processor,
        Some(ResumeFrom::Analyst) | None => AgentRole::Analyst,
    };
    let cast = engine.cast_of(investigation);
    let turn = async {
        stores_answer(engine).await;
        cast.models(role).await_turn(engine, investigation.id.0, &waits_for).await
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
            Moved::because(Signal::SuspendedTooLong, why)
        }
        finish = finish_requested(engine, investigation) => finish?,
        turn = turn => return turn.map(|()| Moved::waiting(Signal::DependencyUp)),
    };
    abandon(engine, investigation).await?;
    Ok(ended)
}
