//! What a text is worth that words of a query find, the same on both backends to the last bit: a backend gives the engine only the best
//! texts, and where one cut what the other keeps, the two sizes of the product would answer differently.
//!
//! Each word has a weight that depends on one collection alone; a text is worth the sum of those of its words, less the longer it is.
//!
//! Invariant: a private collection does not change what a search of others finds.

use std::collections::BTreeSet;

/// The length part of BM25 with its usual numbers, and an average that is the same for everybody. Both databases calculate it the same
/// way, in this order; `score` and `length` stand for what they have.
pub(super) fn score_expression(score: &str, length: &str) -> String {
    format!("{score} * 2.2 / (1.0 + 1.2 * (0.25 + 0.75 * {length} / 24.0))")
}

/// The words that are looked for, with their weights, out of how many texts hold each, counted no further than `common + 1`. Common
/// words are left out as long as a rarer one is left. Rare ones weigh as in BM25 in a collection where a common word stands in half of
/// the texts.
pub(super) fn term_weights(counted: impl IntoIterator<Item = (u32, String)>, common: u32) -> Vec<(String, f64)> {
    let counted: BTreeSet<(u32, String)> = counted.into_iter().filter(|(texts, _)| *texts > 0).collect();
    let rare = counted.iter().take_while(|(texts, _)| *texts <= common).count();
    let weight = |texts: u32| exact((1.0 + (2.0 * f64::from(common) + 0.5) / (f64::from(texts) + 0.5)).ln());
    counted.into_iter().take(rare.max(1)).map(|(texts, word)| (word, weight(texts))).collect()
}

/// So few binary digits that a sum of them is exact also in 32 bits, in whichever order it is made.
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
