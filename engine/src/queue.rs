//! Work order queue: three priorities, worker heartbeats, no loss, and no double execution while a worker lives.

mod guarded;

pub use guarded::GuardedQueue;

use crate::StoreResult;
use async_trait::async_trait;
use domain::{HolderId, Timestamp, WorkOrderId, work_order::Priority};

/// Delivery of a work order to a worker.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Delivery {
    pub work_order_id: WorkOrderId,
    pub worker: HolderId,
    /// Delivery number; heartbeats and acknowledgements of older ones are ignored.
    pub delivery: u32,
}

#[async_trait]
pub trait Queue: Send + Sync {
    /// Queues a work order; no effect while it is queued or held. Acknowledge first to redeliver.
    async fn push(&self, id: WorkOrderId, priority: Priority) -> StoreResult<()>;
    /// Waits for the next work order, by priority, then age. Orders with an expired heartbeat are redelivered. Cancel-safe: a
    /// dropped call has taken nothing, or its heartbeat expires.
    async fn take(&self, worker: HolderId, heartbeat_ms: u64) -> StoreResult<Delivery>;
    /// Extends the heartbeat. Returns false when another worker has the order.
    async fn beat(&self, delivery: &Delivery, until: Timestamp) -> StoreResult<bool>;
    /// Acknowledges a delivery with any outcome; removes the order unless another worker has it.
    async fn acknowledge(&self, delivery: &Delivery) -> StoreResult<()>;
    /// Ends every heartbeat, so that orders of dead workers are redelivered at once. Only for a process with exclusive use of the
    /// store.
    async fn forget_workers(&self) -> StoreResult<()>;
    /// Removes an order that is not delivered yet.
    async fn remove(&self, id: WorkOrderId) -> StoreResult<()>;
    /// Returns waiting orders per priority: high, normal, low.
    async fn depth(&self) -> StoreResult<[u64; 3]>;
}
