//! Workers: take work orders from the queue and run a Processor session on each. They ignore investigation states.
//!
//! Invariant: the queue names the worker of an order, the database its attempt. If two workers got one order, only the one named
//! by the queue executes it.

use crate::{
    Engine, StoreError,
    agents::{Agents, SessionOutcome, SessionTask, machine::Outcome, run_session},
    events::record_event,
    in_flight::InFlightGauge,
    investigations::{Obstacle, report_obstacle},
    orchestrator::{fallback, missing_investigation},
    queue::Delivery,
    reliability::{Outage, retry::retry_while_unavailable},
    sessions::SessionEnd,
};
use domain::{
    HolderId, InvestigationId,
    agent::{AgentRole, SessionOwner, SessionStatus},
    budget::BudgetLevel,
    event::EventKind,
    work_order::{WorkOrder, WorkOrderStatus},
};
use futures::StreamExt;
use std::{sync::Arc, time::Duration};
use tokio::task::JoinSet;
use tokio_util::sync::CancellationToken;
use tracing::Instrument;

const GIVEN_TO_ANOTHER: StoreError = StoreError::Stale("work order was given to another worker");

/// Shutdown policy of workers.
#[derive(Debug, Clone)]
pub struct ShutdownPolicy {
    /// Stops taking orders.
    pub shutdown: CancellationToken,
    /// Time to finish held orders, which are then returned.
    pub drain: Duration,
}

impl ShutdownPolicy {
    async fn is_due(&self) {
        self.shutdown.cancelled().await;
        tokio::time::sleep(self.drain).await;
    }
}

/// Runs `count` workers until shutdown.
pub async fn run(engine: Engine, agents: Arc<Agents>, count: u32, stop: ShutdownPolicy) {
    let mut workers = JoinSet::new();
    let spawn_worker = |workers: &mut JoinSet<()>| {
        let (engine, agents, stop) = (engine.clone(), agents.clone(), stop.clone());
        workers.spawn(async move { poll(&engine, &agents, &stop).await });
    };
    metrics::gauge!("autosint_workers").set(f64::from(count));
    for _ in 0..count {
        spawn_worker(&mut workers);
    }
    while let Some(ended) = workers.join_next().await {
        if let Err(error) = ended {
            tracing::error!(%error, "worker panicked, restarting");
            spawn_worker(&mut workers);
        }
    }
}

/// Takes and executes work orders until shutdown.
async fn poll(engine: &Engine, agents: &Agents, stop: &ShutdownPolicy) {
    let worker = HolderId(engine.ids.next());
    let mut logged_at = None;
    loop {
        let taken = tokio::select! {
            biased;
            () = stop.shutdown.cancelled() => return,
            taken = engine.queue.take(worker, engine.config.heartbeat_ms) => taken,
        };
        let (worked, is_of_queue) = match taken {
            Ok(delivery) => (hold_order(engine, agents, &delivery, stop).await, false),
            Err(error) => (Err(error), true),
        };
        if let Err(error) = worked {
            engine.note_failure(&error);
            let now = engine.clock.now();
            let is_logged = logged_at.is_some_and(|at| now.ms_since(at) < engine.config.heartbeat_ms.cast_signed());
            match (is_of_queue, is_logged) {
                // Each worker repeats it after every pause.
                (true, true) => tracing::debug!(%error, "queue unavailable, worker still waiting"),
                (true, false) => {
                    logged_at = Some(now);
                    tracing::error!(%error, "queue unavailable, retrying");
                }
                (false, _) => tracing::error!(%error, "work order interrupted, it will be redelivered"),
            }
            let pause = Duration::from_millis(engine.config.worker_pause_ms);
            tokio::select! {
                () = stop.shutdown.cancelled() => return,
                () = tokio::time::sleep(pause) => {}
            }
        }
    }
}

/// Executes an order while its heartbeat lasts.
async fn hold_order(engine: &Engine, agents: &Agents, delivery: &Delivery, stop: &ShutdownPolicy) -> Result<(), StoreError> {
    let _busy = InFlightGauge::increment(metrics::gauge!("autosint_workers_busy"));
    let result = tokio::select! {
        result = execute_order(engine, agents, delivery) => result,
        lost = send_heartbeats(engine, delivery) => lost,
        () = stop.is_due() => return_order(engine, delivery, "the worker was stopped").await,
    };
    if matches!(result, Err(StoreError::Unavailable(_))) {
        tokio::select! {
            () = return_when_available(engine, delivery) => {}
            () = stop.is_due() => {}
        }
    }
    if let (Err(_), Ok(None)) = (&result, engine.work_orders.work_order(delivery.work_order_id).await) {
        tracing::info!(work_order_id = %delivery.work_order_id, "work order was removed while running");
        return acknowledge(engine, delivery).await;
    }
    result
}

