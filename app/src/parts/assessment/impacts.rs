//! Impacts: the affected, the effect, its size and direction, its likelihood and time.

use super::ids::IdLinks;
use crate::prelude::*;
use domain::assessment::{Impact, markers_beside};

#[component]
pub fn Impacts(impacts: Vec<Impact>, known: KnownMarkers) -> impl IntoView {
    let is_empty = impacts.is_empty();
    let items = impacts.into_iter().map(|impact| view! { <Item impact known=known.clone() /> }.into_any());
    let entries: Vec<AnyView> = items.collect();
    view! {
        <Section id="impacts">
            {is_empty.then(|| view! { <p class="muted">"The author named none."</p> })}
            <FoldedList entries class="notes" names=("impact", "impacts") />
        </Section>
    }
}

#[component]
fn Item(impact: Impact, known: KnownMarkers) -> impl IntoView {
    let magnitude = impact.magnitude();
    let Impact { who, effect, likelihood, when, depends_on, citations, .. } = impact;
    let citations = markers_beside(&effect, &citations);
    let likelihood = likelihood.map(|likelihood| {
        let words = likelihood.words();
        view! { <dt>"Likelihood"</dt><dd class="pictured"><Scale likelihood /><span>{words}</span></dd> }
    });
    let has_facts = magnitude.is_some() || likelihood.is_some() || when.is_some() || !depends_on.is_empty();
    let facts = has_facts.then(|| {
        view! {
            <dl class="facts">
                {magnitude.map(|words| view! { <dt>"Size"</dt><dd>{words}</dd> })}
                {likelihood}
                {when.map(|when| view! { <dt>"When"</dt><dd><WrittenDay text=when /></dd> })}
                {(!depends_on.is_empty()).then(|| view! { <dt>"Depends on"</dt><dd><IdLinks ids=depends_on /></dd> })}
            </dl>
        }
    });
    view! {
        <li>
            {who.map(|who| view! { <p class="note-head">{who}</p> })}
            <p><MarkedText text=effect known /> " " <Cites markers=citations /></p>
            {facts}
        </li>
    }
}
