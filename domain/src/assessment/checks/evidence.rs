//! Checks of what judgements, hypotheses and causes rest on.

use super::{CheckContext, Issue, words::CheckWords};
use crate::{
    DocumentId,
    assessment::{Argument, Body, Citation, Hypothesis, Judgement, markers_in},
    claim::Attribution,
    likelihood::percent,
};
use std::collections::BTreeSet;

pub(super) fn judgements_cited(context: &CheckContext<'_>) -> Vec<Issue> {
    let uncited = context.body.key_judgements.iter().enumerate().filter(|(_, judgement)| judgement.citations.is_empty());
    uncited.map(|(n, _)| (format!("key_judgements[{n}].citations"), "it cites nothing".to_owned())).collect()
}

/// Finds judgements on one document, or on one second-hand origin, whose basis does not say so.
pub(super) fn single_origin(context: &CheckContext<'_>, language: &CheckWords) -> Vec<Issue> {
    let mut issues = vec![];
    for (n, judgement) in context.body.key_judgements.iter().enumerate() {
        let cited = |citation: &&Citation| judgement.citations.contains(&citation.marker);
        let cited: Vec<&Citation> = context.citations.iter().filter(cited).collect();
        let origins: BTreeSet<&str> = cited.iter().map(|citation| citation.origin_key()).collect();
        let is_weak = cited.iter().all(|citation| citation.attribution != Attribution::Primary);
        let documents: BTreeSet<DocumentId> = cited.iter().map(|citation| citation.document_id).collect();
        let text = match (origins.len(), documents.len()) {
            (1, _) if is_weak => {
                "it rests on one origin, and that is not first-hand: say so in the basis, or cite another origin"
            }
            (_, 1) if cited.len() > 1 => "all its citations are of one document: say so in the basis, or cite another one",
            _ => continue,
        };
        if !says_so(language, judgement.confidence.as_ref().map_or("", |confidence| &confidence.basis)) {
            issues.push((format!("key_judgements[{n}].confidence.basis"), text.to_owned()));
        }
    }
    issues
}

/// Whether a basis admits that it has one origin, or is not first-hand.
fn says_so(language: &CheckWords, basis: &str) -> bool {
    let basis = basis.to_lowercase();
    language.one_origin.iter().any(|words| begins_a_word(&basis, words))
}

/// Whether words stand in a text from the beginning of a word on: `eine Quelle` is not in `keine Quelle`.
fn begins_a_word(text: &str, words: &str) -> bool {
    text.match_indices(words).any(|(at, _)| !text[..at].ends_with(char::is_alphanumeric))
}

/// Points by which a judgement may differ from the sum of the answers that it rests on.
const SUM_TOLERANCE: f64 = 0.05;
/// A sum of decimals may be off by less than a tenth of a point.
const SUM_ROUNDING: f64 = 0.000_5;

pub(super) fn has_sums(body: &Body) -> bool {
    body.key_judgements.iter().any(|judgement| sum_of_answers(body, judgement).is_some())
}

/// Finds judgements whose figure is not the sum of their answers, and whose basis does not name that sum.
pub(super) fn judgement_sums(context: &CheckContext<'_>) -> Vec<Issue> {
    let mut issues = vec![];
    for (n, judgement) in context.body.key_judgements.iter().enumerate() {
        let Some((point, sum)) = sum_of_answers(context.body, judgement) else { continue };
        let basis = judgement.confidence.as_ref().map_or("", |confidence| &confidence.basis);
        if (point - sum).abs() > SUM_TOLERANCE + SUM_ROUNDING && !names_figure(basis, &percent(sum)) {
            let (ids, point, sum) = (judgement.hypotheses.join(" + "), percent(point), percent(sum));
            let verb = if judgement.hypotheses.len() == 1 { "has" } else { "have" };
            let text = format!("it has {point}, and {ids} {verb} {sum}: make them agree, or explain the {sum} in its basis");
            issues.push((format!("key_judgements[{n}].likelihood"), text));
        }
    }
    issues
}

/// Returns whether a text has a figure as a number of its own: `6 %` does not stand in `76 %`.
fn names_figure(text: &str, figure: &str) -> bool {
    let (text, figure) = (text.replace('\u{a0}', " "), figure.replace('\u{a0}', " "));
    let begins_number = |(at, _): (usize, &str)| !text[..at].ends_with(|before: char| before.is_ascii_digit() || before == '.');
    text.match_indices(&figure).any(begins_number)
}

/// Returns the figure of a judgement and the sum of its hypotheses; none where it has no figure, or they are of several questions.
fn sum_of_answers(body: &Body, judgement: &Judgement) -> Option<(f64, f64)> {
    let point = judgement.likelihood?.point;
    let named: Vec<&Hypothesis> = body.hypotheses.iter().filter(|one| judgement.hypotheses.contains(&one.id)).collect();
    let first = named.first()?;
    let is_one_question = named.iter().all(|one| one.question == first.question);
    let sum: Option<f64> = named.iter().map(|one| one.probability).sum();
    is_one_question.then_some((point, sum?))
}

