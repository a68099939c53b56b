//! Guarded queue: a circuit breaker around a queue in another service.
//!
//! Invariant: only short calls probe. `take` waits for work, which may not come before others are admitted.

use super::{Delivery, Queue};
use crate::{
    StoreError, StoreResult,
    reliability::{CircuitOpen, DependencyGuard},
};
use async_trait::async_trait;
use domain::{HolderId, Timestamp, WorkOrderId, work_order::Priority};
use std::sync::Arc;

/// Queue with a circuit breaker. An open circuit answers like an unavailable queue, at once.
pub struct GuardedQueue {
    inner: Arc<dyn Queue>,
    guard: DependencyGuard,
}

impl GuardedQueue {
    pub fn new(inner: Arc<dyn Queue>, guard: DependencyGuard) -> Self {
        Self { inner, guard }
    }

    async fn call<T>(&self, call: impl Future<Output = StoreResult<T>>) -> StoreResult<T> {
        match self.guard.call(call, outage).await {
            Ok(result) => result,
            Err(CircuitOpen { reason }) => Err(StoreError::Unavailable(reason)),
        }
    }
}

/// Returns the reason when the queue does not answer.
fn outage<T>(result: &StoreResult<T>) -> Option<String> {
    match result {
        Err(StoreError::Unavailable(why)) => Some(why.clone()),
        _ => None,
    }
}

#[async_trait]
impl Queue for GuardedQueue {
    async fn push(&self, id: WorkOrderId, priority: Priority) -> StoreResult<()> {
        self.call(self.inner.push(id, priority)).await
    }

    async fn take(&self, worker: HolderId, heartbeat_ms: u64) -> StoreResult<Delivery> {
        if self.guard.is_failing() {
            self.depth().await?;
        }
        let taken = self.inner.take(worker, heartbeat_ms).await;
        self.guard.note(outage(&taken).as_deref()).await;
        taken
    }

    async fn beat(&self, delivery: &Delivery, until: Timestamp) -> StoreResult<bool> {
        self.call(self.inner.beat(delivery, until)).await
    }

    async fn acknowledge(&self, delivery: &Delivery) -> StoreResult<()> {
        self.call(self.inner.acknowledge(delivery)).await
    }

    async fn forget_workers(&self) -> StoreResult<()> {
        self.call(self.inner.forget_workers()).await
    }

    async fn remove(&self, id: WorkOrderId) -> StoreResult<()> {
        self.call(self.inner.remove(id)).await
    }

    async fn depth(&self) -> StoreResult<[u64; 3]> {
        self.call(self.inner.depth()).await
    }
}
