//! The work-order queue in Redis: one stream per priority, one consumer group, and per held order a heartbeat key with a time to live.
//!
//! Invariants: each step is one script, so that a held order always has its heartbeat. An order is reassigned only when its heartbeat is
//! gone. `queue:life` marks the queue as complete; where it is missing, Redis has lost its data, and the first process to notice rebuilds
//! the queue from the open orders of the database. Assigned orders then wait for one heartbeat, so that living workers can report; a late
//! report is refused by the attempt number in the database.

mod listener;
mod scripts;

use super::{Redis, translate};
use async_trait::async_trait;
use domain::{HolderId, Timestamp, WorkOrderId, work_order::Priority};
use engine::{
    Ids, StoreError, StoreResult,
    investigations::WorkOrders,
    queue::{Delivery, Queue},
};
use listener::QueueListener;
use redis::{FromRedisValue, RedisResult, ScriptInvocation};
use scripts::{ACKNOWLEDGE, BEAT, DEPTH, FORGET, PUSH, REBUILD, REMOVE, Script, TAKE};
use std::{sync::Arc, time::Duration};
use uuid::Uuid;

/// Error code of a script on an incomplete queue.
const LOST: &str = "LOST";
/// Redis's error code for a missing consumer group.
const NO_GROUP: &str = "NOGROUP";

/// The work-order queue on Redis Streams.
pub struct RedisQueue {
    redis: Redis,
    /// The source for rebuilding a lost queue.
    orders: Arc<dyn WorkOrders>,
    ids: Arc<dyn Ids>,
    /// Wait of assigned orders after a loss, in milliseconds.
    grace_ms: u64,
    listener: QueueListener,
}

impl RedisQueue {
    /// Creates the queue; `grace_ms` is the lifetime of a heartbeat (`engine.heartbeat_ms`).
    pub fn new(redis: &Redis, orders: Arc<dyn WorkOrders>, ids: Arc<dyn Ids>, grace_ms: u64) -> Self {
        Self { redis: redis.clone(), orders, ids, grace_ms, listener: QueueListener::new(redis) }
    }

    fn invocation(&self, script: &'static Script) -> ScriptInvocation<'static> {
        let mut invocation = script.prepare_invoke();
        invocation.key(&self.redis.config().prefix);
        invocation
    }

    /// Runs a script; on an incomplete queue rebuilds it and runs the script once more.
    async fn run<T: FromRedisValue>(&self, script: &ScriptInvocation<'_>, attempts: Attempts) -> StoreResult<T> {
        match self.attempt(script, attempts).await {
            Err(error) if matches!(error.code(), Some(LOST | NO_GROUP)) => {
                self.rebuild().await?;
                self.attempt(script, attempts).await.map_err(translate)
            }
            done => done.map_err(translate),
        }
    }

    async fn attempt<T: FromRedisValue>(&self, script: &ScriptInvocation<'_>, attempts: Attempts) -> RedisResult<T> {
        match attempts {
            Attempts::Any => self.redis.script(script).await,
            Attempts::Once => self.redis.script_once(script).await,
        }
    }

    /// Rebuilds the queue. Of several processes that notice the loss, one does it and the others find it complete.
    async fn rebuild(&self) -> StoreResult<()> {
        let open = self.orders.open().await?;
        let mut script = self.invocation(&REBUILD);
        script.arg(self.ids.next().to_string()).arg(self.grace_ms);
        for order in &open {
            let holder = order.holder.map(|holder| holder.to_string()).unwrap_or_default();
            script.arg(order.id.to_string()).arg(order.priority.as_str()).arg(holder);
        }
        let made: bool = self.redis.script(&script).await.map_err(translate)?;
        match open.len() {
            _ if !made => {}
            // As at the first start.
            0 => tracing::info!("redis queue created, no open work orders"),
            orders => tracing::warn!(orders, "redis queue lost, rebuilt from the database"),
        }
        Ok(())
    }
}

/// Whether a script may be sent again after an error.
#[derive(Clone, Copy)]
enum Attempts {
    Any,
    Once,
}

#[async_trait]
impl Queue for RedisQueue {
    async fn push(&self, id: WorkOrderId, priority: Priority) -> StoreResult<()> {
        self.run(self.invocation(&PUSH).arg(id.to_string()).arg(priority.as_str()), Attempts::Any).await
    }

    async fn take(&self, worker: HolderId, heartbeat_ms: u64) -> StoreResult<Delivery> {
        let mut news = self.listener.subscribe();
        let recheck = Duration::from_millis(self.redis.config().recheck_ms.max(1));
        let mut script = self.invocation(&TAKE);
        script.arg(worker.to_string()).arg(heartbeat_ms);
        loop {
            news.borrow_and_update();
            let given: Option<(String, u32)> = self.run(&script, Attempts::Once).await?;
            if let Some((id, delivery)) = given {
                let id = Uuid::parse_str(&id).map_err(|_| StoreError::Defect(format!("Redis: '{id}' is no work order")))?;
                return Ok(Delivery { work_order_id: WorkOrderId(id), worker, delivery });
            }
            let _ = tokio::time::timeout(recheck, news.changed()).await;
        }
    }

    async fn beat(&self, delivery: &Delivery, until: Timestamp) -> StoreResult<bool> {
        self.run(bind_delivery(&mut self.invocation(&BEAT), delivery).arg(self.redis.ttl_ms(until)), Attempts::Any).await
    }

    async fn acknowledge(&self, delivery: &Delivery) -> StoreResult<()> {
        self.run(bind_delivery(&mut self.invocation(&ACKNOWLEDGE), delivery), Attempts::Any).await
    }

    async fn forget_workers(&self) -> StoreResult<()> {
        self.run(&self.invocation(&FORGET), Attempts::Any).await
    }

    async fn remove(&self, id: WorkOrderId) -> StoreResult<()> {
        self.run(self.invocation(&REMOVE).arg(id.to_string()), Attempts::Any).await
    }

    async fn depth(&self) -> StoreResult<[u64; 3]> {
        let depth: (u64, u64, u64) = self.run(&self.invocation(&DEPTH), Attempts::Any).await?;
        Ok(depth.into())
    }
}

/// Binds the identity of a delivery.
fn bind_delivery<'a>(script: &'a mut ScriptInvocation<'static>, delivery: &Delivery) -> &'a mut ScriptInvocation<'static> {
    script.arg(delivery.work_order_id.to_string()).arg(delivery.worker.to_string()).arg(delivery.delivery)
}
