//! Links to citations of the same page.

use domain::assessment::{Marker, Segment, segments, with_whole_percents};
use leptos::prelude::*;
use std::{collections::BTreeSet, fmt::Display, sync::Arc};

/// The markers of the citations that a page has.
pub type KnownMarkers = Arc<BTreeSet<Marker>>;

/// Citations whose panels a page holds, where it holds some only. Links to the others lead to the page that holds all.
#[derive(Debug, Clone)]
pub struct HeldPanels {
    pub markers: KnownMarkers,
    /// Address of the page with all panels.
    pub others: Arc<str>,
}

/// The markers as links, or nothing.
#[component]
pub fn Cites(markers: Vec<Marker>) -> impl IntoView {
    // A space lets a long list break between its numbers.
    let links = markers.into_iter().map(|marker| view! { {cite(marker)} " " }).collect_view();
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

/// A link to the panel of a citation: on this page, where it holds the panel.
pub fn cite(marker: Marker) -> AnyView {
    let elsewhere = use_context::<HeldPanels>().filter(|held| !held.markers.contains(&marker));
    let page = elsewhere.map(|held| held.others);
    numbered_link(format!("{}#c{marker}", page.as_deref().unwrap_or_default()), format!("Citation {marker}"), marker)
}

/// A number that leads to its source. The brackets are only seen where the text is pasted, so that numbers do not run into words.
pub fn numbered_link(href: String, label: String, number: impl Display) -> AnyView {
    view! { <a class="cite" href=href aria-label=label><i>"["</i>{number.to_string()}<i>"]"</i></a> }.into_any()
}
