//! What is looked up when somebody asks: figures that stand in the store, what this process depends on, and the state of connections.
//!
//! What cannot be looked up is NaN, which no alert takes for a number, and never what it was before. Circuits alone stay as they were
//! last seen: which there are is known to the store.

use crate::{Program, clocks};
use domain::{UserId, budget::BudgetLevel, investigation::Status, work_order::WorkOrderStatus};
use engine::{StoreError, StoreResult, budget::day_keys, reliability::CircuitState};
use metrics::gauge;
use std::time::{Duration, Instant};

pub(super) async fn all(program: &Program) {
    gauge!("autosint_build_info", "version" => env!("CARGO_PKG_VERSION")).set(1.0);
    connections(program);
    let (store, graph, depth) = tokio::join!(probe(program), graph(program), queue(program));
    let up = [("store", store), ("graph", graph), ("queue", depth.is_some())];
    for (dependency, is_up) in up {
        gauge!("autosint_dependency_up", "dependency" => dependency).set(f64::from(u8::from(is_up)));
    }
    let depth = depth.map_or([f64::NAN; 3], |depth| depth.map(|orders| orders as f64));
    for (priority, orders) in ["high", "normal", "low"].into_iter().zip(depth) {
        gauge!("autosint_queue_depth", "priority" => priority).set(orders);
    }
    tokio::join!(work(program, store), budget(program, store), circuits(program, store), vectors(program, store && graph));
}

/// In the time that somebody who asks is made to wait; none, with a word in the log, where it takes longer or fails.
async fn known<T>(program: &Program, look: impl Future<Output = StoreResult<T>>) -> Option<T> {
    let patience = Duration::from_millis(program.config.metrics.probe_timeout_ms);
    let late = |_| Err(StoreError::Unavailable("no answer in metrics.probe_timeout_ms".into()));
    let looked = tokio::time::timeout(patience, look).await.unwrap_or_else(late);
    looked.inspect_err(|error| tracing::warn!(%error, "some figures could not be looked up")).ok()
}

/// The same where it is known already whether there is anybody to ask.
async fn known_if<T>(program: &Program, is_there: bool, look: impl Future<Output = StoreResult<T>>) -> Option<T> {
    if is_there { known(program, look).await } else { None }
}

/// Whether the store answers.
pub(crate) async fn store(program: &Program) -> bool {
    known(program, program.store.ping()).await.is_some()
}

/// What is wrong with the clock of this machine, where anything is and can be found out.
pub(crate) async fn clock(program: &Program) -> Option<String> {
    known(program, clocks::problem(program)).await.flatten()
}

/// Whether the graph answers.
pub(crate) async fn graph(program: &Program) -> bool {
    known(program, program.engine.graph.describe()).await.is_some()
}

/// How many orders wait, by priority; none where the queue does not answer.
pub(crate) async fn queue(program: &Program) -> Option<[u64; 3]> {
    known(program, program.engine.queue.depth()).await
}

async fn probe(program: &Program) -> bool {
    let began = Instant::now();
    let answers = store(program).await;
    metrics::histogram!("autosint_database_probe_seconds").record(began.elapsed().as_secs_f64());
    answers
}

fn connections(program: &Program) {
    for pool in program.store.pool_usage() {
        for (state, count) in [("used", pool.used), ("idle", pool.idle)] {
            gauge!("autosint_database_connections", "pool" => pool.pool, "state" => state).set(f64::from(count));
        }
        gauge!("autosint_database_connections_max", "pool" => pool.pool).set(f64::from(pool.max));
    }
}

/// Of a status that none has there are zero, where that could be looked up.
fn of<S: PartialEq>(status: &S, counted: Option<&[(S, u64)]>) -> f64 {
    let Some(counted) = counted else { return f64::NAN };
    counted.iter().find(|(known, _)| known == status).map_or(0.0, |(_, count)| *count as f64)
}

async fn work(program: &Program, is_there: bool) {
    let engine = &program.engine;
    let counted = known_if(program, is_there, engine.investigations.count_by_status()).await;
    for status in Status::ALL {
        gauge!("autosint_investigations", "status" => status.as_str()).set(of(&status, counted.as_deref()));
    }
    let counted = known_if(program, is_there, engine.work_orders.count_orders_by_status()).await;
    for status in WorkOrderStatus::ALL {
        gauge!("autosint_work_orders", "status" => status.as_str()).set(of(&status, counted.as_deref()));
    }
}

/// Also of those that another process found down.
async fn circuits(program: &Program, is_there: bool) {
    for circuit in known_if(program, is_there, program.engine.circuits.circuits()).await.unwrap_or_default() {
        let value = match circuit.state {
            CircuitState::Closed => 0.0,
            CircuitState::HalfOpen => 0.5,
            CircuitState::Open => 1.0,
        };
        gauge!("autosint_circuit_open", "dependency" => circuit.dependency).set(value);
    }
}

async fn budget(program: &Program, is_there: bool) {
    let engine = &program.engine;
    let [today, _] = day_keys(engine.clock.now(), UserId(uuid::Uuid::nil()));
    let used = known_if(program, is_there, engine.ledger.used(BudgetLevel::Day, &today)).await;
    let (tokens, micros) = used.map_or((f64::NAN, f64::NAN), |used| (used.tokens as f64, used.micros as f64));
    gauge!("autosint_budget_day_used_tokens").set(tokens);
    gauge!("autosint_budget_day_used_micros").set(micros);
    let [day, ..] = engine.budget.caps().levels;
    if let Some(tokens) = day.tokens {
        gauge!("autosint_budget_day_cap_tokens").set(tokens as f64);
    }
    if let Some(micros) = day.micros {
        gauge!("autosint_budget_day_cap_micros").set(micros as f64);
    }
}

async fn vectors(program: &Program, is_there: bool) {
    let Some(embedder) = &program.engine.embedder else { return };
    let counted = known_if(program, is_there, program.engine.graph.vector_progress(embedder.model())).await;
    let (pending, done) = counted.map_or((f64::NAN, f64::NAN), |(pending, done)| (pending as f64, done as f64));
    gauge!("autosint_vectors", "state" => "pending").set(pending);
    gauge!("autosint_vectors", "state" => "done").set(done);
}
