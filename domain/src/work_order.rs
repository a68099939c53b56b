//! Work orders: discovery directives, what to find and where to look.

use crate::{EntityId, InvestigationId, Timestamp, UserId, WorkOrderId};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

crate::words! {
    /// Which of the three queues an order waits in.
    #[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
    #[serde(rename_all = "snake_case")]
    pub enum Priority {
        Low = "low",
        #[default]
        Normal = "normal",
        High = "high",
    }

    /// Queued -> assigned -> completed, or failed once and queued again, or failed for good.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
    #[serde(rename_all = "snake_case")]
    pub enum WorkOrderStatus {
        /// Written by a running Analyst session; not in the queue yet.
        Staged = "staged",
        Queued = "queued",
        Assigned = "assigned",
        Completed = "completed",
        Failed = "failed",
        /// Taken out of the plan by a person before it began; not a failure.
        Cancelled = "cancelled",
    }
}

impl Priority {
    /// 0 low, 1 normal, 2 high: the number in the state store.
    pub const fn rank(self) -> i64 {
        self as i64
    }

    pub const fn from_rank(rank: i64) -> Self {
        match rank {
            ..=0 => Self::Low,
            1 => Self::Normal,
            _ => Self::High,
        }
    }
}

impl WorkOrderStatus {
    /// Completed, failed for good, or cancelled.
    pub const fn is_resolved(self) -> bool {
        matches!(self, Self::Completed | Self::Failed | Self::Cancelled)
    }
}

/// A discovery directive of one cycle.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct WorkOrder {
    pub id: WorkOrderId,
    pub investigation_id: InvestigationId,
    pub cycle: u32,
    /// A search directive, never an analytical question.
    pub objective: String,
    pub referenced_entities: Vec<EntityId>,
    /// Where to look, in words and as catalogue ids.
    pub source_guidance: Vec<String>,
    pub priority: Priority,
    pub status: WorkOrderStatus,
    /// Number of assignments to a worker; writes with an older number are refused.
    pub attempt: u32,
    /// Number of attempts that do not count: a dependency was down, or the order was requeued after them.
    pub returned: u32,
    /// Why the last attempt failed.
    pub failure: Option<String>,
    /// W3C trace context of the investigation.
    pub traceparent: String,
    pub created_at: Timestamp,
    pub completed_at: Option<Timestamp>,
}

impl WorkOrder {
    /// Attempts that count.
    pub const fn tries(&self) -> u32 {
        self.attempt.saturating_sub(self.returned)
    }
}

/// Change of the plan of a running investigation by a person.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlanChange {
    pub work_order_id: WorkOrderId,
    pub objective: String,
    pub kind: PlanChangeKind,
    pub by: UserId,
    pub at: Timestamp,
}

crate::words! {
    /// Kind of a plan change.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
    #[serde(rename_all = "snake_case")]
    pub enum PlanChangeKind {
        Added = "added",
        Removed = "removed",
        /// Given high priority.
        Raised = "raised",
    }
}

/// The idempotency key of an order inside its (investigation, cycle): lower case, single spaces.
pub fn normalise_objective(objective: &str) -> String {
    objective.split_whitespace().map(str::to_lowercase).collect::<Vec<_>>().join(" ")
}
