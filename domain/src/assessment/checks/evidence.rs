//! Checks of what judgements, hypotheses and causes rest on.

use super::{Draft, Place};
use crate::{assessment::Citation, claim::Attribution};
use std::collections::BTreeSet;

pub(super) fn judgements_cited(draft: &Draft<'_>) -> Vec<Place> {
    let uncited = draft.body.key_judgements.iter().enumerate().filter(|(_, judgement)| judgement.citations.is_empty());
    uncited.map(|(n, _)| (format!("key_judgements[{n}].citations"), "it cites nothing".to_owned())).collect()
}

/// what somebody else said, once, is a weak basis, and a reader must be told.
pub(super) fn single_origin(draft: &Draft<'_>) -> Vec<Place> {
    let mut places = vec![];
    for (n, judgement) in draft.body.key_judgements.iter().enumerate() {
        let cited = |citation: &&Citation| judgement.citations.contains(&citation.marker);
        let cited: Vec<&Citation> = draft.citations.iter().filter(cited).collect();
        let origins: BTreeSet<&str> =
            cited.iter().map(|citation| citation.origin.as_deref().unwrap_or(&citation.text_sha256)).collect();
        let is_weak = cited.iter().all(|citation| citation.attribution != Attribution::Primary);
        let basis = judgement.confidence.as_ref().map_or("", |confidence| &confidence.basis);
        if origins.len() == 1 && is_weak && !says_so(basis) {
            let text = "it rests on one origin, and that is not first-hand: say so in the basis, or cite another origin";
            places.push((format!("key_judgements[{n}].confidence.basis"), text.to_owned()));
        }
    }
    places
}

/// Whether a basis admits that it is one voice, or not first-hand.
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

pub(super) fn alternatives(draft: &Draft<'_>) -> Vec<Place> {
    let mut places = vec![];
    for (question, hypotheses) in draft.body.hypothesis_sets() {
        let of = question.map(|question| format!(" of {}", question.id)).unwrap_or_default();
        let none = hypotheses.iter().filter(|hypothesis| hypothesis.is_none).count();
        let mut add = |text: String| places.push(("hypotheses".to_owned(), text));
        if none != 1 {
            add(format!("{none} hypotheses{of} are \"none of these\" (`is_none`): give exactly one"));
        }
        if hypotheses.len() - none < 2 {
            add(format!("give at least two real answers{of} that exclude each other"));
        }
    }
    places
}

/// What fits every hypothesis alike separates none (Heuer).
pub(super) fn matrix_diagnostic(draft: &Draft<'_>) -> Vec<Place> {
    let sets = draft.body.hypothesis_sets();
    let mut places = vec![];
    for (n, row) in draft.body.evidence_matrix.iter().enumerate() {
        let rated = sets.iter().map(|(_, set)| set.iter().filter_map(|one| row.ratings.get(&one.id)).collect::<Vec<_>>());
        let rated: Vec<_> = rated.filter(|ratings| ratings.len() > 1).collect();
        let is_flat = |ratings: &Vec<_>| ratings.windows(2).all(|pair| pair[0] == pair[1]);
        if !rated.is_empty() && rated.iter().all(is_flat) {
            let text = format!("[{}] has one rating for every hypothesis and tells none apart", row.citation);
            places.push((format!("evidence_matrix[{n}]"), text));
        }
    }
    places
}

pub(super) fn causes_cited(draft: &Draft<'_>) -> Vec<Place> {
    let uncited = draft.body.causes.iter().enumerate().filter(|(_, cause)| cause.citations.is_empty());
    uncited.map(|(n, _)| (format!("causes[{n}].citations"), "it cites nothing".to_owned())).collect()
}
