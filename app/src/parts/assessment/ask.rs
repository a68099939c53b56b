//! Buttons that open the question form with a draft.

use leptos::prelude::*;

/// A button that opens the question form with `draft` in it; nothing is started.
#[component]
pub fn AskButton(draft: String, text: &'static str) -> impl IntoView {
    view! {
        <form class="ask-button" method="get" action="/investigations/new">
            <input type="hidden" name="draft" value=draft />
            <button type="submit" class="quiet">{text}</button>
        </form>
    }
    .into_any()
}
