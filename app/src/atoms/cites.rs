//! Links to citations of the same page.

use domain::assessment::{Marker, Segment, segments, with_whole_percents};
use leptos::prelude::*;
use std::{collections::BTreeSet, fmt::Display, sync::Arc};

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
        Segment::Text(text) => with_whole_percents(text).into_any(),
        Segment::Marker(marker) => cite(marker),
    });
    parts.collect_view()
}

/// A link to a citation of this page.
pub fn cite(marker: Marker) -> AnyView {
    numbered_link(format!("#c{marker}"), format!("Citation {marker}"), marker)
}

/// A number that leads to its source. The brackets are only seen where the text is pasted, so that numbers do not run into words.
pub fn numbered_link(href: String, label: String, number: impl Display) -> AnyView {
    view! { <a class="cite" href=href aria-label=label><i>"["</i>{number.to_string()}<i>"]"</i></a> }.into_any()
}
