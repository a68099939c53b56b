//! Workers: take work orders from the queue and run a Processor session on each. They know nothing of investigations' states.
//!
//! Invariant: the queue says which worker has an order, the database at which attempt. Of two workers that were given one order, only the one
//! that the queue names carries it out.

use crate::{
    Engine, StoreError,
    agents::{Agents, SessionOutcome, SessionTask, machine::Outcome, run_session},
    events::say,
    orchestrator::missing,
    queue::Delivery,
    reliability::{Outage, retry::outlast},
    sessions::SessionEnd,
    under_way::UnderWay,
};
use domain::{
    HolderId, InvestigationId,
    agent::{AgentRole, SessionStatus},
    budget::BudgetLevel,
    event::EventKind,
    work_order::{WorkOrder, WorkOrderStatus},
};
use futures::StreamExt;
use std::{sync::Arc, time::Duration};
use tokio::task::JoinSet;
use tokio_util::sync::CancellationToken;
use tracing::Instrument;

const TAKEN: StoreError = StoreError::Stale("the order was given to another worker");

/// How workers end.
#[derive(Debug, Clone)]
pub struct Stop {
    /// They take no more orders from then on.
    pub shutdown: CancellationToken,
    /// How long they may go on with what they hold; what is left then is given back.
    pub drain: Duration,
}

impl Stop {
    async fn is_due(&self) {
        self.shutdown.cancelled().await;
        tokio::time::sleep(self.drain).await;
    }
}

/// Runs `count` workers until they are stopped.
pub async fn run(engine: Engine, agents: Arc<Agents>, count: u32, stop: Stop) {
    let mut workers = JoinSet::new();
    let hire = |workers: &mut JoinSet<()>| {
        let (engine, agents, stop) = (engine.clone(), agents.clone(), stop.clone());
        workers.spawn(async move { work(&engine, &agents, &stop).await });
    };
    metrics::gauge!("autosint_workers").set(f64::from(count));
    for _ in 0..count {
        hire(&mut workers);
    }
    while let Some(ended) = workers.join_next().await {
        if let Err(error) = ended {
            tracing::error!(%error, "a worker died of a defect; another takes its place");
            hire(&mut workers);
        }
    }
}

async fn work(engine: &Engine, agents: &Agents, stop: &Stop) {
    let worker = HolderId(engine.ids.next());
    let mut said_at = None;
    loop {
        let taken = tokio::select! {
            biased;
            () = stop.shutdown.cancelled() => return,
            taken = engine.queue.take(worker, engine.config.heartbeat_ms) => taken,
        };
        let (worked, is_of_queue) = match taken {
            Ok(delivery) => (work_on(engine, agents, &delivery, stop).await, false),
            Err(error) => (Err(error), true),
        };
        if let Err(error) = worked {
            engine.note_failure(&error);
            let now = engine.clock.now();
            let is_said = said_at.is_some_and(|at| now.ms_since(at) < engine.config.heartbeat_ms.cast_signed());
            match (is_of_queue, is_said) {
                // Every worker meets it after every pause.
                (true, true) => tracing::debug!(%error, "a worker has no order yet"),
                (true, false) => {
                    said_at = Some(now);
                    tracing::error!(%error, "a worker is given no order; it asks again");
                }
                (false, _) => tracing::error!(%error, "a worker cannot go on with its order; it is given out again"),
            }
            let pause = Duration::from_millis(engine.config.worker_pause_ms);
            tokio::select! {
                () = stop.shutdown.cancelled() => return,
                () = tokio::time::sleep(pause) => {}
            }
        }
    }
}

async fn work_on(engine: &Engine, agents: &Agents, delivery: &Delivery, stop: &Stop) -> Result<(), StoreError> {
    let _busy = UnderWay::in_gauge(metrics::gauge!("autosint_workers_busy"));
    let result = tokio::select! {
        result = process(engine, agents, delivery) => result,
        lost = beat_forever(engine, delivery) => lost,
        () = stop.is_due() => return_order(engine, delivery, "its worker was stopped").await,
    };
    if matches!(result, Err(StoreError::Unavailable(_))) {
        tokio::select! {
            () = give_up(engine, delivery) => {}
            () = stop.is_due() => {}
        }
    }
    if let (Err(_), Ok(None)) = (&result, engine.work_orders.work_order(delivery.work_order_id).await) {
        tracing::info!(work_order_id = %delivery.work_order_id, "the order was removed while it was carried out");
        return acknowledge(engine, delivery).await;
    }
    result
}

