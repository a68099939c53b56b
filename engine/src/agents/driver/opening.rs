//! First message of a session: today's date, and the question or the work order.

use super::task::SessionTask;
use crate::{
    Engine, StoreError,
    agents::spec::{AgentSpec, Opening},
    assessments::StoredAssessment,
    investigations::{FollowedQuestion, followed_question, question_scope},
};
use domain::{
    Timestamp,
    agent::{AgentRole, SessionStatus},
    assessment::checks::due_items,
    entity::Entity,
    investigation::Investigation,
    work_order::WorkOrder,
};
use protocol::{
    fence::fence,
    refs::{RefKind, SessionRefs},
};

/// Aliases of an entity repeated in a work order, and the maximum length of its line.
const MAX_ALIASES: usize = 5;
const MAX_LINE_CHARS: usize = 300;

/// Builds the first message, one `Key: value` per line. Entity names come from outside and are fenced.
pub(super) async fn text(
    engine: &Engine,
    spec: &AgentSpec,
    task: &SessionTask<'_>,
    refs: &SessionRefs,
) -> Result<String, StoreError> {
    let today = day(engine.clock.now());
    match (spec.opening, task.order) {
        (Opening::Question, _) => {
            let investigation = task.investigation;
            let cycle = investigation.progress.cycle + 1;
            let failed = empty_session_line(engine, spec.role, investigation).await?;
            let scope = question_scope(engine, investigation).await?;
            let scope = scope.map(|scope| format!("\n{}", scope.sentence())).unwrap_or_default();
            let followed = followed_question(engine, investigation).await?;
            let followed = followed.map(|followed| follow_text(engine, &followed, refs)).unwrap_or_default();
            Ok(format!("Question: {}\nCycle: {cycle}\nToday: {today} (UTC){scope}{failed}{followed}", investigation.question))
        }
        (Opening::WorkOrder, Some(order)) => order_text(engine, task.investigation, order, &today, refs).await,
        (Opening::Given, _) => Ok(format!("{}\nToday: {today} (UTC)", task.opening.unwrap_or_default())),
        (Opening::WorkOrder, None) => Err(StoreError::Defect("the session has no work order".into())),
    }
}

async fn order_text(
    engine: &Engine,
    investigation: &Investigation,
    order: &WorkOrder,
    today: &str,
    refs: &SessionRefs,
) -> Result<String, StoreError> {
    let guidance: String = order.source_guidance.iter().map(|guidance| format!("\nSource guidance: {guidance}")).collect();
    let mut text = format!("Work order: {}{guidance}\nToday: {today} (UTC)", order.objective);
    let entities = engine.graph.entities(&investigation.scope, &order.referenced_entities).await?;
    if !entities.is_empty() {
        let lines: Vec<String> = entities.iter().map(|entity| entity_line(entity, refs)).collect();
        text += &format!("\nEntities:\n{}", fence(&lines.join("\n"), &engine.ids.next().simple().to_string()));
    }
    Ok(text)
}

/// Returns the question that this one continues, with its assessment. Both draw on outside texts, so they are fenced.
fn follow_text(engine: &Engine, followed: &FollowedQuestion, refs: &SessionRefs) -> String {
    let mut lines = vec![format!("Earlier question: {}", one_line(&followed.question))];
    if let Some(stored) = &followed.assessment {
        lines.extend(assessment_lines(stored, engine.clock.now(), refs));
    }
    format!("\nFollows:\n{}", fence(&lines.join("\n"), &engine.ids.next().simple().to_string()))
}

/// `Assessment: a1, of 2031-05-04: Who opened the gate`, its bottom line, and a line for each item that has come due.
fn assessment_lines(stored: &StoredAssessment, now: Timestamp, refs: &SessionRefs) -> Vec<String> {
    let assessment = &stored.assessment;
    let reference = refs.give(RefKind::Assessment, assessment.id);
    let mut lines = vec![
        format!("Assessment: {reference}, of {}: {}", day(stored.created_at), one_line(&assessment.body.title)),
        format!("Bottom line: {}", assessment.bottom_line_text().split_whitespace().collect::<Vec<_>>().join(" ")),
    ];
    let due = due_items(assessment, now.to_datetime().date_naive());
    lines.extend(due.map(|(id, day)| format!("Due {day}: {id} {}", one_line(assessment.item(id).unwrap_or_default()))));
    lines
}

/// Returns the line that says why the last session of the role ended without a result; empty where it had one.
async fn empty_session_line(engine: &Engine, role: AgentRole, investigation: &Investigation) -> Result<String, StoreError> {
    let sessions = engine.sessions.sessions(investigation.id).await?;
    let ended = sessions.iter().filter(|session| session.role == role && session.ended_at.is_some());
    let last = ended.max_by_key(|session| session.ended_at);
    let reason = last.filter(|session| session.status == SessionStatus::Empty).and_then(|session| session.reason.as_deref());
    Ok(reason.map(|reason| format!("\nThe last session ended without a result: {}", one_line(reason))).unwrap_or_default())
}

/// Returns a text on one line, cut to the maximum length of a line.
fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ").chars().take(MAX_LINE_CHARS).collect()
}

fn day(now: Timestamp) -> String {
    now.to_datetime().format("%Y-%m-%d").to_string()
}

/// `e3: Ivan Petrov (person); also Petrôv`, on one line for any name.
fn entity_line(entity: &Entity, refs: &SessionRefs) -> String {
    let mut line = format!("{}: {} ({})", refs.give(RefKind::Entity, entity.id), entity.canonical_name, entity.kind);
    if !entity.aliases.is_empty() {
        let aliases: Vec<&str> = entity.aliases.iter().take(MAX_ALIASES).map(String::as_str).collect();
        line += &format!("; also {}", aliases.join(", "));
    }
    one_line(&line)
}
