//! Candidate entities for the proposals of one document: those in the graph, and those that the document itself has created so far.
//!
//! Invariant: a candidate has only the names and facts of the collections in `within`.

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
    /// Row of the entity as it was before merges.
    pub part: i64,
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
    by_id: HashMap<EntityId, usize>,
    by_key: HashMap<String, BTreeSet<usize>>,
    by_external_id: HashMap<ExternalId, BTreeSet<usize>>,
}

#[derive(Clone)]
pub(in crate::graph) struct CandidateEntity {
    pub n: i64,
    pub known: KnownEntity,
    pub names: Vec<StatedName>,
    /// Number of claims per kind.
    pub kinds: BTreeMap<String, i64>,
}

/// A name with a collection that states it, and the row of the entity that had it before merges.
#[derive(Clone, PartialEq)]
pub(in crate::graph) struct StatedName {
    pub name: String,
    pub collection: i64,
    pub part: i64,
}

/// A proposal with the blocking keys of its names.
#[derive(Clone)]
pub(in crate::graph) struct KeyedProposal<'a> {
    pub proposal: &'a EntityProposal,
    pub keys: Vec<String>,
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

impl CandidatePool {
    /// Collects entities in row order.
    pub fn new(entities: impl IntoIterator<Item = Arc<CandidateEntity>>) -> Self {
        let mut pool = Self::default();
        for entity in entities {
            pool.insert(entity);
        }
        pool
    }

    fn insert(&mut self, entity: Arc<CandidateEntity>) -> usize {
        let index = self.entities.len();
        self.by_row.insert(entity.n, index);
        self.by_id.insert(entity.known.id, index);
        self.entities.push(entity);
        index
    }

    /// Files the entities in these rows under a key.
    pub fn share_key(&mut self, key: &str, rows: &[i64]) {
        let shared = self.by_key.entry(key.to_owned()).or_default();
        shared.extend(rows.iter().filter_map(|row| self.by_row.get(row)));
    }

    /// Files the entity in this row under an id.
    pub fn share_external_id(&mut self, id: &ExternalId, row: i64) {
        self.by_external_id.entry(id.clone()).or_default().extend(self.by_row.get(&row));
    }

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
        self.by_id.get(&id).map(|index| self.entities[*index].as_ref())
    }

    /// Adds the proposal's names to the entity in row `n`, so that later proposals can match it.
    pub fn add(&mut self, n: i64, id: EntityId, named: &KeyedProposal<'_>, collection: i64) {
        let known = self.by_row.get(&n).copied();
        let index = known.unwrap_or_else(|| self.insert(Arc::new(CandidateEntity::new(n, id))));
        let proposal = named.proposal;
        let candidate = Arc::make_mut(&mut self.entities[index]);
        let names = std::iter::once(&proposal.name).chain(&proposal.aliases);
        candidate.names.extend(names.map(|name| StatedName { name: name.clone(), collection, part: n }));
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
    pub fn new(n: i64, id: EntityId) -> Self {
        let known =
            KnownEntity { id, names: Vec::new(), merged_names: Vec::new(), kind: String::new(), external_ids: BTreeMap::new() };
        Self { n, known, names: Vec::new(), kinds: BTreeMap::new() }
    }

    /// Adds a stated name, kind or external id; `refresh` follows. Of two ids in one system the later in the alphabet counts.
    pub fn add_fact(&mut self, part: i64, facet: &str, key: &str, value: &str, collection: i64, claims: i64) {
        match facet {
            "name" => {
                let stated = StatedName { name: value.to_owned(), collection, part };
                if !self.names.contains(&stated) {
                    self.names.push(stated);
                }
            }
            "kind" => *self.kinds.entry(value.to_owned()).or_default() += claims,
            "external" => {
                let known = self.known.external_ids.entry(key.to_owned()).or_default();
                if value > known.as_str() {
                    value.clone_into(known);
                }
            }
            _ => {}
        }
    }

    /// Whether a collection states this name.
    pub fn has_name(&self, name: &str, collection: i64) -> bool {
        self.names.iter().any(|stated| stated.name == name && stated.collection == collection)
    }

    /// Recomputes the view for resolution. The kind is the one with most claims, then the first alphabetically.
    pub fn refresh(&mut self) {
        (self.known.names, self.known.merged_names) = group_names(self.names.iter());
        let best = self.kinds.iter().max_by(|a, b| a.1.cmp(b.1).then_with(|| b.0.cmp(a.0)));
        self.known.kind = best.map(|(kind, _)| kind.clone()).unwrap_or_default();
    }

    /// Returns the entity as each of its collections states it.
    pub fn through_each_collection(&self) -> Vec<(i64, KnownEntity)> {
        let collections: BTreeSet<i64> = self.names.iter().map(|stated| stated.collection).collect();
        let narrowed = |collection| {
            let (names, merged_names) = group_names(self.names.iter().filter(|stated| stated.collection == collection));
            (collection, KnownEntity { names, merged_names, ..self.known.clone() })
        };
        collections.into_iter().map(narrowed).collect()
    }
}

/// Returns all names, and the names by entity where several were merged.
fn group_names<'a>(stated: impl Iterator<Item = &'a StatedName>) -> (Vec<String>, Vec<Vec<String>>) {
    let mut parts: BTreeMap<i64, BTreeSet<&String>> = BTreeMap::new();
    for stated in stated {
        parts.entry(stated.part).or_default().insert(&stated.name);
    }
    let all: BTreeSet<&String> = parts.values().flatten().copied().collect();
    let list = |names: BTreeSet<&String>| names.into_iter().cloned().collect();
    let merged = if parts.len() > 1 { parts.into_values().map(list).collect() } else { Vec::new() };
    (list(all), merged)
}
