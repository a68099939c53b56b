//! The states of an investigation as steps along a line.

use domain::{investigation::Status, live::LiveState};
use leptos::prelude::*;

/// State of a step.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum StepState {
    Past,
    Now,
    Ahead,
    Broken,
}

/// Waiting, the Analyst, the Processors (which go round in cycles), the assessment.
#[component]
pub fn Steps(live: LiveState) -> impl IntoView {
    let (resolved, orders) = live.resolved();
    let cycle = match live.cycle {
        0 => String::new(),
        cycle => format!("cycle {cycle}"),
    };
    let (ended_parts, parts) = live.ended_parts();
    let reading = match (orders, parts) {
        (0, 0) => cycle,
        (0, _) => format!("{cycle} · {ended_parts} of {parts} parts"),
        _ => format!("{cycle} · {resolved} of {orders} orders"),
    };
    let analyst = if live.final_session { "final session" } else { "plans, compares, judges" };
    let steps = [
        ("Queued", String::new()),
        ("Analyst", analyst.to_owned()),
        ("Processors", reading),
        ("Assessment", ended(&live).to_owned()),
    ];
    let items = steps
        .into_iter()
        .enumerate()
        .map(|(place, (name, note))| {
            let step_state = step_state(place, &live);
            let (class, words) = match step_state {
                StepState::Past => ("step step-past", "done"),
                StepState::Now => ("step step-now", "now"),
                StepState::Ahead => ("step", "to come"),
                StepState::Broken => ("step step-broken", "stopped here"),
            };
            view! {
                <li class=class aria-current=(step_state == StepState::Now).then_some("step")>
                    <span class="step-mark" aria-hidden="true"></span>
                    <span class="step-name">{name}<span class="hidden">", " {words}</span></span>
                    <span class="step-note">{note}</span>
                </li>
            }
        })
        .collect_view();
    view! { <ol class="steps" aria-label="State of the investigation">{items}</ol> }
}

fn ended(live: &LiveState) -> &'static str {
    match (live.status, live.assessment.is_some()) {
        (Status::Completed, _) => "written",
        (Status::Failed, true) => "partial report",
        (Status::Failed, false) => "failed",
        _ => "",
    }
}

fn step_state(place: usize, live: &LiveState) -> StepState {
    let now = match live.status {
        Status::Pending => 0,
        Status::AnalystRunning => 1,
        Status::Processing => 2,
        Status::Suspended if live.cycle > 0 => 2,
        Status::Suspended => 1,
        Status::Completed | Status::Failed => 3,
    };
    // The Analyst comes back after each cycle; the Processors are behind it then.
    let was_there = place < now || (place == 2 && live.cycle > 0);
    match live.status {
        Status::Completed => StepState::Past,
        Status::Failed | Status::Suspended if place == now => StepState::Broken,
        _ if place == now => StepState::Now,
        _ if was_there => StepState::Past,
        _ => StepState::Ahead,
    }
}