/// Sends heartbeats at a third of the time-out. Returns when another worker got the order or the store fails. An unreachable
/// queue delivers nothing to others, so work continues.
async fn send_heartbeats(engine: &Engine, delivery: &Delivery) -> Result<(), StoreError> {
    let (usual, soon) = (engine.config.heartbeat_ms / 3, engine.config.worker_pause_ms);
    let mut pause_ms = usual;
    loop {
        tokio::time::sleep(Duration::from_millis(pause_ms)).await;
        let until = engine.clock.now().plus_ms(engine.config.heartbeat_ms.cast_signed());
        pause_ms = match engine.queue.beat(delivery, until).await {
            Ok(true) => usual,
            Ok(false) => return Err(GIVEN_TO_ANOTHER),
            Err(StoreError::Unavailable(why)) => {
                tracing::warn!(why, "heartbeat failed, retrying");
                soon.min(usual)
            }
            Err(error) => return Err(error),
        };
    }
}

/// Returns an order to the queue once the store is available, so that no worker waits for its heartbeat to expire. After the
/// time-out others get it anyway.
async fn return_when_available(engine: &Engine, delivery: &Delivery) {
    let heartbeat = Duration::from_millis(engine.config.heartbeat_ms);
    let returned =
        retry_while_unavailable(engine.config.worker_pause_ms, || return_order(engine, delivery, "store unavailable"));
    if let Ok(Err(error)) = tokio::time::timeout(heartbeat, returned).await {
        tracing::warn!(%error, "work order not returned, its heartbeat expires");
    }
}

/// Returns an order for redelivery; its session resumes from the last stored step.
async fn return_order(engine: &Engine, delivery: &Delivery, why: &str) -> Result<(), StoreError> {
    let until = engine.clock.now().plus_ms(engine.config.heartbeat_ms.cast_signed());
    if !engine.queue.beat(delivery, until).await? {
        return Ok(());
    }
    let order = match engine.work_orders.work_order(delivery.work_order_id).await? {
        Some(order) if order.status == WorkOrderStatus::Assigned => {
            engine.work_orders.return_to_queue(order.id, order.attempt, why).await?
        }
        Some(order) => order,
        None => return acknowledge(engine, delivery).await,
    };
    acknowledge(engine, delivery).await?;
    if !order.status.is_resolved() {
        let id = order.investigation_id;
        tracing::info!(investigation_id = %id, work_order_id = %order.id, why, "work order returned to the queue");
        engine.queue.push(order.id, order.priority).await?;
    }
    announce(engine, &order).await
}

/// Acknowledges a delivery. An unreachable queue redelivers the order later, and the next worker finds it resolved.
async fn acknowledge(engine: &Engine, delivery: &Delivery) -> Result<(), StoreError> {
    match engine.queue.acknowledge(delivery).await {
        Err(StoreError::Unavailable(why)) => {
            tracing::warn!(why, "acknowledgement failed, queue unavailable");
            Ok(())
        }
        done => done,
    }
}

