//! The layout of a language file: only shapes, no behaviour.

use std::collections::BTreeMap;

use serde::Deserialize;

use super::super::words::{Word, fold, spaced};
use super::Class;

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct File {
    pub(super) question: QuestionFile,
    pub(super) words: WordsFile,
    pub(super) actors: ActorsFile,
    pub(super) acts: ActsFile,
    pub(super) roles: BTreeMap<String, Vec<String>>,
    pub(super) causes: Causes,
    pub(super) outcomes: OutcomesFile,
    pub(super) figures: Figures,
    pub(super) modes: Modes,
    pub(super) limits: Limits,
    pub(super) say: BTreeMap<String, String>,
    pub(super) who: Weights,
    pub(super) grades: Grades,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct QuestionFile {
    pub(super) how_many: Vec<String>,
    pub(super) why: Vec<String>,
    pub(super) who: Vec<String>,
    pub(super) whether: Vec<String>,
    pub(super) when: Vec<String>,
    pub(super) r#where: Vec<String>,
    pub(super) how: Vec<String>,
    pub(super) target_marks: Vec<String>,
    pub(super) place_marks: Vec<String>,
    pub(super) filler: Vec<String>,
    pub(super) openers: Vec<String>,
    pub(super) conjunctions: Vec<String>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct WordsFile {
    pub(super) stop: Vec<String>,
    pub(super) breaks: Vec<String>,
    pub(super) not_participles: Vec<String>,
    pub(super) joints: Vec<String>,
    pub(super) loose_joints: Vec<String>,
    pub(super) determiners: Vec<String>,
    pub(super) of: Vec<String>,
    pub(super) months: Vec<String>,
    pub(super) demonyms: Vec<String>,
    pub(super) demonym_endings: Vec<String>,
    pub(super) openings: Vec<String>,
    pub(super) endings: Vec<String>,
    pub(super) kin: Vec<Vec<String>>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ActorsFile {
    pub(super) heads: BTreeMap<Class, Vec<String>>,
    pub(super) members: BTreeMap<Class, Vec<String>>,
    pub(super) descriptors: BTreeMap<Class, Vec<String>>,
    pub(super) insurgent_marks: Vec<String>,
    pub(super) pointers: Vec<String>,
    pub(super) hands: Vec<String>,
    pub(super) epithets: Vec<String>,
    pub(super) adjectival: Vec<String>,
    pub(super) titles: Vec<String>,
    pub(super) introductions: Vec<String>,
    pub(super) possessions: Vec<String>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ActsFile {
    pub(super) of_bodies: Vec<String>,
    pub(super) kinds: Vec<Act>,
}

/// A kind of deed and the words that speak of it.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Act {
    /// The noun for it.
    pub name: String,
    /// The words that speak of it.
    pub words: Vec<String>,
}

/// The weights by which candidate actors are ranked.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Weights {
    /// Weight of each feature, by its name.
    pub features: BTreeMap<String, f64>,
    /// Score of "none of these".
    pub none: f64,
    /// How much of the probability follows the count of independent origins alone.
    pub independent_share: f64,
    /// Weight of being the subject of the question's own verb, where no deed of bodies is asked about.
    pub plain_agent: f64,
    /// What "none of these" keeps at least.
    pub least_none: f64,
    /// How far scores are flattened before they become probabilities.
    pub temperature: f64,
    /// Share of the question's names from which passages count as covering it.
    pub well_covered: f64,
    /// At most so many hypotheses besides "none of these".
    pub max_hypotheses: usize,
}

/// What a passage is worth as evidence that a body did the deed. Phrases match whole words.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Grades {
    /// Phrases of records, arrests, courts, examinations and eyewitnesses.
    pub findings: Vec<String>,
    /// Phrases of charges without proof, and of opinion.
    pub accusing: Vec<String>,
    /// Phrases by which a body is cleared, or a claim in its name is found to be false.
    pub clearing: Vec<String>,
    /// Phrases by which somebody disowns the deed.
    pub disowning: Vec<String>,
    /// Worth of a passage with a finding; one that only states has 1.
    pub finding: f64,
    /// Worth of an accusation.
    pub accusation: f64,
    /// Share of its worth that a passage keeps which names the body only beside the deed.
    pub nearness: f64,
    /// Share of its support that a body keeps which nobody names as author outright.
    pub unsaid: f64,
    /// Share of its worth that the word of a party to the matter keeps.
    pub interested: f64,
    /// Weight against, when a finding clears the body.
    pub cleared: f64,
    /// Weight against, when somebody else denies it.
    pub denied: f64,
    /// Weight against, when the body itself denies it.
    pub own_denial: f64,
}

impl Grades {
    /// Whether some words tell of an arrest, a record, an examination or an eyewitness.
    pub fn finds(&self, words: &[Word]) -> bool {
        let text = spaced(words);
        self.findings.iter().any(|phrase| text.contains(phrase.as_str()))
    }

    /// The phrases in the form in which passages are compared with them.
    pub(super) fn folded(mut self) -> Self {
        for phrases in [&mut self.findings, &mut self.accusing, &mut self.clearing, &mut self.disowning] {
            phrases.iter_mut().for_each(|phrase| *phrase = format!(" {} ", fold(phrase)));
        }
        self
    }
}

/// Words that mark causes.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Causes {
    /// Weight of a mark that only orders in time.
    pub weak: f64,
    /// A cause is cut after so many words.
    pub max_words: usize,
    /// A cause that opens or ends with one of these is none.
    pub unsure: Vec<String>,
    /// The marks, the more telling first.
    pub marks: Vec<CauseMark>,
}

