//! Dependencies that have failed, in words.

use crate::{
    atoms::{Badge, Tone},
    format,
};
use domain::settings::{CircuitLine, Outage};
use leptos::prelude::*;

#[component]
pub fn Circuits(circuits: Vec<CircuitLine>) -> impl IntoView {
    let is_empty = circuits.is_empty();
    let rows = circuits.into_iter().map(|line| view! { <Row line /> }).collect_view();
    view! {
        <section aria-labelledby="circuits-title" class="settings-part">
            <h2 id="circuits-title">"What is waited for"</h2>
            {is_empty.then(|| view! { <p class="muted">"Nothing has failed so far."</p> })}
            <ul class="setting-list">{rows}</ul>
        </section>
    }
    .into_any()
}

#[component]
fn Row(line: CircuitLine) -> impl IntoView {
    let CircuitLine { dependency, outage, reason } = line;
    let (tone, words) = match outage {
        Outage::None { failures: 0 } => (Tone::Good, "Answers".to_owned()),
        Outage::None { failures } => (Tone::Warning, format!("Called; failed {failures} times in a row")),
        Outage::Down { retry_at } => (Tone::Bad, {
            let again = retry_at.map_or_else(|| "later".to_owned(), |at| format!("at {} UTC", format::clock(at)));
            format!("Counts as down: tried again {again}")
        }),
        Outage::Probing => (Tone::Live, "Was down: one call tries whether it is back".to_owned()),
    };
    view! {
        <li class="setting">
            <div>
                <p><strong>{dependency}</strong> " " <Badge tone text=words /></p>
                {reason.map(|reason| view! { <p class="hint">{reason}</p> })}
            </div>
        </li>
    }
    .into_any()
}
