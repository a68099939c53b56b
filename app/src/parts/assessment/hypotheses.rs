//! Competing hypotheses side by side, question by question: in the analyst's order, each with what speaks for and against it.

use super::ids::anchor;
use crate::{
    atoms::{Cites, KnownMarkers, MarkedText, Scale},
    parts::assessment::{Contests, Section},
};
use domain::{
    annotation::ContestedItem,
    assessment::{Body, Hypothesis, Question, shares},
    likelihood::Likelihood,
};
use leptos::prelude::*;

#[component]
pub fn Hypotheses(body: Body, known: KnownMarkers) -> impl IntoView {
    let sets = body.hypothesis_sets().into_iter().map(|(question, hypotheses)| {
        let hypotheses: Vec<(Hypothesis, u32)> = hypotheses.iter().copied().cloned().zip(shares(&hypotheses)).collect();
        view! { <Set question=question.cloned() hypotheses known=known.clone() /> }
    });
    let sets = sets.collect_view();
    view! { <Section id="hypotheses">{sets}</Section> }.into_any()
}

/// The hypotheses of one question, below it where there are several questions.
#[component]
fn Set(question: Option<Question>, hypotheses: Vec<(Hypothesis, u32)>, known: KnownMarkers) -> impl IntoView {
    let is_below = question.is_some();
    let row = |(hypothesis, share): (Hypothesis, u32)| view! { <Row hypothesis share is_below known=known.clone() /> };
    let rows = hypotheses.into_iter().map(row).collect_view();
    view! {
        {question.map(|Question { id, text, answer }| {
            let anchor = anchor(&id);
            view! {
                <h3 class="hypothesis-question" id=anchor><span class="key">{id}</span>{text}</h3>
                {answer.map(|text| view! { <p class="part-answer"><MarkedText text known=known.clone() /></p> })}
            }
        })}
        <ol class="hypotheses">{rows}</ol>
    }
    .into_any()
}

#[component]
fn Row(hypothesis: Hypothesis, share: u32, is_below: bool, known: KnownMarkers) -> impl IntoView {
    let Hypothesis { id, statement, probability, reasoning, supporting, against, weaknesses, .. } = hypothesis;
    let anchor = anchor(&id);
    let item = ContestedItem::Likelihood(id.clone());
    let heading = view! { <span class="key">{id}</span>{statement} };
    let heading = if is_below { view! { <h4>{heading}</h4> }.into_any() } else { view! { <h3>{heading}</h3> }.into_any() };
    let has_weaknesses = !weaknesses.trim().is_empty();
    let weaknesses =
        has_weaknesses.then(|| view! { <dt>"Weaknesses"</dt><dd><MarkedText text=weaknesses known=known.clone() /></dd> });
    view! {
        <li class="hypothesis" id=anchor>
            <div class="hypothesis-head">
                {heading}
                {probability.map(|_| view! {
                    <div class="hypothesis-share">
                        <Scale likelihood=Likelihood::from_point(f64::from(share) / 100.0) />
                        <span class="share">{format!("{share}\u{a0}%")}</span>
                    </div>
                })}
            </div>
            <p><MarkedText text=reasoning known=known.clone() /></p>
            <dl class="facts">
                <dt>"For"</dt>
                <dd>{cites(supporting)}</dd>
                <dt>"Against"</dt>
                <dd>{cites(against)}</dd>
                {weaknesses}
            </dl>
            <Contests item />
        </li>
    }
    .into_any()
}

fn cites(markers: Vec<domain::assessment::Marker>) -> AnyView {
    if markers.is_empty() {
        return view! { <span class="muted">"none"</span> }.into_any();
    }
    view! { <Cites markers /> }.into_any()
}
