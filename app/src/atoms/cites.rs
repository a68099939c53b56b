//! Links to citations of the same page.

use domain::assessment::Marker;
use leptos::prelude::*;

/// The markers as links, or nothing.
#[component]
pub fn Cites(markers: Vec<Marker>) -> impl IntoView {
    let links = markers
        .into_iter()
        .map(|marker| {
            view! { <a class="cite" href=format!("#c{marker}") aria-label=format!("Citation {marker}")>{marker}</a> }
        })
        .collect_view();
    view! { <span class="cites">{links}</span> }
}
