//! Candidate entities for the proposals of one write: those in the graph, and those that the write itself has created so far.
//!
//! Invariant: a candidate has only the names and facts of the collections in `within`.

use crate::graph::{
    GraphConfig,
    resolution_cache::{KeyMembers, ScopedCache},
};
use async_trait::async_trait;
use domain::EntityId;
use engine::{
    StoreResult,
    graph::{EntityProposal, KnownEntity, Resolve},
};
use std::{
    collections::{BTreeMap, BTreeSet, HashMap},
    sync::Arc,
};

/// Lookup of entities by a backend, inside the transaction of the write.
#[async_trait]
pub(in crate::graph) trait CandidateSource: Send {
    /// Returns the rows that share each key within these collections, at most one more than `most`.
    async fn rows_by_key(&mut self, keys: &[&str], within: &[i64], most: u32) -> StoreResult<Vec<(String, Vec<i64>)>>;
    /// Returns the rows with one of these ids (system, id) within these collections.
    async fn by_external_id(&mut self, ids: &[ExternalId], within: &[i64]) -> StoreResult<Vec<(ExternalId, i64)>>;
    /// Returns the names, kinds and external ids of these rows within these collections.
    async fn entity_facts(&mut self, rows: &[i64], within: &[i64]) -> StoreResult<Vec<EntityFactRow>>;
}

/// System and id.
pub(in crate::graph) type ExternalId = (String, String);

/// A fact used in resolution.
#[derive(serde::Deserialize, sqlx::FromRow)]
pub(in crate::graph) struct EntityFactRow {
    pub n: i64,
    #[sqlx(try_from = "uuid::Uuid")]
    pub id: EntityId,
    pub facet: String,
    pub key: String,
    pub value: String,
    pub collection: i64,
    pub claims: i64,
}

#[derive(Default)]
pub(in crate::graph) struct CandidatePool {
    entities: Vec<Arc<CandidateEntity>>,
    by_row: HashMap<i64, usize>,
    by_key: HashMap<String, BTreeSet<usize>>,
    by_external_id: HashMap<ExternalId, BTreeSet<usize>>,
}

#[derive(Clone)]
pub(in crate::graph) struct CandidateEntity {
    pub n: i64,
    pub known: KnownEntity,
    /// Each name with a collection that states it.
    pub names: Vec<(String, i64)>,
    /// Number of claims per kind.
    kinds: BTreeMap<String, i64>,
}

/// A proposal with the blocking keys of its names.
pub(in crate::graph) struct KeyedProposal<'a> {
    pub proposal: &'a EntityProposal,
    keys: Vec<String>,
}

impl<'a> KeyedProposal<'a> {
    pub fn with_keys(proposals: &'a [EntityProposal], resolve: &dyn Resolve) -> Vec<Self> {
        let keys = |proposal: &EntityProposal| {
            let names = std::iter::once(&proposal.name).chain(&proposal.aliases);
            names.flat_map(|name| resolve.keys(name)).collect()
        };
        proposals.iter().map(|proposal| Self { proposal, keys: keys(proposal) }).collect()
    }
}

