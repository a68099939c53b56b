//! Rows of work orders, and of the changes of a plan.

use crate::sql::{
    fault::Fault,
    types::{Moment, count, word},
};
use domain::{
    CollectionId, EntityId, InvestigationId, UserId, WorkOrderId,
    work_order::{PlanChange, PlanChangeKind, Priority, WorkOrder, WorkOrderStatus},
};
use engine::investigations::FailedOrder;
use sqlx::types::Json;
use uuid::Uuid;

#[derive(sqlx::FromRow)]
pub struct ChangeRow {
    work_order_id: Uuid,
    objective: String,
    change: String,
    changed_by: Uuid,
    changed_at: Moment,
}

impl ChangeRow {
    pub fn change(self) -> Result<PlanChange, Fault> {
        Ok(PlanChange {
            work_order_id: WorkOrderId(self.work_order_id),
            objective: self.objective,
            kind: word("change of a plan", &self.change, PlanChangeKind::parse)?,
            by: UserId(self.changed_by),
            at: self.changed_at.0,
        })
    }
}

#[derive(sqlx::FromRow)]
pub struct FailedRow {
    #[sqlx(flatten)]
    order: OrderRow,
    question: String,
    owner: Uuid,
    collection_id: Uuid,
    is_open: bool,
}

impl FailedRow {
    pub fn failed_order(self) -> Result<FailedOrder, Fault> {
        Ok(FailedOrder {
            order: self.order.order()?,
            question: self.question,
            owner: UserId(self.owner),
            collection_id: CollectionId(self.collection_id),
            is_open: self.is_open,
        })
    }
}

#[derive(sqlx::FromRow)]
pub struct OrderRow {
    id: Uuid,
    investigation_id: Uuid,
    cycle: i64,
    objective: String,
    referenced_entities: Json<Vec<EntityId>>,
    source_guidance: Json<Vec<String>>,
    priority: i64,
    status: String,
    attempt: i64,
    returned: i64,
    failure: Option<String>,
    traceparent: String,
    created_at: Moment,
    completed_at: Option<Moment>,
}

impl OrderRow {
    pub fn order(self) -> Result<WorkOrder, Fault> {
        Ok(WorkOrder {
            id: WorkOrderId(self.id),
            investigation_id: InvestigationId(self.investigation_id),
            cycle: count(self.cycle)?,
            objective: self.objective,
            referenced_entities: self.referenced_entities.0,
            source_guidance: self.source_guidance.0,
            priority: Priority::from_rank(self.priority),
            status: word("status of a work order", &self.status, WorkOrderStatus::parse)?,
            attempt: count(self.attempt)?,
            returned: count(self.returned)?,
            failure: self.failure,
            traceparent: self.traceparent,
            created_at: self.created_at.0,
            completed_at: self.completed_at.map(|moment| moment.0),
        })
    }
}
