//! The resolution cache of a process between writes: entities as resolution sees them through some collections, and the entities that
//! share a blocking key.
//!
//! Invariant: the cache is valid for exactly one version of the graph. Every change increments the version in its own transaction; a
//! write that finds an unexpected version clears the cache.

use super::write_plan::candidates::CandidateEntity;
use std::{collections::HashMap, sync::Arc};

/// Maximum number of cached collection lists.
const MAX_SCOPES: usize = 50;
/// Maximum number of cached keys per cached entity.
const MAX_KEYS_PER_ENTITY: usize = 10;

/// The entities that share a blocking key.
#[derive(Debug, Clone)]
pub(super) enum KeyMembers {
    Rows(Arc<[i64]>),
    /// Too many to be useful. Their number only grows until data is removed.
    TooMany,
}

/// Cached data of one version, per list of collections: entries of one list are never used for another.
#[derive(Default)]
pub(super) struct ResolutionCache {
    version: i64,
    within: HashMap<Vec<i64>, ScopedCache>,
}

/// Cached data as some collections state it.
#[derive(Default)]
pub(super) struct ScopedCache {
    entities: HashMap<i64, Arc<CandidateEntity>>,
    keys: HashMap<String, KeyMembers>,
}

impl ResolutionCache {
    /// Clears the cache unless it belongs to this version.
    pub fn clear_unless_version(&mut self, version: i64) {
        if self.version != version {
            *self = Self { version, ..Self::default() };
        }
    }

    /// Moves the cache to the version that a committed write created.
    pub fn set_version(&mut self, version: i64) {
        self.version = version;
    }

    /// Returns the cache for these collections.
    pub fn scoped(&mut self, within: &[i64]) -> &mut ScopedCache {
        if self.within.len() > MAX_SCOPES {
            self.within.clear();
        }
        self.within.entry(within.to_owned()).or_default()
    }

    /// Drops the entries that a write changes, in every list.
    pub fn invalidate(&mut self, entities: impl IntoIterator<Item = i64>, keys: &[String]) {
        let entities: Vec<i64> = entities.into_iter().collect();
        self.within.values_mut().for_each(|scoped| scoped.invalidate(&entities, keys));
    }
}

impl ScopedCache {
    pub fn entity(&self, n: i64) -> Option<Arc<CandidateEntity>> {
        self.entities.get(&n).cloned()
    }

    pub fn key(&self, key: &str) -> Option<KeyMembers> {
        self.keys.get(key).cloned()
    }

    /// Caches entities; `most` bounds their number.
    pub fn insert_entities(&mut self, found: impl IntoIterator<Item = Arc<CandidateEntity>>, most: u32) {
        if self.entities.len() > most as usize {
            self.entities.clear();
        }
        self.entities.extend(found.into_iter().map(|entity| (entity.n, entity)));
    }

    /// Caches keys, bounded in proportion.
    pub fn insert_keys(&mut self, found: impl IntoIterator<Item = (String, KeyMembers)>, most: u32) {
        if self.keys.len() > most as usize * MAX_KEYS_PER_ENTITY {
            self.keys.clear();
        }
        self.keys.extend(found);
    }

    fn invalidate(&mut self, entities: &[i64], keys: &[String]) {
        for n in entities {
            self.entities.remove(n);
        }
        for key in keys {
            if matches!(self.keys.get(key), Some(KeyMembers::Rows(_))) {
                self.keys.remove(key);
            }
        }
    }
}
