//! What the investigation has gathered so far, in figures.

use crate::format;
use domain::watch::Watch;
use leptos::prelude::*;

#[component]
pub fn Counters(watch: Watch, currency: String) -> impl IntoView {
    let figures = [
        (watch.documents.stored, "documents added"),
        (watch.documents.copies, "known already"),
        (watch.documents.rejected, "not readable"),
        (watch.opened(), "documents opened"),
        (watch.graph.claims, "new claims"),
        (watch.graph.entities, "new entities"),
        (watch.graph.relationships, "new relationships"),
    ];
    let items = figures
        .map(|(number, name)| {
            view! { <div class="figure"><dt>{name}</dt><dd>{format::grouped(number)}</dd></div> }
        })
        .collect_view();
    view! {
        <dl class="figures">{items}</dl>
        <p class="muted">"Used so far: " {format::spent(&watch.spent, &currency)}</p>
    }
}
