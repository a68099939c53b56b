//! The dissent: the best case against the leading answer, written by another session with the same claims.

use super::{Body, ConditionalProbability, Hypothesis, Marker, lenient, markers_in};
use crate::likelihood::percent;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// The best case against the leading answer.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Dissent {
    /// One paragraph, with `[n]` markers of the assessment's citations.
    pub paragraph: String,
    /// Whether its author holds the leading answer to be refuted after the attempt.
    pub is_refuted: bool,
    /// Its own probabilities of the hypotheses.
    pub probabilities: Vec<ConditionalProbability>,
    /// Outlets that might deceive, as far as considered.
    #[serde(default)]
    pub deception: Vec<DeceptionNote>,
    /// Markers that the paragraph cites.
    #[serde(default, deserialize_with = "lenient::markers")]
    #[schemars(schema_with = "lenient::markers_schema")]
    pub citations: Vec<Marker>,
}

/// Whether an outlet might deceive: motive, opportunity, means and record (after Heuer's checklist for deception).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct DeceptionNote {
    pub outlet: String,
    pub motive: String,
    pub opportunity: String,
    pub means: String,
    /// What it did before.
    pub record: String,
}

/// Facts of an assessment that its dissent is checked against.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct DissentTerms {
    /// Markers of the citations that its author was given.
    pub markers: BTreeSet<Marker>,
    /// Ids of the hypotheses, a list for each question.
    pub hypotheses: Vec<Vec<String>>,
    /// Maximum length of the paragraph, in words.
    pub max_words: usize,
}

impl Dissent {
    /// Returns its result in one sentence.
    pub const fn verdict(&self) -> &'static str {
        match self.is_refuted {
            true => "The dissent holds the leading answer to be refuted.",
            false => "The dissent did not refute the leading answer.",
        }
    }

    /// Returns its probability of a hypothesis.
    pub fn probability_of(&self, hypothesis: &str) -> Option<f64> {
        self.probabilities.iter().find(|one| one.hypothesis == hypothesis).map(|one| one.probability)
    }

    /// Returns both probabilities of a hypothesis, `H1 88 % · dissent 70 %`; none where one is missing.
    pub fn beside(&self, hypothesis: &Hypothesis) -> Option<String> {
        let (ours, its) = (hypothesis.probability?, self.probability_of(&hypothesis.id)?);
        Some(format!("{} {} · dissent {}", hypothesis.id, percent(ours), percent(its)))
    }

    /// Returns both probabilities of the leading answer of each question.
    pub fn leaders_beside(&self, body: &Body) -> String {
        let share = |hypothesis: &Hypothesis| hypothesis.probability.unwrap_or_default();
        let leader = |set: Vec<&Hypothesis>| {
            let leader = set.into_iter().max_by(|one, other| share(one).total_cmp(&share(other)))?;
            self.beside(leader)
        };
        let leaders: Vec<String> = body.hypothesis_sets().into_iter().filter_map(|(_, set)| leader(set)).collect();
        leaders.join("; ")
    }

    /// Returns every broken rule; an empty list means valid.
    pub fn problems(&self, terms: &DissentTerms) -> Vec<String> {
        let mut problems = vec![];
        let words = self.paragraph.split_whitespace().count();
        if words == 0 {
            problems.push("paragraph: must not be empty".to_owned());
        } else if words > terms.max_words {
            problems.push(format!("paragraph: has {words} words; at most {}", terms.max_words));
        }
        let notes = self.deception.iter().flat_map(|note| [&note.motive, &note.opportunity, &note.means, &note.record]);
        let inside = std::iter::once(&self.paragraph).chain(notes).flat_map(|text| markers_in(text));
        let unknown: BTreeSet<Marker> =
            inside.chain(self.citations.iter().copied()).filter(|marker| !terms.markers.contains(marker)).collect();
        problems.extend(unknown.into_iter().map(|marker| format!("there is no citation [{marker}]")));
        if self.deception.iter().any(|note| note.outlet.trim().is_empty()) {
            problems.push("deception: every note names its outlet".to_owned());
        }
        self.check_probabilities(terms, &mut problems);
        problems
    }

    fn check_probabilities(&self, terms: &DissentTerms, problems: &mut Vec<String>) {
        let mut seen = BTreeSet::new();
        for ConditionalProbability { hypothesis, probability } in &self.probabilities {
            if !terms.hypotheses.iter().flatten().any(|id| id == hypothesis) {
                problems.push(format!("probabilities: there is no hypothesis '{hypothesis}'"));
            } else if !seen.insert(hypothesis) {
                problems.push(format!("probabilities: '{hypothesis}' is given twice"));
            }
            if !(0.0..=1.0).contains(probability) {
                problems.push(format!("probabilities: '{hypothesis}' must be from 0 to 1"));
            }
        }
        for ids in &terms.hypotheses {
            let missing: Vec<&str> = ids.iter().filter(|id| !seen.contains(id)).map(String::as_str).collect();
            if !missing.is_empty() {
                problems.push(format!("probabilities: {} missing", missing.join(", ")));
                continue;
            }
            let sum: f64 = ids.iter().filter_map(|id| self.probability_of(id)).sum();
            if !(0.95..=1.05).contains(&sum) {
                problems.push(format!("probabilities: {} sum to {sum:.3}; they must sum to 0.95–1.05", ids.join(", ")));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_dissent_keeps_to_the_citations_the_hypotheses_and_the_length() {
        let terms = DissentTerms {
            markers: [1, 2].into(),
            hypotheses: vec![vec!["H1".into(), "H2".into()], vec!["H3".into(), "H4".into()]],
            max_words: 6,
        };
        let figure = |id: &str, probability| ConditionalProbability { hypothesis: id.into(), probability };
        let note = DeceptionNote {
            outlet: "Quay Radio".into(),
            motive: "Its owner gains [2].".into(),
            opportunity: "None seen.".into(),
            means: "None seen.".into(),
            record: "One correction.".into(),
        };
        let good = Dissent {
            paragraph: "The log [1] names nobody else.".into(),
            is_refuted: false,
            probabilities: vec![figure("H1", 0.7), figure("H2", 0.3), figure("H3", 0.5), figure("H4", 0.5)],
            deception: vec![note],
            citations: vec![1],
        };
        assert!(good.problems(&terms).is_empty(), "{:?}", good.problems(&terms));
        let bad = Dissent {
            paragraph: "The log [9] names nobody else at all.".into(),
            probabilities: vec![figure("H1", 0.7), figure("H2", 0.7), figure("H3", 1.5), figure("H7", 0.1)],
            citations: vec![8],
            ..good
        };
        let expected = [
            "paragraph: has 8 words; at most 6",
            "there is no citation [8]",
            "there is no citation [9]",
            "probabilities: 'H3' must be from 0 to 1",
            "probabilities: there is no hypothesis 'H7'",
            "probabilities: H1, H2 sum to 1.400; they must sum to 0.95–1.05",
            "probabilities: H4 missing",
        ];
        assert_eq!(bad.problems(&terms), expected);
    }
}
