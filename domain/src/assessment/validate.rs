//! The rules that an assessment keeps beyond its types. Whether quotes stand in their documents is checked by the engine, which has the texts.

use super::{Body, Marker};
use std::collections::BTreeSet;

/// One broken rule, said so that whoever wrote the assessment can mend it.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{at}: {rule}")]
pub struct Problem {
    /// Where, as a path in the JSON (`hypotheses[1].probability`).
    pub at: String,
    pub rule: String,
}

fn problem(at: impl Into<String>, rule: impl Into<String>) -> Problem {
    Problem { at: at.into(), rule: rule.into() }
}

/// Checks `body` against the markers that its citations define. An empty list means valid.
pub fn validate(body: &Body, markers: &BTreeSet<Marker>) -> Vec<Problem> {
    let mut problems = vec![];
    for (at, text) in [("title", &body.title), ("bottom_line", &body.bottom_line)] {
        if text.trim().is_empty() {
            problems.push(problem(at, "must not be empty"));
        }
    }
    check_judgements(body, markers, &mut problems);
    check_hypotheses(body, markers, &mut problems);
    check_matrix(body, markers, &mut problems);
    for (n, impact) in body.impacts.iter().enumerate() {
        known(&impact.citations, markers, &format!("impacts[{n}].citations"), &mut problems);
    }
    for marker in markers_in(&body.analysis).filter(|marker| !markers.contains(marker)) {
        problems.push(problem("analysis", format!("[{marker}] is not a citation")));
    }
    problems
}

fn known(used: &[Marker], markers: &BTreeSet<Marker>, at: &str, problems: &mut Vec<Problem>) {
    for marker in used.iter().filter(|marker| !markers.contains(marker)) {
        problems.push(problem(at, format!("{marker} is not a citation")));
    }
}

fn check_judgements(body: &Body, markers: &BTreeSet<Marker>, problems: &mut Vec<Problem>) {
    for (n, judgement) in body.key_judgements.iter().enumerate() {
        let at = |key: &str| format!("key_judgements[{n}].{key}");
        let likelihood = judgement.likelihood;
        if !likelihood.term.holds(likelihood.point) {
            let (low, high) = likelihood.term.range();
            let rule = format!("'{}' means {low} to {high}, not {}", likelihood.term.words(), likelihood.point);
            problems.push(problem(at("likelihood"), rule));
        }
        // Without any evidence at all, a judgement may only say so; validate() cannot demand a citation that does not exist.
        if judgement.citations.is_empty() && !markers.is_empty() {
            problems.push(problem(at("citations"), "every judgement cites at least one claim"));
        }
        known(&judgement.citations, markers, &at("citations"), problems);
    }
}

fn check_hypotheses(body: &Body, markers: &BTreeSet<Marker>, problems: &mut Vec<Problem>) {
    if body.hypotheses.is_empty() {
        problems.push(problem("hypotheses", "give at least one, and 'none of these'"));
        return;
    }
    let mut ids = BTreeSet::new();
    for (n, hypothesis) in body.hypotheses.iter().enumerate() {
        let at = |key: &str| format!("hypotheses[{n}].{key}");
        if !(0.0..=1.0).contains(&hypothesis.probability) {
            problems.push(problem(at("probability"), "must be from 0 to 1"));
        }
        if !ids.insert(hypothesis.id.as_str()) {
            problems.push(problem(at("id"), format!("'{}' is used twice", hypothesis.id)));
        }
        known(&hypothesis.supporting, markers, &at("for"), problems);
        known(&hypothesis.against, markers, &at("against"), problems);
    }
    let sum: f64 = body.hypotheses.iter().map(|hypothesis| hypothesis.probability).sum();
    if !(0.95..=1.05).contains(&sum) {
        problems.push(problem("hypotheses", format!("probabilities sum to {sum:.3}; they must sum to 0.95–1.05")));
    }
    for (n, indicator) in body.indicators.iter().enumerate() {
        for id in indicator.hypotheses.iter().filter(|id| !ids.contains(id.as_str())) {
            problems.push(problem(format!("indicators[{n}].hypotheses"), format!("there is no hypothesis '{id}'")));
        }
    }
}

fn check_matrix(body: &Body, markers: &BTreeSet<Marker>, problems: &mut Vec<Problem>) {
    for (n, row) in body.evidence_matrix.iter().enumerate() {
        let at = format!("evidence_matrix[{n}]");
        known(&[row.citation], markers, &at, problems);
        let complete = body.hypotheses.len() == row.ratings.len()
            && body.hypotheses.iter().all(|hypothesis| row.ratings.contains_key(&hypothesis.id));
        if !complete {
            problems.push(problem(at, "needs one rating for each hypothesis and no other"));
        }
    }
}

/// The `[n]` markers in a Markdown text, in order.
pub fn markers_in(text: &str) -> impl Iterator<Item = Marker> + '_ {
    text.match_indices('[').filter_map(|(start, _)| {
        let inner = &text[start + 1..];
        let end = inner.find(']')?;
        let digits = &inner[..end];
        (!digits.is_empty() && digits.len() <= 6 && digits.bytes().all(|byte| byte.is_ascii_digit()))
            .then(|| digits.parse().ok())
            .flatten()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markers_are_numbers_in_brackets_and_nothing_else() {
        let found: Vec<_> = markers_in("As [1] says [TEXT] and [12][3] but not [a1], [] or [4").collect();
        assert_eq!(found, [1, 12, 3]);
    }
}
