//! Links to judgements, hypotheses and indicators of the same page by their short names.

use crate::prelude::*;

/// The anchor of what has this id.
pub fn anchor(id: &str) -> String {
    id.to_lowercase()
}

/// The ids as links, or nothing.
#[component]
pub fn IdLinks(ids: Vec<String>) -> impl IntoView {
    let links = ids.into_iter().map(|id| {
        let href = format!("#{}", anchor(&id));
        view! { <a class="key" href=href>{id}</a>" " }
    });
    view! { <span class="ids">{links.collect_view()}</span> }.into_any()
}
