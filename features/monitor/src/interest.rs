//! Interests: a sentence in a person's own words with what goes with it, and the rules by which feedback changes one.

use crate::score::{ScoredTerm, TermKind};
use domain::{EntityId, Timestamp, UserId};
use feature::{MAX_INTEREST_CHARS, NoticeText};
use serde::{Deserialize, Serialize};

domain::ids! {
    /// One interest of a person.
    InterestId = "interest";
    /// One match of an interest and a product.
    MatchId = "match";
}

/// Most characters of a region or tag.
pub const MAX_WORD: usize = 60;
/// Most entities, regions and tags of an interest, each.
pub const MAX_ENTRIES: usize = 20;
/// Bounds of the threshold and of a weight, in hundredths.
pub const LEAST: u8 = 5;
pub const MOST_THRESHOLD: u8 = 95;
pub const MOST_WEIGHT: u8 = 100;
/// Change of the threshold and of a weight by one answer of the person.
const STEP: u8 = 5;

/// Refusal of an interest without a usable sentence.
pub const BAD_INTEREST: NoticeText = NoticeText {
    code: "bad_interest",
    message: "An interest needs a sentence with words, of at most 500 characters, and at most 20 regions and tags of 60 characters.",
    action: app::NoticeAction { text: "Change the sentence", href: "#sentence" },
};

domain::words! {
    /// State of an interest.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub enum InterestState {
        Active = "active",
        Paused = "paused",
        /// Proposed by another feature, and not accepted yet.
        Proposed = "proposed",
    }
}

domain::settings! {
    /// Weights of the terms of a score, in hundredths: of likeness and words in their mean, and of the others in the distance to the full
    /// score.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
    pub struct Weights {
        pub likeness: u8 = 65,
        pub words: u8 = 35,
        pub entities: u8 = 50,
        pub regions: u8 = 20,
        pub tags: u8 = 20,
    }
}

impl Weights {
    /// Returns the weights in the order of `TermKind::ALL`.
    pub const fn as_array(self) -> [u8; TermKind::COUNT] {
        [self.likeness, self.words, self.entities, self.regions, self.tags]
    }

    /// Returns the weights with those of some terms replaced.
    pub fn with(mut self, replaced: impl IntoIterator<Item = (TermKind, u8)>) -> Self {
        replaced.into_iter().for_each(|(kind, weight)| *self.of_term(kind) = weight);
        self
    }

    const fn of_term(&mut self, kind: TermKind) -> &mut u8 {
        match kind {
            TermKind::Likeness => &mut self.likeness,
            TermKind::Words => &mut self.words,
            TermKind::Entities => &mut self.entities,
            TermKind::Regions => &mut self.regions,
            TermKind::Tags => &mut self.tags,
        }
    }

    /// Returns the weights, each within its bounds.
    pub fn bounded(mut self) -> Self {
        for kind in TermKind::ALL {
            let weight = self.of_term(kind);
            *weight = (*weight).clamp(LEAST, MOST_WEIGHT);
        }
        self
    }
}

/// Contents of an interest, as its person writes them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InterestDraft {
    pub sentence: String,
    pub entities: Vec<EntityId>,
    /// Names of countries or areas, as typed.
    pub regions: Vec<String>,
    pub tags: Vec<String>,
    /// Keys of sources; empty: all.
    pub kinds: Vec<String>,
    /// Score from which a product matches, in hundredths.
    pub threshold: u8,
    pub weights: Weights,
}

impl InterestDraft {
    /// Returns the draft in canonical form; none where the sentence has no words, or something is too long.
    pub fn checked(self) -> Option<Self> {
        let sentence = self.sentence.split_whitespace().collect::<Vec<_>>().join(" ");
        let is_good = sentence.chars().count() <= MAX_INTEREST_CHARS && sentence.chars().any(char::is_alphanumeric);
        let (regions, tags) = (checked_list(self.regions)?, checked_list(self.tags)?);
        let mut entities = self.entities;
        entities.sort_unstable();
        entities.dedup();
        entities.truncate(MAX_ENTRIES);
        let threshold = self.threshold.clamp(LEAST, MOST_THRESHOLD);
        is_good.then_some(Self { sentence, entities, regions, tags, threshold, weights: self.weights.bounded(), ..self })
    }
}

/// Returns entries without white space around them, each once; none where one is too long or there are too many.
fn checked_list(entries: Vec<String>) -> Option<Vec<String>> {
    let mut kept: Vec<String> = vec![];
    for entry in entries {
        let entry = entry.split_whitespace().collect::<Vec<_>>().join(" ");
        if entry.chars().count() > MAX_WORD {
            return None;
        }
        if !entry.is_empty() && kept.iter().all(|one| one.to_lowercase() != entry.to_lowercase()) {
            kept.push(entry);
        }
    }
    (kept.len() <= MAX_ENTRIES).then_some(kept)
}

