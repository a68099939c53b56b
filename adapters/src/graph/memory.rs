//! What a process remembers of the graph between writes, so that the next write does not read it again: entities as resolution
//! sees them through some collections, and who shares a blocking key there.
//!
//! Invariant: what is remembered holds for exactly one version of the graph. Whatever changes the graph counts the version up in
//! its own transaction; a write that finds another version than the last one left forgets everything.

use super::draft::pool::Pooled;
use std::{collections::HashMap, sync::Arc};

/// Lists of collections that are remembered.
const LISTS: usize = 50;
/// Keys for each entity that is remembered.
const KEYS_PER_ENTITY: usize = 10;

/// Who shares a blocking key.
#[derive(Debug, Clone)]
pub(super) enum Sharers {
    Rows(Arc<[i64]>),
    /// So many that the key says nothing. They only become more until something is removed.
    TooMany,
}

/// What is known at one version, for each list of collections that it is known through: what one knows is never another's.
#[derive(Default)]
pub(super) struct Memory {
    version: i64,
    within: HashMap<Vec<i64>, Seen>,
}

/// What is known through some collections.
#[derive(Default)]
pub(super) struct Seen {
    entities: HashMap<i64, Arc<Pooled>>,
    keys: HashMap<String, Sharers>,
}

impl Memory {
    /// Forgets everything unless it holds for this version.
    pub fn hold_for(&mut self, version: i64) {
        if self.version != version {
            *self = Self { version, ..Self::default() };
        }
    }

    /// After the commit: what is left holds for the version that the write made.
    pub fn committed(&mut self, version: i64) {
        self.version = version;
    }

    /// What is remembered of what these collections say.
    pub fn seen(&mut self, within: &[i64]) -> &mut Seen {
        if self.within.len() > LISTS {
            self.within.clear();
        }
        self.within.entry(within.to_owned()).or_default()
    }

    /// Forgets what a write changes, whoever sees it.
    pub fn forget(&mut self, entities: impl IntoIterator<Item = i64>, keys: &[String]) {
        let entities: Vec<i64> = entities.into_iter().collect();
        self.within.values_mut().for_each(|seen| seen.forget(&entities, keys));
    }
}

impl Seen {
    pub fn entity(&self, n: i64) -> Option<Arc<Pooled>> {
        self.entities.get(&n).cloned()
    }

    pub fn key(&self, key: &str) -> Option<Sharers> {
        self.keys.get(key).cloned()
    }

    /// Remembers entities; `most` bounds how many there are in all.
    pub fn learn_entities(&mut self, found: impl IntoIterator<Item = Arc<Pooled>>, most: u32) {
        if self.entities.len() > most as usize {
            self.entities.clear();
        }
        self.entities.extend(found.into_iter().map(|entity| (entity.n, entity)));
    }

    /// Remembers keys, in the same proportion.
    pub fn learn_keys(&mut self, found: impl IntoIterator<Item = (String, Sharers)>, most: u32) {
        if self.keys.len() > most as usize * KEYS_PER_ENTITY {
            self.keys.clear();
        }
        self.keys.extend(found);
    }

    fn forget(&mut self, entities: &[i64], keys: &[String]) {
        for n in entities {
            self.entities.remove(n);
        }
        for key in keys {
            if matches!(self.keys.get(key), Some(Sharers::Rows(_))) {
                self.keys.remove(key);
            }
        }
    }
}
