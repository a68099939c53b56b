//! The string stage of entity resolution: are two names the name of one thing? Pure functions over words, without graph or model.
//!
//! `score` says how alike two names are spelt; `verdict` says what may be done about it. They differ on purpose: "Fund II" and "Fund III"
//! are spelt almost alike and are never one fund.
//!
//! Invariant: resolution merges on [`Verdict::Same`] alone. A false merge costs more than a miss, so whatever is only likely is `Probable`.

mod align;
mod blocking;
mod distance;
mod fold;
mod form;
mod key;
mod sound;
mod verdict;
mod words;

#[cfg(test)]
mod pairs;
#[cfg(test)]
mod tests;

use std::sync::LazyLock;

use serde::Deserialize;

pub use form::{FormRank, NameForm};
pub use key::NameKey;
pub use words::{WordLists, WordsError};

/// What a name is the name of, where the caller knows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum NameKind {
    Person,
    Organisation,
    Place,
}

/// What may be done with two names.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Verdict {
    /// Two names of two things, as far as spelling tells.
    Different,
    /// For the review list or a judge; never merged by itself.
    Probable,
    /// Spellings of one name.
    Same,
}

/// The answer to one comparison.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NameMatch {
    /// Likeness of the spelling, 0 to 1.
    pub score: f32,
    pub verdict: Verdict,
    /// The deciding reason, for people.
    pub why: &'static str,
}

/// The numbers of the comparison.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct NameConfig {
    /// From this score on, two names are a probable match.
    pub probable_score: f32,
    /// Below this score nothing is `Same`, whatever the rules say.
    pub same_score: f32,
    /// Two words are spellings of one word only if no larger share of their letters differs.
    pub word_distance: f32,
    /// Cost of letters that differ inside matched words.
    pub edit_cost: f32,
    /// Cost of words that contradict each other (each side has one that the other lacks).
    pub conflict_cost: f32,
    /// The least cost of a whole word that contradicts, however long the rest.
    pub contradiction_cost: f32,
    /// Cost of words that only one side has, in the name of an organisation or place.
    pub extra_cost: f32,
    /// Cost of each name that only one side has, in the name of a person.
    pub person_extra_cost: f32,
    /// An acronym with at least this many letters, in order, is the same as its long form; a shorter one is probable.
    pub acronym_same_letters: usize,
    /// Whether a middle name (other than a patronymic) that one side lacks still gives the same person.
    pub middle_name_optional: bool,
    /// Longer names are cut here, in characters.
    pub max_chars: usize,
    /// More words than this are ignored.
    pub max_words: usize,
    /// At most this many blocking keys per name.
    pub max_keys: usize,
}

impl Default for NameConfig {
    fn default() -> Self {
        Self {
            probable_score: 0.7,
            same_score: 0.9,
            word_distance: 0.5,
            edit_cost: 1.6,
            conflict_cost: 1.3,
            contradiction_cost: 0.31,
            extra_cost: 0.9,
            person_extra_cost: 0.06,
            acronym_same_letters: 5,
            middle_name_optional: false,
            max_chars: 256,
            max_words: 24,
            max_keys: 12,
        }
    }
}

/// Compares names with one set of word lists and numbers.
#[derive(Clone, Debug)]
pub struct NameMatcher {
    words: WordLists,
    config: NameConfig,
}

static BUILT_IN: LazyLock<NameMatcher> =
    LazyLock::new(|| NameMatcher { words: WordLists::built_in(), config: NameConfig::default() });

impl Default for NameMatcher {
    fn default() -> Self {
        BUILT_IN.clone()
    }
}

impl NameMatcher {
    /// With the operator's word lists (the text of a `names.toml`) or, where there are none, the built-in ones.
    pub fn new(word_lists: Option<&str>, config: NameConfig) -> Result<Self, WordsError> {
        let words = word_lists.map_or_else(|| Ok(WordLists::built_in()), WordLists::from_toml)?;
        Ok(Self { words, config })
    }

    /// The form of a name that comparisons work on. Make it once per name and keep it.
    pub fn normalise(&self, name: &str) -> NameKey {
        key::normalise(name, &self.words, &self.config)
    }

    /// Keys for finding candidates in a database: two names that may match share at least one. Sorted, without repeats.
    pub fn keys(&self, name: &NameKey) -> Vec<String> {
        blocking::keys(name, self.config.max_keys)
    }

    /// Whether a key of [`NameMatcher::keys`] says that names are spelt alike, so that no graph is too large to look at all who share it.
    pub fn is_exact(&self, key: &str) -> bool {
        blocking::is_exact(key)
    }

    /// Compares two prepared names. Symmetric; a name with a letter or digit is the same as itself.
    pub fn compare_keys(&self, a: &NameKey, b: &NameKey, kind: Option<NameKind>) -> NameMatch {
        let (a, b) = if a <= b { (a, b) } else { (b, a) };
        verdict::judge(a, b, kind, &self.config)
    }

    /// Compares two names as they are written.
    pub fn compare(&self, a: &str, b: &str, kind: Option<NameKind>) -> NameMatch {
        self.compare_keys(&self.normalise(a), &self.normalise(b), kind)
    }
}

/// [`NameMatcher::normalise`] with the built-in lists and numbers.
pub fn normalise(name: &str) -> NameKey {
    BUILT_IN.normalise(name)
}

/// [`NameMatcher::keys`] with the built-in lists and numbers.
pub fn keys(name: &str) -> Vec<String> {
    BUILT_IN.keys(&BUILT_IN.normalise(name))
}

/// [`NameMatcher::compare`] with the built-in lists and numbers.
pub fn compare(a: &str, b: &str, kind: Option<NameKind>) -> NameMatch {
    BUILT_IN.compare(a, b, kind)
}