/// Words of the shortest reasoning.
const MIN_REASONING_WORDS: usize = 4;

/// Finds answers without reasoning, and those with the words of another.
pub(super) fn reasoning_given(context: &CheckContext<'_>) -> Vec<Issue> {
    let mut seen = BTreeSet::new();
    let mut issues = vec![];
    for (n, hypothesis) in context.body.hypotheses.iter().enumerate().filter(|(_, one)| !one.is_none) {
        let at = || format!("hypotheses[{n}].reasoning");
        if hypothesis.reasoning.split_whitespace().count() < MIN_REASONING_WORDS {
            issues.push((at(), "say in a sentence or two what speaks for it and against it".to_owned()));
        } else if !seen.insert(hypothesis.reasoning.trim().to_lowercase()) {
            issues.push((at(), "it repeats the reasoning of another answer".to_owned()));
        }
    }
    issues
}

pub(super) fn impacts_cited(context: &CheckContext<'_>) -> Vec<Issue> {
    let uncited = context.body.impacts.iter().enumerate().filter(|(_, impact)| impact.citations.is_empty());
    uncited.map(|(n, _)| (format!("impacts[{n}].citations"), "it cites nothing".to_owned())).collect()
}

pub(super) fn alternatives(context: &CheckContext<'_>) -> Vec<Issue> {
    let mut issues = vec![];
    for (question, hypotheses) in context.body.hypothesis_sets() {
        let of = question.map(|question| format!(" of {}", question.id)).unwrap_or_default();
        let none = hypotheses.iter().filter(|hypothesis| hypothesis.is_none).count();
        let mut add = |text: String| issues.push(("hypotheses".to_owned(), text));
        if none != 1 {
            add(format!("{none} hypotheses{of} are \"none of these\" (`is_none`): give exactly one"));
        }
        if hypotheses.len() - none < 2 {
            add(format!("give at least two real answers{of} that exclude each other"));
        }
    }
    issues
}

/// Finds an empty matrix beside evidence, and rows that rate all hypotheses alike: they separate none (Heuer).
pub(super) fn matrix_diagnostic(context: &CheckContext<'_>) -> Vec<Issue> {
    let sets = context.body.hypothesis_sets();
    let mut issues = vec![];
    if context.body.evidence_matrix.is_empty() && !context.citations.is_empty() {
        issues.push(("evidence_matrix".to_owned(), "rate at least the evidence that tells the answers apart".to_owned()));
    }
    for (n, row) in context.body.evidence_matrix.iter().enumerate() {
        let rated = sets.iter().map(|(_, set)| set.iter().filter_map(|one| row.ratings.get(&one.id)).collect::<Vec<_>>());
        let rated: Vec<_> = rated.filter(|ratings| ratings.len() > 1).collect();
        let is_flat = |ratings: &Vec<_>| ratings.windows(2).all(|pair| pair[0] == pair[1]);
        if !rated.is_empty() && rated.iter().all(is_flat) {
            let text = format!("[{}] has one rating for every hypothesis and tells none apart", row.citation);
            issues.push((format!("evidence_matrix[{n}]"), text));
        }
    }
    issues
}

/// Reasons that a Brief shows, at most.
const MAX_REASONS: usize = 3;

/// Returns whether an argument has something that can be cited.
pub(super) fn has_argument(body: &Body) -> bool {
    let Argument { reasons, objection, actors, chronology, disagreements, ranges, base_rate, .. } = &body.argument;
    let is_empty = reasons.is_empty() && actors.is_empty() && chronology.is_empty() && ranges.is_empty();
    !is_empty || !disagreements.is_empty() || objection.is_some() || base_rate.is_some()
}

/// Finds parts of the argument without a citation, and more reasons than a Brief shows. The count of a base rate may be common
/// knowledge.
pub(super) fn argument_cited(context: &CheckContext<'_>) -> Vec<Issue> {
    let Argument { reasons, .. } = &context.body.argument;
    let prose = context.body.prose();
    let is_marked = |place: &str| prose.iter().any(|(at, text)| at.starts_with(place) && markers_in(text).next().is_some());
    let lists = context.body.citation_lists().into_iter();
    let lists = lists.filter(|(at, _)| at.starts_with("argument.") && !at.starts_with("argument.base_rate"));
    let uncited = lists.filter(|(at, list)| list.is_empty() && !is_marked(at.trim_end_matches("citations")));
    let mut issues: Vec<Issue> = uncited.map(|(at, _)| (at, "it cites nothing".to_owned())).collect();
    if reasons.len() > MAX_REASONS {
        issues.push(("argument.reasons".to_owned(), format!("keep the {MAX_REASONS} strongest of {}", reasons.len())));
    }
    issues
}

pub(super) fn causes_cited(context: &CheckContext<'_>) -> Vec<Issue> {
    let uncited = context.body.causes.iter().enumerate().filter(|(_, cause)| cause.citations.is_empty());
    uncited.map(|(n, _)| (format!("causes[{n}].citations"), "it cites nothing".to_owned())).collect()
}
