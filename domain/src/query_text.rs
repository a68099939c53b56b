//! The words of a search, cut to a bounded length.
//!
//! Invariant: every store that searches by words takes a `QueryText`, and only `QueryLimits::text` makes one. The cost of a full-text
//! query grows with the square of its words.

use serde::{Deserialize, Serialize};
use std::{collections::BTreeSet, ops::Deref};

crate::settings! {
    /// Configuration `[search.query]`: limits on the text of every search, of people and agents.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
    pub struct QueryLimits {
        /// Maximum length, in characters.
        pub max_chars: usize = 300,
        /// Maximum number of distinct words.
        pub max_words: usize = 32,
    }
}

impl QueryLimits {
    /// Returns a text without its ends of white space, cut before the first character or distinct word that is too many.
    pub fn text(&self, text: &str) -> QueryText {
        let text = text.trim_start();
        let end = text.char_indices().nth(self.max_chars).map_or(text.len(), |(end, _)| end);
        let text = &text[..end];
        let mut seen = BTreeSet::new();
        let mut kept = text.len();
        for (start, word) in words(text) {
            if seen.len() >= self.max_words && !seen.contains(&word) {
                kept = start;
                break;
            }
            seen.insert(word);
        }
        QueryText(text[..kept].trim_end().to_owned())
    }

    /// Returns the text of a query; none where nothing is typed.
    pub fn some_text(&self, text: &str) -> Option<QueryText> {
        Some(self.text(text)).filter(|text| !text.is_empty())
    }
}

/// Returns the words of a text in lower case, each with its start.
fn words(text: &str) -> impl Iterator<Item = (usize, String)> {
    let mut start = 0;
    text.split_inclusive(|c: char| !c.is_alphanumeric()).filter_map(move |piece| {
        let at = start;
        start += piece.len();
        let word = piece.trim_end_matches(|c: char| !c.is_alphanumeric()).to_lowercase();
        (!word.is_empty()).then_some((at, word))
    })
}

/// Text of a search within the limits.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct QueryText(String);

impl QueryText {
    pub fn into_string(self) -> String {
        self.0
    }
}

impl Deref for QueryText {
    type Target = str;
    fn deref(&self) -> &str {
        &self.0
    }
}

/// Cuts to the default limits.
impl From<&str> for QueryText {
    fn from(text: &str) -> Self {
        QueryLimits::default().text(text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_query_is_cut_to_its_limits() {
        let limits = QueryLimits { max_chars: 20, max_words: 3 };
        let cases = [
            ("  red barge \n", "red barge"),
            ("to be or To be not to be", "to be or To be"),
            ("one.two,three-four", "one.two,three-"),
            ("a a a a a a a a a a a a a a", "a a a a a a a a a a"),
            ("ééééééééééééééééééééé", "éééééééééééééééééééé"),
            (" ?! ", "?!"),
            ("", ""),
        ];
        for (text, cut) in cases {
            assert_eq!(&*limits.text(text), cut, "{text}");
        }
        assert_eq!(limits.some_text("   "), None);
    }

    #[test]
    fn a_very_long_query_is_reduced_to_few_words() {
        for count in [16_000, 32_000] {
            let same = QueryLimits::default().text(&"a ".repeat(count));
            assert!(same.chars().count() <= 300);
            let many: Vec<String> = (0..count).map(|n| format!("w{n}")).collect();
            assert_eq!(QueryLimits::default().text(&many.join(" ")).split(' ').count(), 32);
        }
    }
}
