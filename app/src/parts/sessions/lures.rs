//! The finding that texts led a session to ask for what its order does not allow. Their words come from outside, so they stand as text.

use crate::{
    atoms::{Badge, Tone},
    format,
};
use domain::agent::Lure;
use leptos::prelude::*;

/// More would say nothing new.
const SHOWN: usize = 12;
const WORDS_CHARS: usize = 240;

#[component]
pub fn Lures(lures: Vec<Lure>) -> impl IntoView {
    let count = lures.len();
    let left = count.saturating_sub(SHOWN);
    (count > 0).then(|| {
        let items = lures.into_iter().take(SHOWN).map(|lure| view! { <Found lure /> }).collect_view();
        view! {
            <section class="lures" aria-labelledby="lures-title">
                <h2 id="lures-title">"Text that tried to give orders"</h2>
                <p class="hint">
                    "Words of these texts came back as calls that the order does not allow. "
                    {format::count(count as u64, "call was", "calls were")} " refused; nothing came of it."
                </p>
                <ul>{items}</ul>
                {(left > 0).then(|| view! { <p class="hint">{format!("And {left} more.")}</p> })}
            </section>
        }
    })
}

#[component]
fn Found(lure: Lure) -> impl IntoView {
    let Lure { tool, document_id, title, outlet, words, span } = lure;
    view! {
        <li>
            <Badge tone=Tone::Warning text="Refused" /> " " <code>{tool}</code> ", asked for by "
            <a href=format!("/documents/{document_id}?quote={}-{}#quote", span.start, span.end)>{title}</a>
            {outlet.map(|outlet| format!(" ({outlet})"))} ": "
            <q>{format::abridged(&words, WORDS_CHARS)}</q>
        </li>
    }
    .into_any()
}
