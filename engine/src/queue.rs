//! The queue of work orders: three priorities, a heartbeat instead of a clock, nothing lost and nothing run twice while its worker lives.

use crate::StoreResult;
use async_trait::async_trait;
use domain::{HolderId, Timestamp, WorkOrderId, work_order::Priority};

/// One order given to one worker.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Delivery {
    pub work_order_id: WorkOrderId,
    pub worker: HolderId,
    /// Which delivery of this order it is; heartbeats and acknowledgements of older ones are ignored.
    pub delivery: u32,
}

#[async_trait]
pub trait Queue: Send + Sync {
    /// Puts an order in; harmless when it is there already, also when a worker holds it: to have one given out again, acknowledge first.
    async fn push(&self, id: WorkOrderId, priority: Priority) -> StoreResult<()>;
    /// Waits for the next order, highest priority first, oldest first; an order whose heartbeat has expired is given out again.
    /// Cancel-safe: a dropped call has taken nothing, or its heartbeat expires.
    async fn take(&self, worker: HolderId, heartbeat_ms: u64) -> StoreResult<Delivery>;
    /// Extends the heartbeat; false when the order was given to somebody else.
    async fn beat(&self, delivery: &Delivery, until: Timestamp) -> StoreResult<bool>;
    /// Done with it, whatever the outcome; removes it unless it was given to somebody else.
    async fn acknowledge(&self, delivery: &Delivery) -> StoreResult<()>;
    /// The same of an order that failed for good, with the reason, which a queue that keeps dead letters notes among them.
    async fn dead_letter(&self, delivery: &Delivery, _reason: &str) -> StoreResult<()> {
        self.acknowledge(delivery).await
    }
    /// Ends every heartbeat, so that what dead workers held is given out at once. Only for a process that has made sure that no
    /// other works on this store.
    async fn forget_workers(&self) -> StoreResult<()>;
    /// Takes it out before anybody got it.
    async fn remove(&self, id: WorkOrderId) -> StoreResult<()>;
    /// Waiting orders per priority: high, normal, low.
    async fn depth(&self) -> StoreResult<[u64; 3]>;
}
