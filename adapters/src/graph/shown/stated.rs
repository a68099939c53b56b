//! Which of several statements about an entity holds: decided by their evidence, never by the order in which they came.

use std::{cmp::Reverse, collections::HashMap};

/// A value that some claims state. The greatest one is current: newest evidence, then most, then the last by letters.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::graph) struct Stated {
    pub value: String,
    pub claims: i64,
    pub newest: Option<i64>,
    /// The rows that state it.
    pub facts: Vec<i64>,
}

impl Stated {
    fn rank(&self) -> (Option<i64>, i64, &str) {
        (self.newest, self.claims, &self.value)
    }

    /// Adds another row that states the same value.
    pub fn join(&mut self, other: Stated) {
        self.claims += other.claims;
        self.newest = self.newest.max(other.newest);
        self.facts.extend(other.facts);
    }
}

impl PartialOrd for Stated {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Stated {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.rank().cmp(&other.rank())
    }
}

/// The names of one entity with the number of claims behind each.
#[derive(Debug, Default)]
pub(in crate::graph) struct Names {
    claims: HashMap<String, i64>,
}

impl Names {
    pub fn add(&mut self, name: String, claims: i64) {
        *self.claims.entry(name).or_default() += claims;
    }

    /// The canonical name first: most claims, then longest, then first by letters. The others by letters.
    pub fn in_order(self) -> Vec<String> {
        let best =
            self.claims.iter().min_by_key(|(name, claims)| (Reverse(**claims), Reverse(name.chars().count()), (*name).clone()));
        let Some(best) = best.map(|(name, _)| name.clone()) else { return Vec::new() };
        let mut others: Vec<String> = self.claims.into_keys().filter(|name| *name != best).collect();
        others.sort_unstable();
        std::iter::once(best).chain(others).collect()
    }
}
