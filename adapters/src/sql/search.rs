//! Full-text queries from user input. Every word is quoted, so that no operator of the query language gets in.

use serde_json::json;
use std::collections::BTreeSet;
use unicode_normalization::{UnicodeNormalization, char::is_combining_mark};

/// Returns the searchable words of a text; U+0000 ends a query in SQLite and is dropped.
fn words(text: &str) -> impl Iterator<Item = String> {
    text.split(|c: char| c.is_whitespace() || c == '\0')
        .filter(|word| word.chars().any(char::is_alphanumeric))
        .map(str::to_owned)
}

fn joined(words: impl Iterator<Item = String>, separator: &str) -> Option<String> {
    let query = words.collect::<Vec<_>>().join(separator);
    (!query.is_empty()).then_some(query)
}

fn fts5(text: &str) -> impl Iterator<Item = String> {
    words(text).map(|word| format!("\"{}\"", word.replace('"', "\"\"")))
}

/// Returns the parameter of a search on SQLite: the query (`match`), and its words as they are indexed (`terms`), for the rank.
fn ranked(text: &str, separator: &str) -> Option<String> {
    let query = joined(fts5(text), separator)?;
    let terms: BTreeSet<String> = folded(&text.to_lowercase()).into_iter().collect();
    Some(json!({"match": query, "terms": terms}).to_string())
}

fn folded(text: &str) -> Vec<String> {
    let folded: String = text.nfd().filter(|c| !is_combining_mark(*c)).collect();
    domain::text::words(&folded).map(str::to_owned).collect()
}

/// Returns the words as `search_fold` in the PostgreSQL migrations folds them.
fn tsquery(text: &str) -> impl Iterator<Item = String> {
    folded(text).into_iter().map(|word| format!("'{word}'"))
}

/// Returns the search on SQLite for texts with every word; `None` without words.
pub(crate) fn every_word_sqlite(text: &str) -> Option<String> {
    ranked(text, " ")
}

/// Returns the search on SQLite for texts with at least one word; `None` without words.
pub(crate) fn any_word_sqlite(text: &str) -> Option<String> {
    ranked(text, " OR ")
}

/// Returns the `to_tsquery` text for rows with every word; `None` without words.
pub(crate) fn every_word_postgres(text: &str) -> Option<String> {
    joined(tsquery(text), " & ")
}

/// Returns the `to_tsquery` text for rows with at least one word; `None` without words.
pub(crate) fn any_word_postgres(text: &str) -> Option<String> {
    joined(tsquery(text), " | ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn operators_and_quotes_are_only_words() {
        let search = |query: &str, terms: &[&str]| Some(json!({"match": query, "terms": terms}).to_string());
        assert_eq!(
            every_word_sqlite("bridge NOT \"x\" - *"),
            search("\"bridge\" \"NOT\" \"\"\"x\"\"\"", &["bridge", "not", "x"])
        );
        assert_eq!(any_word_sqlite("Ä o'b"), search("\"Ä\" OR \"o'b\"", &["a", "b", "o"]));
        assert_eq!(any_word_postgres("o'neil a|b").as_deref(), Some("'o' | 'neil' | 'a' | 'b'"));
        assert_eq!(every_word_sqlite(" \u{0} ?! "), None);
    }
}
