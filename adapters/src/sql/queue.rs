//! The work-order queue as a table. A heartbeat holds an order; an order with an expired heartbeat counts as waiting.

use super::{
    Db, Store,
    notify::Topic,
    types::{Moment, count},
};
use async_trait::async_trait;
use domain::{HolderId, Timestamp, WorkOrderId, work_order::Priority};
use engine::{
    StoreResult,
    queue::{Delivery, Queue},
};
use std::time::Duration;
use uuid::Uuid;

/// Wait of a worker after losing an order to another, in milliseconds: about as long as a commit.
const CONTENDED_MS: u64 = 10;

const ASSIGN: &str = "update queue set worker = $1, delivery = delivery + 1, heartbeat_until = $2
     where sequence = (select sequence from queue where heartbeat_until is null or heartbeat_until <= $3
                       order by priority desc, sequence limit 1)
     returning work_order_id, delivery";
/// The same for concurrent writers: rows being assigned by others are skipped.
const ASSIGN_POSTGRES: &str = "update queue set worker = $1, delivery = delivery + 1, heartbeat_until = $2
     where sequence = (select sequence from queue where heartbeat_until is null or heartbeat_until <= $3
                       order by priority desc, sequence limit 1 for update skip locked)
     returning work_order_id, delivery";

/// The state of the queue, read before the writer connection is used.
struct QueueState {
    something_waits: bool,
    next_expiry: Option<Timestamp>,
}

impl Store {
    async fn queue_state(&self, now: Timestamp) -> StoreResult<QueueState> {
        read!(self, conn => {
            let (something_waits, next_expiry): (bool, Option<Moment>) = rows!(conn.fetch_one,
                "select exists (select 1 from queue where heartbeat_until is null or heartbeat_until <= $1),
                        (select min(heartbeat_until) from queue where heartbeat_until is not null)"; Moment(now));
            QueueState { something_waits, next_expiry: next_expiry.map(|moment| moment.0) }
        })
    }

    async fn assign_next(&self, worker: HolderId, now: Timestamp, heartbeat_ms: u64) -> StoreResult<Option<Delivery>> {
        let until = now.plus_ms(i64::try_from(heartbeat_ms).unwrap_or(i64::MAX));
        let statement = match self.db() {
            Db::Sqlite(_) => ASSIGN,
            Db::Postgres(_) => ASSIGN_POSTGRES,
        };
        write!(self, conn => {
            let given: Option<(Uuid, i64)> = rows!(conn.fetch_optional, statement; worker.0, Moment(until), Moment(now));
            match given {
                Some((id, delivery)) => {
                    Some(Delivery { work_order_id: WorkOrderId(id), worker, delivery: count(delivery)? })
                }
                None => None,
            }
        })
    }
}

#[async_trait]
impl Queue for Store {
    async fn push(&self, id: WorkOrderId, priority: Priority) -> StoreResult<()> {
        write!(self, conn => {
            execute!(conn,
                "insert into queue (work_order_id, priority) values ($1, $2) on conflict (work_order_id) do nothing"; id.0,
                priority.rank());
        })?;
        self.inner.notifier.publish(Topic::Queue);
        Ok(())
    }

    async fn take(&self, worker: HolderId, heartbeat_ms: u64) -> StoreResult<Delivery> {
        let mut news = self.inner.notifier.subscribe(Topic::Queue);
        loop {
            news.borrow_and_update();
            let now = self.inner.clock.now();
            let queue_state = self.queue_state(now).await?;
            if queue_state.something_waits {
                if let Some(delivery) = self.assign_next(worker, now, heartbeat_ms).await? {
                    return Ok(delivery);
                }
                let _ = tokio::time::timeout(Duration::from_millis(CONTENDED_MS), news.changed()).await;
                continue;
            }
            match queue_state.next_expiry {
                // The clock may be one that jumps, so that no sleep is longer than a recheck.
                Some(at) => {
                    let recheck_ms = self.inner.config.recheck_ms.max(1);
                    let nap_ms = u64::try_from(at.ms_since(now) + 1).unwrap_or(1).clamp(1, recheck_ms);
                    let _ = tokio::time::timeout(Duration::from_millis(nap_ms), news.changed()).await;
                }
                None => {
                    let _ = news.changed().await;
                }
            }
        }
    }

    async fn beat(&self, delivery: &Delivery, until: Timestamp) -> StoreResult<bool> {
        write!(self, conn => {
            let kept = execute!(conn,
                "update queue set heartbeat_until = $4 where work_order_id = $1 and worker = $2 and delivery = $3";
                delivery.work_order_id.0, delivery.worker.0, i64::from(delivery.delivery), Moment(until));
            kept.rows_affected() == 1
        })
    }

    async fn acknowledge(&self, delivery: &Delivery) -> StoreResult<()> {
        write!(self, conn => {
            execute!(conn, "delete from queue where work_order_id = $1 and worker = $2 and delivery = $3";
                delivery.work_order_id.0, delivery.worker.0, i64::from(delivery.delivery));
        })
    }

    async fn forget_workers(&self) -> StoreResult<()> {
        write!(self, conn => {
            execute!(conn, "update queue set worker = null, heartbeat_until = null where worker is not null");
        })?;
        self.inner.notifier.publish(Topic::Queue);
        Ok(())
    }

    async fn remove(&self, id: WorkOrderId) -> StoreResult<()> {
        write!(self, conn => {
            execute!(conn, "delete from queue where work_order_id = $1 and worker is null"; id.0);
        })
    }

    async fn depth(&self) -> StoreResult<[u64; 3]> {
        let now = self.inner.clock.now();
        read!(self, conn => {
            let rows: Vec<(i64, i64)> = rows!(conn.fetch_all,
                "select priority, count(*) from queue where heartbeat_until is null or heartbeat_until <= $1 group by priority";
                Moment(now));
            let mut depth = [0; 3];
            for (rank, orders) in rows {
                let place = match Priority::from_rank(rank) {
                    Priority::High => 0,
                    Priority::Normal => 1,
                    Priority::Low => 2,
                };
                depth[place] += count::<u64>(orders)?;
            }
            depth
        })
    }
}