/// An interest of a person.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Interest {
    pub id: InterestId,
    pub user: UserId,
    pub state: InterestState,
    pub draft: InterestDraft,
    pub muted_until: Option<Timestamp>,
    /// Sentence on what feedback changed last; empty: nothing.
    pub tuned: String,
    /// Reason of a proposal; empty: none.
    pub reason: String,
    pub created_at: Timestamp,
    pub changed_at: Timestamp,
}

impl Interest {
    /// Returns whether it matches at a moment.
    pub fn is_active_at(&self, now: Timestamp) -> bool {
        self.state == InterestState::Active && self.muted_until.is_none_or(|until| until <= now)
    }
}

domain::words! {
    /// Answer of a person to a match.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub enum Feedback {
        /// More like this.
        More = "more",
        /// Fewer like this.
        Less = "less",
        /// The match is wrong.
        Wrong = "not",
    }
}

impl InterestDraft {
    /// Changes threshold and weights by an answer to a match with some terms; returns a sentence on the change.
    ///
    /// "More" lowers the threshold and raises the weight of the term that counted most; "less" does the opposite. "Not this" lowers that
    /// weight twice and leaves the threshold.
    pub fn tune(&mut self, feedback: Feedback, terms: &[ScoredTerm]) -> String {
        let before = (self.threshold, self.weights);
        let lowered = self.threshold.saturating_sub(STEP).max(LEAST);
        let raised = self.threshold.saturating_add(STEP).min(MOST_THRESHOLD);
        let leading = terms.iter().max_by_key(|term| (term.share(), std::cmp::Reverse(term.kind))).map(|term| term.kind);
        let (threshold, up, down) = match feedback {
            Feedback::More => (lowered, STEP, 0),
            Feedback::Less => (raised, 0, STEP),
            Feedback::Wrong => (self.threshold, 0, 2 * STEP),
        };
        self.threshold = threshold;
        if let Some(kind) = leading {
            let weight = self.weights.of_term(kind);
            *weight = weight.saturating_add(up).saturating_sub(down).clamp(LEAST, MOST_WEIGHT);
        }
        let mut changes = vec![];
        if before.0 != self.threshold {
            changes.push(format!("threshold {} to {}", before.0, self.threshold));
        }
        if let Some(kind) = leading.filter(|_| before.1 != self.weights) {
            let (mut old, mut new) = (before.1, self.weights);
            changes.push(format!("weight of {} {} to {}", kind.label().to_lowercase(), old.of_term(kind), new.of_term(kind)));
        }
        let answer = match feedback {
            Feedback::More => "More",
            Feedback::Less => "Less",
            Feedback::Wrong => "Not this",
        };
        match changes.is_empty() {
            true => format!("{answer}: nothing left to change."),
            false => format!("{answer}: {}.", changes.join(", ")),
        }
    }
}

#[cfg(test)]
pub mod tests {
    use super::*;

    /// A draft with a sentence alone.
    pub fn draft(sentence: &str) -> InterestDraft {
        InterestDraft {
            sentence: sentence.to_owned(),
            entities: vec![],
            regions: vec![],
            tags: vec![],
            kinds: vec![],
            threshold: 35,
            weights: Weights { likeness: 45, words: 25, entities: 50, regions: 30, tags: 20 },
        }
    }

    #[test]
    fn a_draft_needs_words_and_keeps_each_entry_once() {
        let regions = vec![" Black  Sea".into(), "black sea".into(), String::new()];
        let checked = InterestDraft { regions, threshold: 0, ..draft("  Grain \n transit ") }.checked().unwrap();
        assert_eq!((checked.sentence.as_str(), checked.threshold), ("Grain transit", LEAST));
        assert_eq!(checked.regions, ["Black Sea"]);
        assert_eq!(draft(" ?! ").checked(), None);
        assert_eq!(draft(&"word ".repeat(200)).checked(), None);
        assert_eq!(InterestDraft { tags: vec!["t".repeat(61)], ..draft("Grain") }.checked(), None);
    }

    #[test]
    fn feedback_moves_threshold_and_leading_weight_within_bounds_and_names_the_change() {
        let term = |kind, part, weight| ScoredTerm { kind, part, weight, hits: vec![] };
        let terms = [term(TermKind::Likeness, 40, 45), term(TermKind::Words, 100, 25)];
        let mut tuned = draft("Grain transit");
        assert_eq!(tuned.tune(Feedback::Less, &terms), "Less: threshold 35 to 40, weight of words 25 to 20.");
        assert_eq!(tuned.tune(Feedback::More, &terms), "More: threshold 40 to 35, weight of words 20 to 25.");
        assert_eq!(tuned, draft("Grain transit"));
        assert_eq!(tuned.tune(Feedback::Wrong, &terms), "Not this: weight of words 25 to 15.");
        for _ in 0..30 {
            tuned.tune(Feedback::Less, &terms);
        }
        assert_eq!((tuned.threshold, tuned.weights.words), (MOST_THRESHOLD, LEAST));
        assert_eq!(tuned.tune(Feedback::Less, &terms), "Less: nothing left to change.");
    }
}
