//! Orders of the cycle in the background: by the schedule, and those that people placed.

use super::{
    order::{CycleOrder, CycleOrderId, OrderKind},
    run_order,
};
use crate::{settings::TensionSettings, store::TensionStore};
use domain::Timestamp;
use engine::{StoreResult, accounts};
use feature::{JobContext, Web};

/// Runs one round: carries out the open orders. An order whose process died is taken up when its lease has expired.
pub async fn run_orders(context: JobContext) -> StoreResult<()> {
    let web = &context.web;
    order_by_schedule(web, context.started).await?;
    let store = TensionStore::new(web);
    store.remove_stray_sessions().await?;
    for order in store.open_orders().await? {
        run_order(web, &order).await?;
    }
    Ok(())
}

/// Orders a cycle for the last occurrence of the schedule that has none.
async fn order_by_schedule(web: &Web, started: Timestamp) -> StoreResult<()> {
    let (store, settings) = (TensionStore::new(web), web.settings.get::<TensionSettings>());
    // The settings are checked at the start.
    let Some(Ok(schedule)) = settings.schedule() else { return Ok(()) };
    let now = web.engine.clock.now();
    let after = store.last_due().await?.unwrap_or(started);
    if let Some(due) = schedule.due(after, now) {
        let order = CycleOrder { due_at: Some(due), ..system_order(web, OrderKind::Cycle, settings.scout_targets).await? };
        store.add_order(&order).await?;
    }
    Ok(())
}

/// Returns an order of the system user, over what everybody reads.
pub async fn system_order(web: &Web, kind: OrderKind, max_targets: u32) -> StoreResult<CycleOrder> {
    let user = accounts::system_user(&web.engine).await?;
    Ok(CycleOrder {
        id: CycleOrderId(web.engine.ids.next()),
        kind,
        user: user.id,
        is_shared: true,
        tension: None,
        max_targets,
        ordered_at: web.engine.clock.now(),
        due_at: None,
        reason: String::new(),
        ended_at: None,
    })
}
