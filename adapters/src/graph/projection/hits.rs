//! The hits of a search, with the method that found each.

use domain::{PartialDate, claim::Claim, entity::Entity, relationship::Relationship};
use engine::graph::{Candidate, ClaimOrder, ClaimQuery, ClaimTime};
use std::{
    cmp::Reverse,
    collections::{HashMap, HashSet},
};

/// Rows found so far, by method.
#[derive(Default)]
pub(in crate::graph) struct Hits {
    pub text: HashSet<i64>,
    pub similarity: HashMap<i64, f64>,
    /// Found by filters alone.
    pub listed: Vec<i64>,
}

impl Hits {
    pub fn rows(&self) -> Vec<i64> {
        let mut rows: Vec<i64> = self.text.iter().chain(self.similarity.keys()).chain(&self.listed).copied().collect();
        rows.sort_unstable();
        rows.dedup();
        rows
    }

    /// Returns the rows found by words and not by similarity.
    pub fn without_similarity(&self) -> Vec<i64> {
        self.text.iter().copied().filter(|row| !self.similarity.contains_key(row)).collect()
    }

    /// Returns the entities found, by name.
    pub fn entities(&self, mut found: HashMap<i64, Entity>) -> Vec<Candidate<Entity>> {
        let rows = self.rows().into_iter();
        let mut candidates: Vec<_> = rows.filter_map(|root| Some(self.candidate(root, found.remove(&root)?))).collect();
        candidates.sort_by(|a, b| {
            a.item.canonical_name.cmp(&b.item.canonical_name).then_with(|| a.item.aliases.cmp(&b.item.aliases))
        });
        candidates
    }

    /// Returns the relationships found, each pair's twins as one.
    pub fn relationships(&self, found: Vec<(i64, Relationship)>) -> Vec<Candidate<Relationship>> {
        merge_duplicates(found.into_iter().map(|(n, found)| self.candidate(n, found)), |candidate| &mut candidate.item)
    }

    /// Returns the claims found, in the order of the query.
    pub fn claims(&self, found: Vec<(i64, Claim)>, query: &ClaimQuery) -> Vec<Candidate<Claim>> {
        sort_claims(found.into_iter().map(|(n, claim)| self.candidate(n, claim)).collect(), query.order, query.candidates)
    }

    fn candidate<T>(&self, row: i64, item: T) -> Candidate<T> {
        Candidate { item, similarity: self.similarity.get(&row).copied(), text_matched: self.text.contains(&row) }
    }
}

/// Sorts claims from document order into the requested order and truncates them. Claims of one time stand by hash and id; undated
/// ones come last, in document order.
fn sort_claims(mut candidates: Vec<Candidate<Claim>>, order: ClaimOrder, most: u32) -> Vec<Candidate<Claim>> {
    if order == ClaimOrder::Relevance {
        return candidates;
    }
    if let Some((time, is_newest_first)) = order.time() {
        candidates.sort_by(|Candidate { item: a, .. }, Candidate { item: b, .. }| match (time.moment(a), time.moment(b)) {
            (Some(x), Some(y)) => {
                let by_time = if is_newest_first { y.cmp(&x) } else { x.cmp(&y) };
                by_time.then_with(|| (&a.content_hash, a.id).cmp(&(&b.content_hash, b.id)))
            }
            (x, y) => x.is_none().cmp(&y.is_none()),
        });
    }
    candidates.truncate(most as usize);
    candidates
}

/// Whether a query restricts that time to a period, which excludes claims without it.
pub(in crate::graph) const fn has_period(query: &ClaimQuery, time: ClaimTime) -> bool {
    match time {
        ClaimTime::Published => query.published_after.is_some() || query.published_before.is_some(),
        ClaimTime::Occurred => query.occurred_after.is_some() || query.occurred_before.is_some(),
    }
}

/// Merges duplicate relationships: after an entity merge two rows may state the same of the same pair.
pub(in crate::graph) fn merge_duplicates<T>(
    found: impl IntoIterator<Item = T>,
    relationship: impl Fn(&mut T) -> &mut Relationship,
) -> Vec<T> {
    let mut kept: Vec<T> = Vec::new();
    let mut places: HashMap<_, usize> = HashMap::new();
    for mut item in found {
        let this = relationship(&mut item);
        let place = places.entry((this.source_id, this.target_id, this.description.clone())).or_insert(kept.len());
        match kept.get_mut(*place) {
            Some(twin) => join(relationship(twin), relationship(&mut item)),
            None => kept.push(item),
        }
    }
    kept
}

fn join(into: &mut Relationship, twin: &mut Relationship) {
    for claim in twin.claim_ids.drain(..) {
        if !into.claim_ids.contains(&claim) {
            into.claim_ids.push(claim);
        }
    }
    into.bidirectional |= twin.bidirectional;
    into.timestamp = into.timestamp.max(twin.timestamp);
    into.since = first_of(into.since, twin.since);
    into.until = last_of(into.until, twin.until);
}

/// Returns the earlier start; of a month and a day in it, the day.
fn first_of(one: Option<PartialDate>, other: Option<PartialDate>) -> Option<PartialDate> {
    [one, other].into_iter().flatten().min_by_key(|date| (date.last_moment(), Reverse(date.precision())))
}

/// Returns the later end; of a month and a day in it, the day.
fn last_of(one: Option<PartialDate>, other: Option<PartialDate>) -> Option<PartialDate> {
    [one, other].into_iter().flatten().max_by_key(|date| (date.first_moment(), date.precision()))
}
