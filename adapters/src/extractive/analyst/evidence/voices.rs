//! Which texts are one voice: those of one origin, and those that repeat most sentences of another.

use super::FoundClaim;
use std::collections::{BTreeMap, BTreeSet};

/// Share of the shorter text's sentences that the longer one must hold, in percent, and how many at least.
const SHARED_PERCENT: usize = 60;
const SHARED_MIN: usize = 3;

/// The voice of each claim, named by the least of its texts.
pub(super) fn of(claims: &[FoundClaim]) -> Vec<String> {
    let mut sentences: BTreeMap<&str, BTreeSet<String>> = BTreeMap::new();
    let mut least: BTreeMap<&str, &str> = BTreeMap::new();
    for claim in claims {
        let text = claim.text.as_str();
        sentences.entry(text).or_default().insert(claim.content.to_lowercase());
        let least = least.entry(&claim.origin).or_insert(text);
        *least = text.min(*least);
    }
    let of_origin = claims.iter().map(|claim| (claim.text.as_str(), least[claim.origin.as_str()])).collect();
    let leaders = leaders(&sentences, of_origin);
    claims.iter().map(|claim| leaders.get(claim.text.as_str()).copied().unwrap_or(&claim.text).to_owned()).collect()
}

/// By text: the text that stands for its voice. `leader` begins with that of its origin.
fn leaders<'a>(
    sentences: &BTreeMap<&'a str, BTreeSet<String>>,
    mut leader: BTreeMap<&'a str, &'a str>,
) -> BTreeMap<&'a str, &'a str> {
    let mut holders: BTreeMap<&str, Vec<&'a str>> = BTreeMap::new();
    for (text, said) in sentences {
        for sentence in said {
            holders.entry(sentence).or_default().push(text);
        }
    }
    let mut shared: BTreeMap<(&'a str, &'a str), usize> = BTreeMap::new();
    for texts in holders.values() {
        // Set phrases stand in many texts and tell nothing.
        for (n, first) in texts.iter().enumerate().take(8) {
            for second in texts.iter().skip(n + 1).take(8) {
                *shared.entry((first, second)).or_default() += 1;
            }
        }
    }
    for ((first, second), count) in shared {
        let shorter = sentences[first].len().min(sentences[second].len());
        if count >= SHARED_MIN && count * 100 >= shorter * SHARED_PERCENT {
            let (a, b) = (leader[first], leader[second]);
            let (low, high) = if a < b { (a, b) } else { (b, a) };
            leader.values_mut().filter(|value| **value == high).for_each(|value| *value = low);
        }
    }
    leader
}
