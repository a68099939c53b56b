//! The event log: what happened, in sentences, newest first.

use crate::format;
use domain::{
    agent::{AgentRole, SessionStatus},
    assessment::unmarked,
    budget::CallOutcome,
    event::{Event, EventKind},
    investigation::Status,
    work_order::WorkOrderStatus,
};
use leptos::prelude::*;

/// A list of the newest events that can be folded away.
#[component]
pub fn Log(events: RwSignal<Vec<Event>>) -> impl IntoView {
    let count = move || events.with(|events| events.last().map_or(0, |event| event.sequence));
    let newest_first = move || events.get().into_iter().rev().collect::<Vec<_>>();
    view! {
        <details class="log">
            <summary>{move || format::count(count(), "event", "events")}</summary>
            <ol>
                <For each=newest_first key=|event| event.sequence let:event>
                    <li>
                        <time datetime=event.at.to_string()>{format::clock(event.at)}</time>
                        <span>{sentence(&event.kind)}</span>
                    </li>
                </For>
            </ol>
        </details>
    }
    .into_any()
}

fn sentence(what: &EventKind) -> String {
    match what {
        EventKind::StatusChanged { status, cycle, final_session, reason } => {
            let text = match status {
                Status::Pending => "Queued".to_owned(),
                Status::AnalystRunning if *final_session => "Writing the report".to_owned(),
                Status::AnalystRunning => format!("Planning and comparing (round {cycle})"),
                Status::Processing => format!("Reading (round {cycle})"),
                Status::Suspended => "Suspended".to_owned(),
                Status::Completed => "Completed".to_owned(),
                Status::Failed => "Failed".to_owned(),
            };
            reason.as_ref().map_or(text.clone(), |reason| format!("{text}: {reason}"))
        }
        EventKind::FinishRequested => "Stop requested".to_owned(),
        EventKind::ResumeRequested => "Resume requested".to_owned(),
        EventKind::DocumentsIngested { stored, copies, rejected, .. } => {
            let (stored, copies) =
                (format::count(*stored, "document", "documents"), format::count(*copies, "duplicate", "duplicates"));
            format!("{stored} added, {copies}, {rejected} unreadable")
        }
        EventKind::SessionStarted { role, model, .. } => format!("{} started ({model})", who(*role)),
        EventKind::SessionEnded { status, turns, .. } => {
            let how = match status {
                SessionStatus::Running => "continues",
                SessionStatus::Completed => "completed",
                SessionStatus::Empty => "ended empty",
                SessionStatus::Failed => "failed",
                SessionStatus::Abandoned => "was interrupted",
            };
            format!("Session {how} after {}", format::count(u64::from(*turns), "turn", "turns"))
        }
        EventKind::WorkOrderChanged { objective, status, attempt, .. } => match status {
            WorkOrderStatus::Staged | WorkOrderStatus::Queued => format!("Reading task queued: {objective}"),
            WorkOrderStatus::Assigned => format!("Reading task started (attempt {attempt}): {objective}"),
            WorkOrderStatus::Completed => format!("Reading task done: {objective}"),
            WorkOrderStatus::Failed => format!("Reading task failed: {objective}"),
            WorkOrderStatus::Cancelled => format!("Reading task removed from the plan: {objective}"),
        },
        EventKind::DependencyDown { reason, .. } => format!("Waiting: {reason}"),
        EventKind::BudgetReached { reason } => format!("Budget reached, writing the assessment: {reason}"),
        EventKind::ModelCalled { role, model, outcome, message, spent, latency_ms, .. } => {
            let seconds = *latency_ms as f64 / 1_000.0;
            match (outcome, message) {
                (CallOutcome::Answered, _) => {
                    format!(
                        "{}: {model} answered in {seconds:.1} s, {} tokens read, {} written",
                        who(*role),
                        spent.tokens_in,
                        spent.tokens_out
                    )
                }
                (_, Some(message)) => format!("{}: {model} failed: {message}", who(*role)),
                (_, None) => format!("{}: {model} failed", who(*role)),
            }
        }
        EventKind::PartChanged { question, status, reason, .. } => {
            let text = match status {
                Status::Pending => "Part queued",
                Status::AnalystRunning => "Part: planning and comparing",
                Status::Processing => "Part: reading",
                Status::Suspended => "Part suspended",
                Status::Completed => "Part completed",
                Status::Failed => "Part failed",
            };
            let reason = reason.as_ref().map(|reason| format!(" ({reason})")).unwrap_or_default();
            format!("{text}: {question}{reason}")
        }
        EventKind::Reading { title, .. } => format!("Reading {title}"),
        EventKind::DocumentRefused { reason, in_part: true, .. } => format!("Document recorded without {reason}"),
        EventKind::DocumentRefused { reason, .. } => format!("Document not recorded: {reason}"),
        EventKind::GraphAdded(added) => {
            let claims = format::count(added.claims, "new claim", "new claims");
            let entities = format::count(added.entities, "new entity", "new entities");
            let relationships = format::count(added.relationships, "new relationship", "new relationships");
            format!("Recorded {claims}, {entities} and {relationships}")
        }
        EventKind::GraphGrew {} => "Recorded claims".to_owned(),
        EventKind::ToolCalled { tool, summary, is_error, .. } => {
            format!("{tool}{}: {summary}", if *is_error { " (error)" } else { "" })
        }
        EventKind::InjectionDetected { tool, title, .. } => {
            format!("Blocked {tool}: instruction injected by {title}")
        }
        EventKind::AssessmentWritten { bottom_line, .. } => format!("Assessment written: {}", unmarked(bottom_line)),
        EventKind::BeliefChanged { change, .. } => format!("Compared with the earlier version: {}", change.words()),
    }
}

fn who(role: AgentRole) -> String {
    format::sentence_case(role.as_str())
}
