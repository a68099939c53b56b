//! Gaps of a report on a failed investigation.

use domain::{
    assessment::Gap,
    work_order::{WorkOrder, WorkOrderStatus},
};

/// Reason of a failure without any.
const NO_REASON: &str = "it could not go on";

/// Returns the gaps that a failure leaves: the question itself, and every work order that failed.
pub fn gaps(reason: Option<&str>, orders: &[WorkOrder]) -> Vec<Gap> {
    let question = Gap {
        text: "The question was not assessed.".into(),
        impact: Some(format!("The investigation failed: {}.", reason.unwrap_or(NO_REASON))),
        how_to_close: Some("Ask the question again once the cause is mended; what was collected is kept.".into()),
    };
    let failed = orders.iter().filter(|order| order.status == WorkOrderStatus::Failed).map(|order| Gap {
        text: format!("Not collected: {}", order.objective),
        impact: order.failure.clone().or_else(|| Some("The work order was not carried out.".into())),
        how_to_close: Some("Order it again.".into()),
    });
    std::iter::once(question).chain(failed).collect()
}
