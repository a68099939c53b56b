//! Figures of an investigation so far.

use crate::format;
use domain::live::LiveState;
use leptos::prelude::*;

#[component]
pub fn Counters(
    live: LiveState,
    currency: String,
    /// Every model of the investigation has a price.
    prices_known: bool,
) -> impl IntoView {
    let mut figures = vec![
        (live.documents.stored, "documents added"),
        (live.documents.copies, "duplicates"),
        (live.documents.rejected, "unreadable"),
        (live.documents_read(), "documents read"),
    ];
    if let Some(graph) = live.graph {
        figures.extend([
            (graph.claims, "new claims"),
            (graph.entities, "new entities"),
            (graph.relationships, "new relationships"),
        ]);
    }
    let is_priced = prices_known || !live.has_free_calls;
    let items = figures
        .into_iter()
        .map(|(number, name)| {
            view! { <div class="figure"><dt>{name}</dt><dd>{format::grouped(number)}</dd></div> }
        })
        .collect_view();
    view! {
        <dl class="figures">{items}</dl>
        <Duplicates names=live.copied total=live.documents.copies />
        <p class="muted">"Used so far: " {format::spend_if_priced(&live.spent, &currency, is_priced)}</p>
    }
    .into_any()
}

/// The duplicates among the files, by name.
#[component]
fn Duplicates(names: Vec<String>, total: u64) -> impl IntoView {
    let more = total.saturating_sub(names.len() as u64);
    (!names.is_empty()).then(|| {
        let items = names.into_iter().map(|name| view! { <li class="path">{name}</li> }).collect_view();
        view! {
            <details class="duplicates">
                <summary>
                    {format::count(total, "duplicate", "duplicates")} ", with a text that was in the library or in another file"
                </summary>
                <ul>{items} {(more > 0).then(|| view! { <li class="muted">{format!("{} more", format::grouped(more))}</li> })}</ul>
            </details>
        }
    })
}
