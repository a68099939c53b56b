//! The dissent: the best case against the leading answer, written by another session with the same claims.

use super::{
    Answer, Assessment, Body, ConditionalProbability, Hypothesis, Marker, lenient, markers_in, state::whole_shares,
    validate::PROBABILITY_SUM,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// The best case against the leading answer.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Dissent {
    /// One paragraph, with `[n]` markers of the assessment's citations.
    pub paragraph: String,
    /// Whether its probabilities put a rival before a leading answer; computed, so a model is not asked for it.
    #[serde(default)]
    #[schemars(skip_deserializing)]
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

/// Reasons why an outlet might deceive: motive, opportunity, means and record (after Heuer's checklist for deception).
/// Each text cites with `[n]`, or says that nothing was found.
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
    /// Ids of the hypotheses of each answer, the leading answer first; a list for each question.
    #[serde(default)]
    pub answers: Vec<Vec<Vec<String>>>,
    /// Maximum length of the paragraph, in words.
    pub max_words: usize,
}

/// Probabilities that differ by less are level: sums of decimals are not exact.
const LEVEL: f64 = 1e-6;

/// Returns whether a text on deception says that the citations show nothing.
fn says_nothing_found(text: &str) -> bool {
    let text = text.trim().to_lowercase();
    ["nothing", "none", "not known"].iter().any(|words| text.starts_with(words))
}

impl DissentTerms {
    /// Returns the terms of a dissent on an assessment, from whose citations its author is given `markers`.
    pub fn new(assessment: &Assessment, markers: BTreeSet<Marker>, max_words: usize) -> Self {
        let ids = |hypotheses: &[&Hypothesis]| hypotheses.iter().map(|one| one.id.clone()).collect::<Vec<String>>();
        let sets = assessment.body.hypothesis_sets();
        let answers = |set: &[&Hypothesis]| -> Vec<Vec<String>> {
            Answer::ranked(set).iter().map(|answer| ids(&answer.hypotheses)).collect()
        };
        Self {
            markers,
            hypotheses: sets.iter().map(|(_, set)| ids(set)).collect(),
            answers: sets.iter().map(|(_, set)| answers(set)).collect(),
            max_words,
        }
    }
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