/// Beats at a third of the time allowed; returns only when the order went to somebody else or the store fails. A queue that cannot be
/// reached gives nothing to others, so that work goes on and the next beat tells.
async fn beat_forever(engine: &Engine, delivery: &Delivery) -> Result<(), StoreError> {
    let (usual, soon) = (engine.config.heartbeat_ms / 3, engine.config.worker_pause_ms);
    let mut pause_ms = usual;
    loop {
        tokio::time::sleep(Duration::from_millis(pause_ms)).await;
        let until = engine.clock.now().plus_ms(engine.config.heartbeat_ms.cast_signed());
        pause_ms = match engine.queue.beat(delivery, until).await {
            Ok(true) => usual,
            Ok(false) => return Err(TAKEN),
            Err(StoreError::Unavailable(why)) => {
                tracing::warn!(why, "a heartbeat was not told; trying again");
                soon.min(usual)
            }
            Err(error) => return Err(error),
        };
    }
}

/// Gives an order back with which its worker cannot go on, as soon as the store can be reached again: nobody is to wait for the heartbeat
/// of a worker that lives and has left it. When that is over others get it anyway.
async fn give_up(engine: &Engine, delivery: &Delivery) {
    let heartbeat = Duration::from_millis(engine.config.heartbeat_ms);
    let returned = outlast(engine.config.worker_pause_ms, || return_order(engine, delivery, "a store could not be reached"));
    if let Ok(Err(error)) = tokio::time::timeout(heartbeat, returned).await {
        tracing::warn!(%error, "an order was not given back; its heartbeat expires");
    }
}

/// Gives an order that cannot be finished any more to whoever comes next; its session goes on from the last stored step.
async fn return_order(engine: &Engine, delivery: &Delivery, why: &str) -> Result<(), StoreError> {
    let until = engine.clock.now().plus_ms(engine.config.heartbeat_ms.cast_signed());
    if !engine.queue.beat(delivery, until).await? {
        return Ok(());
    }
    let order = match engine.work_orders.work_order(delivery.work_order_id).await? {
        Some(order) if order.status == WorkOrderStatus::Assigned => {
            engine.work_orders.give_back(order.id, order.attempt, why).await?
        }
        Some(order) => order,
        None => return acknowledge(engine, delivery).await,
    };
    acknowledge(engine, delivery).await?;
    if !order.status.is_resolved() {
        let id = order.investigation_id;
        tracing::info!(investigation_id = %id, work_order_id = %order.id, why, "the order goes to another worker");
        engine.queue.push(order.id, order.priority).await?;
    }
    announce(engine, &order).await
}

/// A queue that cannot be reached gives the order out again when it is back, and whoever gets it finds that it is done with.
async fn acknowledge(engine: &Engine, delivery: &Delivery) -> Result<(), StoreError> {
    told(engine.queue.acknowledge(delivery).await)
}

fn told(done: Result<(), StoreError>) -> Result<(), StoreError> {
    match done {
        Err(StoreError::Unavailable(why)) => {
            tracing::warn!(why, "the queue was not told that an order is done with");
            Ok(())
        }
        done => done,
    }
}

