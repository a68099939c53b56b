//! Entities, put together from the facts that the scope sees.

use super::{Names, Stated};
use crate::{
    graph::{SqliteGraph, json, numbers, vectors},
    sql::fault::{Fault, defect},
};
use domain::{
    ClaimId, EntityId, Scope, Timestamp,
    entity::{Entity, Evidenced, PropertyKey},
};
use sqlx::SqliteConnection;
use std::collections::{BTreeMap, HashMap, HashSet};
use uuid::Uuid;

pub(in crate::graph) async fn entities(graph: &SqliteGraph, scope: &Scope, ids: &[EntityId]) -> Result<Vec<Entity>, Fault> {
    let mut conn = graph.reader.acquire().await?;
    let rows = numbers::entities(&mut conn, ids.iter().copied()).await?;
    let scope = numbers::scope_list(&mut conn, scope).await?;
    let mut told = HashSet::new();
    let roots: Vec<i64> =
        ids.iter().filter_map(|id| rows.get(id)).map(|row| row.root).filter(|root| told.insert(*root)).collect();
    let mut found = load(&mut conn, &scope, &roots).await?;
    Ok(roots.iter().filter_map(|root| found.remove(root)).collect())
}

/// What the facts of one entity say, before the current values are chosen.
#[derive(Default)]
struct Dossier {
    id: Uuid,
    names: Names,
    kinds: Names,
    summaries: HashMap<String, Stated>,
    properties: BTreeMap<String, HashMap<String, Stated>>,
    external_ids: BTreeMap<String, HashMap<String, Stated>>,
    is_stub: bool,
    last_updated: i64,
}

/// The entities in these rows that the scope (a JSON list of collection rows) sees.
pub(in crate::graph) async fn load(
    conn: &mut SqliteConnection,
    scope: &str,
    roots: &[i64],
) -> Result<HashMap<i64, Entity>, Fault> {
    if roots.is_empty() {
        return Ok(HashMap::new());
    }
    let sql = "select r.n, r.id, f.n, f.facet, f.key, f.value, f.claims, f.newest, f.at from json_each($1) w
        cross join entities r on r.n = w.value cross join entities e on e.root = r.n cross join entity_facts f on f.entity = e.n
        where f.collection in (select value from json_each($2))";
    type Row = (i64, Uuid, i64, String, String, String, i64, Option<i64>, i64);
    let rows: Vec<Row> = sqlx::query_as(sql).bind(json::list(roots.iter().copied())).bind(scope).fetch_all(&mut *conn).await?;
    let mut dossiers: HashMap<i64, Dossier> = HashMap::new();
    for (root, id, fact, facet, key, value, claims, newest, at) in rows {
        let dossier = dossiers.entry(root).or_insert_with(|| Dossier { id, is_stub: true, ..Dossier::default() });
        dossier.last_updated = dossier.last_updated.max(at);
        dossier.add(&facet, key, Stated { value, claims, newest, facts: vec![fact] });
    }
    let evidence = evidence(conn, dossiers.values().flat_map(Dossier::evidenced).collect()).await?;
    let pending = vectors::pending_entities(conn, scope, roots).await?;
    let mut found = HashMap::new();
    for (root, dossier) in dossiers {
        if let Some(entity) = dossier.entity(&evidence, pending.contains(&root))? {
            found.insert(root, entity);
        }
    }
    Ok(found)
}

/// The claims behind facts, in document order.
async fn evidence(conn: &mut SqliteConnection, facts: Vec<i64>) -> Result<HashMap<i64, Vec<ClaimId>>, Fault> {
    if facts.is_empty() {
        return Ok(HashMap::new());
    }
    let sql = "select f.fact, c.id from json_each($1) w cross join fact_claims f on f.fact = w.value
        cross join claims c on c.n = f.claim cross join graph_documents d on d.n = c.document
        order by d.document_order, c.span_start, c.content_hash";
    let rows: Vec<(i64, Uuid)> = sqlx::query_as(sql).bind(json::list(facts)).fetch_all(conn).await?;
    let mut found: HashMap<i64, Vec<ClaimId>> = HashMap::new();
    for (fact, claim) in rows {
        found.entry(fact).or_default().push(ClaimId(claim));
    }
    Ok(found)
}

impl Dossier {
    fn add(&mut self, facet: &str, key: String, stated: Stated) {
        let values = match facet {
            "name" => return self.names.add(stated.value, stated.claims),
            "kind" => return self.kinds.add(stated.value, stated.claims),
            "summary" => &mut self.summaries,
            "property" => self.properties.entry(key).or_default(),
            "external" => self.external_ids.entry(key).or_default(),
            _ => return self.is_stub = false,
        };
        match values.get_mut(&stated.value) {
            Some(same) => same.join(stated),
            None => {
                values.insert(stated.value.clone(), stated);
            }
        }
    }

    /// The rows whose evidence readers get to see.
    fn evidenced(&self) -> impl Iterator<Item = i64> + '_ {
        let current = self.properties.values().filter_map(current).chain(current(&self.summaries));
        current.flat_map(|stated| stated.facts.iter().copied())
    }

    /// None when the scope sees no name of it.
    fn entity(self, evidence: &HashMap<i64, Vec<ClaimId>>, embedding_pending: bool) -> Result<Option<Entity>, Fault> {
        let claims_of =
            |stated: &Stated| stated.facts.iter().filter_map(|fact| evidence.get(fact)).flatten().copied().collect();
        let summary =
            current(&self.summaries).map(|stated| Evidenced { value: stated.value.clone(), claim_ids: claims_of(stated) });
        let mut properties = BTreeMap::new();
        for (key, stated) in self.properties.iter().filter_map(|(key, values)| Some((key, current(values)?))) {
            let name = PropertyKey::try_from(key.clone()).map_err(|_| defect("property name", key))?;
            let value = serde_json::from_str(&stated.value).map_err(|_| defect("property value", &stated.value))?;
            properties.insert(name, Evidenced { value, claim_ids: claims_of(stated) });
        }
        let external_ids =
            self.external_ids.iter().filter_map(|(key, values)| Some((key.clone(), current(values)?.value.clone())));
        let external_ids = external_ids.collect();
        let mut names = self.names.in_order().into_iter();
        let Some(canonical_name) = names.next() else { return Ok(None) };
        Ok(Some(Entity {
            id: EntityId(self.id),
            canonical_name,
            aliases: names.collect(),
            kind: self.kinds.in_order().into_iter().next().unwrap_or_default(),
            summary,
            is_stub: self.is_stub,
            properties,
            external_ids,
            last_updated: Timestamp::from_micros(self.last_updated),
            embedding_pending,
        }))
    }
}

fn current(values: &HashMap<String, Stated>) -> Option<&Stated> {
    values.values().max()
}
