//! Key judgements: what is held to be true, how likely, and how good the basis is. All on one scale, to be compared.

use super::ids::{IdLinks, anchor};
use crate::{
    atoms::{Cites, ConfidenceMark, KnownMarkers, MarkedText, Scale, ScaleAxis, WrittenDay},
    format,
    parts::assessment::{Contests, Section},
};
use domain::{
    annotation::ContestedItem,
    assessment::{AnalyticConfidence, Judgement, markers_beside},
};
use leptos::prelude::*;

#[component]
pub fn Judgements(judgements: Vec<Judgement>, known: KnownMarkers) -> impl IntoView {
    let rows = judgements.into_iter().map(|judgement| view! { <Row judgement known=known.clone() /> }).collect_view();
    view! {
        <Section id="judgements">
            <ScaleAxis />
            <ol class="judgements">{rows}</ol>
        </Section>
    }
    .into_any()
}

#[component]
fn Row(judgement: Judgement, known: KnownMarkers) -> impl IntoView {
    let Judgement { id, statement, likelihood, confidence, horizon, would_change, hypotheses, citations } = judgement;
    // What the sentence cites already does not stand behind it again.
    let others = markers_beside(&statement, &citations);
    let has_facts = horizon.is_some() || would_change.is_some() || !hypotheses.is_empty();
    let facts = has_facts.then(|| {
        view! {
            <dl class="facts">
                {horizon.map(|day| view! { <dt>"Until"</dt><dd><WrittenDay text=day /></dd> })}
                {(!hypotheses.is_empty()).then(|| view! { <dt>"Rests on"</dt><dd><IdLinks ids=hypotheses /></dd> })}
                {would_change.map(|text| view! { <dt>"What would change it"</dt><dd><MarkedText text known=known.clone() /></dd> })}
            </dl>
        }
    });
    let anchor = anchor(&id);
    let item = ContestedItem::Likelihood(id.clone());
    view! {
        <li class="judgement" id=anchor>
            <div class="judgement-text">
                <p class="judgement-statement">
                    <span class="key">{id}</span>
                    <MarkedText text=statement known=known.clone() />
                    " "
                    <Cites markers=others />
                </p>
                {confidence.map(|AnalyticConfidence { level, basis }| view! {
                    <p class="judgement-basis">
                        "Confidence " <ConfidenceMark level /> " — " <MarkedText text=basis known=known.clone() />
                    </p>
                })}
                {facts}
                <Contests item />
            </div>
            {likelihood.map(|likelihood| {
                let (low, high) = likelihood.term.range();
                view! {
                    <div class="judgement-scale">
                        <Scale likelihood />
                        <p><strong>{likelihood.term.words()}</strong> <span class="muted">{format::percents(low, high)}</span> <span class="point">{format::percent(likelihood.point)}</span></p>
                    </div>
                }
            })}
        </li>
    }
    .into_any()
}
