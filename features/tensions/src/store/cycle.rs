//! Cycle orders and their stages.

use super::{TensionStore, bounded};
use crate::{
    cycle::order::{Counts, CycleOrder, CycleOrderId, OrderKind, OrderLease, Stage, StageRun},
    tension::TensionId,
};
use adapters::sql::{
    execute,
    fault::{Fault, defect},
    read, rows,
    types::{Moment, count, id_list, word},
    values, write,
};
use domain::{Timestamp, UserId};
use engine::StoreResult;
use uuid::Uuid;

/// Columns of an `OrderRow`.
macro_rules! order_columns {
    () => {
        "o.id, o.user_id, o.is_shared, o.tension_id, o.kind, o.max_targets, o.ordered_at, o.due_at, o.reason, o.ended_at"
    };
}

const OPEN: &str = concat!(
    "select ",
    order_columns!(),
    " from cycle_orders o where o.ended_at is null order by o.ordered_at, o.id",
    bounded!()
);
const OF_READER: &str = concat!(
    "select ",
    order_columns!(),
    " from cycle_orders o where o.is_shared or o.user_id = $1 order by o.ordered_at desc, o.id limit $2"
);
/// Adds an order, unless one for the same occurrence of the schedule exists.
const ADD: &str = "
    insert into cycle_orders (id, user_id, is_shared, tension_id, kind, max_targets, ordered_at, due_at, held_until, reason,
                              ended_at)
    select $1, $2, $3, $4, $5, $6, $7, $8, null, '', $9
     where not exists (select 1 from cycle_orders o where o.due_at = $8)";

#[derive(sqlx::FromRow)]
struct OrderRow {
    id: Uuid,
    user_id: Uuid,
    is_shared: bool,
    tension_id: Option<Uuid>,
    kind: String,
    max_targets: i64,
    ordered_at: Moment,
    due_at: Option<Moment>,
    reason: String,
    ended_at: Option<Moment>,
}

impl OrderRow {
    fn order(self) -> Result<CycleOrder, Fault> {
        Ok(CycleOrder {
            id: CycleOrderId(self.id),
            kind: word("kind of a cycle order", &self.kind, OrderKind::parse)?,
            user: UserId(self.user_id),
            is_shared: self.is_shared,
            tension: self.tension_id.map(TensionId),
            max_targets: count(self.max_targets)?,
            ordered_at: self.ordered_at.0,
            due_at: self.due_at.map(|at| at.0),
            reason: self.reason,
            ended_at: self.ended_at.map(|at| at.0),
        })
    }
}

#[derive(sqlx::FromRow)]
struct StageRow {
    order_id: Uuid,
    stage: String,
    started_at: Moment,
    ended_at: Option<Moment>,
    counts: String,
    error: String,
}

impl StageRow {
    fn run(self) -> Result<StageRun, Fault> {
        Ok(StageRun {
            order: CycleOrderId(self.order_id),
            stage: word("stage of the cycle", &self.stage, Stage::parse)?,
            started_at: self.started_at.0,
            ended_at: self.ended_at.map(|at| at.0),
            counts: read_counts(&self.counts)?,
            error: self.error,
        })
    }
}

pub(super) fn read_counts(text: &str) -> Result<Counts, Fault> {
    if text.is_empty() {
        return Ok(Counts::new());
    }
    serde_json::from_str(text).map_err(|_| defect("set of figures", text))
}

pub(super) fn counts_text(counts: &Counts) -> String {
    serde_json::json!(counts).to_string()
}

/// Adds to a figure of a stage that has begun, in the transaction that makes what it counts.
macro_rules! add_figure {
    ($conn:ident, $order:expr, $stage:expr, $name:expr, $number:expr) => {
        let figures: Option<String> = sqlx::query_scalar("select counts from cycle_runs where order_id = $1 and stage = $2")
            .bind($order.0)
            .bind($stage.as_str())
            .fetch_optional(&mut *$conn)
            .await?;
        if let Some(figures) = figures {
            let mut counts = $crate::store::cycle::read_counts(&figures)?;
            *counts.entry($name.to_owned()).or_default() += $number;
            adapters::sql::execute!($conn, "update cycle_runs set counts = $3 where order_id = $1 and stage = $2"; $order.0, $stage.as_str(),
                $crate::store::cycle::counts_text(&counts));
        }
    };
}
pub(super) use add_figure;

impl TensionStore {
    /// Adds an order, unless one for the same occurrence of the schedule exists. Returns whether it was added.
    pub async fn add_order(&self, order: &CycleOrder) -> StoreResult<bool> {
        let is_added = write!(self.0, conn => {
            execute!(conn, ADD; order.id.0, order.user.0, order.is_shared, order.tension.map(|id| id.0), order.kind.as_str(),
                i64::from(order.max_targets), Moment(order.ordered_at), order.due_at.map(Moment), order.ended_at.map(Moment))
                .rows_affected()
                > 0
        })?;
        self.0.notify_jobs();
        Ok(is_added)
    }

