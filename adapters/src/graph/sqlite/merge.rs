//! Merging two entities and undoing a merge.
//!
//! Invariant: a merge changes only `entities.root`: names and edges keep the ends that they were written with.

use super::{SqliteGraph, json, row_numbers};
use crate::sql::fault::Fault;
use domain::{EntityId, MergeId, Timestamp};
use engine::StoreError;
use sqlx::SqliteConnection;
use std::collections::HashMap;

pub(super) async fn merge(
    graph: &SqliteGraph,
    id: MergeId,
    survivor: EntityId,
    merged: EntityId,
    at: Timestamp,
) -> Result<(), Fault> {
    let mut transaction = graph.writer.begin_with("begin immediate").await?;
    let conn = &mut *transaction;
    row_numbers::next_version(conn).await?;
    let known: i64 = sqlx::query_scalar("select count(*) from merges where id = $1").bind(id.0).fetch_one(&mut *conn).await?;
    if known > 0 {
        return Ok(());
    }
    let rows = row_numbers::entity_rows(conn, [survivor, merged]).await?;
    let root =
        |id: EntityId| rows.get(&id).map(|row| row.root).ok_or_else(|| StoreError::Invalid(format!("there is no entity {id}")));
    let (survivor, merged) = (root(survivor)?, root(merged)?);
    if survivor == merged {
        return Err(StoreError::Invalid("both are already one entity".into()).into());
    }
    let sql = "insert into merges (id, survivor, merged, at) values ($1, $2, $3, $4)";
    sqlx::query(sql).bind(id.0).bind(survivor).bind(merged).bind(at.as_micros()).execute(&mut *conn).await?;
    sqlx::query("update entities set root = $1 where root = $2").bind(survivor).bind(merged).execute(&mut *conn).await?;
    transaction.commit().await?;
    Ok(())
}

pub(super) async fn undo(graph: &SqliteGraph, id: MergeId) -> Result<(), Fault> {
    let mut transaction = graph.writer.begin_with("begin immediate").await?;
    let conn = &mut *transaction;
    row_numbers::next_version(conn).await?;
    let sql = "update merges set undone = 1 where id = $1 returning merged";
    let merged: Option<i64> = sqlx::query_scalar(sql).bind(id.0).fetch_optional(&mut *conn).await?;
    let merged = merged.ok_or_else(|| StoreError::Invalid(format!("there is no merge {id}")))?;
    let sql = "select n from entities where root = (select root from entities where n = $1)";
    let members: Vec<i64> = sqlx::query_scalar(sql).bind(merged).fetch_all(&mut *conn).await?;
    settle(conn, members).await?;
    transaction.commit().await?;
    Ok(())
}

/// Recomputes the root of each member from the merges that were not undone.
async fn settle(conn: &mut SqliteConnection, members: Vec<i64>) -> Result<(), Fault> {
    let sql = "select merged, survivor from merges where undone = 0 and merged in (select value from json_each($1))";
    let standing: Vec<(i64, i64)> = sqlx::query_as(sql).bind(json::list(members.iter().copied())).fetch_all(&mut *conn).await?;
    let standing: HashMap<i64, i64> = standing.into_iter().collect();
    for member in members {
        let mut root = member;
        while let Some(next) = standing.get(&root) {
            root = *next;
        }
        sqlx::query("update entities set root = $1 where n = $2").bind(root).bind(member).execute(&mut *conn).await?;
    }
    Ok(())
}
