//! Checks of what judgements, hypotheses and causes rest on.

use super::{CheckContext, Issue};
use crate::{assessment::Citation, claim::Attribution};
use std::collections::BTreeSet;

pub(super) fn judgements_cited(context: &CheckContext<'_>) -> Vec<Issue> {
    let uncited = context.body.key_judgements.iter().enumerate().filter(|(_, judgement)| judgement.citations.is_empty());
    uncited.map(|(n, _)| (format!("key_judgements[{n}].citations"), "it cites nothing".to_owned())).collect()
}

/// Finds judgements on one second-hand origin whose basis does not say so.
pub(super) fn single_origin(context: &CheckContext<'_>) -> Vec<Issue> {
    let mut issues = vec![];
    for (n, judgement) in context.body.key_judgements.iter().enumerate() {
        let cited = |citation: &&Citation| judgement.citations.contains(&citation.marker);
        let cited: Vec<&Citation> = context.citations.iter().filter(cited).collect();
        let origins: BTreeSet<&str> = cited.iter().map(|citation| citation.origin_key()).collect();
        let is_weak = cited.iter().all(|citation| citation.attribution != Attribution::Primary);
        let basis = judgement.confidence.as_ref().map_or("", |confidence| &confidence.basis);
        if origins.len() == 1 && is_weak && !says_so(basis) {
            let text = "it rests on one origin, and that is not first-hand: say so in the basis, or cite another origin";
            issues.push((format!("key_judgements[{n}].confidence.basis"), text.to_owned()));
        }
    }
    issues
}

/// Whether a basis admits that it has one origin, or is not first-hand.
fn says_so(basis: &str) -> bool {
    const WORDS: [&str; 24] = [
        "one origin",
        "single origin",
        "one source",
        "single source",
        "one text",
        "one document",
        "one report",
        "single report",
        "one outlet",
        "one account",
        "single account",
        "one independent",
        "only one",
        "single",
        "alone",
        "uncorroborated",
        "unconfirmed",
        "second-hand",
        "secondhand",
        "not at first hand",
        "not first-hand",
        "indirect",
        "unnamed",
        "hearsay",
    ];
    let basis = basis.to_lowercase();
    WORDS.iter().any(|words| basis.contains(words)) || basis.contains("unattributed") || basis.contains("no primary")
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

/// Finds rows that rate all hypotheses alike: they separate none (Heuer).
pub(super) fn matrix_diagnostic(context: &CheckContext<'_>) -> Vec<Issue> {
    let sets = context.body.hypothesis_sets();
    let mut issues = vec![];
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

pub(super) fn causes_cited(context: &CheckContext<'_>) -> Vec<Issue> {
    let uncited = context.body.causes.iter().enumerate().filter(|(_, cause)| cause.citations.is_empty());
    uncited.map(|(n, _)| (format!("causes[{n}].citations"), "it cites nothing".to_owned())).collect()
}
