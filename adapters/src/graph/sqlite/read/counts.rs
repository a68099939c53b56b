//! Numbers of claims, entities and relationships visible to a scope.

use crate::{
    graph::{
        projection::{self, NumberRow},
        sqlite::{SqliteGraph, json, row_numbers},
    },
    sql::{
        fault::Fault,
        types::{count, id_list},
    },
};
use domain::{DocumentId, EntityId, Scope};
use engine::graph::ClaimNumber;
use sqlx::{AssertSqlSafe, SqliteConnection};
use std::collections::HashMap;
use uuid::Uuid;

/// Counts claims, entities and relationships.
pub(in crate::graph::sqlite) async fn counts(graph: &SqliteGraph, scope: &Scope) -> Result<(u64, u64, u64), Fault> {
    let mut conn = graph.reader.acquire().await?;
    let collections = row_numbers::collection_rows(&mut conn, scope).await?;
    if let [collection] = collections[..]
        && let Some(counts) = counts_of_one(&mut conn, collection).await?
    {
        return Ok(counts);
    }
    let scope = json::list(collections);
    let sql = "select
        (select count(*) from claims where collection in (select value from json_each($1))),
        (select count(distinct e.root) from entity_views v join entities e on e.n = v.entity
            where v.collection in (select value from json_each($1))),
        (select count(*) from (
            select distinct s.root, t.root, r.description_hash from relationship_views v
            join relationships r on r.n = v.relationship join entities s on s.n = r.source join entities t on t.n = r.target
            where v.collection in (select value from json_each($1))))";
    let (claims, entities, relationships): (i64, i64, i64) = sqlx::query_as(sql).bind(scope).fetch_one(&mut *conn).await?;
    Ok((count(claims)?, count(entities)?, count(relationships)?))
}

/// Counts one collection by its indexes alone; `None` when a merge makes that inexact. Processors call it after every batch, so its cost
/// must not grow with the graph.
async fn counts_of_one(conn: &mut SqliteConnection, collection: i64) -> Result<Option<(u64, u64, u64)>, Fault> {
    let sql = "select (select count(*) from claims where collection = $1),
        (select count(*) from entity_views where collection = $1),
        (select count(*) from relationship_views where collection = $1)
        where not exists (select 1 from merges where undone = 0)";
    let counted: Option<(i64, i64, i64)> = sqlx::query_as(sql).bind(collection).fetch_optional(conn).await?;
    counted.map(|(claims, entities, relationships)| Ok((count(claims)?, count(entities)?, count(relationships)?))).transpose()
}

/// Counts claims per document, in the given order.
pub(in crate::graph::sqlite) async fn claim_counts(
    graph: &SqliteGraph,
    scope: &Scope,
    documents: &[DocumentId],
) -> Result<Vec<u64>, Fault> {
    let mut conn = graph.reader.acquire().await?;
    let scope = row_numbers::collection_list(&mut conn, scope).await?;
    let sql = "select d.id, count(*) from graph_documents d join claims c on c.document = d.n
        where d.id in (select unhex(value) from json_each($1)) and c.collection in (select value from json_each($2))
        group by d.n";
    let ids = id_list(documents.iter().map(|id| id.0));
    let rows: Vec<(Uuid, i64)> = sqlx::query_as(sql).bind(ids).bind(scope).fetch_all(&mut *conn).await?;
    let found: HashMap<Uuid, i64> = rows.into_iter().collect();
    documents.iter().map(|id| count(found.get(&id.0).copied().unwrap_or_default())).collect()
}

/// Counts the claims of an entity by month, outlet and mode.
pub(in crate::graph::sqlite) async fn claim_numbers(
    graph: &SqliteGraph,
    scope: &Scope,
    entity: EntityId,
    is_outlet: bool,
) -> Result<Vec<ClaimNumber>, Fault> {
    let of_entity = if is_outlet {
        "c.outlet in (select n from twins)"
    } else {
        "c.n in (select x.claim from twins t join claim_entities x on x.entity = t.n)"
    };
    let sql = format!(
        "with visible as (select n from graph_collections where removed = 0 and id in (select unhex(value) from json_each($2))),
        twins as (select e.n from entities i join entities e on e.root = i.root where i.id = $1)
        select strftime('%Y-%m', c.published_value / 1000000, 'unixepoch') as month, r.id as outlet, c.mode, count(*) as claims
        from claims c left join entities o on o.n = c.outlet left join entities r on r.n = o.root
        where c.collection in (select n from visible) and {of_entity} group by 1, 2, 3"
    );
    let collections = id_list(scope.collections().iter().map(|id| id.0));
    let query = sqlx::query_as(AssertSqlSafe(sql)).bind(entity.0).bind(collections);
    let rows: Vec<NumberRow> = query.fetch_all(&graph.reader).await?;
    Ok(projection::claim_numbers(rows)?)
}
