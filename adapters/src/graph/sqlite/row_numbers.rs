//! Row numbers of collections and entities, by id.

use super::json;
use crate::graph::write_plan::existing_refs::EntityRow;
use crate::sql::{fault::Fault, types::id_list};
use domain::{EntityId, Scope};
use sqlx::SqliteConnection;
use std::collections::HashMap;
use uuid::Uuid;

/// Returns the rows of the scope's collections that exist in the graph.
pub(super) async fn collection_rows(conn: &mut SqliteConnection, scope: &Scope) -> Result<Vec<i64>, Fault> {
    let ids = id_list(scope.collections().iter().map(|id| id.0));
    let sql = "select n from graph_collections where id in (select unhex(value) from json_each($1)) and removed = 0 order by n";
    Ok(sqlx::query_scalar(sql).bind(ids).fetch_all(conn).await?)
}

/// Returns the same rows as a parameter for `json_each`.
pub(super) async fn collection_list(conn: &mut SqliteConnection, of: &Scope) -> Result<String, Fault> {
    Ok(json::list(collection_rows(conn, of).await?))
}

/// Returns the current root row of each existing entity.
pub(super) async fn entity_rows(
    conn: &mut SqliteConnection,
    ids: impl IntoIterator<Item = EntityId>,
) -> Result<HashMap<EntityId, EntityRow>, Fault> {
    let ids: Vec<Uuid> = ids.into_iter().map(|id| id.0).collect();
    if ids.is_empty() {
        return Ok(HashMap::new());
    }
    let sql = "select e.id, e.root, r.id from entities e join entities r on r.n = e.root
        where e.id in (select unhex(value) from json_each($1))";
    let rows: Vec<(Uuid, i64, Uuid)> = sqlx::query_as(sql).bind(id_list(ids)).fetch_all(conn).await?;
    Ok(rows.into_iter().map(|(id, root, root_id)| (EntityId(id), EntityRow { root, root_id: EntityId(root_id) })).collect())
}

/// Returns the last rows of entities and claims.
pub(super) async fn last(conn: &mut SqliteConnection) -> Result<(i64, i64), Fault> {
    let sql = "select (select coalesce(max(n), 0) from entities), (select coalesce(max(n), 0) from claims)";
    Ok(sqlx::query_as(sql).fetch_one(conn).await?)
}

/// Increments the version of the graph, committed with the change, and returns it.
pub(super) async fn next_version(conn: &mut SqliteConnection) -> Result<i64, Fault> {
    let sql = "update graph_version set number = number + 1 returning number";
    Ok(sqlx::query_scalar(sql).fetch_one(conn).await?)
}
