//! Which origins are one voice: a text that repeats most sentences of another adds nothing to it.

use engine::agents::tools::wire::ClaimSeen;
use std::collections::{BTreeMap, BTreeSet};

/// Share of the shorter text's sentences that the longer one must hold, in percent, and how many at least.
const SHARED_PERCENT: usize = 60;
const SHARED_MIN: usize = 3;

/// The voice of each claim, named by the least of its origins.
pub(super) fn of(claims: &[ClaimSeen]) -> Vec<String> {
    let mut sentences: BTreeMap<&str, BTreeSet<String>> = BTreeMap::new();
    for claim in claims {
        sentences.entry(&claim.origin).or_default().insert(claim.content.to_lowercase());
    }
    let leaders = leaders(&sentences);
    claims.iter().map(|claim| leaders.get(claim.origin.as_str()).copied().unwrap_or(&claim.origin).to_owned()).collect()
}

/// By origin: the origin that stands for its voice.
fn leaders<'a>(sentences: &BTreeMap<&'a str, BTreeSet<String>>) -> BTreeMap<&'a str, &'a str> {
    let mut holders: BTreeMap<&str, Vec<&'a str>> = BTreeMap::new();
    for (origin, said) in sentences {
        for sentence in said {
            holders.entry(sentence).or_default().push(origin);
        }
    }
    let mut shared: BTreeMap<(&'a str, &'a str), usize> = BTreeMap::new();
    for origins in holders.values() {
        // Set phrases stand in many texts and tell nothing.
        for (n, first) in origins.iter().enumerate().take(8) {
            for second in origins.iter().skip(n + 1).take(8) {
                *shared.entry((first, second)).or_default() += 1;
            }
        }
    }
    let mut leader: BTreeMap<&'a str, &'a str> = sentences.keys().map(|origin| (*origin, *origin)).collect();
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
