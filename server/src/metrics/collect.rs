//! Metrics collected on each scrape: totals from the store, state of dependencies and of connections.
//!
//! Failed look-ups become NaN, which triggers no alert, and never keep a stale value. Circuits are an exception: they keep their
//! last state, because only the store knows the list.

use crate::{Program, clock_check, features, http::feature_state};
use domain::{UserId, budget::BudgetLevel, investigation::Status, work_order::WorkOrderStatus};
use engine::{StoreError, StoreResult, budget::day_keys, reliability::CircuitState};
use futures::future::join_all;
use metrics::gauge;
use std::time::{Duration, Instant};

pub(super) async fn update(program: &Program) {
    gauge!("autosint_build_info", "version" => env!("CARGO_PKG_VERSION")).set(1.0);
    update_connections(program);
    let (store, graph, depth) = tokio::join!(probe_store(program), graph(program), queue(program));
    let up = [("store", store), ("graph", graph), ("queue", depth.is_some())];
    for (dependency, is_up) in up {
        gauge!("autosint_dependency_up", "dependency" => dependency).set(f64::from(u8::from(is_up)));
    }
    let depth = depth.map_or([f64::NAN; 3], |depth| depth.map(|orders| orders as f64));
    for (priority, orders) in ["high", "normal", "low"].into_iter().zip(depth) {
        gauge!("autosint_queue_depth", "priority" => priority).set(orders);
    }
    tokio::join!(
        update_work(program, store),
        update_budget(program, store),
        update_circuits(program, store),
        update_vectors(program, store && graph),
        update_features(program, store)
    );
}

/// Runs a query within `metrics.probe_timeout_ms`; logs a failure and returns `None`.
async fn with_timeout<T>(program: &Program, query: impl Future<Output = StoreResult<T>>) -> Option<T> {
    let timeout = Duration::from_millis(program.config.metrics.probe_timeout_ms);
    let late = |_| Err(StoreError::Unavailable("no answer within metrics.probe_timeout_ms".into()));
    let result = tokio::time::timeout(timeout, query).await.unwrap_or_else(late);
    result.inspect_err(|error| tracing::warn!(%error, "metrics query failed")).ok()
}

/// Like `with_timeout`, but skips the query if the store is known to be down.
async fn with_timeout_if<T>(program: &Program, is_there: bool, query: impl Future<Output = StoreResult<T>>) -> Option<T> {
    if is_there { with_timeout(program, query).await } else { None }
}

/// Returns whether the store answers.
pub(crate) async fn store(program: &Program) -> bool {
    with_timeout(program, program.store.ping()).await.is_some()
}

/// Describes excessive clock skew, if any is found.
pub(crate) async fn clock(program: &Program) -> Option<String> {
    with_timeout(program, clock_check::clock_problem(program)).await.flatten()
}

/// Returns whether the graph answers.
pub(crate) async fn graph(program: &Program) -> bool {
    with_timeout(program, program.engine.graph.describe()).await.is_some()
}

/// Returns the number of waiting work orders by priority; `None` if the queue does not answer.
pub(crate) async fn queue(program: &Program) -> Option<[u64; 3]> {
    with_timeout(program, program.engine.queue.depth()).await
}

async fn probe_store(program: &Program) -> bool {
    let began = Instant::now();
    let answers = store(program).await;
    metrics::histogram!("autosint_database_probe_seconds").record(began.elapsed().as_secs_f64());
    answers
}

fn update_connections(program: &Program) {
    for pool in program.store.pool_usage() {
        for (state, count) in [("used", pool.used), ("idle", pool.idle)] {
            gauge!("autosint_database_connections", "pool" => pool.pool, "state" => state).set(f64::from(count));
        }
        gauge!("autosint_database_connections_max", "pool" => pool.pool).set(f64::from(pool.max));
    }
}

/// Returns the count for a status: zero if absent, NaN if the look-up failed.
fn count_for<S: PartialEq>(status: &S, counted: Option<&[(S, u64)]>) -> f64 {
    let Some(counted) = counted else { return f64::NAN };
    counted.iter().find(|(with_timeout, _)| with_timeout == status).map_or(0.0, |(_, count)| *count as f64)
}

async fn update_work(program: &Program, is_there: bool) {
    let engine = &program.engine;
    let counted = with_timeout_if(program, is_there, engine.investigations.count_by_status()).await;
    for status in Status::ALL {
        gauge!("autosint_investigations", "status" => status.as_str()).set(count_for(&status, counted.as_deref()));
    }
    let counted = with_timeout_if(program, is_there, engine.work_orders.count_orders_by_status()).await;
    for status in WorkOrderStatus::ALL {
        gauge!("autosint_work_orders", "status" => status.as_str()).set(count_for(&status, counted.as_deref()));
    }
}

/// Updates circuit states, including those opened by other processes.
async fn update_circuits(program: &Program, is_there: bool) {
    for circuit in with_timeout_if(program, is_there, program.engine.circuits.circuits()).await.unwrap_or_default() {
        let value = match circuit.state {
            CircuitState::Closed => 0.0,
            CircuitState::HalfOpen => 0.5,
            CircuitState::Open => 1.0,
        };
        gauge!("autosint_circuit_open", "dependency" => circuit.dependency).set(value);
    }
}

async fn update_budget(program: &Program, is_there: bool) {
    let engine = &program.engine;
    let [today, _] = day_keys(engine.clock.now(), UserId(uuid::Uuid::nil()));
    let used = with_timeout_if(program, is_there, engine.ledger.used(BudgetLevel::Day, &today)).await;
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

/// Updates the gauges that features measure.
async fn update_features(program: &Program, is_there: bool) {
    let state = &feature_state(program);
    let measured = features::metrics().filter_map(|metric| match metric.kind {
        feature::MetricKind::Measured(measure) => Some((metric.name, measure)),
        _ => None,
    });
    let updates = measured.map(|(name, measure)| async move {
        let value = with_timeout_if(program, is_there, measure(state.clone())).await;
        gauge!(name).set(value.unwrap_or(f64::NAN));
    });
    join_all(updates).await;
}

async fn update_vectors(program: &Program, is_there: bool) {
    let Some(embedder) = &program.engine.embedder else { return };
    let counted = with_timeout_if(program, is_there, program.engine.graph.vector_progress(embedder.model())).await;
    let (pending, done) = counted.map_or((f64::NAN, f64::NAN), |(pending, done)| (pending as f64, done as f64));
    gauge!("autosint_vectors", "state" => "pending").set(pending);
    gauge!("autosint_vectors", "state" => "done").set(done);
}
