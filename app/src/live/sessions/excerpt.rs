//! A text that may be long and may come from outside.

use crate::format;
use leptos::prelude::*;
use views::Excerpt;

/// The text as it is, escaped; what comes from outside is marked, and a text that is cut leads to the whole.
#[component]
pub fn ExcerptText(excerpt: Excerpt, label: &'static str) -> impl IntoView {
    let Excerpt { text, chars, is_cut, is_outside, whole } = excerpt;
    let size = format::count(chars, "character", "characters");
    let rest = is_cut.then(|| match whole {
        Some(address) => view! { <p class="rest">"Cut here. "<a href=address>"Full text: " {size}</a></p> }.into_any(),
        None => view! { <p class="rest">"Cut here. The full text is stored when the step is complete."</p> }.into_any(),
    });
    let class = if is_outside { "verbatim outside" } else { "verbatim" };
    view! {
        {is_outside.then(|| view! {
            <p class="outside-note">"Untrusted text from outside, shown as data."</p>
        })}
        <pre class=class aria-label=label>{text}</pre>
        {rest}
    }
    .into_any()
}

/// The same, folded away under its name and size.
#[component]
pub fn Folded(excerpt: Excerpt, label: &'static str) -> impl IntoView {
    let size = format::count(excerpt.chars, "character", "characters");
    view! {
        <details class="fold">
            <summary>{label} <span class="muted">{size}</span></summary>
            <ExcerptText excerpt label />
        </details>
    }
    .into_any()
}
