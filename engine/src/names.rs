//! String stage of entity resolution: comparison of two names. Pure functions without graph or model.
//!
//! `score` measures the similarity of spelling; `verdict` decides. They differ on purpose: "Fund II" and "Fund III" are spelt
//! alike but never one fund.
//!
//! Invariant: resolution merges only on [`Verdict::Same`]. A false merge costs more than a miss, so likely matches are
//! `Probable`.

mod align;
mod blocking;
mod bracket;
mod compound;
mod distance;
mod fold;
mod form;
mod kana;
mod key;
mod order;
mod printed;
mod short_form;
mod slip;
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
pub use printed::PrintedNames;
pub use words::{WordLists, WordsError};

/// Kind of the named entity, if known.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum NameKind {
    Person,
    Organisation,
    Place,
}

/// Verdict on two names.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Verdict {
    /// Names of different entities, judging by spelling.
    Different,
    /// Possible match for review or a judge; never merged automatically.
    Probable,
    /// Spellings of one name.
    Same,
}

/// Result of comparing two names.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NameMatch {
    /// Similarity of spelling, 0 to 1.
    pub score: f32,
    pub verdict: Verdict,
    /// Deciding reason, for people.
    pub why: &'static str,
    /// `Same` but for a slip of spelling or a missing middle name: other names of the two can speak against it.
    pub is_loose: bool,
}

domain::settings! {
    /// Configuration of name comparison.
    #[derive(Clone, Debug, PartialEq, Deserialize)]
    pub struct NameConfig {
        /// Score from which two names are a probable match.
        pub probable_score: f32 = 0.7,
        /// Score below which names are never `Same`.
        pub same_score: f32 = 0.9,
        /// Maximum share of differing letters in spellings of one word.
        pub word_distance: f32 = 0.5,
        /// Cost of differing letters inside matched words.
        pub edit_cost: f32 = 1.6,
        /// Cost of contradicting words (each side has one the other lacks).
        pub conflict_cost: f32 = 1.3,
        /// Minimum cost of a contradicting word, however long the names.
        pub contradiction_cost: f32 = 0.31,
        /// Cost of words on one side only, for organisations and places.
        pub extra_cost: f32 = 0.9,
        /// Cost of each name on one side only, for persons.
        pub person_extra_cost: f32 = 0.045,
        /// Minimum letters, in order, for an acronym to be the same as its long form; shorter ones are probable.
        pub acronym_same_letters: usize = 5,
        /// Whether persons match when one side lacks middle names (other than a patronymic), however many and however common the rest.
        pub middle_name_optional: bool = false,
        /// Minimum letters of a word that may have a slip of spelling in one otherwise equal name; 0 for none.
        pub slip_letters: usize = 7,
        /// Maximum length of a name, in characters.
        pub max_chars: usize = 256,
        /// Maximum number of words of a name.
        pub max_words: usize = 24,
        /// Maximum number of blocking keys per name.
        pub max_keys: usize = 12,
    }
}

/// Name matcher with word lists and configuration.
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
    /// Builds a matcher with the given word lists (text of a `names.toml`) or the built-in ones.
    pub fn new(word_lists: Option<&str>, config: NameConfig) -> Result<Self, WordsError> {
        let words = word_lists.map_or_else(|| Ok(WordLists::built_in()), WordLists::from_toml)?;
        Ok(Self { words, config })
    }

    /// Returns the comparable form of a name. Compute once per name.
    pub fn normalise(&self, name: &str) -> NameKey {
        key::normalise(name, &self.words, &self.config)
    }

    /// Returns blocking keys: names that may match share at least one. Sorted, unique.
    pub fn keys(&self, name: &NameKey) -> Vec<String> {
        blocking::keys(name, self.config.max_keys)
    }

    /// Returns whether a key means equal spelling; such keys are searched in graphs of any size.
    pub fn is_exact(&self, key: &str) -> bool {
        blocking::is_exact(key)
    }

    /// Compares two prepared names. Symmetric; a name with a letter or digit equals itself.
    pub fn compare_keys(&self, a: &NameKey, b: &NameKey, kind: Option<NameKind>) -> NameMatch {
        let (a, b) = if a <= b { (a, b) } else { (b, a) };
        verdict::judge(a, b, kind, &self.config)
    }

    /// Returns whether a name is only a part or an acronym of another name, which other things may share.
    pub fn is_short_form(&self, short: &NameKey, full: &NameKey, kind: Option<NameKind>) -> bool {
        short_form::is_short_form(short, full, kind, &self.config)
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
