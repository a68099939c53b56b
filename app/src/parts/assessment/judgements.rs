//! Key judgements: what is held to be true, how likely, and how good the basis is. All on one scale, to be compared.

use crate::{
    atoms::{Cites, ConfidenceMark, Scale, ScaleAxis},
    format,
    parts::assessment::Section,
};
use domain::assessment::Judgement;
use leptos::prelude::*;

#[component]
pub fn Judgements(judgements: Vec<Judgement>) -> impl IntoView {
    let rows = judgements.into_iter().map(|judgement| view! { <Row judgement /> }).collect_view();
    view! {
        <Section id="judgements">
            <ScaleAxis />
            <ol class="judgements">{rows}</ol>
        </Section>
    }
    .into_any()
}

#[component]
fn Row(judgement: Judgement) -> impl IntoView {
    let likelihood = judgement.likelihood;
    let anchor = judgement.id.to_lowercase();
    let (low, high) = likelihood.term.range();
    let range = format::percents(low, high);
    view! {
        <li class="judgement" id=anchor>
            <div class="judgement-text">
                <p class="judgement-statement">
                    <span class="key">{judgement.id}</span>
                    {judgement.statement}
                    " "
                    <Cites markers=judgement.citations />
                </p>
                <p class="judgement-basis">
                    "Confidence " <ConfidenceMark level=judgement.confidence.level /> " — " {judgement.confidence.basis}
                </p>
            </div>
            <div class="judgement-scale">
                <Scale likelihood />
                <p><strong>{likelihood.term.words()}</strong> <span class="muted">{range}</span> <span class="point">{format::percent(likelihood.point)}</span></p>
            </div>
        </li>
    }
    .into_any()
}
