//! Use cases on work orders that failed for good (dead letters): queue them again, or discard them.

use crate::{
    Engine, StoreResult,
    accounts::{self, Actor},
    workers::announce,
};
use domain::WorkOrderId;

/// Queues a failed work order again. Returns false when it is not failed, or its investigation has ended.
///
/// It can be repeated: a queued order is pushed once more, for a queue that did not answer the first time.
pub async fn requeue_order(engine: &Engine, by: Actor, id: WorkOrderId) -> StoreResult<bool> {
    let Some(order) = engine.work_orders.requeue(id).await? else { return Ok(false) };
    engine.queue.push(order.id, order.priority).await?;
    announce(engine, &order).await?;
    accounts::audit(engine, by, "requeue_work_order", &id.to_string()).await?;
    Ok(true)
}

/// Takes a failed work order off the list. Returns false when it is not on it.
pub async fn discard_order(engine: &Engine, by: Actor, id: WorkOrderId) -> StoreResult<bool> {
    if !engine.work_orders.discard(id, engine.clock.now()).await? {
        return Ok(false);
    }
    accounts::audit(engine, by, "discard_work_order", &id.to_string()).await?;
    Ok(true)
}
