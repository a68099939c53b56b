//! Gaps, assumptions and outlet notes.

use crate::{parts::assessment::CollectButton, prelude::*};
use domain::{
    assessment::{Assumption, Gap, OutletNote, without_markers},
    document::outlet_name,
    outlet::OutletRecord,
};

#[component]
pub fn Gaps(gaps: Vec<Gap>, known: KnownMarkers) -> impl IntoView {
    let is_empty = gaps.is_empty();
    let entries: Vec<AnyView> = gaps
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
            .into_any()
        })
        .collect();
    view! {
        <Section id="gaps">
            {nothing(is_empty, "The author named none.")}
            <FoldedList entries class="notes" names=("gap", "gaps") />
        </Section>
    }
}

#[component]
pub fn Assumptions(assumptions: Vec<Assumption>, known: KnownMarkers) -> impl IntoView {
    let is_empty = assumptions.is_empty();
    let entries: Vec<AnyView> = assumptions
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
            .into_any()
        })
        .collect();
    view! {
        <Section id="assumptions">
            {nothing(is_empty, "None made.")}
            <FoldedList entries class="notes" names=("assumption", "assumptions") />
        </Section>
    }
}

/// Evaluated outlets; those that the reader can see link to their pages, with their records.
#[component]
pub fn Outlets(outlets: Vec<OutletNote>, records: Vec<(EntityId, OutletRecord)>, known: KnownMarkers) -> impl IntoView {
    let is_empty = outlets.is_empty();
    let items = outlets.into_iter().map(|outlet| {
        let record = records.iter().find(|(id, _)| *id == outlet.entity_id).map(|(_, record)| record.sentence());
        let name = outlet_name(Some(outlet.name.as_str()), None).unwrap_or_default().to_owned();
        let name = match record.is_some() {
            true => view! { <a href=format!("/entities/{}#outlet", outlet.entity_id)>{name}</a> }.into_any(),
            false => name.into_any(),
        };
        view! {
            <dt>{name}</dt>
            <dd>
                <MarkedText text=outlet.notes known=known.clone() />
                {record.map(|text| view! { <p class="muted">{text}</p> })}
            </dd>
        }
    });
    let items = items.collect_view();
    let counted = (!records.is_empty()).then(|| match ReportContext::of_page() {
        Some(_) => "Records count what you may read.",
        None => "Records count what the person who printed this may read.",
    });
    view! {
        <Section id="outlets">
            {nothing(is_empty, "None evaluated.")}
            {counted.map(|text| view! { <p class="muted">{text}</p> })}
            <dl class="outlets">{items}</dl>
        </Section>
    }
}

fn nothing(is_empty: bool, text: &'static str) -> impl IntoView {
    is_empty.then(|| view! { <p class="muted">{text}</p> })
}
