//! The states of an investigation as steps along a line.

use domain::{investigation::Status, watch::Watch};
use leptos::prelude::*;

/// Where a step stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Standing {
    Past,
    Now,
    Ahead,
    Broken,
}

/// Waiting, the Analyst, the Processors (which go round in cycles), the assessment.
#[component]
pub fn Steps(watch: Watch) -> impl IntoView {
    let (resolved, orders) = watch.resolved();
    let cycle = match watch.cycle {
        0 => String::new(),
        cycle => format!("cycle {cycle}"),
    };
    let (ended_parts, parts) = watch.ended_parts();
    let reading = match (orders, parts) {
        (0, 0) => cycle,
        (0, _) => format!("{cycle} · {ended_parts} of {parts} parts"),
        _ => format!("{cycle} · {resolved} of {orders} orders"),
    };
    let analyst = if watch.final_session { "writing with what there is" } else { "reads, asks, judges" };
    let steps = [
        ("Waiting", String::new()),
        ("Analyst", analyst.to_owned()),
        ("Processors", reading),
        ("Assessment", ended(&watch).to_owned()),
    ];
    let items = steps
        .into_iter()
        .enumerate()
        .map(|(place, (name, note))| {
            let standing = standing(place, &watch);
            let (class, words) = match standing {
                Standing::Past => ("step step-past", "done"),
                Standing::Now => ("step step-now", "now"),
                Standing::Ahead => ("step", "to come"),
                Standing::Broken => ("step step-broken", "stopped here"),
            };
            view! {
                <li class=class aria-current=(standing == Standing::Now).then_some("step")>
                    <span class="step-mark" aria-hidden="true"></span>
                    <span class="step-name">{name}<span class="hidden">", " {words}</span></span>
                    <span class="step-note">{note}</span>
                </li>
            }
        })
        .collect_view();
    view! { <ol class="steps" aria-label="State of the investigation">{items}</ol> }
}

fn ended(watch: &Watch) -> &'static str {
    match (watch.status, watch.assessment.is_some()) {
        (Status::Completed, _) => "written",
        (Status::Failed, true) => "partial report",
        (Status::Failed, false) => "failed",
        _ => "",
    }
}

fn standing(place: usize, watch: &Watch) -> Standing {
    let now = match watch.status {
        Status::Pending => 0,
        Status::AnalystRunning => 1,
        Status::Processing => 2,
        Status::Suspended if watch.cycle > 0 => 2,
        Status::Suspended => 1,
        Status::Completed | Status::Failed => 3,
    };
    // The Analyst comes back after each cycle; the Processors are behind it then.
    let was_there = place < now || (place == 2 && watch.cycle > 0);
    match watch.status {
        Status::Completed => Standing::Past,
        Status::Failed | Status::Suspended if place == now => Standing::Broken,
        _ if place == now => Standing::Now,
        _ if was_there => Standing::Past,
        _ => Standing::Ahead,
    }
}
