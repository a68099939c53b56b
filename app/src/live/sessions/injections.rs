//! Injection findings. Their words are untrusted and shown as text.

use crate::{
    atoms::{Badge, Tone},
    format,
};
use domain::agent::InjectionFinding;
use leptos::prelude::*;

/// Maximum number of findings shown.
const MAX_SHOWN: usize = 12;
const WORDS_CHARS: usize = 240;

#[component]
pub fn InjectionFindings(findings: Vec<InjectionFinding>) -> impl IntoView {
    let count = findings.len();
    let left = count.saturating_sub(MAX_SHOWN);
    (count > 0).then(|| {
        let items = findings.into_iter().take(MAX_SHOWN).map(|finding| view! { <Item finding /> }).collect_view();
        view! {
            <section class="injections" aria-labelledby="injections-title">
                <h2 id="injections-title">"Injection attempts"</h2>
                <p class="hint">
                    "These texts instructed the agent to make calls outside its work order. "
                    {format::count(count as u64, "call was", "calls were")} " blocked."
                </p>
                <ul>{items}</ul>
                {(left > 0).then(|| view! { <p class="hint">{format!("And {left} more.")}</p> })}
            </section>
        }
    })
}

#[component]
fn Item(finding: InjectionFinding) -> impl IntoView {
    let InjectionFinding { tool, document_id, title, outlet, words, span } = finding;
    view! {
        <li>
            <Badge tone=Tone::Warning text="Blocked" /> " " <code>{tool}</code> ", instructed by "
            <a href=format!("/documents/{document_id}?quote={}-{}#quote", span.start, span.end)>{title}</a>
            {outlet.map(|outlet| format!(" ({outlet})"))} ": "
            <q>{format::abridged(&words, WORDS_CHARS)}</q>
        </li>
    }
    .into_any()
}
