//! Checks of assumptions, gaps, indicators and the change note.

use super::{CheckContext, Issue};
use crate::{
    assessment::{Assessment, Body, ConditionalProbability, lenient::last_day_of, validate::PROBABILITY_SUM},
    likelihood::percent,
};
use chrono::NaiveDate;

fn is_blank(text: &str) -> bool {
    text.trim().is_empty()
}

/// The words of a value that may be null.
fn words(text: Option<&String>) -> &str {
    text.map_or("", String::as_str)
}

pub(super) fn assumptions_named(context: &CheckContext<'_>) -> Vec<Issue> {
    let assumptions = &context.body.assumptions;
    if assumptions.is_empty() {
        return vec![("assumptions".into(), "name at least one: what the judgements take for granted".into())];
    }
    let without = assumptions.iter().enumerate().filter(|(_, one)| is_blank(&one.text) || is_blank(&one.if_wrong));
    without.map(|(n, _)| (format!("assumptions[{n}].if_wrong"), "say what follows if it is wrong".to_owned())).collect()
}

pub(super) fn gaps_have_effect(context: &CheckContext<'_>) -> Vec<Issue> {
    let mut issues = vec![];
    if context.body.gaps.is_empty() {
        issues.push(("gaps".to_owned(), "name at least one: what you do not know and would want to".to_owned()));
    }
    for (n, gap) in context.body.gaps.iter().enumerate() {
        if is_blank(words(gap.impact.as_ref())) {
            issues.push((format!("gaps[{n}].impact"), "say what it would change".to_owned()));
        }
        if is_blank(words(gap.how_to_close.as_ref())) {
            issues.push((format!("gaps[{n}].how_to_close"), "say how it could be closed".to_owned()));
        }
    }
    issues
}

pub(super) fn indicators_observable(context: &CheckContext<'_>) -> Vec<Issue> {
    let mut issues = vec![];
    for (n, indicator) in context.body.indicators.iter().enumerate() {
        let same = |one: &str, other: &str| one.trim().to_lowercase() == other.trim().to_lowercase();
        let resolution = &indicator.resolution;
        let (question, criteria) = (words(resolution.question.as_ref()), words(resolution.criteria.as_ref()));
        if is_blank(question) {
            issues.push((format!("indicators[{n}].resolution.question"), "ask the question that settles it".to_owned()));
        }
        if is_blank(criteria) || same(criteria, &indicator.text) || same(criteria, question) {
            let text = "say what anybody could see that settles it, in other words than its text";
            issues.push((format!("indicators[{n}].resolution.criteria"), text.to_owned()));
        }
    }
    issues
}

/// The day by which an indicator comes true.
fn days(body: &Body) -> impl Iterator<Item = (usize, NaiveDate)> {
    let by =
        |(n, indicator): (usize, &crate::assessment::Indicator)| Some((n, last_day_of(indicator.resolution.by.as_deref()?)?));
    body.indicators.iter().enumerate().filter_map(by)
}

pub(super) fn has_days(body: &Body) -> bool {
    days(body).next().is_some()
}

pub(super) fn indicators_dated(context: &CheckContext<'_>) -> Vec<Issue> {
    let text = "none has a day: name at least one thing that will be seen, or not, by a day";
    (!has_days(context.body)).then(|| ("indicators".to_owned(), text.to_owned())).into_iter().collect()
}

pub(super) fn indicators_ahead(context: &CheckContext<'_>) -> Vec<Issue> {
    let after = context.watched_from();
    let past = days(context.body).filter(|(_, day)| *day <= after);
    past.map(|(n, day)| {
        let text = format!("{day} has passed: name a day after {after}");
        (format!("indicators[{n}].resolution.by"), text)
    })
    .collect()
}

/// Something that may happen, and the probabilities that answers would then have.
struct Condition<'a> {
    at: String,
    probability: Option<f64>,
    then: &'a [ConditionalProbability],
}

fn conditions(body: &Body) -> impl Iterator<Item = Condition<'_>> {
    let indicators = body.indicators.iter().enumerate();
    let indicators = indicators.map(|(n, one)| Condition {
        at: format!("indicators[{n}].effects"),
        probability: one.probability,
        then: &one.effects,
    });
    let scenarios = body.argument.scenarios.iter().enumerate().map(|(n, one)| {
        let at = format!("argument.scenarios[{n}].then");
        Condition { at, probability: one.probability, then: &one.then }
    });
    indicators.chain(scenarios).filter(|condition| !condition.then.is_empty())
}