/// Loads the entities that share a blocking key or an external id with a proposal, and the rows in `also`; reads only rows missing from
/// the cache.
pub(in crate::graph) async fn load_candidates(
    source: &mut dyn CandidateSource,
    config: &GraphConfig,
    proposals: &[KeyedProposal<'_>],
    resolve: &dyn Resolve,
    also: Vec<i64>,
    within: &[i64],
    scoped: &mut ScopedCache,
) -> StoreResult<CandidatePool> {
    let keys: BTreeSet<&str> = proposals.iter().flat_map(|named| &named.keys).map(String::as_str).collect();
    let by_key = by_key(source, config, resolve, keys, within, scoped).await?;
    let wanted = proposals.iter().flat_map(|named| &named.proposal.external_ids);
    let wanted: Vec<ExternalId> = wanted.map(|(system, id)| (system.clone(), id.clone())).collect();
    let by_external_id = if wanted.is_empty() { Vec::new() } else { source.by_external_id(&wanted, within).await? };
    let mut rows: BTreeSet<i64> = also.into_iter().collect();
    rows.extend(by_key.iter().flat_map(|(_, roots)| roots.iter()));
    rows.extend(by_external_id.iter().map(|(_, root)| root));
    let mut pool = CandidatePool::default();
    for entity in entities(source, config, rows, within, scoped).await? {
        pool.by_row.insert(entity.n, pool.entities.len());
        pool.entities.push(entity);
    }
    for (key, roots) in by_key {
        pool.by_key.entry(key).or_default().extend(roots.iter().filter_map(|root| pool.by_row.get(root)));
    }
    for (external_id, root) in by_external_id {
        pool.by_external_id.entry(external_id).or_default().extend(pool.by_row.get(&root));
    }
    Ok(pool)
}

/// Returns root rows per key; keys shared by too many entities are left out.
async fn by_key(
    source: &mut dyn CandidateSource,
    config: &GraphConfig,
    resolve: &dyn Resolve,
    keys: BTreeSet<&str>,
    within: &[i64],
    scoped: &mut ScopedCache,
) -> StoreResult<Vec<(String, Arc<[i64]>)>> {
    let mut found: Vec<(String, KeyMembers)> = Vec::with_capacity(keys.len());
    let (mut exact, mut rough) = (Vec::new(), Vec::new());
    for key in keys {
        match scoped.key(key) {
            Some(rows_by_key) => found.push((key.to_owned(), rows_by_key)),
            None if resolve.is_exact(key) => exact.push(key),
            None => rough.push(key),
        }
    }
    for (keys, most) in [(exact, config.entities_per_exact_key), (rough, config.entities_per_key)] {
        if keys.is_empty() {
            continue;
        }
        let is_busy = |roots: &[i64]| roots.len() > most as usize;
        let read = source.rows_by_key(&keys, within, most).await?.into_iter();
        let read =
            read.map(|(key, roots)| (key, if is_busy(&roots) { KeyMembers::TooMany } else { KeyMembers::Rows(roots.into()) }));
        let read: Vec<(String, KeyMembers)> = read.collect();
        scoped.insert_keys(read.iter().cloned(), config.remembered_entities);
        found.extend(read);
    }
    let few = |(key, rows_by_key)| match rows_by_key {
        KeyMembers::Rows(roots) => Some((key, roots)),
        KeyMembers::TooMany => None,
    };
    Ok(found.into_iter().filter_map(few).collect())
}

/// Returns the entities in these rows, in row order.
async fn entities(
    source: &mut dyn CandidateSource,
    config: &GraphConfig,
    roots: BTreeSet<i64>,
    within: &[i64],
    scoped: &mut ScopedCache,
) -> StoreResult<Vec<Arc<CandidateEntity>>> {
    let unknown: Vec<i64> = roots.iter().copied().filter(|root| scoped.entity(*root).is_none()).collect();
    let mut read: BTreeMap<i64, CandidateEntity> = BTreeMap::new();
    if !unknown.is_empty() {
        for EntityFactRow { n, id, facet, key, value, collection, claims } in source.entity_facts(&unknown, within).await? {
            let candidate = read.entry(n).or_insert_with(|| CandidateEntity::new(n, id));
            match facet.as_str() {
                "name" => candidate.names.push((value, collection)),
                "kind" => *candidate.kinds.entry(value).or_default() += claims,
                _ => {
                    candidate.known.external_ids.insert(key, value);
                }
            }
        }
        read.values_mut().for_each(CandidateEntity::refresh);
    }
    let read: BTreeMap<i64, Arc<CandidateEntity>> = read.into_iter().map(|(n, candidate)| (n, Arc::new(candidate))).collect();
    let found = roots.iter().filter_map(|root| read.get(root).cloned().or_else(|| scoped.entity(*root))).collect();
    scoped.insert_entities(read.into_values(), config.remembered_entities);
    Ok(found)
}

impl CandidatePool {
    /// Returns the candidates for a proposal: entities that share a key or an external id with it.
    pub fn candidates(&self, named: &KeyedProposal<'_>) -> Vec<&KnownEntity> {
        let mut found: BTreeSet<usize> = BTreeSet::new();
        for key in &named.keys {
            found.extend(self.by_key.get(key).into_iter().flatten());
        }
        for (system, id) in &named.proposal.external_ids {
            found.extend(self.by_external_id.get(&(system.clone(), id.clone())).into_iter().flatten());
        }
        found.into_iter().map(|index| &self.entities[index].known).collect()
    }

    pub fn find(&self, id: EntityId) -> Option<&CandidateEntity> {
        self.entities.iter().map(Arc::as_ref).find(|candidate| candidate.known.id == id)
    }

    /// Adds the proposal's names to the entity in row `n`, so that later proposals can match it.
    pub fn add(&mut self, n: i64, id: EntityId, named: &KeyedProposal<'_>, collection: i64) {
        let index = *self.by_row.entry(n).or_insert_with(|| {
            self.entities.push(Arc::new(CandidateEntity::new(n, id)));
            self.entities.len() - 1
        });
        let proposal = named.proposal;
        let candidate = Arc::make_mut(&mut self.entities[index]);
        let names = std::iter::once(&proposal.name).chain(&proposal.aliases);
        candidate.names.extend(names.map(|name| (name.clone(), collection)));
        if !proposal.kind.is_empty() {
            candidate.kinds.entry(proposal.kind.clone()).or_default();
        }
        for (system, external) in &proposal.external_ids {
            candidate.known.external_ids.entry(system.clone()).or_insert_with(|| external.clone());
            self.by_external_id.entry((system.clone(), external.clone())).or_default().insert(index);
        }
        candidate.refresh();
        for key in &named.keys {
            self.by_key.entry(key.clone()).or_default().insert(index);
        }
    }
}

impl CandidateEntity {
    fn new(n: i64, id: EntityId) -> Self {
        let known = KnownEntity { id, names: Vec::new(), kind: String::new(), external_ids: BTreeMap::new() };
        Self { n, known, names: Vec::new(), kinds: BTreeMap::new() }
    }

    /// Recomputes the view for resolution. The kind is the one with most claims, then the first alphabetically.
    fn refresh(&mut self) {
        let names: BTreeSet<&String> = self.names.iter().map(|(name, _)| name).collect();
        self.known.names = names.into_iter().cloned().collect();
        let best = self.kinds.iter().max_by(|a, b| a.1.cmp(b.1).then_with(|| b.0.cmp(a.0)));
        self.known.kind = best.map(|(kind, _)| kind.clone()).unwrap_or_default();
    }

    /// Returns the entity as each of its collections states it.
    pub fn through_each_collection(&self) -> Vec<(i64, KnownEntity)> {
        let mut names: BTreeMap<i64, Vec<String>> = BTreeMap::new();
        for (name, collection) in &self.names {
            names.entry(*collection).or_default().push(name.clone());
        }
        let narrowed = |names| KnownEntity { names, ..self.known.clone() };
        names.into_iter().map(|(collection, names)| (collection, narrowed(names))).collect()
    }
}
