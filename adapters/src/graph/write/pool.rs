//! The entities that the proposals of one write may be: those in the graph, and those that the write itself has made so far.
//!
//! Invariant: an entity is known here only by what the collections of `within` (a JSON list of rows) say of it.

use crate::{
    graph::{
        GraphConfig, json,
        memory::{Seen, Sharers},
    },
    sql::fault::Fault,
};
use domain::EntityId;
use engine::graph::{EntityProposal, KnownEntity, Resolve};
use serde_json::json;
use sqlx::SqliteConnection;
use std::{
    collections::{BTreeMap, BTreeSet, HashMap},
    sync::Arc,
};
use uuid::Uuid;

#[derive(Default)]
pub(super) struct Pool {
    entities: Vec<Arc<Pooled>>,
    by_row: HashMap<i64, usize>,
    by_key: HashMap<String, BTreeSet<usize>>,
    by_external_id: HashMap<(String, String), BTreeSet<usize>>,
}

#[derive(Clone)]
pub(in crate::graph) struct Pooled {
    pub n: i64,
    pub known: KnownEntity,
    /// Each name with a collection that gives it.
    pub names: Vec<(String, i64)>,
    /// Claims behind each kind.
    kinds: BTreeMap<String, i64>,
}

/// A proposal with the blocking keys of its names.
pub(super) struct Named<'a> {
    pub proposal: &'a EntityProposal,
    keys: Vec<String>,
}

impl<'a> Named<'a> {
    pub fn new(proposal: &'a EntityProposal, resolve: &dyn Resolve) -> Self {
        let names = std::iter::once(&proposal.name).chain(&proposal.aliases);
        Self { proposal, keys: names.flat_map(|name| resolve.keys(name)).collect() }
    }
}

