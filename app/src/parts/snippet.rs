//! Excerpt of a text with its matches marked.

use crate::prelude::*;
use views::Snippet;

#[component]
pub fn SnippetText(snippet: Snippet) -> impl IntoView {
    let runs = snippet.0.into_iter().map(|(text, is_match)| {
        if is_match { view! { <mark class="match">{text}</mark> }.into_any() } else { text.into_any() }
    });
    runs.collect_view()
}