/// Assigns an order, runs its session, and stores the outcome.
async fn execute_order(engine: &Engine, agents: &Agents, delivery: &Delivery) -> Result<(), StoreError> {
    let order = match assign_order(engine, delivery).await? {
        Assignment::Assigned(order) => order,
        Assignment::NothingToDo => return acknowledge(engine, delivery).await,
        Assignment::ModelsDown(investigation, outage) => {
            acknowledge(engine, delivery).await?;
            return report_obstacle(engine, investigation, Obstacle::Outage(outage)).await;
        }
    };
    let (began, pause_ms) = (engine.clock.now(), engine.config.worker_pause_ms);
    let span = tracing::error_span!(
        "work_order",
        investigation_id = %order.investigation_id,
        work_order_id = %order.id,
        traceparent = order.traceparent,
    );
    async {
        announce(engine, &order).await?;
        let mut waiting = None;
        let outcome = match order.tries() {
            tries if tries > engine.config.max_order_deliveries => {
                OrderOutcome::Failed(format!("delivered {tries} times without finishing"))
            }
            tries => {
                tracing::info!(tries, "work order started");
                tokio::select! {
                    outcome = run_order_session(engine, agents, &order) => outcome?,
                    cancelled = retry_while_unavailable(pause_ms, || wait_until_cancelled(engine, &order)) => cancelled?,
                }
            }
        };
        let order = match outcome {
            OrderOutcome::Done => finish(engine, order).await?,
            OrderOutcome::Failed(why) => fail(engine, &order, &why, engine.config.max_order_attempts).await?,
            OrderOutcome::FailedForGood(why) => fail(engine, &order, &why, 0).await?,
            OrderOutcome::Cancelled => {
                tracing::info!("work order cancelled");
                record_cancellation(engine, &order).await?;
                acknowledge(engine, delivery).await?;
                return match engine.work_orders.work_order(order.id).await? {
                    Some(order) => announce(engine, &order).await,
                    None => Ok(()),
                };
            }
            OrderOutcome::Returned(why, obstacle) => {
                // Not a failure of the order; its session resumes on redelivery.
                waiting = Some(obstacle);
                retry_while_unavailable(pause_ms, || engine.work_orders.return_to_queue(order.id, order.attempt, &why)).await?
            }
        };
        acknowledge(engine, delivery).await?;
        let took_ms = engine.clock.now().ms_since(began);
        if let Some(obstacle) = waiting {
            tracing::info!(took_ms, "work order waiting for its investigation");
            announce(engine, &order).await?;
            return report_obstacle(engine, order.investigation_id, obstacle).await;
        }
        let (status, failure) = (order.status.as_str(), &order.failure);
        match order.status {
            WorkOrderStatus::Queued => {
                tracing::info!(took_ms, failure, "work order failed, retrying");
                engine.queue.push(order.id, order.priority).await?;
            }
            _ => tracing::info!(status, took_ms, failure, "work order ended"),
        }
        metrics::counter!("autosint_work_orders_ended_total", "status" => status).increment(1);
        metrics::histogram!("autosint_work_order_seconds").record(took_ms as f64 / 1_000.0);
        announce(engine, &order).await
    }
    .instrument(span)
    .await
}

/// Result of assigning a delivered order.
enum Assignment {
    Assigned(WorkOrder),
    /// Resolved or removed.
    NothingToDo,
    /// Investigation and outage, when no model is available; the order stays unassigned.
    ModelsDown(InvestigationId, Outage),
}

/// Assigns an order to its worker. The queue is asked after reading the attempt, and assignment requires that attempt, so a
/// delayed worker gets nothing and the current one does.
async fn assign_order(engine: &Engine, delivery: &Delivery) -> Result<Assignment, StoreError> {
    loop {
        let order = engine.work_orders.work_order(delivery.work_order_id).await?;
        let is_open = |order: &WorkOrder| matches!(order.status, WorkOrderStatus::Queued | WorkOrderStatus::Assigned);
        let Some(order) = order.filter(is_open) else { return Ok(Assignment::NothingToDo) };
        if let Some(investigation) = engine.investigations.investigation(order.investigation_id).await? {
            let outage =
                engine.models_for(&investigation).models(AgentRole::Processor).outage(engine, investigation.id.0).await?;
            if let Some(outage) = outage {
                return Ok(Assignment::ModelsDown(investigation.id, outage));
            }
        }
        let until = engine.clock.now().plus_ms(engine.config.heartbeat_ms.cast_signed());
        if !engine.queue.beat(delivery, until).await? {
            return Err(GIVEN_TO_ANOTHER);
        }
        let assigned = engine.work_orders.assign(order.id, order.attempt, delivery.worker, engine.clock.now()).await?;
        // After the heartbeat expired another worker may have it: ask the queue again.
        if let Some(order) = assigned.filter(|_| engine.clock.now() < until) {
            return Ok(Assignment::Assigned(order));
        }
    }
}

/// Outcome of a work order.
enum OrderOutcome {
    Done,
    /// Failed, with the reason.
    Failed(String),
    /// Failed permanently.
    FailedForGood(String),
    /// Cancelled, or removed with its investigation.
    Cancelled,
    /// Returned for a reason, with the obstacle for the orchestrator.
    Returned(String, Obstacle),
}

