//! The competing answers at a glance: one stacked bar for each question, and a row for each answer that opens to its reasoning.

use super::ids::anchor;
use crate::prelude::*;
use domain::assessment::{Body, Hypothesis, Question, RankedAnswer, Sides, rank_answers, sides, with_whole_percents};

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
    is_folded: bool,
    sides: Sides,
}

fn ranked(hypotheses: &[&Hypothesis], citations: &[Citation]) -> Vec<Answer> {
    let mut start = 0;
    let ranked = rank_answers(hypotheses);
    let in_order: Vec<&Hypothesis> = ranked.iter().map(|answer| answer.hypothesis).collect();
    let sides = sides(&in_order, citations);
    let answers = ranked.into_iter().zip(sides).enumerate().map(|(n, (answer, sides))| {
        let RankedAnswer { hypothesis, share, is_folded } = answer;
        let shade = if hypothesis.is_none { "share-none".to_owned() } else { format!("share-{}", n % SHADES) };
        let answer = Answer { hypothesis: hypothesis.clone(), share, start, shade, is_folded, sides };
        start += share;
        answer
    });
    answers.collect()
}

/// The answers; each part of a question has its own. Its answer in a sentence is folded, because the bottom line gives it.
#[component]
pub fn Answers(body: Body, citations: Vec<Citation>, known: KnownMarkers) -> impl IntoView {
    let sets = body.hypothesis_sets();
    let has_parts = sets.len() > 1;
    let sets = sets.into_iter().filter(|(_, hypotheses)| !hypotheses.is_empty()).map(|(question, hypotheses)| {
        let part = question.filter(|_| has_parts).cloned();
        view! { <Set part answers=ranked(&hypotheses, &citations) known=known.clone() /> }
    });
    let sets: Vec<_> = sets.collect();
    (!sets.is_empty()).then(|| view! { <Section id="answers-brief">{sets}</Section> })
}

#[component]
fn Set(part: Option<Question>, answers: Vec<Answer>, known: KnownMarkers) -> impl IntoView {
    let bar = answers.iter().map(|answer| {
        let class = format!("share {}", answer.shade);
        view! { <rect class=class x=answer.start y="0" width=answer.share height="8" /> }
    });
    let bar = bar.collect_view();
    // On paper, all stand open.
    let is_paper = ReportContext::of_page().is_none();
    let (open, folded): (Vec<_>, Vec<_>) = answers.into_iter().partition(|answer| is_paper || !answer.is_folded);
    let row = |answer| view! { <Row answer known=known.clone() /> };
    let rows = open.into_iter().map(row).collect_view();
    let count = folded.len() as u64;
    let more = (count > 0).then(|| {
        view! {
            <details class="more-answers">
                <summary>{format::count(count, "answer under 5\u{a0}%", "answers under 5\u{a0}%")}</summary>
                <ul class="answers">{folded.into_iter().map(row).collect_view()}</ul>
            </details>
        }
    });
    let part = part.map(|Question { text, answer, .. }| {
        view! {
            <h3 class="hypothesis-question">{text}</h3>
            {answer.filter(|_| !is_paper).map(|text| view! {
                <details class="more-answers">
                    <summary>"In a sentence"</summary>
                    <p class="part-answer"><MarkedText text known=known.clone() /></p>
                </details>
            })}
        }
    });
    view! {
        {part}
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
    let line = view! {
        <svg class="swatch" viewBox="0 0 8 8" aria-hidden="true"><rect class=swatch width="8" height="8" /></svg>
        <span class="key">{id}</span>
        <span class="answer-text">{with_whole_percents(&statement)}</span>
        <strong class="answer-share">{format!("{share}\u{a0}%")}</strong>
    };
    let links = |title: &'static str, markers: Vec<Marker>| {
        (!markers.is_empty()).then(|| view! { <p>{title} " " <Cites markers /></p> })
    };
    match ReportContext::of_page() {
        // Nothing opens on paper.
        None => view! { <li class="answer answer-line" id=anchor>{line}</li> }.into_any(),
        Some(_) => view! {
            <li>
                <details class="answer" id=anchor>
                    <summary class="answer-line">{line}</summary>
                    <div class="answer-why">
                        <p><MarkedText text=reasoning known /></p>
                        {(!sides.is_empty()).then(|| view! { <p class="muted">{sides.sentence()}</p> })}
                        {links("For", supporting)}
                        {links("Against", against)}
                    </div>
                </details>
            </li>
        }
        .into_any(),
    }
}
