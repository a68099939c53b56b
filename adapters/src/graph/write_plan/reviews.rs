//! Pairs of entities for the review list: probable by their names, or stated to be one by the document.

use super::{WriteContext, resolution::ReviewPair};
use domain::entity::Review;
use engine::graph::SameAs;
use std::collections::{BTreeMap, BTreeSet};

/// Score of a pair that a document states, above any similarity of names.
const STATED_SCORE: f64 = 1.0;
/// Maximum length of a reason, in characters.
const REASON_CHARS: usize = 300;

/// Returns one pair per two entities; a statement of the document outranks similar names. Users who see either reason see the pair.
pub(in crate::graph) fn pairs(context: &WriteContext<'_>) -> Vec<ReviewPair> {
    let stated = context.write.same_as.iter().filter_map(|same| stated_pair(context, same));
    let mut pairs: BTreeMap<(i64, i64), ReviewPair> = BTreeMap::new();
    for pair in stated.chain(context.resolved.reviews.iter().cloned()) {
        let known = pairs.entry((pair.left, pair.right)).or_insert_with(|| pair.clone());
        let seen: BTreeSet<(i64, i64)> = known.collections.iter().chain(&pair.collections).copied().collect();
        known.collections = seen.into_iter().collect();
    }
    pairs.into_values().collect()
}

/// Returns `None` when both are already one entity.
fn stated_pair(context: &WriteContext<'_>, same: &SameAs) -> Option<ReviewPair> {
    let row = |entity| context.resolved.row(context.refs, entity);
    let (one, other) = (row(same.one), row(same.other));
    let claim = &context.write.claims[*same.claims.first()?];
    let words: String = claim.content.chars().take(REASON_CHARS).collect();
    (one != other).then(|| ReviewPair {
        id: same.id,
        // The older first, as in pairs that their names make probable.
        left: one.min(other),
        right: one.max(other),
        score: STATED_SCORE,
        why: format!("{}: “{words}”", Review::STATED),
        collections: vec![(context.refs.collection, context.refs.collection)],
        is_closed: false,
    })
}
