//! The competing answers at a glance: one stacked bar for each question, and a row for each answer that opens to its reasoning.

use super::ids::anchor;
use crate::{
    atoms::{Cites, KnownMarkers, MarkedText},
    parts::assessment::{ReportContext, Section},
};
use domain::assessment::{Body, Citation, Hypothesis, Marker, Question, Sides, open_answers, shares};
use leptos::prelude::*;

/// Shades of the stacked bar, which repeat.
const SHADES: usize = 4;

/// An answer, its share in percent, and its place in the bar.
#[derive(Debug, Clone)]
struct Answer {
    hypothesis: Hypothesis,
    share: u32,
    /// Sum of the shares before it.
    start: u32,
    shade: String,
    sides: Sides,
}

/// The answers to one question: the likeliest first, "none of these" last.
fn ranked(hypotheses: &[&Hypothesis], citations: &[Citation]) -> Vec<Answer> {
    let mut ranked: Vec<_> = hypotheses.iter().zip(shares(hypotheses)).collect();
    ranked.sort_by_key(|(hypothesis, share)| (hypothesis.is_none, std::cmp::Reverse(*share)));
    let mut start = 0;
    let answers = ranked.into_iter().enumerate().map(|(n, (hypothesis, share))| {
        let shade = if hypothesis.is_none { "share-none".to_owned() } else { format!("share-{}", n % SHADES) };
        let sides = hypothesis.sides(citations);
        let answer = Answer { hypothesis: (*hypothesis).clone(), share, start, shade, sides };
        start += share;
        answer
    });
    answers.collect()
}

#[component]
pub fn Answers(body: Body, citations: Vec<Citation>, known: KnownMarkers) -> impl IntoView {
    let sets =
        body.hypothesis_sets().into_iter().filter(|(_, hypotheses)| !hypotheses.is_empty()).map(|(question, hypotheses)| {
            let open = open_answers(&hypotheses);
            view! { <Set question=question.cloned() answers=ranked(&hypotheses, &citations) open known=known.clone() /> }
        });
    let sets: Vec<_> = sets.collect();
    (!sets.is_empty()).then(|| view! { <Section id="answers-brief">{sets}</Section> })
}

#[component]
fn Set(
    question: Option<Question>,
    answers: Vec<Answer>,
    /// Number of likeliest answers that stand open, besides "none of these".
    open: usize,
    known: KnownMarkers,
) -> impl IntoView {
    let bar = answers.iter().map(|answer| {
        let class = format!("share {}", answer.shade);
        view! { <rect class=class x=answer.start y="0" width=answer.share height="8" /> }
    });
    let bar = bar.collect_view();
    // On paper, all stand open.
    let is_paper = ReportContext::of_page().is_none();
    let (mut shown, mut folded) = (vec![], vec![]);
    for (place, answer) in answers.into_iter().enumerate() {
        let is_open = is_paper || place < open || answer.hypothesis.is_none;
        if is_open { &mut shown } else { &mut folded }.push(answer);
    }
    let row = |answer| view! { <Row answer known=known.clone() /> };
    let rows = shown.into_iter().map(row).collect_view();
    let count = folded.len();
    let more = (count > 0).then(|| {
        view! {
            <details class="more-answers">
                <summary>{format!("{count} more answers")}</summary>
                <ul class="answers">{folded.into_iter().map(row).collect_view()}</ul>
            </details>
        }
    });
    view! {
        {question.map(|question| view! { <h3 class="hypothesis-question">{question.text}</h3> })}
        <svg class="shares" viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true">{bar}</svg>
        <ul class="answers">{rows}</ul>
        {more}
    }
    .into_any()
}

#[component]
fn Row(answer: Answer, known: KnownMarkers) -> impl IntoView {
    let Answer { hypothesis, share, shade, sides, .. } = answer;
    let Hypothesis { id, statement, reasoning, supporting, against, .. } = hypothesis;
    let anchor = anchor(&id);
    let swatch = format!("share {shade}");
    let links = |title: &'static str, markers: Vec<Marker>| {
        (!markers.is_empty()).then(|| view! { <p>{title} " " <Cites markers /></p> })
    };
    view! {
        <li>
            <details class="answer" id=anchor>
                <summary>
                    <svg class="swatch" viewBox="0 0 8 8" aria-hidden="true"><rect class=swatch width="8" height="8" /></svg>
                    <span class="key">{id}</span>
                    <span class="answer-text">{statement}</span>
                    <strong class="answer-share">{share} " %"</strong>
                </summary>
                <div class="answer-why">
                    <p><MarkedText text=reasoning known /></p>
                    <p class="muted">{sides.sentence()}</p>
                    {links("For", supporting)}
                    {links("Against", against)}
                </div>
            </details>
        </li>
    }
    .into_any()
}
