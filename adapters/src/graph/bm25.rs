//! BM25 term weights and score expression, identical on both backends to the last bit: each backend returns only its best texts, and
//! different cuts would give different answers.
//!
//! A term's weight depends on one collection alone. The score of a text is the sum of its term weights, reduced with its length.
//!
//! Invariant: a private collection never changes the results of other searches.

use std::collections::BTreeSet;

/// Returns the BM25 length normalisation as an expression, with the usual constants and a fixed average length. Both databases evaluate
/// it in the same order; `score` and `length` are their expressions.
pub(super) fn score_expression(score: &str, length: &str) -> String {
    format!("{score} * 2.2 / (1.0 + 1.2 * (0.25 + 0.75 * {length} / 24.0))")
}

/// Maximum number of terms of a query that are ranked, the rarest: each is a part of a statement.
pub(super) const MAX_WORDS: usize = 64;

/// Returns the terms of a query with their weights, from the number of texts per term, counted up to `common + 1`. Common terms are left
/// out while a rarer one remains. Rare terms weigh as in BM25 in a collection where a common term stands in half of the texts.
pub(super) fn term_weights(counted: impl IntoIterator<Item = (u32, String)>, common: u32) -> Vec<(String, f64)> {
    let counted: BTreeSet<(u32, String)> = counted.into_iter().filter(|(texts, _)| *texts > 0).collect();
    let rare = counted.iter().take_while(|(texts, _)| *texts <= common).count();
    let weight = |texts: u32| exact((1.0 + (2.0 * f64::from(common) + 0.5) / (f64::from(texts) + 0.5)).ln());
    counted.into_iter().take(rare.clamp(1, MAX_WORDS)).map(|(texts, word)| (word, weight(texts))).collect()
}

/// Rounds a weight to so few binary digits that sums are exact even in 32 bits, in any order.
fn exact(weight: f64) -> f64 {
    const STEPS: f64 = 1024.0;
    (weight * STEPS).round() / STEPS
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rare_word_weighs_more_and_a_common_one_is_left_out() {
        let word = |texts: u32, word: &str| (texts, word.to_owned());
        let words = vec![word(2001, "the"), word(1, "inquiry"), word(30, "harbour"), word(0, "quay")];
        assert_eq!(term_weights(words, 2000), [("inquiry".to_owned(), 7.888671875), ("harbour".to_owned(), 4.8837890625)]);
        assert_eq!(term_weights([word(2001, "the"), word(2001, "same")], 2000), [("same".to_owned(), 1.0986328125)]);
    }
}
