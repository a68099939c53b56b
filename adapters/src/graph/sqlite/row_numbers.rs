//! From ids to row numbers.

use super::json;
use crate::graph::write_plan::existing_refs::EntityRow;
use crate::sql::{fault::Fault, types::id_list};
use domain::{EntityId, Scope};
use sqlx::SqliteConnection;
use std::collections::HashMap;
use uuid::Uuid;

/// The collections of a scope that the graph has something of, as row numbers.
pub(super) async fn scope(conn: &mut SqliteConnection, scope: &Scope) -> Result<Vec<i64>, Fault> {
    let ids = id_list(scope.collections().iter().map(|id| id.0));
    let sql = "select n from graph_collections where id in (select unhex(value) from json_each($1)) and removed = 0 order by n";
    Ok(sqlx::query_scalar(sql).bind(ids).fetch_all(conn).await?)
}

/// The same as a parameter for `json_each`.
pub(super) async fn scope_list(conn: &mut SqliteConnection, of: &Scope) -> Result<String, Fault> {
    Ok(json::list(scope(conn, of).await?))
}

/// The rows that entities which exist count as now.
pub(super) async fn entities(
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

/// Counts the version of the graph up, to be committed with the change; gives the new one.
pub(super) async fn next_version(conn: &mut SqliteConnection) -> Result<i64, Fault> {
    let sql = "update graph_version set number = number + 1 returning number";
    Ok(sqlx::query_scalar(sql).fetch_one(conn).await?)
}
