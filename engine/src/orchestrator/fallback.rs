//! Fallbacks for failing models: unread documents are ordered before a final session, and the built-in provider carries out the last
//! try of an order without which nothing would be read.

use crate::{
    Engine, StoreError,
    library::{DocumentQuery, question_key},
};
use domain::{
    SessionId, WorkOrderId,
    agent::{AgentSession, SessionStatus},
    investigation::{Investigation, Signal},
    model_choice::ModelChoices,
    work_order::{Priority, WorkOrder, WorkOrderStatus},
};
use views::settings::BUILT_IN_MODEL;

const OBJECTIVE: &str = "Read the documents of the library that were not read yet.";
const GUIDANCE: &str = "documents unread";

/// Stages an order for the unread documents, if an empty session leads to the final one and none was staged before. Returns the id
/// under which it is committed.
pub(super) async fn order_unread(engine: &Engine, investigation: &Investigation) -> Result<Option<SessionId>, StoreError> {
    let progress = &investigation.progress;
    let next = progress.after(Signal::SessionEmpty, engine.config.limits(investigation.terms.depth));
    if progress.final_session || !next.is_ok_and(|(next, _)| next.final_session) {
        return Ok(None);
    }
    let query = DocumentQuery {
        only_unextracted: true,
        question: Some(question_key(&investigation.question)),
        period: investigation.terms.period,
        ..DocumentQuery::default()
    };
    let unread = engine.documents.list(&investigation.scope, &query).await?.total;
    let orders = engine.work_orders.work_orders(investigation.id).await?;
    let is_repeated = orders.iter().any(|order| order.objective == OBJECTIVE && order.status != WorkOrderStatus::Staged);
    if unread == 0 || is_repeated {
        return Ok(None);
    }
    let order = WorkOrder {
        id: WorkOrderId(engine.ids.next()),
        investigation_id: investigation.id,
        cycle: progress.cycle + 1,
        objective: OBJECTIVE.into(),
        referenced_entities: vec![],
        source_guidance: vec![GUIDANCE.into()],
        priority: Priority::High,
        status: WorkOrderStatus::Staged,
        attempt: 0,
        returned: 0,
        failure: None,
        traceparent: investigation.traceparent.clone(),
        created_at: engine.clock.now(),
        completed_at: None,
    };
    // No session may order any more: the id is that of the order's own.
    let staged_by = SessionId(engine.ids.next());
    engine.work_orders.stage(staged_by, &order).await?;
    tracing::info!(unread, "session empty, unread documents ordered");
    Ok(Some(staged_by))
}

/// Returns the investigation as the session of an order sees it. After a failure, the built-in provider carries out the program's own
/// order, and every order of a cycle whose failure would end the investigation.
pub(crate) async fn for_order(
    engine: &Engine,
    order: &WorkOrder,
    investigation: Investigation,
) -> Result<Investigation, StoreError> {
    let limits = engine.config.limits(investigation.terms.depth);
    let is_last_cycle = investigation.progress.failed_cycles + 1 >= limits.max_failed_cycles;
    if !is_last_cycle && order.objective != OBJECTIVE {
        return Ok(investigation);
    }
    let sessions = engine.sessions.sessions(investigation.id).await?;
    let has_failed =
        |session: &AgentSession| session.work_order_id() == Some(order.id) && session.status == SessionStatus::Failed;
    Ok(match sessions.iter().any(has_failed) {
        true => Investigation { model: Some(BUILT_IN_MODEL.into()), models: ModelChoices::default(), ..investigation },
        false => investigation,
    })
}
