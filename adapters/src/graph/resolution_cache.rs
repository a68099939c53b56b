//! What a process remembers of the graph between writes, so that the next write does not read it again: entities as resolution
//! sees them through some collections, and who shares a blocking key there.
//!
//! Invariant: what is remembered holds for exactly one version of the graph. Whatever changes the graph counts the version up in
//! its own transaction; a write that finds another version than the last one left forgets everything.

use super::write_plan::candidates::CandidateEntity;
use std::{collections::HashMap, sync::Arc};

/// Lists of collections that are remembered.
const MAX_SCOPES: usize = 50;
/// Keys for each entity that is remembered.
const MAX_KEYS_PER_ENTITY: usize = 10;

/// Who shares a blocking key.
#[derive(Debug, Clone)]
pub(super) enum KeyMembers {
    Rows(Arc<[i64]>),
    /// So many that the key says nothing. They only become more until something is removed.
    TooMany,
}

/// What is known at one version, for each list of collections that it is known through: what one knows is never another's.
#[derive(Default)]
pub(super) struct ResolutionCache {
    version: i64,
    within: HashMap<Vec<i64>, ScopedCache>,
}

/// What is known through some collections.
#[derive(Default)]
pub(super) struct ScopedCache {
    entities: HashMap<i64, Arc<CandidateEntity>>,
    keys: HashMap<String, KeyMembers>,
}

impl ResolutionCache {
    /// Forgets everything unless it holds for this version.
    pub fn clear_unless_version(&mut self, version: i64) {
        if self.version != version {
            *self = Self { version, ..Self::default() };
        }
    }

    /// After the commit: what is left holds for the version that the write made.
    pub fn set_version(&mut self, version: i64) {
        self.version = version;
    }

    /// What is remembered of what these collections say.
    pub fn scoped(&mut self, within: &[i64]) -> &mut ScopedCache {
        if self.within.len() > MAX_SCOPES {
            self.within.clear();
        }
        self.within.entry(within.to_owned()).or_default()
    }

    /// Forgets what a write changes, whoever sees it.
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

    /// Remembers entities; `most` bounds how many there are in all.
    pub fn insert_entities(&mut self, found: impl IntoIterator<Item = Arc<CandidateEntity>>, most: u32) {
        if self.entities.len() > most as usize {
            self.entities.clear();
        }
        self.entities.extend(found.into_iter().map(|entity| (entity.n, entity)));
    }

    /// Remembers keys, in the same proportion.
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