pub(super) fn has_conditionals(body: &Body) -> bool {
    conditions(body).next().is_some()
}

/// Probabilities may differ by rounding.
const ROUNDING: f64 = 0.005_1;

/// Finds conditional probabilities that the one of today contradicts. An answer is at least as probable as it together with the
/// condition, and so is its opposite; answers to one question exclude each other.
pub(super) fn conditionals_agree(context: &CheckContext<'_>) -> Vec<Issue> {
    let mut issues = vec![];
    let sets = context.body.hypothesis_sets();
    for Condition { at, probability, then } in conditions(context.body) {
        let after = |id: &str| then.iter().find(|one| one.hypothesis == id).map(|one| one.probability);
        for (_, set) in &sets {
            let sum: f64 = set.iter().filter_map(|one| after(&one.id)).sum();
            if sum > *PROBABILITY_SUM.end() {
                issues.push((at.clone(), format!("answers to one question have {} together", percent(sum))));
            }
        }
        let Some(p) = probability else { continue };
        for one in sets.iter().flat_map(|(_, set)| set) {
            let (Some(today), Some(then)) = (one.probability, after(&one.id)) else { continue };
            let (id, condition) = (&one.id, percent(p));
            if p * then > today + ROUNDING {
                let (least, then, today) = (percent(p * then), percent(then), percent(today));
                let text = format!("{condition} × {then} makes {id} at least {least}, and it has {today}: make them agree");
                issues.push((at.clone(), text));
            } else if p * (1.0 - then) > 1.0 - today + ROUNDING {
                let (most, then, today) = (percent(1.0 - p * (1.0 - then)), percent(then), percent(today));
                let text = format!(
                    "{then} if it happens ({condition}) leaves {id} at most {most}, and it has {today}: make them agree"
                );
                issues.push((at.clone(), text));
            }
        }
    }
    issues
}

pub(super) fn indicators_linked(context: &CheckContext<'_>) -> Vec<Issue> {
    let indicators = context.body.indicators.iter().enumerate();
    let loose = indicators.filter(|(_, indicator)| indicator.hypotheses.is_empty() && indicator.judgements.is_empty());
    loose.map(|(n, _)| (format!("indicators[{n}]"), "name the judgements or hypotheses that it moves".to_owned())).collect()
}

pub(super) fn change_explained(context: &CheckContext<'_>) -> Vec<Issue> {
    match (&context.body.change, context.earlier) {
        (None, Some(earlier)) => {
            let text = format!(
                "assessment {earlier} answers this question or the one before it: read it, and say what has changed since"
            );
            vec![("change".to_owned(), text)]
        }
        (Some(change), _) if is_blank(&change.summary) => {
            vec![("change.summary".to_owned(), "say what has changed, and why".to_owned())]
        }
        _ => vec![],
    }
}

pub(super) fn earlier_items_settled(context: &CheckContext<'_>) -> Vec<Issue> {
    let Some(previous) = context.previous else { return vec![] };
    let settled = context.body.change.as_ref().map_or(&[][..], |change| change.settled.as_slice());
    let is_open = |id: &str| !settled.iter().any(|item| item.previous_item == id);
    // What came due after the last day until which the author looked is not for this assessment.
    let as_of = context.body.argument.as_of.as_deref().and_then(last_day_of);
    let until = as_of.map_or(context.today, |day| day.min(context.today));
    let due = due_items(previous, until).filter(|(id, _)| is_open(id));
    let unsettled = due.map(|(id, day)| {
        let text = format!("{id} of the previous assessment was for {day}: say what became of it");
        ("change.settled".to_owned(), text)
    });
    let uncited = settled.iter().enumerate().filter(|(_, item)| item.outcome.is_settled() && item.citations.is_empty());
    let uncited = uncited.map(|(n, item)| {
        let text = format!("that {} {} wants a citation", item.previous_item, item.outcome.words());
        (format!("change.settled[{n}].citations"), text)
    });
    unsettled.chain(uncited).collect()
}

/// Returns the ids of the indicators and judgements of an assessment that are due by a day, with their days.
pub fn due_items(previous: &Assessment, until: NaiveDate) -> impl Iterator<Item = (&str, NaiveDate)> {
    let indicators = previous.body.indicators.iter().map(|one| (&*one.id, one.resolution.by.as_deref()));
    let judgements = previous.body.key_judgements.iter().map(|one| (&*one.id, one.horizon.as_deref()));
    let dated = indicators.chain(judgements).filter_map(|(id, day)| Some((id, last_day_of(day?)?)));
    dated.filter(move |(_, day)| *day <= until)
}
