//! Figures of an investigation so far.

use crate::format;
use domain::live::LiveState;
use leptos::prelude::*;

#[component]
pub fn Counters(live: LiveState, currency: String) -> impl IntoView {
    let figures = [
        (live.documents.stored, "documents added"),
        (live.documents.copies, "duplicates"),
        (live.documents.rejected, "unreadable"),
        (live.opened(), "documents read"),
        (live.graph.claims, "new claims"),
        (live.graph.entities, "new entities"),
        (live.graph.relationships, "new relationships"),
    ];
    let items = figures
        .map(|(number, name)| {
            view! { <div class="figure"><dt>{name}</dt><dd>{format::grouped(number)}</dd></div> }
        })
        .collect_view();
    view! {
        <dl class="figures">{items}</dl>
        <p class="muted">"Used so far: " {format::spend(&live.spent, &currency)}</p>
    }
}