/// Loads what shares a blocking key or an external id with a proposal, and the rows given; reads only what is not remembered.
pub(super) async fn load(
    conn: &mut SqliteConnection,
    config: &GraphConfig,
    proposals: &[Named<'_>],
    resolve: &dyn Resolve,
    also: Vec<i64>,
    within: &str,
    seen: &mut Seen,
) -> Result<Pool, Fault> {
    let keys: BTreeSet<&str> = proposals.iter().flat_map(|named| &named.keys).map(String::as_str).collect();
    let by_key = by_key(conn, config, resolve, keys, within, seen).await?;
    let by_external_id = by_external_id(conn, within, proposals).await?;
    let mut rows: BTreeSet<i64> = also.into_iter().collect();
    rows.extend(by_key.iter().flat_map(|(_, roots)| roots.iter()));
    rows.extend(by_external_id.iter().map(|(_, root)| root));
    let mut pool = Pool::default();
    for entity in entities(conn, config, rows, within, seen).await? {
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

/// Roots per key; a key that too many share is left out.
async fn by_key(
    conn: &mut SqliteConnection,
    config: &GraphConfig,
    resolve: &dyn Resolve,
    keys: BTreeSet<&str>,
    within: &str,
    seen: &mut Seen,
) -> Result<Vec<(String, Arc<[i64]>)>, Fault> {
    let mut found: Vec<(String, Sharers)> = Vec::with_capacity(keys.len());
    let (mut exact, mut rough) = (Vec::new(), Vec::new());
    for key in keys {
        match seen.key(key) {
            Some(sharers) => found.push((key.to_owned(), sharers)),
            None if resolve.is_exact(key) => exact.push(key),
            None => rough.push(key),
        }
    }
    let mut read = sharers(conn, config.entities_per_exact_key, within, exact).await?;
    read.extend(sharers(conn, config.entities_per_key, within, rough).await?);
    seen.learn_keys(read.iter().cloned(), config.remembered_entities);
    found.extend(read);
    let few = |(key, sharers)| match sharers {
        Sharers::Rows(roots) => Some((key, roots)),
        Sharers::TooMany => None,
    };
    Ok(found.into_iter().filter_map(few).collect())
}

/// Who shares each key, if no more than `most` do.
async fn sharers(
    conn: &mut SqliteConnection,
    most: u32,
    within: &str,
    keys: Vec<&str>,
) -> Result<Vec<(String, Sharers)>, Fault> {
    if keys.is_empty() {
        return Ok(Vec::new());
    }
    let sql = "select w.value, (select json_group_array(e.root)
            from (select distinct k.entity from json_each($3) s cross join name_keys k on k.key = w.value and k.collection = s.value
                limit $2) d join entities e on e.n = d.entity)
        from json_each($1) w";
    let limit = i64::from(most) + 1;
    let rows: Vec<(String, String)> =
        sqlx::query_as(sql).bind(json!(keys).to_string()).bind(limit).bind(within).fetch_all(conn).await?;
    let parsed = rows.into_iter().map(|(key, roots)| {
        let roots: Vec<i64> = serde_json::from_str(&roots).unwrap_or_default();
        let is_busy = roots.len() > most as usize;
        (key, if is_busy { Sharers::TooMany } else { Sharers::Rows(roots.into()) })
    });
    Ok(parsed.collect())
}

async fn by_external_id(
    conn: &mut SqliteConnection,
    within: &str,
    proposals: &[Named<'_>],
) -> Result<Vec<((String, String), i64)>, Fault> {
    let wanted: Vec<_> = proposals.iter().flat_map(|named| &named.proposal.external_ids).collect();
    if wanted.is_empty() {
        return Ok(Vec::new());
    }
    let sql = "select distinct f.key, f.value, e.root from json_each($1) w
        cross join entity_facts f on f.facet = 'external' and f.key = w.value ->> 0 and f.value = w.value ->> 1
            and +f.collection in (select value from json_each($2))
        cross join entities e on e.n = f.entity";
    let rows: Vec<(String, String, i64)> =
        sqlx::query_as(sql).bind(json!(wanted).to_string()).bind(within).fetch_all(conn).await?;
    Ok(rows.into_iter().map(|(system, id, root)| ((system, id), root)).collect())
}

/// The entities in these rows, in the order of the rows.
async fn entities(
    conn: &mut SqliteConnection,
    config: &GraphConfig,
    roots: BTreeSet<i64>,
    within: &str,
    seen: &mut Seen,
) -> Result<Vec<Arc<Pooled>>, Fault> {
    let unknown: Vec<i64> = roots.iter().copied().filter(|root| seen.entity(*root).is_none()).collect();
    let mut read: BTreeMap<i64, Pooled> = BTreeMap::new();
    if !unknown.is_empty() {
        let sql = "select r.n, r.id, f.facet, f.key, f.value, f.collection, f.claims from json_each($1) w
            cross join entities r on r.n = w.value cross join entities e on e.root = r.n
            cross join entity_facts f on f.entity = e.n and f.facet in ('name', 'kind', 'external')
                and +f.collection in (select value from json_each($2))";
        type Row = (i64, Uuid, String, String, String, i64, i64);
        let rows: Vec<Row> = sqlx::query_as(sql).bind(json::list(unknown)).bind(within).fetch_all(conn).await?;
        for (n, id, facet, key, value, collection, claims) in rows {
            let pooled = read.entry(n).or_insert_with(|| Pooled::new(n, EntityId(id)));
            match facet.as_str() {
                "name" => pooled.names.push((value, collection)),
                "kind" => *pooled.kinds.entry(value).or_default() += claims,
                _ => {
                    pooled.known.external_ids.insert(key, value);
                }
            }
        }
        read.values_mut().for_each(Pooled::settle);
    }
    let read: BTreeMap<i64, Arc<Pooled>> = read.into_iter().map(|(n, pooled)| (n, Arc::new(pooled))).collect();
    let found = roots.iter().filter_map(|root| read.get(root).cloned().or_else(|| seen.entity(*root))).collect();
    seen.learn_entities(read.into_values(), config.remembered_entities);
    Ok(found)
}

impl Pool {
    /// What the proposal may be: whatever shares a key or an external id with it.
    pub fn candidates(&self, named: &Named<'_>) -> Vec<&KnownEntity> {
        let mut found: BTreeSet<usize> = BTreeSet::new();
        for key in &named.keys {
            found.extend(self.by_key.get(key).into_iter().flatten());
        }
        for (system, id) in &named.proposal.external_ids {
            found.extend(self.by_external_id.get(&(system.clone(), id.clone())).into_iter().flatten());
        }
        found.into_iter().map(|index| &self.entities[index].known).collect()
    }

    pub fn find(&self, id: EntityId) -> Option<&Pooled> {
        self.entities.iter().map(Arc::as_ref).find(|pooled| pooled.known.id == id)
    }

    /// From now on the proposal is known as the entity in row `n`, so that the next proposal may turn out to be the same.
    pub fn learn(&mut self, n: i64, id: EntityId, named: &Named<'_>, collection: i64) {
        let index = *self.by_row.entry(n).or_insert_with(|| {
            self.entities.push(Arc::new(Pooled::new(n, id)));
            self.entities.len() - 1
        });
        let proposal = named.proposal;
        let pooled = Arc::make_mut(&mut self.entities[index]);
        let names = std::iter::once(&proposal.name).chain(&proposal.aliases);
        pooled.names.extend(names.map(|name| (name.clone(), collection)));
        if !proposal.kind.is_empty() {
            pooled.kinds.entry(proposal.kind.clone()).or_default();
        }
        for (system, external) in &proposal.external_ids {
            pooled.known.external_ids.entry(system.clone()).or_insert_with(|| external.clone());
            self.by_external_id.entry((system.clone(), external.clone())).or_default().insert(index);
        }
        pooled.settle();
        for key in &named.keys {
            self.by_key.entry(key.clone()).or_default().insert(index);
        }
    }
}

impl Pooled {
    fn new(n: i64, id: EntityId) -> Self {
        let known = KnownEntity { id, names: Vec::new(), kind: String::new(), external_ids: BTreeMap::new() };
        Self { n, known, names: Vec::new(), kinds: BTreeMap::new() }
    }

    /// Brings what resolution is shown up to date. The kind is the one with most claims, then the first by letters.
    fn settle(&mut self) {
        let names: BTreeSet<&String> = self.names.iter().map(|(name, _)| name).collect();
        self.known.names = names.into_iter().cloned().collect();
        let best = self.kinds.iter().max_by(|a, b| a.1.cmp(b.1).then_with(|| b.0.cmp(a.0)));
        self.known.kind = best.map(|(kind, _)| kind.clone()).unwrap_or_default();
    }

    /// The entity as it is known through each one of its collections.
    pub fn through_each_collection(&self) -> Vec<(i64, KnownEntity)> {
        let mut names: BTreeMap<i64, Vec<String>> = BTreeMap::new();
        for (name, collection) in &self.names {
            names.entry(*collection).or_default().push(name.clone());
        }
        let narrowed = |names| KnownEntity { names, ..self.known.clone() };
        names.into_iter().map(|(collection, names)| (collection, narrowed(names))).collect()
    }
}
