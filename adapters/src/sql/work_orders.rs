//! Work orders: staged by an Analyst session, committed by the transition that ends it, assigned and resolved by attempt.

mod row;

use super::{
    Store,
    fault::Fault,
    types::{Moment, count, id_list},
};
use async_trait::async_trait;
use domain::{
    DocumentId, HolderId, InvestigationId, SessionId, Timestamp, UserId, WorkOrderId,
    work_order::{PlanChange, PlanChangeKind, Priority, WorkOrder, WorkOrderStatus, normalise_objective},
};
use engine::{
    StoreError, StoreResult,
    evidence::sha256_hex,
    investigations::{Addition, FailedOrder, OpenOrder, WorkOrders},
};
use row::{ChangeRow, FailedRow, OrderRow};
use sqlx::types::Json;
use std::collections::BTreeSet;
use uuid::Uuid;

const OLD_ATTEMPT: StoreError = StoreError::Stale("the work order was resolved, or given to another worker");

const INSERT: &str = "insert into work_orders
        (id, investigation_id, session_id, cycle, objective, objective_key, referenced_entities, source_guidance, priority,
         status, traceparent, created_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)
     on conflict (investigation_id, cycle, objective_key) do nothing";

/// Fails an attempt. Repeating the call returns the first result.
const FAIL: &str = "update work_orders
     set status = case when failures + 1 < $4 then 'queued' else 'failed' end,
         completed_at = case when failures + 1 < $4 then null else $5 end,
         failures = failures + 1,
         failure = $3
     where id = $1 and attempt = $2 and status = 'assigned'";

/// Queues a failed order with no failures and no counted attempts.
const REQUEUE: &str = "update work_orders
     set status = 'queued', failures = 0, returned = attempt, completed_at = null
     where id = $1 and status = 'failed' and discarded_at is null
       and investigation_id in (select id from investigations where status not in ('completed', 'failed'))";

const RECORD_CHANGE: &str = "insert into plan_changes (work_order_id, change, investigation_id, changed_by, changed_at)
     select id, $2, investigation_id, $3, $4 from work_orders where id = $1
     on conflict (work_order_id, change) do nothing";

/// Locks an open order of the cycle: while it is locked, no transaction sees all of them resolved.
const LOCK_OPEN: &str = "update work_orders set status = status
     where status in ('queued', 'assigned')
       and id = (select id from work_orders where investigation_id = $1 and cycle = $2 and status in ('queued', 'assigned')
                 order by created_at desc, id desc limit 1)";

#[async_trait]
impl WorkOrders for Store {
    async fn stage(&self, session: SessionId, order: &WorkOrder) -> StoreResult<(WorkOrderId, bool)> {
        let key = sha256_hex(normalise_objective(&order.objective).as_bytes());
        write!(self, conn => {
            let status: Option<String> = values!(conn.fetch_optional, "select status from agent_sessions where id = $1";
                session.0);
            if status.is_some_and(|status| status != "running") {
                return Err(StoreError::Stale("the session that orders this has ended").into());
            }
            // What a dead session staged never was.
            execute!(conn, "delete from work_orders where investigation_id = $1 and cycle = $2 and objective_key = $3
                 and status = 'staged' and session_id <> $4";
                order.investigation_id.0, i64::from(order.cycle), &key, session.0);
            let added = execute!(conn, INSERT; order.id.0, order.investigation_id.0, session.0, i64::from(order.cycle),
                &order.objective, &key, Json(&order.referenced_entities), Json(&order.source_guidance), order.priority.rank(),
                WorkOrderStatus::Staged.as_str(), &order.traceparent, Moment(order.created_at));
            if added.rows_affected() == 1 {
                (order.id, true)
            } else {
                let id: Uuid = values!(conn.fetch_one,
                    "select id from work_orders where investigation_id = $1 and cycle = $2 and objective_key = $3";
                    order.investigation_id.0, i64::from(order.cycle), &key);
                (WorkOrderId(id), false)
            }
        })
    }

    async fn count_orders_by_status(&self) -> StoreResult<Vec<(WorkOrderStatus, u64)>> {
        let statement = "select status, count(*) from work_orders group by status order by status";
        self.count_of_each(statement, WorkOrderStatus::parse).await
    }

    async fn work_order(&self, id: WorkOrderId) -> StoreResult<Option<WorkOrder>> {
        read!(self, conn => {
            let row: Option<OrderRow> = rows!(conn.fetch_optional, "select * from work_orders where id = $1"; id.0);
            row.map(OrderRow::order).transpose()?
        })
    }

    async fn work_orders(&self, investigation: InvestigationId) -> StoreResult<Vec<WorkOrder>> {
        read!(self, conn => {
            let rows: Vec<OrderRow> = rows!(conn.fetch_all,
                "select * from work_orders where investigation_id = $1 order by cycle, created_at, id"; investigation.0);
            rows.into_iter().map(OrderRow::order).collect::<Result<_, Fault>>()?
        })
    }