    /// Returns the hypotheses of each question of which both know all probabilities, with both shares: `H1 88 % · dissent 70 %`.
    pub fn beside<'a>(&self, body: &'a Body) -> Vec<(&'a Hypothesis, String)> {
        let mut beside = vec![];
        for (_, hypotheses) in body.hypothesis_sets() {
            let ours: Option<Vec<f64>> = hypotheses.iter().map(|one| one.probability).collect();
            let its: Option<Vec<f64>> = hypotheses.iter().map(|one| self.probability_of(&one.id)).collect();
            let (Some(ours), Some(its)) = (ours, its) else { continue };
            let shares = whole_shares(ours.into_iter()).into_iter().zip(whole_shares(its.into_iter()));
            for (one, (ours, its)) in hypotheses.into_iter().zip(shares) {
                beside.push((one, format!("{} {ours}\u{a0}% · dissent {its}\u{a0}%", one.id)));
            }
        }
        beside
    }

    /// Returns both shares of the likeliest hypothesis of each leading answer.
    pub fn leaders_beside(&self, body: &Body) -> String {
        let answers = body.answers();
        let leads: BTreeSet<&str> = answers.iter().filter_map(|answers| Some(answers.first()?.lead.id.as_str())).collect();
        let leaders = self.beside(body).into_iter().filter(|(one, _)| leads.contains(one.id.as_str()));
        leaders.map(|(_, figures)| figures).collect::<Vec<_>>().join("; ")
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
        self.check_deception(&mut problems);
        self.check_probabilities(terms, &mut problems);
        problems
    }

    /// Checks that each text of a note cites, or says that nothing was found.
    fn check_deception(&self, problems: &mut Vec<String>) {
        for (n, note) in self.deception.iter().enumerate() {
            let DeceptionNote { outlet, motive, opportunity, means, record } = note;
            if outlet.trim().is_empty() {
                problems.push(format!("deception[{n}].outlet: must not be empty"));
            }
            for (key, text) in [("motive", motive), ("opportunity", opportunity), ("means", means), ("record", record)] {
                if markers_in(text).next().is_none() && !says_nothing_found(text) {
                    problems.push(format!("deception[{n}].{key}: cite it with [n], or say \"Nothing in the citations.\""));
                }
            }
        }
    }

    /// Sets the verdict that its probabilities give: refuted where some leading answer is less probable than a rival.
    #[must_use]
    pub fn with_verdict(self, terms: &DissentTerms) -> Self {
        let sum = |ids: &Vec<String>| ids.iter().filter_map(|id| self.probability_of(id)).sum::<f64>();
        let is_behind = |answers: &Vec<Vec<String>>| {
            let Some((leading, rivals)) = answers.split_first() else { return false };
            rivals.iter().any(|rival| sum(leading) < sum(rival) - LEVEL)
        };
        let is_refuted = terms.answers.iter().any(is_behind);
        Self { is_refuted, ..self }
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
            if !PROBABILITY_SUM.contains(&sum) {
                problems.push(format!("probabilities: {} sum to {sum:.3}; they must sum to 0.95–1.05", ids.join(", ")));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::assessment::{EvidenceBrief, tests::hypothesis};

    #[test]
    fn figures_beside_each_other_add_up_to_one_hundred() {
        let mut body: Body = EvidenceBrief::default().into();
        body.hypotheses = vec![hypothesis("H1", 0.5, false), hypothesis("H2", 0.45, true)];
        let figure = |id: &str, probability| ConditionalProbability { hypothesis: id.into(), probability };
        let dissent = Dissent {
            paragraph: "None.".into(),
            is_refuted: false,
            probabilities: vec![figure("H1", 0.63), figure("H2", 0.42)],
            deception: vec![],
            citations: vec![],
        };
        let figures: Vec<String> = dissent.beside(&body).into_iter().map(|(_, figures)| figures).collect();
        assert_eq!(figures, ["H1 53\u{a0}% · dissent 60\u{a0}%", "H2 47\u{a0}% · dissent 40\u{a0}%"]);
        assert_eq!(dissent.leaders_beside(&body), figures[0]);
    }

    #[test]
    fn a_dissent_keeps_to_the_citations_the_hypotheses_and_the_length() {
        let terms = DissentTerms {
            markers: [1, 2].into(),
            hypotheses: vec![vec!["H1".into(), "H2".into()], vec!["H3".into(), "H4".into()]],
            answers: vec![vec![vec!["H1".into()], vec!["H2".into()]], vec![vec!["H3".into()], vec!["H4".into()]]],
            max_words: 6,
        };
        let figure = |id: &str, probability| ConditionalProbability { hypothesis: id.into(), probability };
        let note = DeceptionNote {
            outlet: "Quay Radio".into(),
            motive: "Its owner gains [2].".into(),
            opportunity: "None seen.".into(),
            means: "None seen.".into(),
            record: "One correction [1].".into(),
        };
        let good = Dissent {
            paragraph: "The log [1] names nobody else.".into(),
            is_refuted: false,
            probabilities: vec![figure("H1", 0.7), figure("H2", 0.3), figure("H3", 0.5), figure("H4", 0.5)],
            deception: vec![note],
            citations: vec![1],
        };
        assert!(good.problems(&terms).is_empty(), "{:?}", good.problems(&terms));
        let refuted = Dissent { is_refuted: true, ..good.clone() };
        assert!(!refuted.with_verdict(&terms).is_refuted, "H3 and H4 are level");
        let mut behind = good.clone();
        (behind.probabilities[0].probability, behind.probabilities[1].probability) = (0.3, 0.7);
        behind.deception[0].record = "It is known to lie.".into();
        assert_eq!(behind.problems(&terms), ["deception[0].record: cite it with [n], or say \"Nothing in the citations.\""]);
        assert!(behind.with_verdict(&terms).is_refuted, "H2 is before H1, whatever it says");
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
