//! The parts that a question was divided into, each an investigation with a page of its own.

use crate::atoms::{Badge, Tone};
use domain::{
    investigation::Status,
    live::{LiveState, PartState},
};
use leptos::prelude::*;

/// The parts with their status; nothing for a question that was not divided.
#[component]
pub fn QuestionParts(live: LiveState) -> impl IntoView {
    let (ended, all) = live.ended_parts();
    let rows = live.parts.into_iter().map(|part| view! { <Row part /> }).collect_view();
    (all > 0)
        .then(|| {
            view! {
                <section aria-labelledby="parts-title">
                    <h2 id="parts-title">"Parts of the question"</h2>
                    <p class="muted">
                        {ended} " of " {all} " finished. Each is an investigation of its own and shares the budget of this one."
                    </p>
                    <ol class="orders">{rows}</ol>
                </section>
            }
        })
        .into_any()
}

#[component]
fn Row(part: PartState) -> impl IntoView {
    let (tone, text) = match part.status {
        Status::Pending => (Tone::Quiet, "Queued"),
        Status::AnalystRunning | Status::Processing => (Tone::Live, "Running"),
        Status::Suspended => (Tone::Quiet, "Suspended"),
        Status::Completed => (Tone::Good, "Completed"),
        Status::Failed => (Tone::Bad, "Failed"),
    };
    let reason = part.reason.filter(|_| matches!(part.status, Status::Suspended | Status::Failed));
    view! {
        <li class="order">
            <p><a href=format!("/investigations/{}", part.id)>{part.question}</a></p>
            <p class="card-facts">
                <Badge tone text />
                {reason.map(|reason| view! { <span>{reason}</span> })}
            </p>
        </li>
    }
    .into_any()
}
