//! Candidates for a search: full text, vectors and filters over what a scope sees. The engine scores and orders them.

mod claims;
mod entities;
mod listing;
mod matching;
mod nearness;
mod relationships;
mod traversal;

pub(super) use claims::claims;
pub(super) use entities::entities;
pub(super) use relationships::relationships;
pub(super) use traversal::traverse;

pub(super) use matching::Kind;

use engine::graph::Candidate;
use std::collections::{HashMap, HashSet};

/// The rows found so far and what found them.
#[derive(Default)]
struct Hits {
    text: HashSet<i64>,
    similarity: HashMap<i64, f64>,
    /// Found by filters alone.
    listed: Vec<i64>,
}

impl Hits {
    fn rows(&self) -> Vec<i64> {
        let mut rows: Vec<i64> = self.text.iter().chain(self.similarity.keys()).chain(&self.listed).copied().collect();
        rows.sort_unstable();
        rows.dedup();
        rows
    }

    fn candidate<T>(&self, row: i64, item: T) -> Candidate<T> {
        Candidate { item, similarity: self.similarity.get(&row).copied(), text_matched: self.text.contains(&row) }
    }
}
