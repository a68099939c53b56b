//! The phases of an investigation as steps along a line.

use crate::live::Phase;
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

/// Queued, planning, reading, writing. More reading may follow once the Analyst has looked at the first.
#[component]
pub fn Steps(live: LiveState) -> impl IntoView {
    let (finished, tasks) = live.resolved();
    let steps = Phase::ALL.map(|phase| (phase, phase.text(finished, tasks), note(phase, &live)));
    let items = steps
        .into_iter()
        .map(|(phase, name, note)| {
            let step_state = step_state(phase, &live);
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

/// Returns what is known of a phase beside its name.
fn note(phase: Phase, live: &LiveState) -> String {
    let (ended_parts, parts) = live.ended_parts();
    match phase {
        Phase::Queued => String::new(),
        Phase::Planning => "what to read".to_owned(),
        Phase::Reading if parts > 0 => format!("{ended_parts} of {parts} parts"),
        Phase::Reading if live.cycle > 1 => format!("round {}", live.cycle),
        Phase::Reading => String::new(),
        Phase::Writing => match (live.status, live.assessment.is_some()) {
            (Status::Completed, _) => "written",
            (Status::Failed, true) => "partial report",
            (Status::Failed, false) => "failed",
            _ => "",
        }
        .to_owned(),
    }
}

fn step_state(phase: Phase, live: &LiveState) -> StepState {
    let now = Phase::at(live.status, live.orders.len());
    match live.status {
        Status::Completed => StepState::Past,
        Status::Failed | Status::Suspended if phase == now => StepState::Broken,
        _ if phase == now => StepState::Now,
        _ if phase < now => StepState::Past,
        _ => StepState::Ahead,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_phase_is_past_once_the_next_one_runs() {
        let states = |status| Phase::ALL.map(|phase| step_state(phase, &LiveState { status, ..LiveState::default() }));
        assert_eq!(states(Status::Pending), [StepState::Now, StepState::Ahead, StepState::Ahead, StepState::Ahead]);
        assert_eq!(states(Status::Processing), [StepState::Past, StepState::Past, StepState::Now, StepState::Ahead]);
        assert_eq!(states(Status::Failed), [StepState::Past, StepState::Past, StepState::Past, StepState::Broken]);
    }
}