/// One mark of a cause.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CauseMark {
    /// Its words.
    pub words: String,
    /// Which side of the mark holds the cause.
    #[serde(default)]
    pub side: Side,
    /// It only orders in time.
    #[serde(default)]
    pub weak: bool,
    /// How to say it.
    pub say: String,
}

/// A side of a mark.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Side {
    /// The words before it.
    Before,
    /// The words after it.
    #[default]
    After,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct OutcomesFile {
    pub(super) negative: Vec<String>,
    pub(super) conditional: Vec<String>,
    pub(super) forward: Vec<String>,
    pub(super) opposites: Vec<(String, String)>,
}

/// How passages count.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Figures {
    /// Share of its weight that a figure keeps which a later document corrects.
    pub withdrawn: f64,
    /// Number words and what they are worth.
    pub numbers: BTreeMap<String, f64>,
    /// Number words that multiply what stands before them.
    pub multipliers: Vec<String>,
    /// Words that loosen a figure.
    pub qualifiers: Vec<String>,
    /// Words that make a figure a measure or a time.
    pub measures: Vec<String>,
    /// Groups of words that mean the same in counts.
    pub same: BTreeMap<String, Vec<String>>,
}

impl Figures {
    /// The groups of words for what became of people ("killed", "dead", "toll").
    pub(in super::super) fn states(&self) -> impl Iterator<Item = &Vec<String>> {
        self.same.iter().filter(|(name, _)| !matches!(name.as_str(), "people" | "money")).map(|(_, words)| words)
    }
}

/// How much each kind of saying counts.
#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Modes {
    /// Said to be so.
    pub asserted: f64,
    /// Said by others, unproven.
    pub alleged: f64,
    /// Undertaken.
    pub promised: f64,
    /// Foreseen.
    pub forecast: f64,
    /// Said not to be so.
    pub denied: f64,
}

/// Bounds on the work and on the answer.
#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Limits {
    /// Passages read closely, the weightiest first.
    pub max_close: usize,
    /// Likeness above which two explanations are one.
    pub likeness: f64,
    /// Hypotheses besides "none of these".
    pub max_hypotheses: usize,
    /// Passages below this weight say nothing of the event.
    pub min_weight: f64,
    /// Share kept for "none of these" where the passages cover everything.
    pub none_share: f64,
    /// Pairs of passages that contradict each other.
    pub max_contradictions: usize,
    /// A statement is cut after so many characters.
    pub max_statement: usize,
}