    async fn open(&self) -> StoreResult<Vec<OpenOrder>> {
        read!(self, conn => {
            let rows: Vec<(Uuid, i64, Option<Uuid>)> = rows!(conn.fetch_all,
                "select id, priority, case when status = 'assigned' then holder end from work_orders
                 where status in ('queued', 'assigned') order by created_at, id");
            let open = |(id, rank, holder): (Uuid, i64, Option<Uuid>)| OpenOrder {
                id: WorkOrderId(id),
                priority: Priority::from_rank(rank),
                holder: holder.map(HolderId),
            };
            rows.into_iter().map(open).collect()
        })
    }

    async fn assign(&self, id: WorkOrderId, seen: u32, holder: HolderId, at: Timestamp) -> StoreResult<Option<WorkOrder>> {
        write!(self, conn => {
            let row: Option<OrderRow> = rows!(conn.fetch_optional,
                "update work_orders set status = 'assigned', holder = $2, assigned_at = $3, attempt = attempt + 1
                 where id = $1 and attempt = $4 and status in ('queued', 'assigned') returning *";
                id.0, holder.0, Moment(at), i64::from(seen));
            row.map(OrderRow::order).transpose()?
        })
    }

    async fn complete(&self, id: WorkOrderId, attempt: u32, at: Timestamp) -> StoreResult<()> {
        write!(self, conn => {
            // Completing twice is harmless and keeps the first time.
            let completed = execute!(conn,
                "update work_orders set status = 'completed', completed_at = coalesce(completed_at, $3)
                 where id = $1 and attempt = $2 and status in ('assigned', 'completed')"; id.0, i64::from(attempt), Moment(at));
            if completed.rows_affected() == 0 {
                return Err(OLD_ATTEMPT.into());
            }
        })
    }

    async fn fail(
        &self,
        id: WorkOrderId,
        attempt: u32,
        reason: &str,
        max_failures: u32,
        at: Timestamp,
    ) -> StoreResult<WorkOrder> {
        write!(self, conn => {
            execute!(conn, FAIL; id.0, i64::from(attempt), reason, i64::from(max_failures), Moment(at));
            let row: Option<OrderRow> = rows!(conn.fetch_optional,
                "select * from work_orders where id = $1 and attempt = $2 and status in ('queued', 'failed')"; id.0,
                i64::from(attempt));
            match row {
                Some(row) => row.order()?,
                None => return Err(OLD_ATTEMPT.into()),
            }
        })
    }

    async fn return_to_queue(&self, id: WorkOrderId, attempt: u32, reason: &str) -> StoreResult<WorkOrder> {
        write!(self, conn => {
            execute!(conn, "update work_orders set status = 'queued', returned = returned + 1, failure = $3
                 where id = $1 and attempt = $2 and status = 'assigned'"; id.0, i64::from(attempt), reason);
            // Giving back twice is harmless.
            let row: Option<OrderRow> = rows!(conn.fetch_optional,
                "select * from work_orders where id = $1 and attempt = $2 and status = 'queued'"; id.0, i64::from(attempt));
            match row {
                Some(row) => row.order()?,
                None => return Err(OLD_ATTEMPT.into()),
            }
        })
    }

    async fn failed_orders(&self, offset: u64, limit: u32) -> StoreResult<(Vec<FailedOrder>, u64)> {
        read!(self, conn => {
            let rows: Vec<FailedRow> = rows!(conn.fetch_all, "select o.*, i.question, i.owner, i.collection_id,
                        i.status not in ('completed', 'failed') as is_open
                 from work_orders o join investigations i on i.id = o.investigation_id
                 where o.status = 'failed' and o.discarded_at is null
                 order by o.completed_at desc, o.id desc limit $1 offset $2";
                i64::from(limit), i64::try_from(offset).unwrap_or(i64::MAX));
            let total: i64 = values!(conn.fetch_one,
                "select count(*) from work_orders where status = 'failed' and discarded_at is null");
            let failed: Vec<FailedOrder> = rows.into_iter().map(FailedRow::failed_order).collect::<Result<_, Fault>>()?;
            (failed, count(total)?)
        })
    }

    async fn requeue(&self, id: WorkOrderId) -> StoreResult<Option<WorkOrder>> {
        write!(self, conn => {
            execute!(conn, REQUEUE; id.0);
            let row: Option<OrderRow> = rows!(conn.fetch_optional,
                "select * from work_orders where id = $1 and status = 'queued'"; id.0);
            row.map(OrderRow::order).transpose()?
        })
    }

    async fn discard(&self, id: WorkOrderId, at: Timestamp) -> StoreResult<bool> {
        write!(self, conn => {
            let discarded = execute!(conn,
                "update work_orders set discarded_at = $2 where id = $1 and status = 'failed' and discarded_at is null"; id.0,
                Moment(at));
            discarded.rows_affected() == 1
        })
    }

    async fn cancel(&self, id: WorkOrderId, by: UserId, at: Timestamp) -> StoreResult<Option<WorkOrder>> {
        write!(self, conn => {
            let cancelled = execute!(conn,
                "update work_orders set status = 'cancelled', completed_at = $2 where id = $1 and status = 'queued' and attempt = 0";
                id.0, Moment(at));
            if cancelled.rows_affected() == 1 {
                execute!(conn, RECORD_CHANGE; id.0, PlanChangeKind::Removed.as_str(), by.0, Moment(at));
            }
            let row: Option<OrderRow> = rows!(conn.fetch_optional,
                "select * from work_orders where id = $1 and status = 'cancelled'"; id.0);
            row.map(OrderRow::order).transpose()?
        })
    }

    async fn raise(&self, id: WorkOrderId, by: UserId, at: Timestamp) -> StoreResult<Option<WorkOrder>> {
        write!(self, conn => {
            let row: Option<OrderRow> = rows!(conn.fetch_optional,
                "update work_orders set priority = $2 where id = $1 and status = 'queued' and attempt = 0 returning *"; id.0,
                Priority::High.rank());
            if row.is_some() {
                execute!(conn, RECORD_CHANGE; id.0, PlanChangeKind::Raised.as_str(), by.0, Moment(at));
            }
            row.map(OrderRow::order).transpose()?
        })
    }

    async fn add_to_plan(&self, order: &WorkOrder, max_orders: u32, by: UserId) -> StoreResult<Addition> {
        let key = sha256_hex(normalise_objective(&order.objective).as_bytes());
        write!(self, conn => {
            let (investigation, cycle) = (order.investigation_id.0, i64::from(order.cycle));
            let locked = execute!(conn, LOCK_OPEN; investigation, cycle);
            let orders: i64 = values!(conn.fetch_one,
                "select count(*) from work_orders where investigation_id = $1 and cycle = $2"; investigation, cycle);
            if locked.rows_affected() == 0 {
                Addition::Closed
            } else if orders >= i64::from(max_orders) {
                Addition::Full
            } else {
                // No session staged it.
                let session = Uuid::nil();
                let added = execute!(conn, INSERT; order.id.0, investigation, session, cycle, &order.objective, &key,
                    Json(&order.referenced_entities), Json(&order.source_guidance), order.priority.rank(),
                    WorkOrderStatus::Queued.as_str(), &order.traceparent, Moment(order.created_at));
                if added.rows_affected() == 0 {
                    Addition::Known
                } else {
                    execute!(conn, RECORD_CHANGE; order.id.0, PlanChangeKind::Added.as_str(), by.0, Moment(order.created_at));
                    Addition::Added
                }
            }
        })
    }

    async fn plan_changes(&self, investigation: InvestigationId) -> StoreResult<Vec<PlanChange>> {
        read!(self, conn => {
            let rows: Vec<ChangeRow> = rows!(conn.fetch_all,
                "select p.work_order_id, o.objective, p.change, p.changed_by, p.changed_at
                 from plan_changes p join work_orders o on o.id = p.work_order_id
                 where p.investigation_id = $1 order by p.changed_at, p.work_order_id, p.change"; investigation.0);
            rows.into_iter().map(ChangeRow::change).collect::<Result<_, Fault>>()?
        })
    }

    async fn hold_documents(&self, id: WorkOrderId, documents: &[DocumentId]) -> StoreResult<BTreeSet<DocumentId>> {
        write!(self, conn => {
            let wanted = id_list(documents.iter().map(|id| id.0));
            // One order of an investigation after the other: PostgreSQL would let two of them hold the same document.
            execute!(conn, "update investigations set reason = reason
                 where id = (select investigation_id from work_orders where id = $1)"; id.0);
            execute!(conn, "insert into work_order_documents (work_order_id, document_id)
                 select distinct $1, unhex(value) from json_each($2)
                 where not exists (
                     select 1 from work_order_documents d join work_orders o on o.id = d.work_order_id
                     where d.document_id = unhex(value) and o.id <> $1 and o.status = 'assigned'
                       and o.investigation_id = (select investigation_id from work_orders where id = $1))
                 on conflict (work_order_id, document_id) do nothing"; id.0, &wanted);
            let held: Vec<(Uuid,)> = rows!(conn.fetch_all, "select document_id from work_order_documents
                 where work_order_id = $1 and document_id in (select unhex(value) from json_each($2))"; id.0, &wanted);
            held.into_iter().map(|(document,)| DocumentId(document)).collect()
        })
    }

    async fn documents_read(&self, investigation: InvestigationId) -> StoreResult<Vec<(WorkOrderId, DocumentId)>> {
        read!(self, conn => {
            let rows: Vec<(Uuid, Uuid)> = rows!(conn.fetch_all, "select d.work_order_id, d.document_id
                 from work_orders w join work_order_documents d on d.work_order_id = w.id
                 where w.investigation_id = $1 order by w.cycle, w.created_at, w.id, d.document_id"; investigation.0);
            rows.into_iter().map(|(order, document)| (WorkOrderId(order), DocumentId(document))).collect()
        })
    }
}