/// Runs the Processor session of an order.
async fn run_order_session(engine: &Engine, agents: &Agents, order: &WorkOrder) -> Result<OrderOutcome, StoreError> {
    let id = order.investigation_id;
    let investigation = engine.investigations.investigation(id).await?.ok_or_else(|| missing_investigation(id))?;
    let investigation = fallback::for_order(engine, order, investigation).await?;
    let task = SessionTask::for_order(AgentRole::Processor, &investigation, order);
    Ok(match run_session(engine, agents, task).await?.1 {
        SessionOutcome::Ended(Outcome::Finished { .. }) => OrderOutcome::Done,
        SessionOutcome::Ended(Outcome::Failed { why } | Outcome::Empty { why }) => OrderOutcome::Failed(why),
        SessionOutcome::Ended(other) => OrderOutcome::Failed(format!("a Processor cannot end with {other:?}")),
        SessionOutcome::Waiting(_) => OrderOutcome::Failed("the session asks a person".into()),
        SessionOutcome::Suspended(outage) => OrderOutcome::Returned(outage.reason.clone(), Obstacle::Outage(outage)),
        SessionOutcome::OutOfBudget(cap) if cap.level == BudgetLevel::Session => OrderOutcome::FailedForGood(cap.to_string()),
        SessionOutcome::OutOfBudget(cap) | SessionOutcome::OutOfShare(cap) => {
            let reason = cap.to_string();
            OrderOutcome::Returned(reason.clone(), Obstacle::Budget(reason))
        }
    })
}

/// Waits until the order is cancelled or removed; dropping its session then settles open model calls.
async fn wait_until_cancelled(engine: &Engine, order: &WorkOrder) -> Result<OrderOutcome, StoreError> {
    let seen = engine.events.last(order.investigation_id).await?;
    let mut events = engine.events.follow(order.investigation_id, seen);
    loop {
        let stored = engine.work_orders.work_order(order.id).await?;
        if stored.is_none_or(|stored| stored.status.is_resolved()) {
            return Ok(OrderOutcome::Cancelled);
        }
        // Cancellation comes with a status change.
        loop {
            match events.next().await {
                Some(Ok(event)) if !matches!(event.kind, EventKind::StatusChanged { .. }) => {}
                Some(event) => break event.map(drop)?,
                // The investigation has ended or was removed.
                None => return Ok(OrderOutcome::Cancelled),
            }
        }
    }
}

/// Ends the session of a cancelled order, with usage from the ledger.
async fn record_cancellation(engine: &Engine, order: &WorkOrder) -> Result<(), StoreError> {
    // Open calls are settled first.
    engine.drain().await;
    let unfinished = engine.sessions.unfinished(SessionOwner::WorkOrder(order.id), AgentRole::Processor).await?;
    let Some(session) = unfinished else { return Ok(()) };
    let all = engine.ledger.spent_by_session(order.investigation_id).await?;
    let (spent, turns) = all.get(&session.id).copied().unwrap_or_default();
    let at = engine.clock.now();
    let end = SessionEnd {
        status: SessionStatus::Abandoned,
        reason: Some("work order cancelled".to_owned()),
        turns,
        tokens_in: spent.tokens_in,
        tokens_out: spent.tokens_out,
        at,
    };
    engine.sessions.end(session.id, &end).await?;
    let ended = EventKind::SessionEnded { session_id: session.id, status: end.status, turns };
    record_event(engine, order.investigation_id, ended).await
}

async fn fail(engine: &Engine, order: &WorkOrder, why: &str, max_failures: u32) -> Result<WorkOrder, StoreError> {
    let (orders, now) = (&engine.work_orders, engine.clock.now());
    retry_while_unavailable(engine.config.worker_pause_ms, || orders.fail(order.id, order.attempt, why, max_failures, now))
        .await
}

async fn finish(engine: &Engine, order: WorkOrder) -> Result<WorkOrder, StoreError> {
    let at = engine.clock.now();
    retry_while_unavailable(engine.config.worker_pause_ms, || engine.work_orders.complete(order.id, order.attempt, at)).await?;
    Ok(WorkOrder { status: WorkOrderStatus::Completed, failure: None, completed_at: Some(at), ..order })
}

/// Records the status of a work order as an event of its investigation.
pub(crate) async fn announce(engine: &Engine, order: &WorkOrder) -> Result<(), StoreError> {
    let event = EventKind::WorkOrderChanged {
        work_order_id: order.id,
        objective: order.objective.clone(),
        status: order.status,
        attempt: order.tries(),
    };
    record_event(engine, order.investigation_id, event).await
}
