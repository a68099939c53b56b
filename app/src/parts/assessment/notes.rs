//! Gaps, assumptions and outlet notes.

use crate::{
    atoms::{KnownMarkers, MarkedText},
    parts::assessment::{CollectButton, Section},
};
use domain::assessment::{Assumption, Gap, OutletNote, without_markers};
use leptos::prelude::*;

#[component]
pub fn Gaps(gaps: Vec<Gap>, known: KnownMarkers) -> impl IntoView {
    let is_empty = gaps.is_empty();
    let items = gaps
        .into_iter()
        .map(|Gap { text, impact, how_to_close }| {
            let fact =
                |title: &'static str, text: String| view! { <dt>{title}</dt><dd><MarkedText text known=known.clone() /></dd> };
            let draft = without_markers(&text);
            view! {
                <li>
                    <p class="note-head"><MarkedText text known=known.clone() /></p>
                    <dl class="facts">
                        {impact.map(|text| fact("Impact", text))}
                        {how_to_close.map(|text| fact("To close it", text))}
                    </dl>
                    <CollectButton draft />
                </li>
            }
        })
        .collect_view();
    view! { <Section id="gaps">{nothing(is_empty, "None known.")}<ul class="notes">{items}</ul></Section> }.into_any()
}

#[component]
pub fn Assumptions(assumptions: Vec<Assumption>, known: KnownMarkers) -> impl IntoView {
    let is_empty = assumptions.is_empty();
    let items = assumptions
        .into_iter()
        .map(|assumption| {
            view! {
                <li>
                    <p class="note-head"><MarkedText text=assumption.text known=known.clone() /></p>
                    <dl class="facts">
                        <dt>"If wrong"</dt>
                        <dd><MarkedText text=assumption.if_wrong known=known.clone() /></dd>
                    </dl>
                </li>
            }
        })
        .collect_view();
    view! { <Section id="assumptions">{nothing(is_empty, "None made.")}<ul class="notes">{items}</ul></Section> }.into_any()
}

#[component]
pub fn Outlets(outlets: Vec<OutletNote>, known: KnownMarkers) -> impl IntoView {
    let is_empty = outlets.is_empty();
    let items = outlets.into_iter().map(|outlet| {
        view! { <dt>{outlet.name}</dt><dd><MarkedText text=outlet.notes known=known.clone() /></dd> }
    });
    let items = items.collect_view();
    view! { <Section id="outlets">{nothing(is_empty, "None evaluated.")}<dl class="outlets">{items}</dl></Section> }.into_any()
}

fn nothing(is_empty: bool, text: &'static str) -> impl IntoView {
    is_empty.then(|| view! { <p class="muted">{text}</p> })
}
