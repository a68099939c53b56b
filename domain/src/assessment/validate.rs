//! Validation rules of assessments beyond their types. The engine, which has the texts, verifies the quotes.

mod argument;
mod kind;
mod markers;
mod outlook;

pub use markers::uncited;

use super::{Assessment, AssessmentKind, Body, Marker};
use crate::likelihood::Likelihood;
use std::{collections::BTreeSet, ops::RangeInclusive};

/// Sum of the probabilities of the answers to one question.
pub(super) const PROBABILITY_SUM: RangeInclusive<f64> = 0.95..=1.05;

/// A broken rule, in words that help the author to fix it.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{at}: {rule}")]
pub struct Problem {
    /// Where, as a path in the JSON (`hypotheses[1].probability`).
    pub at: String,
    pub rule: String,
}

/// Collector of the problems of one body.
struct Problems<'a> {
    body: &'a Body,
    found: Vec<Problem>,
}

/// Checks `body` against the markers that its citations define, and against the assessment that `change` names, where there is one. All
/// problems at once; an empty list means valid.
pub fn validate(kind: AssessmentKind, body: &Body, markers: &BTreeSet<Marker>, previous: Option<&Assessment>) -> Vec<Problem> {
    let mut problems = Problems { body, found: vec![] };
    problems.require("title", &body.title);
    problems.require("bottom_line", &body.bottom_line);
    problems.check_ids();
    match kind {
        AssessmentKind::Assessment => {
            problems.check_judged();
            problems.check_questions();
            problems.check_judgements(markers);
            problems.check_hypotheses();
            problems.check_matrix();
            problems.check_indicators();
            problems.check_impacts();
            problems.check_causes();
            problems.check_argument();
        }
        AssessmentKind::EvidenceBrief => problems.check_brief(),
    }
    problems.check_change(previous);
    problems.check_markers(markers);
    problems.found
}