async fn process(engine: &Engine, agents: &Agents, delivery: &Delivery) -> Result<(), StoreError> {
    let order = match begin(engine, delivery).await? {
        Beginning::Assigned(order) => order,
        Beginning::NothingToDo => return acknowledge(engine, delivery).await,
        Beginning::Shut(investigation, outage) => {
            acknowledge(engine, delivery).await?;
            return say(engine, investigation, outage.into()).await;
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
        let carried = match order.tries() {
            tries if tries > engine.config.max_order_deliveries => {
                Carried::Failed(format!("it was given out {tries} times and never came to an end"))
            }
            tries => {
                tracing::info!(tries, "an order is carried out");
                tokio::select! {
                    carried = carry_out(engine, agents, &order) => carried?,
                    withdrawn = outlast(pause_ms, || withdrawn(engine, &order)) => withdrawn?,
                }
            }
        };
        let order = match carried {
            Carried::Done => finish(engine, order).await?,
            Carried::Failed(why) => fail(engine, &order, &why, engine.config.max_order_attempts).await?,
            Carried::FailedForGood(why) => fail(engine, &order, &why, 0).await?,
            Carried::Withdrawn => {
                tracing::info!("the order was withdrawn");
                record_withdrawal(engine, &order).await?;
                acknowledge(engine, delivery).await?;
                return match engine.work_orders.work_order(order.id).await? {
                    Some(order) => announce(engine, &order).await,
                    None => Ok(()),
                };
            }
            Carried::Returned(why, said) => {
                // It is not the order's fault. Its session goes on when the order is dispatched again.
                waiting = Some(said);
                outlast(pause_ms, || engine.work_orders.give_back(order.id, order.attempt, &why)).await?
            }
        };
        match &order.failure {
            Some(why) if order.status == WorkOrderStatus::Failed => told(engine.queue.bury(delivery, why).await)?,
            _ => acknowledge(engine, delivery).await?,
        }
        let took_ms = engine.clock.now().ms_since(began);
        if let Some(said) = waiting {
            tracing::info!(took_ms, "the order waits for its investigation to go on");
            announce(engine, &order).await?;
            return say(engine, order.investigation_id, said).await;
        }
        let (status, failure) = (order.status.as_str(), &order.failure);
        match order.status {
            WorkOrderStatus::Queued => {
                tracing::info!(took_ms, failure, "the order is tried again");
                engine.queue.push(order.id, order.priority).await?;
            }
            _ => tracing::info!(status, took_ms, failure, "the order has ended"),
        }
        metrics::counter!("autosint_work_orders_ended_total", "status" => status).increment(1);
        metrics::histogram!("autosint_work_order_seconds").record(took_ms as f64 / 1_000.0);
        announce(engine, &order).await
    }
    .instrument(span)
    .await
}

/// What a worker finds when the queue has given it an order.
enum Beginning {
    Assigned(WorkOrder),
    /// It is resolved, or gone.
    NothingToDo,
    /// Whose it is, and why no model would answer: then it is not even assigned.
    Shut(InvestigationId, Outage),
}

/// Assigns an order to its worker. The queue says whose it is after the attempt was read, and it is assigned at that attempt only: who was
/// held up while it went to another gets nothing, and who has it now gets it, whatever another did late.
async fn begin(engine: &Engine, delivery: &Delivery) -> Result<Beginning, StoreError> {
    loop {
        let order = engine.work_orders.work_order(delivery.work_order_id).await?;
        let is_open = |order: &WorkOrder| matches!(order.status, WorkOrderStatus::Queued | WorkOrderStatus::Assigned);
        let Some(order) = order.filter(is_open) else { return Ok(Beginning::NothingToDo) };
        if let Some(investigation) = engine.investigations.investigation(order.investigation_id).await? {
            let shut = engine.cast_of(&investigation).models(AgentRole::Processor).is_shut(engine, investigation.id.0).await?;
            if let Some(shut) = shut {
                return Ok(Beginning::Shut(investigation.id, shut));
            }
        }
        let until = engine.clock.now().plus_ms(engine.config.heartbeat_ms.cast_signed());
        if !engine.queue.beat(delivery, until).await? {
            return Err(TAKEN);
        }
        let assigned = engine.work_orders.assign(order.id, order.attempt, delivery.worker, engine.clock.now()).await?;
        // So late that somebody else may have it by now: the queue knows.
        if let Some(order) = assigned.filter(|_| engine.clock.now() < until) {
            return Ok(Beginning::Assigned(order));
        }
    }
}

/// What became of an order.
enum Carried {
    Done,
    /// With the reason.
    Failed(String),
    /// The same would happen again.
    FailedForGood(String),
    /// Nobody wants it any more: it was cancelled, or removed with its investigation.
    Withdrawn,
    /// It goes back for this reason, and whoever drives the investigation is told.
    Returned(String, EventKind),
}

async fn carry_out(engine: &Engine, agents: &Agents, order: &WorkOrder) -> Result<Carried, StoreError> {
    let id = order.investigation_id;
    let investigation = engine.investigations.investigation(id).await?.ok_or_else(|| missing(id))?;
    let task = SessionTask { investigation: &investigation, order: Some(order) };
    Ok(match run_session(engine, agents, task).await?.1 {
        SessionOutcome::Ended(Outcome::Finished { .. }) => Carried::Done,
        SessionOutcome::Ended(Outcome::Failed { why } | Outcome::Empty { why }) => Carried::Failed(why),
        SessionOutcome::Ended(other) => Carried::Failed(format!("a Processor cannot end with {other:?}")),
        SessionOutcome::Suspended(outage) => Carried::Returned(outage.reason.clone(), outage.into()),
        SessionOutcome::OutOfBudget(cap) if cap.level == BudgetLevel::Session => Carried::FailedForGood(cap.to_string()),
        SessionOutcome::OutOfBudget(cap) | SessionOutcome::OutOfShare(cap) => {
            let reason = cap.to_string();
            Carried::Returned(reason.clone(), EventKind::BudgetReached { reason })
        }
    })
}

/// Returns when the order is cancelled or gone; what is under way is dropped then, and its calls of models are settled.
async fn withdrawn(engine: &Engine, order: &WorkOrder) -> Result<Carried, StoreError> {
    let seen = engine.events.last(order.investigation_id).await?;
    let mut events = engine.events.follow(order.investigation_id, seen);
    loop {
        let stored = engine.work_orders.work_order(order.id).await?;
        if stored.is_none_or(|stored| stored.status.is_resolved()) {
            return Ok(Carried::Withdrawn);
        }
        // Orders are cancelled together with a change of the status.
        loop {
            match events.next().await {
                Some(Ok(event)) if !matches!(event.kind, EventKind::StatusChanged { .. }) => {}
                Some(event) => break event.map(drop)?,
                // The investigation has ended, or is gone.
                None => return Ok(Carried::Withdrawn),
            }
        }
    }
}

/// What was done of an order that was withdrawn: its session ends with what the ledger knows of it.
async fn record_withdrawal(engine: &Engine, order: &WorkOrder) -> Result<(), StoreError> {
    // The call that was under way is counted first.
    engine.settled().await;
    let Some(session) = engine.sessions.unfinished(order.investigation_id, Some(order.id)).await? else { return Ok(()) };
    let all = engine.ledger.spent_by_session(order.investigation_id).await?;
    let (spent, turns) = all.get(&session.id).copied().unwrap_or_default();
    let at = engine.clock.now();
    let end = SessionEnd {
        status: SessionStatus::Abandoned,
        reason: Some("its order was cancelled".to_owned()),
        turns,
        tokens_in: spent.tokens_in,
        tokens_out: spent.tokens_out,
        at,
    };
    engine.sessions.end(session.id, &end).await?;
    let ended = EventKind::SessionEnded { session_id: session.id, status: end.status, turns };
    say(engine, order.investigation_id, ended).await
}

async fn fail(engine: &Engine, order: &WorkOrder, why: &str, max_failures: u32) -> Result<WorkOrder, StoreError> {
    let (orders, now) = (&engine.work_orders, engine.clock.now());
    outlast(engine.config.worker_pause_ms, || orders.fail(order.id, order.attempt, why, max_failures, now)).await
}

async fn finish(engine: &Engine, order: WorkOrder) -> Result<WorkOrder, StoreError> {
    let at = engine.clock.now();
    outlast(engine.config.worker_pause_ms, || engine.work_orders.complete(order.id, order.attempt, at)).await?;
    Ok(WorkOrder { status: WorkOrderStatus::Completed, failure: None, completed_at: Some(at), ..order })
}

async fn announce(engine: &Engine, order: &WorkOrder) -> Result<(), StoreError> {
    let happening = EventKind::WorkOrderChanged {
        work_order_id: order.id,
        objective: order.objective.clone(),
        status: order.status,
        attempt: order.tries(),
    };
    say(engine, order.investigation_id, happening).await
}
