//! Entities, projected from the facts that the scope sees.

use crate::{
    graph::{
        projection::{FactEvidence, FactRow, Projections},
        sqlite::{SqliteGraph, json, vectors},
    },
    sql::{fault::Fault, types::id_list},
};
use domain::{ClaimId, EntityId, Scope, entity::Entity};
use engine::names::NameMatcher;
use sqlx::SqliteConnection;
use std::collections::{HashMap, HashSet};
use uuid::Uuid;

pub(in crate::graph::sqlite) async fn entities(
    graph: &SqliteGraph,
    scope: &Scope,
    ids: &[EntityId],
) -> Result<Vec<Entity>, Fault> {
    let mut conn = graph.reader.acquire().await?;
    let sql = "select 1, id, root from entities where id in (select unhex(value) from json_each($1))
        union all select 0, id, n from graph_collections where id in (select unhex(value) from json_each($2)) and removed = 0";
    let collections = id_list(scope.collections().iter().map(|id| id.0));
    let query = sqlx::query_as(sql).bind(id_list(ids.iter().map(|id| id.0))).bind(collections);
    let rows: Vec<(bool, Uuid, i64)> = query.fetch_all(&mut *conn).await?;
    let (entities, collections): (Vec<_>, Vec<_>) = rows.into_iter().partition(|(is_entity, ..)| *is_entity);
    let roots_by_id: HashMap<Uuid, i64> = entities.into_iter().map(|(_, id, root)| (id, root)).collect();
    let scope = json::list(collections.into_iter().map(|(_, _, n)| n));
    let mut listed = HashSet::new();
    let roots: Vec<i64> =
        ids.iter().filter_map(|id| roots_by_id.get(&id.0).copied()).filter(|root| listed.insert(*root)).collect();
    let mut found = load(&mut conn, &graph.names, &scope, &roots).await?;
    Ok(roots.iter().filter_map(|root| found.remove(root)).collect())
}

/// Loads the entities in these rows that the scope (a JSON list of collection rows) sees.
pub(in crate::graph::sqlite) async fn load(
    conn: &mut SqliteConnection,
    names: &NameMatcher,
    scope: &str,
    roots: &[i64],
) -> Result<HashMap<i64, Entity>, Fault> {
    if roots.is_empty() {
        return Ok(HashMap::new());
    }
    let sql = "select r.n as root, r.id, f.n as fact, f.facet, f.key, f.value, f.claims, f.newest, f.oldest, f.at from json_each($1) w
        cross join entities r on r.n = w.value cross join entities e on e.root = r.n cross join entity_facts f on f.entity = e.n
        where f.collection in (select value from json_each($2))";
    let rows: Vec<FactRow> =
        sqlx::query_as(sql).bind(json::list(roots.iter().copied())).bind(scope).fetch_all(&mut *conn).await?;
    let (projections, _) = Projections::new(rows);
    let evidence = load_evidence(conn, projections.facts_with_evidence()).await?;
    let pending = vectors::pending_entities(conn, scope, roots).await?;
    Ok(projections.entities(names, &evidence, &pending)?)
}

/// Loads the claims behind facts, in document order.
async fn load_evidence(conn: &mut SqliteConnection, facts: Vec<i64>) -> Result<FactEvidence, Fault> {
    if facts.is_empty() {
        return Ok(HashMap::new());
    }
    let sql = "select f.fact, c.id from json_each($1) w cross join fact_claims f on f.fact = w.value
        cross join claims c on c.n = f.claim cross join graph_documents d on d.n = c.document
        order by d.document_order, c.span_start, c.content_hash";
    let rows: Vec<(i64, Uuid)> = sqlx::query_as(sql).bind(json::list(facts)).fetch_all(conn).await?;
    let mut found = FactEvidence::new();
    for (fact, claim) in rows {
        found.entry(fact).or_default().push(ClaimId(claim));
    }
    Ok(found)
}
