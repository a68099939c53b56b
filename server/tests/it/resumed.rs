//! Counts of resumed work.

use crate::prelude::*;

/// Counts resumed sessions and work orders.
pub async fn taken_up_again(engine: &Engine, investigation: InvestigationId) -> usize {
    let sessions = engine.sessions.sessions(investigation).await.unwrap();
    let orders = engine.work_orders.work_orders(investigation).await.unwrap();
    let events = engine.events.after(investigation, 0, 10_000).await.unwrap();
    let begun = events.iter().filter(|event| matches!(event.kind, EventKind::SessionStarted { .. })).count();
    begun.saturating_sub(sessions.len()) + orders.iter().filter(|order| order.attempt > 1).count()
}
