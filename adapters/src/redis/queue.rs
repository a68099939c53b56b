//! The queue of work orders in Redis: one stream per priority, one consumer group, a heartbeat key with a time to live per order
//! that is held.
//!
//! Invariants: each step is one script, so that an order is never without its heartbeat while somebody holds it. An order is given
//! to another only when its heartbeat is gone. `queue:life` says that the queue is whole: where it is missing, Redis has lost
//! everything, and whoever sees it first makes the queue again out of the open orders of the database. What was assigned then waits
//! for one heartbeat, so that living workers can report; a late one is refused by the attempt number in the database.

mod ear;
mod scripts;

use super::{Redis, translate};
use async_trait::async_trait;
use domain::{HolderId, Timestamp, WorkOrderId, work_order::Priority};
use ear::Ear;
use engine::{
    Ids, StoreError, StoreResult,
    investigations::WorkOrders,
    queue::{Delivery, Queue},
};
use redis::{FromRedisValue, RedisResult, ScriptInvocation};
use scripts::{ACKNOWLEDGE, BEAT, BURY, DEPTH, FORGET, PUSH, REBUILD, REMOVE, Script, TAKE};
use std::{sync::Arc, time::Duration};
use uuid::Uuid;

/// Where a worker is refused because the queue is not whole.
const LOST: &str = "LOST";
/// The same, when only the group is gone.
const NO_GROUP: &str = "NOGROUP";

/// Work orders in Redis Streams.
pub struct RedisQueue {
    redis: Redis,
    /// What the queue is made of when Redis has lost it.
    orders: Arc<dyn WorkOrders>,
    ids: Arc<dyn Ids>,
    /// How long what was assigned waits after a loss.
    grace_ms: u64,
    ear: Ear,
}

impl RedisQueue {
    /// `grace_ms` is how long a heartbeat lasts (`engine.heartbeat_ms`).
    pub fn new(redis: &Redis, orders: Arc<dyn WorkOrders>, ids: Arc<dyn Ids>, grace_ms: u64) -> Self {
        Self { redis: redis.clone(), orders, ids, grace_ms, ear: Ear::new(redis) }
    }

    fn invocation(&self, script: &'static Script) -> ScriptInvocation<'static> {
        let mut invocation = script.prepare_invoke();
        invocation.key(&self.redis.config().prefix);
        invocation
    }

    /// Runs a script; where the queue is not whole it is made again, and the script runs once more.
    async fn run<T: FromRedisValue>(&self, script: &ScriptInvocation<'_>, times: Times) -> StoreResult<T> {
        match self.attempt(script, times).await {
            Err(error) if matches!(error.code(), Some(LOST | NO_GROUP)) => {
                self.rebuild().await?;
                self.attempt(script, times).await.map_err(translate)
            }
            done => done.map_err(translate),
        }
    }

    async fn attempt<T: FromRedisValue>(&self, script: &ScriptInvocation<'_>, times: Times) -> RedisResult<T> {
        match times {
            Times::Any => self.redis.script(script).await,
            Times::Once => self.redis.script_once(script).await,
        }
    }

    /// Of several processes that see the loss one makes the queue again, the others find it whole.
    async fn rebuild(&self) -> StoreResult<()> {
        let open = self.orders.open().await?;
        let mut script = self.invocation(&REBUILD);
        script.arg(self.ids.next().to_string()).arg(self.grace_ms);
        for order in &open {
            let holder = order.holder.map(|holder| holder.to_string()).unwrap_or_default();
            script.arg(order.id.to_string()).arg(name(order.priority)).arg(holder);
        }
        let made: bool = self.redis.script(&script).await.map_err(translate)?;
        match open.len() {
            _ if !made => {}
            // As at the first start.
            0 => tracing::info!("Redis held no queue, and no order is open"),
            orders => tracing::warn!(orders, "Redis held no queue: it was made again from the database"),
        }
        Ok(())
    }
}

/// How often a script may be sent.
#[derive(Clone, Copy)]
enum Times {
    Any,
    Once,
}

/// What the stream of a priority is called.
fn name(priority: Priority) -> &'static str {
    match priority {
        Priority::High => "high",
        Priority::Normal => "normal",
        Priority::Low => "low",
    }
}

#[async_trait]
impl Queue for RedisQueue {
    async fn push(&self, id: WorkOrderId, priority: Priority) -> StoreResult<()> {
        self.run(self.invocation(&PUSH).arg(id.to_string()).arg(name(priority)), Times::Any).await
    }

    async fn take(&self, worker: HolderId, heartbeat_ms: u64) -> StoreResult<Delivery> {
        let mut news = self.ear.listen();
        let recheck = Duration::from_millis(self.redis.config().recheck_ms.max(1));
        let mut script = self.invocation(&TAKE);
        script.arg(worker.to_string()).arg(heartbeat_ms);
        loop {
            news.borrow_and_update();
            let given: Option<(String, u32)> = self.run(&script, Times::Once).await?;
            if let Some((id, delivery)) = given {
                let id = Uuid::parse_str(&id).map_err(|_| StoreError::Defect(format!("Redis: '{id}' is no work order")))?;
                return Ok(Delivery { work_order_id: WorkOrderId(id), worker, delivery });
            }
            let _ = tokio::time::timeout(recheck, news.changed()).await;
        }
    }

    async fn beat(&self, delivery: &Delivery, until: Timestamp) -> StoreResult<bool> {
        self.run(held(&mut self.invocation(&BEAT), delivery).arg(self.redis.ttl_ms(until)), Times::Any).await
    }

    async fn acknowledge(&self, delivery: &Delivery) -> StoreResult<()> {
        self.run(held(&mut self.invocation(&ACKNOWLEDGE), delivery), Times::Any).await
    }

    async fn dead_letter(&self, delivery: &Delivery, reason: &str) -> StoreResult<()> {
        let (at, keep) = (self.redis.inner.clock.now(), self.redis.config().max_dead_letters);
        let letter = serde_json::json!({"work_order_id": delivery.work_order_id, "reason": reason, "at": at});
        self.run(held(&mut self.invocation(&BURY), delivery).arg(letter.to_string()).arg(keep), Times::Any).await
    }

    async fn forget_workers(&self) -> StoreResult<()> {
        self.run(&self.invocation(&FORGET), Times::Any).await
    }

    async fn remove(&self, id: WorkOrderId) -> StoreResult<()> {
        self.run(self.invocation(&REMOVE).arg(id.to_string()), Times::Any).await
    }

    async fn depth(&self) -> StoreResult<[u64; 3]> {
        let depth: (u64, u64, u64) = self.run(&self.invocation(&DEPTH), Times::Any).await?;
        Ok(depth.into())
    }
}

/// With what a delivery is known by.
fn held<'a>(script: &'a mut ScriptInvocation<'static>, delivery: &Delivery) -> &'a mut ScriptInvocation<'static> {
    script.arg(delivery.work_order_id.to_string()).arg(delivery.worker.to_string()).arg(delivery.delivery)
}