impl Problems<'_> {
    fn add(&mut self, at: impl Into<String>, rule: impl Into<String>) {
        self.found.push(Problem { at: at.into(), rule: rule.into() });
    }

    fn require(&mut self, at: impl Into<String>, text: &str) {
        if text.trim().is_empty() {
            self.add(at, "must not be empty");
        }
    }

    /// Checks that ids are unique: they link the parts of an assessment.
    fn check_ids(&mut self) {
        let body = self.body;
        let mut ids: Vec<(String, &str)> = vec![];
        ids.extend(body.questions.iter().enumerate().map(|(n, one)| (format!("questions[{n}].id"), &*one.id)));
        ids.extend(body.key_judgements.iter().enumerate().map(|(n, one)| (format!("key_judgements[{n}].id"), &*one.id)));
        ids.extend(body.hypotheses.iter().enumerate().map(|(n, one)| (format!("hypotheses[{n}].id"), &*one.id)));
        ids.extend(body.indicators.iter().enumerate().map(|(n, one)| (format!("indicators[{n}].id"), &*one.id)));
        let mut seen = BTreeSet::new();
        for (at, id) in ids {
            if id.trim().is_empty() {
                self.add(at, "must not be empty");
            } else if !seen.insert(id.to_lowercase()) {
                self.add(at, format!("'{id}' is used twice"));
            }
        }
    }

    fn check_questions(&mut self) {
        let body = self.body;
        for (n, question) in body.questions.iter().enumerate() {
            self.require(format!("questions[{n}].text"), &question.text);
        }
        for (n, hypothesis) in body.hypotheses.iter().enumerate() {
            let at = format!("hypotheses[{n}].question");
            match &hypothesis.question {
                Some(id) if !body.questions.iter().any(|question| question.id == *id) => {
                    self.add(at, format!("there is no question '{id}'"));
                }
                None if body.questions.len() > 1 => self.add(at, "say which of the questions it answers"),
                _ => {}
            }
        }
    }

    fn check_judgements(&mut self, markers: &BTreeSet<Marker>) {
        for (n, judgement) in self.body.key_judgements.iter().enumerate() {
            let at = |key: &str| format!("key_judgements[{n}].{key}");
            if let Some(likelihood) = &judgement.likelihood {
                self.check_likelihood(at("likelihood"), likelihood);
            }
            // Without any evidence at all, a judgement may only say so; validate() cannot demand a citation that does not exist.
            if judgement.citations.is_empty() && !markers.is_empty() {
                self.add(at("citations"), "every judgement cites at least one claim");
            }
            self.check_day(at("horizon"), judgement.horizon.as_deref());
            self.check_hypothesis_ids(&at("hypotheses"), &judgement.hypotheses);
        }
    }

    fn check_likelihood(&mut self, at: String, likelihood: &Likelihood) {
        let Likelihood { term, point } = *likelihood;
        if !term.holds(point) {
            let (low, high) = term.range();
            self.add(at, format!("'{}' means {low} to {high}, not {point}", term.words()));
        }
    }

    fn check_probability(&mut self, at: String, probability: f64) {
        if !(0.0..=1.0).contains(&probability) {
            self.add(at, "must be from 0 to 1");
        }
    }

    fn check_hypotheses(&mut self) {
        if self.body.hypotheses.is_empty() {
            self.add("hypotheses", "must not be empty: give rival answers and 'none of these'");
            return;
        }
        for (n, hypothesis) in self.body.hypotheses.iter().enumerate() {
            if let Some(probability) = hypothesis.probability {
                self.check_probability(format!("hypotheses[{n}].probability"), probability);
            }
        }
        for (question, hypotheses) in self.body.hypothesis_sets() {
            let named = question.map(|question| format!(" of {}", question.id)).unwrap_or_default();
            if hypotheses.is_empty() {
                self.add("hypotheses", format!("there are none{named}"));
                continue;
            }
            // One that is missing is named already.
            let Some(sum) = hypotheses.iter().map(|hypothesis| hypothesis.probability).sum::<Option<f64>>() else { continue };
            if !PROBABILITY_SUM.contains(&sum) {
                self.add("hypotheses", format!("probabilities{named} sum to {sum:.3}; they must sum to 0.95–1.05"));
            }
        }
    }

    /// A row rates all hypotheses of the questions that it bears on.
    fn check_matrix(&mut self) {
        let sets = self.body.hypothesis_sets();
        for (n, row) in self.body.evidence_matrix.iter().enumerate() {
            let at = format!("evidence_matrix[{n}].ratings");
            let unknown: Vec<&str> = row.ratings.keys().map(String::as_str).filter(|id| !self.has_hypothesis(id)).collect();
            if !unknown.is_empty() {
                self.add(at.as_str(), format!("there is no hypothesis {}", list_of_ids(&unknown)));
            }
            let missing = |set: &[&super::Hypothesis]| -> Vec<String> {
                set.iter().filter(|one| !row.ratings.contains_key(&one.id)).map(|one| one.id.clone()).collect()
            };
            let sets: Vec<_> = sets.iter().map(|(_, set)| (missing(set), set.len())).collect();
            let begun = sets.iter().filter(|(missing, all)| missing.len() < *all);
            let mut missing: Vec<&str> = begun.flat_map(|(missing, _)| missing.iter().map(String::as_str)).collect();
            if row.ratings.is_empty() {
                missing = sets.iter().flat_map(|(missing, _)| missing.iter().map(String::as_str)).collect();
            }
            if !missing.is_empty() {
                self.add(at.as_str(), format!("needs a rating for {}", list_of_ids(&missing)));
            }
        }
    }

    fn has_hypothesis(&self, id: &str) -> bool {
        self.body.hypotheses.iter().any(|hypothesis| hypothesis.id == id)
    }

    fn has_judgement(&self, id: &str) -> bool {
        self.body.key_judgements.iter().any(|judgement| judgement.id == id)
    }

    fn check_hypothesis_ids(&mut self, at: &str, ids: &[String]) {
        for id in ids.iter().filter(|id| !self.has_hypothesis(id)).collect::<Vec<_>>() {
            self.add(at, format!("there is no hypothesis '{id}'"));
        }
    }

    fn check_judgement_ids(&mut self, at: &str, ids: &[String]) {
        for id in ids.iter().filter(|id| !self.has_judgement(id)).collect::<Vec<_>>() {
            self.add(at, format!("there is no judgement '{id}'"));
        }
    }
}

/// `'H1', 'H2'`.
fn list_of_ids(ids: &[&str]) -> String {
    ids.iter().map(|id| format!("'{id}'")).collect::<Vec<_>>().join(", ")
}