    /// Removes an order with its stages and tasks.
    pub async fn remove_order(&self, order: CycleOrderId) -> StoreResult<()> {
        write!(self.0, conn => {
            execute!(conn, "delete from cycle_orders where id = $1"; order.0);
        })
    }

    /// Returns the orders that have not ended, the oldest first.
    pub async fn open_orders(&self) -> StoreResult<Vec<CycleOrder>> {
        read!(self.0, conn => {
            let rows: Vec<OrderRow> = rows!(conn.fetch_all, OPEN);
            rows.into_iter().map(OrderRow::order).collect::<Result<_, Fault>>()?
        })
    }

    /// Returns the newest orders that a person sees.
    pub async fn orders(&self, reader: UserId, limit: u32) -> StoreResult<Vec<CycleOrder>> {
        read!(self.0, conn => {
            let rows: Vec<OrderRow> = rows!(conn.fetch_all, OF_READER; reader.0, i64::from(limit));
            rows.into_iter().map(OrderRow::order).collect::<Result<_, Fault>>()?
        })
    }

    /// Returns the last occurrence of the schedule for which there is an order.
    pub async fn last_due(&self) -> StoreResult<Option<Timestamp>> {
        read!(self.0, conn => {
            let last: Option<Moment> = values!(conn.fetch_one, "select max(due_at) from cycle_orders");
            last.map(|at| at.0)
        })
    }

    /// Takes an open order by a lease; returns whether no other run holds it.
    pub async fn take_order(&self, lease: OrderLease, now: Timestamp, until: Timestamp) -> StoreResult<bool> {
        write!(self.0, conn => {
            execute!(conn, "update cycle_orders set held_until = $3, holder = $4, reason = ''
                  where id = $1 and ended_at is null and (held_until is null or held_until <= $2)";
                lease.order.0, Moment(now), Moment(until), lease.holder)
            .rows_affected()
                > 0
        })
    }

    /// Extends a lease; returns whether it is still held.
    pub async fn renew_order(&self, lease: OrderLease, until: Timestamp) -> StoreResult<bool> {
        write!(self.0, conn => {
            execute!(conn, "update cycle_orders set held_until = $3 where id = $1 and holder = $2 and ended_at is null";
                lease.order.0, lease.holder, Moment(until))
                .rows_affected()
                > 0
        })
    }

    /// Lets an order wait until a moment, for a reason, while its lease is held.
    pub async fn postpone_order(&self, lease: OrderLease, until: Timestamp, reason: &str) -> StoreResult<()> {
        write!(self.0, conn => {
            execute!(conn,
                "update cycle_orders set held_until = $3, reason = $4 where id = $1 and holder = $2 and ended_at is null";
                lease.order.0, lease.holder, Moment(until), reason);
        })
    }

    /// Ends an order while its lease is held.
    pub async fn end_order(&self, lease: OrderLease, now: Timestamp) -> StoreResult<()> {
        write!(self.0, conn => {
            execute!(conn,
                "update cycle_orders set ended_at = $3, held_until = null where id = $1 and holder = $2 and ended_at is null";
                lease.order.0, lease.holder, Moment(now));
        })
    }

    /// Records the start of a stage; one that has started keeps its time.
    pub async fn begin_stage(&self, order: CycleOrderId, stage: Stage, now: Timestamp) -> StoreResult<()> {
        write!(self.0, conn => {
            execute!(conn, "insert into cycle_runs (order_id, stage, started_at, ended_at, counts, error)
                 values ($1, $2, $3, null, '', '') on conflict (order_id, stage) do nothing";
                order.0, stage.as_str(), Moment(now));
        })
    }

    /// Records the end of a stage with its figures while the lease of its order is held.
    pub async fn end_stage(
        &self,
        lease: OrderLease,
        stage: Stage,
        counts: &Counts,
        error: &str,
        now: Timestamp,
    ) -> StoreResult<()> {
        write!(self.0, conn => {
            execute!(conn, "update cycle_runs set ended_at = $3, counts = $4, error = $5
                  where order_id = $1 and stage = $2
                    and exists (select 1 from cycle_orders o where o.id = cycle_runs.order_id and o.holder = $6)";
                lease.order.0, stage.as_str(), Moment(now), counts_text(counts), error, lease.holder);
        })
    }

    /// Returns the stages of some orders, in the order of their start.
    pub async fn stage_runs(&self, orders: &[CycleOrderId]) -> StoreResult<Vec<StageRun>> {
        read!(self.0, conn => {
            let rows: Vec<StageRow> = rows!(conn.fetch_all,
                "select order_id, stage, started_at, ended_at, counts, error from cycle_runs
                  where order_id in (select unhex(value) from json_each($1)) order by started_at, stage";
                id_list(orders.iter().map(|id| id.0)));
            rows.into_iter().map(StageRow::run).collect::<Result<_, Fault>>()?
        })
    }
}
