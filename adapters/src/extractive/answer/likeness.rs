//! How alike two runs of words are, by the stems that carry content.

use super::lexicon::{Lexicon, WordSet};
use super::words::{Shape, Word, stem};

/// The stems of a run that carry content.
pub fn content(words: &[Word], lexicon: &Lexicon) -> WordSet {
    let kept = words.iter().filter(|w| w.shape != Shape::Mark && w.norm.len() > 1 && !lexicon.stop.contains(&w.norm));
    kept.map(|w| stem(&w.norm).to_owned()).collect()
}

/// Share of common stems, the smaller run weighing more: 0 to 1.
pub fn like(a: &WordSet, b: &WordSet) -> f64 {
    let common = a.intersection(b).count() as f64;
    let least = a.len().min(b.len());
    if least == 0 {
        return 0.0;
    }
    let jaccard = common / (a.len() + b.len()) as f64 * 2.0;
    let contained = common / least as f64;
    if least >= 3 { 0.5 * jaccard + 0.5 * contained } else { jaccard }
}
