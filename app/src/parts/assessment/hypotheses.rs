//! Competing hypotheses side by side, question by question: in the analyst's order, each with what speaks for and against it. The
//! leading one stands open.

use super::ids::anchor;
use crate::{
    parts::assessment::{CitesLine, Contests, Folded},
    prelude::*,
};
use domain::{
    annotation::ContestedItem,
    assessment::{Body, Hypothesis, Question, rank_answers, shares},
    likelihood::Likelihood,
};

/// A hypothesis with its share in percent, and its place among the others.
#[derive(Debug, Clone)]
struct RivalAnswer {
    hypothesis: Hypothesis,
    share: u32,
    is_leading: bool,
    /// Whether it has too small a share to stand open.
    is_folded: bool,
}

impl RivalAnswer {
    /// Returns whether a reader of the page contests its likelihood.
    fn is_contested(&self) -> bool {
        let item = ContestedItem::Likelihood(self.hypothesis.id.clone());
        ReportContext::of_page().is_some_and(|context| !context.annotations.contests_of(&item).is_empty())
    }
}

/// The hypotheses of one question in the analyst's order.
fn rivals(hypotheses: &[&Hypothesis]) -> Vec<RivalAnswer> {
    let ranked = rank_answers(hypotheses);
    let rivals = hypotheses.iter().zip(shares(hypotheses)).map(|(hypothesis, share)| {
        let place = ranked.iter().position(|answer| answer.hypothesis.id == hypothesis.id);
        // Those that round to 0 % have no rank.
        let is_small = place.is_none_or(|place| ranked[place].is_folded);
        RivalAnswer {
            hypothesis: (*hypothesis).clone(),
            share,
            is_leading: place == Some(0),
            is_folded: is_small && hypothesis.probability.is_some(),
        }
    });
    rivals.collect()
}

#[component]
pub fn Hypotheses(body: Body, known: KnownMarkers) -> impl IntoView {
    let sets = body.hypothesis_sets().into_iter().map(|(question, hypotheses)| {
        view! { <Set question=question.cloned() answers=rivals(&hypotheses) known=known.clone() /> }
    });
    let sets = sets.collect_view();
    view! { <Section id="hypotheses">{sets}</Section> }.into_any()
}

/// The hypotheses of one question, below it where there are several questions.
#[component]
fn Set(question: Option<Question>, answers: Vec<RivalAnswer>, known: KnownMarkers) -> impl IntoView {
    let is_below = question.is_some();
    // On paper, all stand open, in their order; on a page also those that a reader contests.
    let is_open = |answer: &RivalAnswer| ReportContext::of_page().is_none() || !answer.is_folded || answer.is_contested();
    let (open, folded): (Vec<_>, Vec<_>) = answers.into_iter().partition(is_open);
    let row = |answer| view! { <Row answer is_below known=known.clone() /> };
    let rows = open.into_iter().map(row).collect_view();
    let count = folded.len() as u64;
    let more = (count > 0).then(|| {
        let summary = format::count(count, "answer under 5\u{a0}%", "answers under 5\u{a0}%");
        let rows = folded.into_iter().map(row).collect_view();
        view! { <Folded summary><ol class="hypotheses">{rows}</ol></Folded> }
    });
    view! {
        {question.map(|Question { id, text, answer }| {
            let anchor = anchor(&id);
            view! {
                <h3 class="hypothesis-question" id=anchor><span class="key">{id}</span>{text}</h3>
                {answer.map(|text| view! { <p class="part-answer"><MarkedText text known=known.clone() /></p> })}
            }
        })}
        <ol class="hypotheses">{rows}</ol>
        {more}
    }
}

#[component]
fn Row(answer: RivalAnswer, is_below: bool, known: KnownMarkers) -> impl IntoView {
    let is_open = answer.is_leading || answer.is_contested();
    let RivalAnswer { hypothesis, share, .. } = answer;
    let Hypothesis { id, statement, probability, reasoning, supporting, against, weaknesses, .. } = hypothesis;
    let anchor = anchor(&id);
    let item = ContestedItem::Likelihood(id.clone());
    let heading = view! { <span class="key">{id}</span>{statement} };
    let heading = if is_below { view! { <h4>{heading}</h4> }.into_any() } else { view! { <h3>{heading}</h3> }.into_any() };
    let share = probability.map(|_| {
        view! {
            <span class="hypothesis-share">
                <Scale likelihood=Likelihood::from_point(f64::from(share) / 100.0) />
                <span class="share">{format!("{share}\u{a0}%")}</span>
            </span>
        }
    });
    let head = view! { {heading} {share} };
    let has_weaknesses = !weaknesses.trim().is_empty();
    let weaknesses =
        has_weaknesses.then(|| view! { <dt>"Weaknesses"</dt><dd><MarkedText text=weaknesses known=known.clone() /></dd> });
    let why = view! {
        <p><MarkedText text=reasoning known=known.clone() /></p>
        <dl class="facts">
            <dt>"For"</dt>
            <dd>{cites(supporting)}</dd>
            <dt>"Against"</dt>
            <dd>{cites(against)}</dd>
            {weaknesses}
        </dl>
        <Contests item />
    };
    let row = match ReportContext::of_page() {
        // Nothing opens on paper.
        None => view! { <div class="hypothesis-head">{head}</div> {why} }.into_any(),
        Some(_) => view! {
            <details class="entry" open=is_open>
                <summary class="hypothesis-head">{head}</summary>
                <div class="hypothesis-why">{why}</div>
            </details>
        }
        .into_any(),
    };
    view! { <li class="hypothesis" id=anchor>{row}</li> }.into_any()
}

fn cites(markers: Vec<Marker>) -> AnyView {
    if markers.is_empty() {
        return view! { <span class="muted">"none"</span> }.into_any();
    }
    view! { <CitesLine markers /> }.into_any()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_likeliest_answer_leads_and_small_ones_fold_in_the_order_of_the_analyst() {
        let hypothesis = |id: &str, probability: f64| -> Hypothesis {
            serde_json::from_value(serde_json::json!({
                "id": id, "statement": id, "probability": probability, "reasoning": "", "for": [], "against": [],
                "weaknesses": "",
            }))
            .unwrap()
        };
        let all = [hypothesis("H1", 0.03), hypothesis("H2", 0.8), hypothesis("H3", 0.17), hypothesis("H4", 0.0)];
        let answers = rivals(&all.iter().collect::<Vec<_>>());
        let places = answers.iter().map(|one| (one.hypothesis.id.as_str(), one.is_leading, one.is_folded));
        let expected = [("H1", false, true), ("H2", true, false), ("H3", false, false), ("H4", false, true)];
        assert_eq!(places.collect::<Vec<_>>(), expected);
    }
}
