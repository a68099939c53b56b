//! What is looked up when somebody asks: figures that stand in the store, and the state of connections.
//!
//! A part that cannot be looked up is left as it was; `autosint_database_up` says so.

use crate::Program;
use domain::{UserId, budget::BudgetLevel, investigation::Status, work_order::WorkOrderStatus};
use engine::{StoreResult, budget::day_keys, reliability::CircuitState};
use metrics::gauge;
use std::time::Instant;

pub(super) async fn all(program: &Program) {
    gauge!("autosint_build_info", "version" => env!("CARGO_PKG_VERSION")).set(1.0);
    connections(program);
    if !probe(program).await {
        return;
    }
    for looked in [work(program).await, circuits(program).await, budget(program).await, vectors(program).await] {
        if let Err(error) = looked {
            tracing::warn!(%error, "some figures could not be looked up");
        }
    }
}

/// Whether the store answers.
async fn probe(program: &Program) -> bool {
    let began = Instant::now();
    let answers = program.store.ping().await.is_ok();
    gauge!("autosint_database_up").set(f64::from(u8::from(answers)));
    metrics::histogram!("autosint_database_probe_seconds").record(began.elapsed().as_secs_f64());
    answers
}

fn connections(program: &Program) {
    for pool in program.store.connections() {
        for (state, count) in [("used", pool.used), ("idle", pool.idle)] {
            gauge!("autosint_database_connections", "pool" => pool.pool, "state" => state).set(f64::from(count));
        }
        gauge!("autosint_database_connections_max", "pool" => pool.pool).set(f64::from(pool.max));
    }
}

async fn work(program: &Program) -> StoreResult<()> {
    let engine = &program.engine;
    let counted = engine.investigations.count_by_status().await?;
    for status in Status::ALL {
        let count = counted.iter().find(|(known, _)| *known == status).map_or(0, |(_, count)| *count);
        gauge!("autosint_investigations", "status" => status.as_str()).set(count as f64);
    }
    let counted = engine.work_orders.count_orders_by_status().await?;
    for status in WorkOrderStatus::ALL {
        let count = counted.iter().find(|(known, _)| *known == status).map_or(0, |(_, count)| *count);
        gauge!("autosint_work_orders", "status" => status.as_str()).set(count as f64);
    }
    for (priority, count) in ["high", "normal", "low"].into_iter().zip(engine.queue.depth().await?) {
        gauge!("autosint_queue_depth", "priority" => priority).set(count as f64);
    }
    Ok(())
}

/// Also of those that another process found down.
async fn circuits(program: &Program) -> StoreResult<()> {
    for circuit in program.engine.circuits.circuits().await? {
        let value = match circuit.state {
            CircuitState::Closed => 0.0,
            CircuitState::HalfOpen => 0.5,
            CircuitState::Open => 1.0,
        };
        gauge!("autosint_circuit_open", "dependency" => circuit.dependency).set(value);
    }
    Ok(())
}

async fn budget(program: &Program) -> StoreResult<()> {
    let engine = &program.engine;
    let [today, _] = day_keys(engine.clock.now(), UserId(uuid::Uuid::nil()));
    let used = engine.ledger.used(BudgetLevel::Day, &today).await?;
    gauge!("autosint_budget_day_used_tokens").set(used.tokens as f64);
    gauge!("autosint_budget_day_used_micros").set(used.micros as f64);
    let [day, ..] = engine.budget.caps().levels;
    if let Some(tokens) = day.tokens {
        gauge!("autosint_budget_day_cap_tokens").set(tokens as f64);
    }
    if let Some(micros) = day.micros {
        gauge!("autosint_budget_day_cap_micros").set(micros as f64);
    }
    Ok(())
}

async fn vectors(program: &Program) -> StoreResult<()> {
    let Some(embedder) = &program.engine.embedder else { return Ok(()) };
    let (pending, done) = program.engine.graph.vector_progress(embedder.model()).await?;
    gauge!("autosint_vectors", "state" => "pending").set(pending as f64);
    gauge!("autosint_vectors", "state" => "done").set(done as f64);
    Ok(())
}
