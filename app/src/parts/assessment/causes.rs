//! Causes and effects: what brings about what, and how.

use crate::{
    atoms::{Cites, KnownMarkers, MarkedText, StrengthMark},
    parts::assessment::Section,
};
use domain::assessment::{Cause, markers_beside};
use leptos::prelude::*;

#[component]
pub fn Causes(causes: Vec<Cause>, known: KnownMarkers) -> impl IntoView {
    let rows = causes.into_iter().map(|cause| view! { <Row cause known=known.clone() /> }).collect_view();
    view! {
        <Section id="causes">
            <ol class="causes">{rows}</ol>
        </Section>
    }
    .into_any()
}

#[component]
fn Row(cause: Cause, known: KnownMarkers) -> impl IntoView {
    let Cause { from, to, mechanism, strength, citations, .. } = cause;
    let citations = markers_beside(&mechanism, &citations);
    view! {
        <li class="cause">
            <p class="cause-chain">
                <span class="cause-end">{from}</span>
                <span class="cause-arrow"><span aria-hidden="true">"→"</span><span class="hidden">" leads to "</span></span>
                <span class="cause-end">{to}</span>
            </p>
            <dl class="facts">
                <dt>"How"</dt>
                <dd><MarkedText text=mechanism known /> " " <Cites markers=citations /></dd>
                <dt>"Strength"</dt>
                <dd><StrengthMark strength /></dd>
            </dl>
        </li>
    }
    .into_any()
}
