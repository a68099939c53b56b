//! The entities that the proposals of one write may be: those in the graph, and those that the write itself has made so far.

use crate::{
    graph::{GraphConfig, json},
    sql::fault::Fault,
};
use domain::EntityId;
use engine::graph::{EntityProposal, KnownEntity, Resolve};
use serde_json::json;
use sqlx::SqliteConnection;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use uuid::Uuid;

#[derive(Default)]
pub(super) struct Pool {
    entities: Vec<Pooled>,
    by_row: HashMap<i64, usize>,
    by_key: HashMap<String, BTreeSet<usize>>,
    by_external_id: HashMap<(String, String), BTreeSet<usize>>,
}

pub(super) struct Pooled {
    pub n: i64,
    pub known: KnownEntity,
    /// Each name with a collection that gives it.
    pub names: Vec<(String, i64)>,
    /// Claims behind each kind.
    kinds: BTreeMap<String, i64>,
}

/// Loads what shares a blocking key or an external id with a proposal, and the rows given.
pub(super) async fn load(
    conn: &mut SqliteConnection,
    config: &GraphConfig,
    proposals: &[EntityProposal],
    resolve: &dyn Resolve,
    also: Vec<i64>,
) -> Result<Pool, Fault> {
    let keys: BTreeSet<String> = proposals.iter().flat_map(|proposal| keys(proposal, resolve)).collect();
    let mut pool = Pool::default();
    let mut rows: BTreeSet<i64> = also.into_iter().collect();
    let (exact, rough): (Vec<String>, Vec<String>) = keys.into_iter().partition(|key| resolve.is_exact(key));
    let mut by_key = by_key(conn, config.entities_per_exact_key, exact).await?;
    by_key.extend(self::by_key(conn, config.entities_per_key, rough).await?);
    rows.extend(by_key.iter().flat_map(|(_, roots)| roots));
    let by_external_id = by_external_id(conn, proposals).await?;
    rows.extend(by_external_id.iter().map(|(_, root)| root));
    pool.load(conn, rows).await?;
    for (key, roots) in by_key {
        pool.by_key.entry(key).or_default().extend(roots.iter().filter_map(|root| pool.by_row.get(root)));
    }
    for (external_id, root) in by_external_id {
        pool.by_external_id.entry(external_id).or_default().extend(pool.by_row.get(&root));
    }
    Ok(pool)
}

fn keys(proposal: &EntityProposal, resolve: &dyn Resolve) -> Vec<String> {
    std::iter::once(&proposal.name).chain(&proposal.aliases).flat_map(|name| resolve.keys(name)).collect()
}

/// Roots per key; a key that more than `most` share is left out.
async fn by_key(conn: &mut SqliteConnection, most: u32, keys: Vec<String>) -> Result<Vec<(String, Vec<i64>)>, Fault> {
    let sql = "select w.value, (select json_group_array(e.root)
            from (select distinct k.entity from name_keys k where k.key = w.value limit $2) d join entities e on e.n = d.entity)
        from json_each($1) w where exists (select 1 from name_keys k where k.key = w.value)";
    let limit = i64::from(most) + 1;
    let rows: Vec<(String, String)> = sqlx::query_as(sql).bind(json!(keys).to_string()).bind(limit).fetch_all(conn).await?;
    let parsed = rows.into_iter().map(|(key, roots)| (key, serde_json::from_str::<Vec<i64>>(&roots).unwrap_or_default()));
    Ok(parsed.filter(|(_, roots)| roots.len() <= most as usize).collect())
}

async fn by_external_id(
    conn: &mut SqliteConnection,
    proposals: &[EntityProposal],
) -> Result<Vec<((String, String), i64)>, Fault> {
    let wanted: Vec<_> = proposals.iter().flat_map(|proposal| &proposal.external_ids).collect();
    if wanted.is_empty() {
        return Ok(Vec::new());
    }
    let sql = "select distinct f.key, f.value, e.root from json_each($1) w
        cross join entity_facts f on f.facet = 'external' and f.key = w.value ->> 0 and f.value = w.value ->> 1
        cross join entities e on e.n = f.entity";
    let rows: Vec<(String, String, i64)> = sqlx::query_as(sql).bind(json!(wanted).to_string()).fetch_all(conn).await?;
    Ok(rows.into_iter().map(|(system, id, root)| ((system, id), root)).collect())
}

impl Pool {
    async fn load(&mut self, conn: &mut SqliteConnection, roots: BTreeSet<i64>) -> Result<(), Fault> {
        if roots.is_empty() {
            return Ok(());
        }
        let sql = "select r.n, r.id, f.facet, f.key, f.value, f.collection, f.claims from json_each($1) w
            cross join entities r on r.n = w.value cross join entities e on e.root = r.n
            cross join entity_facts f on f.entity = e.n and f.facet in ('name', 'kind', 'external')";
        type Row = (i64, Uuid, String, String, String, i64, i64);
        let rows: Vec<Row> = sqlx::query_as(sql).bind(json::list(roots)).fetch_all(conn).await?;
        for (n, id, facet, key, value, collection, claims) in rows {
            let index = self.slot(n, EntityId(id));
            let pooled = &mut self.entities[index];
            match facet.as_str() {
                "name" => pooled.names.push((value, collection)),
                "kind" => *pooled.kinds.entry(value).or_default() += claims,
                _ => {
                    pooled.known.external_ids.insert(key, value);
                }
            }
        }
        self.entities.iter_mut().for_each(Pooled::settle);
        Ok(())
    }

    fn slot(&mut self, n: i64, id: EntityId) -> usize {
        *self.by_row.entry(n).or_insert_with(|| {
            let known = KnownEntity { id, names: Vec::new(), kind: String::new(), external_ids: BTreeMap::new() };
            self.entities.push(Pooled { n, known, names: Vec::new(), kinds: BTreeMap::new() });
            self.entities.len() - 1
        })
    }

    /// What the proposal may be: whatever shares a key or an external id with it.
    pub fn candidates(&self, proposal: &EntityProposal, resolve: &dyn Resolve) -> Vec<KnownEntity> {
        let mut found = BTreeSet::new();
        for key in keys(proposal, resolve) {
            found.extend(self.by_key.get(&key).into_iter().flatten());
        }
        for (system, id) in &proposal.external_ids {
            found.extend(self.by_external_id.get(&(system.clone(), id.clone())).into_iter().flatten());
        }
        found.into_iter().map(|index: usize| self.entities[index].known.clone()).collect()
    }

    pub fn find(&self, id: EntityId) -> Option<&Pooled> {
        self.entities.iter().find(|pooled| pooled.known.id == id)
    }

    /// From now on `proposal` is known as the entity in row `n`, so that the next proposal may turn out to be the same.
    pub fn learn(&mut self, n: i64, id: EntityId, proposal: &EntityProposal, collection: i64, resolve: &dyn Resolve) {
        let index = self.slot(n, id);
        let pooled = &mut self.entities[index];
        let names = std::iter::once(&proposal.name).chain(&proposal.aliases);
        pooled.names.extend(names.map(|name| (name.clone(), collection)));
        if !proposal.kind.is_empty() {
            pooled.kinds.entry(proposal.kind.clone()).or_default();
        }
        for (system, external) in &proposal.external_ids {
            pooled.known.external_ids.entry(system.clone()).or_insert_with(|| external.clone());
            self.by_external_id.entry((system.clone(), external.clone())).or_default().insert(index);
        }
        self.entities[index].settle();
        for key in keys(proposal, resolve) {
            self.by_key.entry(key).or_default().insert(index);
        }
    }
}

impl Pooled {
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
