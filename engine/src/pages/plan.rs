//! View model of the plan of a running investigation, for those who may change it.

use super::may_stop;
use crate::{Engine, StoreResult};
use domain::{
    InvestigationId,
    investigation::WebAccess,
    user::User,
    work_order::{Priority, WorkOrderStatus},
};
use views::{PlanTask, PlanView};

impl Engine {
    /// Returns the plan of an investigation; none where the viewer may not change it.
    pub async fn plan_view(&self, viewer: &User, id: InvestigationId) -> StoreResult<Option<PlanView>> {
        let scope = self.accounts.scope_of(viewer.id).await?;
        let Some(investigation) = self.visible_investigation(viewer, &scope, id).await? else { return Ok(None) };
        if !may_stop(viewer, &investigation) {
            return Ok(None);
        }
        let cycle = investigation.progress.cycle;
        let orders = self.work_orders.work_orders(id).await?;
        let of_cycle = || orders.iter().filter(|order| order.cycle == cycle && order.status != WorkOrderStatus::Staged);
        let is_open = !investigation.progress.status.is_terminal();
        let tasks = of_cycle().map(|order| PlanTask {
            id: order.id,
            objective: order.objective.clone(),
            status: order.status,
            is_first: order.priority == Priority::High,
            may_change: is_open && order.status == WorkOrderStatus::Queued && order.attempt == 0,
        });
        Ok(Some(PlanView {
            id,
            tasks: tasks.collect(),
            is_reading: is_open && of_cycle().any(|order| !order.status.is_resolved()),
            is_open,
            has_web: self.web_access(&investigation) == WebAccess::On,
            max_task_chars: self.config.max_task_chars,
            question: investigation.question,
        }))
    }
}
