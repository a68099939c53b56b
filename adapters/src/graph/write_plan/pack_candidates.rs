//! Candidate entities for a pack of documents: those in the graph, and what the documents planned so far add to them, so that each
//! document is resolved as if those before it were written.

use super::{
    candidates::{CandidateEntity, CandidatePool, CandidateSource, EntityFactRow, ExternalId, KeyedProposal},
    facts::Facts,
    resolution::ResolvedEntities,
};
use crate::graph::{
    GraphConfig,
    resolution_cache::{CacheChanges, KeyMembers, ScopedCache},
};
use engine::{StoreResult, graph::Resolve};
use std::{
    collections::{BTreeMap, BTreeSet, HashMap, btree_map::Entry},
    sync::Arc,
};

pub(in crate::graph) struct PackCandidates<'a> {
    config: &'a GraphConfig,
    resolve: &'a dyn Resolve,
    within: &'a [i64],
    keys: HashMap<String, KeyMembers>,
    entities: BTreeMap<i64, Arc<CandidateEntity>>,
    by_external_id: HashMap<ExternalId, BTreeSet<i64>>,
    changed_keys: BTreeSet<String>,
    changed_entities: BTreeSet<i64>,
}

impl<'a> PackCandidates<'a> {
    /// Loads the entities that share a blocking key or an external id with a proposal, and the rows in `also`; reads only rows missing
    /// from the cache.
    pub async fn load(
        source: &mut dyn CandidateSource,
        config: &'a GraphConfig,
        resolve: &'a dyn Resolve,
        proposals: &[KeyedProposal<'_>],
        also: BTreeSet<i64>,
        within: &'a [i64],
        scoped: &mut ScopedCache,
    ) -> StoreResult<Self> {
        let mut candidates = Self {
            config,
            resolve,
            within,
            keys: HashMap::new(),
            entities: BTreeMap::new(),
            by_external_id: HashMap::new(),
            changed_keys: BTreeSet::new(),
            changed_entities: BTreeSet::new(),
        };
        candidates.load_keys(source, proposals, scoped).await?;
        let wanted = proposals.iter().flat_map(|named| &named.proposal.external_ids);
        let wanted: BTreeSet<ExternalId> = wanted.map(|(system, id)| (system.clone(), id.clone())).collect();
        if !wanted.is_empty() {
            for (id, root) in source.by_external_id(&Vec::from_iter(wanted), within).await? {
                candidates.by_external_id.entry(id).or_default().insert(root);
            }
        }
        candidates.load_entities(source, also, scoped).await?;
        Ok(candidates)
    }

    /// Loads the members of each key; a key shared by too many entities has none.
    async fn load_keys(
        &mut self,
        source: &mut dyn CandidateSource,
        proposals: &[KeyedProposal<'_>],
        scoped: &mut ScopedCache,
    ) -> StoreResult<()> {
        let (mut exact, mut rough) = (Vec::new(), Vec::new());
        let keys: BTreeSet<&str> = proposals.iter().flat_map(|named| &named.keys).map(String::as_str).collect();
        for key in keys {
            match scoped.key(key) {
                Some(members) => drop(self.keys.insert(key.to_owned(), members)),
                None if self.resolve.is_exact(key) => exact.push(key),
                None => rough.push(key),
            }
        }
        for keys in [exact, rough] {
            let Some(most) = keys.first().map(|key| self.most(key)) else { continue };
            let read = source.rows_by_key(&keys, self.within, most).await?;
            let read: Vec<(String, KeyMembers)> =
                read.into_iter().map(|(key, roots)| (key, KeyMembers::new(roots, most))).collect();
            scoped.insert_keys(read.iter().cloned(), self.config.remembered_entities);
            self.keys.extend(read);
        }
        Ok(())
    }

    /// Returns the number of entities that may share a key.
    fn most(&self, key: &str) -> u32 {
        if self.resolve.is_exact(key) { self.config.entities_per_exact_key } else { self.config.entities_per_key }
    }

    async fn load_entities(
        &mut self,
        source: &mut dyn CandidateSource,
        also: BTreeSet<i64>,
        scoped: &mut ScopedCache,
    ) -> StoreResult<()> {
        let mut rows = also;
        rows.extend(self.keys.values().flat_map(KeyMembers::rows));
        rows.extend(self.by_external_id.values().flatten());
        let mut unknown: Vec<i64> = Vec::new();
        for row in rows {
            match scoped.entity(row) {
                Some(entity) => drop(self.entities.insert(row, entity)),
                None => unknown.push(row),
            }
        }
        if unknown.is_empty() {
            return Ok(());
        }
        let mut read: BTreeMap<i64, CandidateEntity> = BTreeMap::new();
        for EntityFactRow { n, part, id, facet, key, value, collection, claims } in
            source.entity_facts(&unknown, self.within).await?
        {
            let candidate = read.entry(n).or_insert_with(|| CandidateEntity::new(n, id));
            candidate.add_fact(part, &facet, &key, &value, collection, claims);
        }
        read.values_mut().for_each(CandidateEntity::refresh);
        let read: Vec<Arc<CandidateEntity>> = read.into_values().map(Arc::new).collect();
        self.entities.extend(read.iter().map(|entity| (entity.n, entity.clone())));
        scoped.insert_entities(read, self.config.remembered_entities);
        Ok(())
    }

    /// Returns the candidates for the proposals of one document, and the entities in the rows `also`.
    pub fn pool(&self, proposals: &[KeyedProposal<'_>], also: &BTreeSet<i64>) -> CandidatePool {
        let keys: BTreeSet<&str> = proposals.iter().flat_map(|named| &named.keys).map(String::as_str).collect();
        let shared = keys.into_iter().filter_map(|key| Some((key, self.keys.get(key)?.rows())));
        let shared: Vec<(&str, &[i64])> = shared.filter(|(_, rows)| !rows.is_empty()).collect();
        let ids = proposals.iter().flat_map(|named| &named.proposal.external_ids);
        let ids: BTreeSet<ExternalId> = ids.map(|(system, id)| (system.clone(), id.clone())).collect();
        let owners = |id| self.by_external_id.get(id).into_iter().flatten().map(move |row| (id, *row));
        let owned: Vec<(&ExternalId, i64)> = ids.iter().flat_map(owners).collect();
        let mut rows = also.clone();
        rows.extend(shared.iter().flat_map(|(_, rows)| *rows));
        rows.extend(owned.iter().map(|(_, row)| *row));
        let mut pool = CandidatePool::new(rows.iter().filter_map(|row| self.entities.get(row)).cloned());
        for (key, rows) in shared {
            pool.share_key(key, rows);
        }
        for (id, row) in owned {
            pool.share_external_id(id, row);
        }
        pool
    }

    /// Adds the facts of a planned document, all of whose claims are new.
    pub fn learn(&mut self, facts: &Facts, resolved: &ResolvedEntities) {
        let mut touched = BTreeSet::new();
        for (fact, claims) in facts {
            self.changed_entities.insert(fact.entity);
            let known = self.entities.get(&fact.entity);
            if fact.facet == "name" && !known.is_some_and(|entity| entity.has_name(&fact.value, fact.collection)) {
                self.share_keys(self.resolve.keys(&fact.value), fact.entity, fact.collection);
            }
            if !self.within.contains(&fact.collection) {
                continue;
            }
            let candidate = match self.entities.entry(fact.entity) {
                Entry::Occupied(known) => known.into_mut(),
                Entry::Vacant(unknown) => {
                    // An entity named by id is no candidate.
                    let Some(new) = resolved.new_entities().find(|new| new.n == fact.entity) else { continue };
                    unknown.insert(Arc::new(CandidateEntity::new(new.n, new.id)))
                }
            };
            if fact.facet == "external" {
                let id = (fact.key.clone(), fact.value.clone());
                self.by_external_id.entry(id).or_default().insert(fact.entity);
            }
            Arc::make_mut(candidate).add_fact(
                fact.entity,
                fact.facet,
                &fact.key,
                &fact.value,
                fact.collection,
                claims.len() as i64,
            );
            touched.insert(fact.entity);
        }
        for row in touched {
            if let Some(candidate) = self.entities.get_mut(&row) {
                Arc::make_mut(candidate).refresh();
            }
        }
    }

    fn share_keys(&mut self, keys: Vec<String>, entity: i64, collection: i64) {
        for key in keys {
            if self.within.contains(&collection) {
                let most = self.most(&key);
                if let Some(members) = self.keys.get_mut(&key) {
                    members.add(entity, most);
                }
            }
            self.changed_keys.insert(key);
        }
    }

    /// Returns what the written pack changes in the cache. `is_exact`: the additions are known completely, otherwise they are dropped
    /// from the cache.
    pub fn changes(self, is_exact: bool) -> CacheChanges {
        let Self { mut keys, mut entities, changed_keys, changed_entities, .. } = self;
        if !is_exact {
            keys.clear();
            entities.clear();
        }
        let key = |key: String| {
            let members = keys.remove(&key);
            (key, members)
        };
        CacheChanges {
            keys: changed_keys.into_iter().map(key).collect(),
            entities: changed_entities.into_iter().map(|row| (row, entities.remove(&row))).collect(),
        }
    }
}
