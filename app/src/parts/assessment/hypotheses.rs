//! Competing hypotheses side by side: the likeliest first as the analyst ordered them, each with what speaks for and against it.

use crate::{
    atoms::{Cites, ProbabilityBar},
    format,
    parts::assessment::Section,
};
use domain::assessment::Hypothesis;
use leptos::prelude::*;

#[component]
pub fn Hypotheses(hypotheses: Vec<Hypothesis>) -> impl IntoView {
    let rows = hypotheses.into_iter().map(|hypothesis| view! { <Row hypothesis /> }).collect_view();
    view! {
        <Section id="hypotheses">
            <ol class="hypotheses">{rows}</ol>
        </Section>
    }
    .into_any()
}

#[component]
fn Row(hypothesis: Hypothesis) -> impl IntoView {
    let Hypothesis { id, statement, probability, reasoning, supporting, against, weaknesses } = hypothesis;
    let anchor = id.to_lowercase();
    view! {
        <li class="hypothesis" id=anchor>
            <div class="hypothesis-head">
                <h3><span class="key">{id}</span>{statement}</h3>
                <div class="hypothesis-share">
                    <ProbabilityBar probability />
                    <span class="share">{format::percent(probability)}</span>
                </div>
            </div>
            <p>{reasoning}</p>
            <dl class="facts">
                <dt>"For"</dt>
                <dd>{cites(supporting)}</dd>
                <dt>"Against"</dt>
                <dd>{cites(against)}</dd>
                {(!weaknesses.trim().is_empty()).then(|| view! { <dt>"Weaknesses"</dt><dd>{weaknesses}</dd> })}
            </dl>
        </li>
    }
    .into_any()
}

fn cites(markers: Vec<domain::assessment::Marker>) -> AnyView {
    if markers.is_empty() {
        return view! { <span class="muted">"nothing found"</span> }.into_any();
    }
    view! { <Cites markers /> }.into_any()
}
