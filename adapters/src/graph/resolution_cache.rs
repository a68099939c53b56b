//! The resolution cache of a process between writes: entities as resolution sees them through some collections, and the entities that
//! share a blocking key.
//!
//! Invariant: the cache is valid for exactly one version of the graph. Every change increments the version in its own transaction; a
//! write that finds an unexpected version clears the cache, and one that fails leaves it empty.

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

impl KeyMembers {
    pub fn new(roots: Vec<i64>, most: u32) -> Self {
        if roots.len() > most as usize { Self::TooMany } else { Self::Rows(roots.into()) }
    }

    /// Returns the rows; none when there are too many.
    pub fn rows(&self) -> &[i64] {
        match self {
            Self::Rows(rows) => rows,
            Self::TooMany => &[],
        }
    }

    /// Adds a row.
    pub fn add(&mut self, row: i64, most: u32) {
        if let Self::Rows(rows) = self
            && !rows.contains(&row)
        {
            *self = Self::new(rows.iter().copied().chain([row]).collect(), most);
        }
    }
}

/// Changes of a committed write: each changed key and entity, with its new state if that is known completely.
pub(super) struct CacheChanges {
    pub keys: Vec<(String, Option<KeyMembers>)>,
    pub entities: Vec<(i64, Option<Arc<CandidateEntity>>)>,
}

/// Cached data of one version, per list of collections: entries of one list are never used for another. Empty while a write is under way.
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
    /// Takes the cached data for a write that changes this version; nothing of it is left behind if the write fails.
    pub fn take(&mut self, version: i64) -> Self {
        let taken = std::mem::take(self);
        if taken.version == version { taken } else { Self { version, ..Self::default() } }
    }

    /// Returns the data as of the version that a committed write created.
    pub fn at_version(self, version: i64) -> Self {
        Self { version, ..self }
    }

    /// Returns the cache for these collections.
    pub fn scoped(&mut self, within: &[i64]) -> &mut ScopedCache {
        if self.within.len() > MAX_SCOPES {
            self.within.clear();
        }
        self.within.entry(within.to_owned()).or_default()
    }

    /// Applies the changes of a write to the list it was resolved within, and drops what changed from every other list.
    pub fn apply(&mut self, within: &[i64], changes: CacheChanges) {
        self.within.values_mut().for_each(|scoped| scoped.invalidate(&changes));
        let scoped = self.scoped(within);
        scoped.keys.extend(changes.keys.into_iter().filter_map(|(key, members)| Some((key, members?))));
        scoped.entities.extend(changes.entities.into_iter().filter_map(|(row, entity)| Some((row, entity?))));
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

    fn invalidate(&mut self, changes: &CacheChanges) {
        for (row, _) in &changes.entities {
            self.entities.remove(row);
        }
        for (key, _) in &changes.keys {
            if matches!(self.keys.get(key), Some(KeyMembers::Rows(_))) {
                self.keys.remove(key);
            }
        }
    }
}
