//! Use cases by which a person changes the plan of a running investigation: remove or raise a reading task that has not begun, or add one.
//!
//! Invariant: only text that the person typed names addresses here, and they are checked like those of a question.

use super::Addition;
use crate::{
    Engine, StoreError, StoreResult,
    accounts::{self, Actor},
    fetch::order_addresses,
    workers::announce,
};
use domain::{
    InvestigationId, UserId, WorkOrderId,
    fetch::{address_problems, split_addresses},
    investigation::{Investigation, WebAccess},
    work_order::{Priority, WorkOrder, WorkOrderStatus},
};

/// Objective of a task that only names pages.
const READ_PAGES: &str = "Read these pages and record what they state.";

/// Person who changes a plan.
#[derive(Debug, Clone, Copy)]
pub struct Editor {
    pub user: UserId,
    pub actor: Actor,
}

/// Errors of adding a reading task.
#[derive(Debug, thiserror::Error)]
pub enum TaskError {
    #[error("the task says neither what to find nor which page to read")]
    Empty,
    #[error("the task is too long, or names too many pages")]
    TooLong,
    #[error("one of the pages has no valid address")]
    BadAddress,
    /// The investigation does not reach the web.
    #[error("the investigation stays off the web")]
    OffTheWeb,
    #[error("the plan has this task")]
    Known,
    #[error("the plan has no room")]
    Full,
    #[error("nothing is being read")]
    Closed,
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Removes a work order that has not begun. Returns false when it has, or is of another investigation.
///
/// It can be repeated: what did not reach queue or events the first time reaches them the second time.
pub async fn remove_task(engine: &Engine, by: Editor, id: InvestigationId, order: WorkOrderId) -> StoreResult<bool> {
    if !is_part_of(engine, id, order).await? {
        return Ok(false);
    }
    let Some(order) = engine.work_orders.cancel(order, by.user, engine.clock.now()).await? else { return Ok(false) };
    accounts::audit(engine, by.actor, "remove_work_order", &order.id.to_string()).await?;
    announce(engine, &order).await?;
    // A worker that gets it all the same finds it resolved.
    match engine.queue.remove(order.id).await {
        Err(StoreError::Unavailable(why)) => tracing::warn!(why, "cancelled work order not removed, queue unavailable"),
        removed => removed?,
    }
    tracing::info!(investigation_id = %id, work_order_id = %order.id, "work order removed from the plan");
    Ok(true)
}

/// Moves a work order that has not begun to the front of the queue. Returns false when it has begun, or is of another investigation.
pub async fn raise_task(engine: &Engine, by: Editor, id: InvestigationId, order: WorkOrderId) -> StoreResult<bool> {
    if !is_part_of(engine, id, order).await? {
        return Ok(false);
    }
    let Some(order) = engine.work_orders.raise(order, by.user, engine.clock.now()).await? else { return Ok(false) };
    accounts::audit(engine, by.actor, "raise_work_order", &order.id.to_string()).await?;
    // Queued again with its new priority; should that fail, the orchestrator queues every open order once per lease.
    engine.queue.remove(order.id).await?;
    engine.queue.push(order.id, order.priority).await?;
    Ok(true)
}

/// Adds a reading task to the cycle that is being read. The person's addresses count as those given with the question.
pub async fn add_task(
    engine: &Engine,
    by: Editor,
    investigation: &Investigation,
    objective: &str,
    addresses: &str,
) -> Result<WorkOrderId, TaskError> {
    let objective = objective.split_whitespace().collect::<Vec<_>>().join(" ");
    let pages = split_addresses(addresses);
    if objective.is_empty() && pages.is_empty() {
        return Err(TaskError::Empty);
    }
    let order = WorkOrder {
        id: WorkOrderId(engine.ids.next()),
        investigation_id: investigation.id,
        cycle: investigation.progress.cycle,
        objective: match objective.is_empty() {
            // Two tasks of pages alone differ by their pages.
            true => format!("{READ_PAGES} {}", pages.join(" ")),
            false => objective,
        },
        referenced_entities: vec![],
        source_guidance: pages,
        priority: Priority::High,
        status: WorkOrderStatus::Queued,
        attempt: 0,
        returned: 0,
        failure: None,
        traceparent: investigation.traceparent.clone(),
        created_at: engine.clock.now(),
        completed_at: None,
    };
    let given: Vec<String> = order_addresses(&order).map(str::to_owned).collect();
    if order.objective.chars().count() > engine.config.max_task_chars || given.len() > engine.config.web.max_addresses {
        return Err(TaskError::TooLong);
    }
    if !address_problems(addresses).is_empty() || !address_problems(&given.join(" ")).is_empty() {
        return Err(TaskError::BadAddress);
    }
    if !given.is_empty() {
        if engine.web_access(investigation) == WebAccess::Off {
            return Err(TaskError::OffTheWeb);
        }
        let root = investigation.parent_id.unwrap_or(investigation.id);
        engine.captures.add_listed(root, &given).await?;
    }
    // The Analyst may have used up its own.
    let max = engine.config.at(investigation.terms.depth).max_work_orders_per_cycle.saturating_mul(2);
    match engine.work_orders.add_to_plan(&order, max, by.user).await? {
        Addition::Added => {}
        Addition::Known => return Err(TaskError::Known),
        Addition::Full => return Err(TaskError::Full),
        Addition::Closed => return Err(TaskError::Closed),
    }
    accounts::audit(engine, by.actor, "add_work_order", &order.id.to_string()).await?;
    announce(engine, &order).await?;
    // The orchestrator queues every open order once per lease, so an unreachable queue delays it.
    match engine.queue.push(order.id, order.priority).await {
        Err(StoreError::Unavailable(why)) => tracing::warn!(why, "added work order not queued, queue unavailable"),
        pushed => pushed?,
    }
    Ok(order.id)
}

async fn is_part_of(engine: &Engine, id: InvestigationId, order: WorkOrderId) -> StoreResult<bool> {
    Ok(engine.work_orders.work_order(order).await?.is_some_and(|order| order.investigation_id == id))
}
