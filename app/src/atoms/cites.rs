//! Links to citations of the same page.

use domain::assessment::{Marker, Segment, segments};
use leptos::prelude::*;
use std::{collections::BTreeSet, sync::Arc};

/// The markers of the citations that a page has.
pub type KnownMarkers = Arc<BTreeSet<Marker>>;

/// The markers as links, or nothing.
#[component]
pub fn Cites(markers: Vec<Marker>) -> impl IntoView {
    let links = markers.into_iter().map(cite).collect_view();
    view! { <span class="cites">{links}</span> }
}

/// A text that may cite: each `[n]` of a citation is a link, everything else is text.
#[component]
pub fn MarkedText(text: String, known: KnownMarkers) -> impl IntoView {
    let parts = segments(&text, &known).into_iter().map(|part| match part {
        Segment::Text(text) => text.to_owned().into_any(),
        Segment::Marker(marker) => cite(marker),
    });
    parts.collect_view()
}

fn cite(marker: Marker) -> AnyView {
    view! { <a class="cite" href=format!("#c{marker}") aria-label=format!("Citation {marker}")>{marker}</a> }.into_any()
}
