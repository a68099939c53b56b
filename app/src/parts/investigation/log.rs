//! The event log: what happened, in sentences, newest first.

use crate::format;
use domain::{
    agent::{AgentRole, SessionStatus},
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
                Status::Pending => "Waiting to be taken up".to_owned(),
                Status::AnalystRunning if *final_session => "The Analyst writes with what there is".to_owned(),
                Status::AnalystRunning => format!("The Analyst works (cycle {cycle})"),
                Status::Processing => format!("The Processors work (cycle {cycle})"),
                Status::Suspended => "Suspended".to_owned(),
                Status::Completed => "Completed".to_owned(),
                Status::Failed => "Failed".to_owned(),
            };
            reason.as_ref().map_or(text.clone(), |reason| format!("{text}: {reason}"))
        }
        EventKind::FinishRequested => "A person asked it to end with what there is".to_owned(),
        EventKind::DocumentsIngested { stored, copies, rejected } => {
            format!(
                "{} stored, {copies} known already, {rejected} not readable",
                format::count(*stored, "document", "documents")
            )
        }
        EventKind::SessionStarted { role, model, .. } => format!("{} begins ({model})", who(*role)),
        EventKind::SessionEnded { status, turns, .. } => {
            let how = match status {
                SessionStatus::Running => "goes on",
                SessionStatus::Completed => "ends",
                SessionStatus::Empty => "ends with nothing",
                SessionStatus::Failed => "fails",
                SessionStatus::Abandoned => "was cut off",
            };
            format!("A session {how} after {}", format::count(u64::from(*turns), "turn", "turns"))
        }
        EventKind::WorkOrderChanged { objective, status, attempt, .. } => match status {
            WorkOrderStatus::Staged | WorkOrderStatus::Queued => format!("Ordered: {objective}"),
            WorkOrderStatus::Assigned => format!("Taken up (attempt {attempt}): {objective}"),
            WorkOrderStatus::Completed => format!("Completed: {objective}"),
            WorkOrderStatus::Failed => format!("Failed: {objective}"),
        },
        EventKind::DependencyDown { reason, .. } => format!("Waiting: {reason}"),
        EventKind::BudgetReached { reason } => format!("Writing up what there is: {reason}"),
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
                (_, Some(message)) => format!("{}: {model} did not answer: {message}", who(*role)),
                (_, None) => format!("{}: {model} did not answer", who(*role)),
            }
        }
        EventKind::PartChanged { question, status, reason, .. } => {
            let text = match status {
                Status::Pending => "Part of the question",
                Status::AnalystRunning => "The Analyst works on a part",
                Status::Processing => "The Processors work on a part",
                Status::Suspended => "A part is suspended",
                Status::Completed => "A part is completed",
                Status::Failed => "A part has failed",
            };
            let reason = reason.as_ref().map(|reason| format!(" ({reason})")).unwrap_or_default();
            format!("{text}: {question}{reason}")
        }
        EventKind::Reading { title, .. } => format!("Reading {title}"),
        EventKind::DocumentRefused { reason, .. } => format!("A document could not be recorded: {reason}"),
        EventKind::GraphGrew { claims, entities, relationships } => {
            format!("The graph holds {claims} claims, {entities} entities, {relationships} relationships of it")
        }
        EventKind::ToolCalled { tool, summary, is_error, .. } => {
            format!("{tool}{}: {summary}", if *is_error { " (error)" } else { "" })
        }
        EventKind::InjectionDetected { tool, title, .. } => {
            format!("{title} led a session to call {tool} for what its order does not allow; it was refused")
        }
        EventKind::AssessmentWritten { bottom_line, .. } => format!("Assessment written: {bottom_line}"),
    }
}

const fn who(role: AgentRole) -> &'static str {
    match role {
        AgentRole::Analyst => "An Analyst",
        AgentRole::Processor => "A Processor",
    }
}
