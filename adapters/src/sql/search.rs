//! Full-text queries from user input. Every word is quoted, so that no operator of the query language gets in.

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

/// Returns the words as `search_fold` in the PostgreSQL migrations folds them.
fn tsquery(text: &str) -> impl Iterator<Item = String> {
    let folded: String = text.nfd().filter(|c| !is_combining_mark(*c)).collect();
    let words: Vec<String> =
        folded.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).map(|word| format!("'{word}'")).collect();
    words.into_iter()
}

/// Returns the FTS5 query for texts with every word; `None` without words.
pub(crate) fn every_word_sqlite(text: &str) -> Option<String> {
    joined(fts5(text), " ")
}

/// Returns the FTS5 query for texts with at least one word; `None` without words.
pub(crate) fn any_word_sqlite(text: &str) -> Option<String> {
    joined(fts5(text), " OR ")
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
        assert_eq!(every_word_sqlite("bridge NOT \"x\" - *").as_deref(), Some("\"bridge\" \"NOT\" \"\"\"x\"\"\""));
        assert_eq!(any_word_sqlite("a b").as_deref(), Some("\"a\" OR \"b\""));
        assert_eq!(any_word_postgres("o'neil a|b").as_deref(), Some("'o' | 'neil' | 'a' | 'b'"));
        assert_eq!(every_word_sqlite(" \u{0} ?! "), None);
    }
}
