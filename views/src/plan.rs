//! View model of the plan of an investigation.

use domain::{InvestigationId, WorkOrderId, work_order::WorkOrderStatus};
use serde::{Deserialize, Serialize};

/// Plan of an investigation: the reading tasks of its cycle.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct PlanView {
    pub id: InvestigationId,
    pub question: String,
    pub tasks: Vec<PlanTask>,
    /// A task is open, so that others can be added.
    pub is_reading: bool,
    pub is_open: bool,
    /// Its agents reach the web.
    pub has_web: bool,
    /// Maximum length of a task, in characters.
    pub max_task_chars: usize,
}

/// Reading task.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PlanTask {
    pub id: WorkOrderId,
    pub objective: String,
    pub status: WorkOrderStatus,
    /// It has high priority.
    pub is_first: bool,
    /// It has not begun.
    pub may_change: bool,
}
