//! Merging two entities and undoing a merge.
//!
//! Invariant: a merge changes only `entities.root`: names and edges keep the ends that they were written with.

use super::{SqliteGraph, json, row_numbers};
use crate::sql::fault::Fault;
use domain::{CollectionId, EntityId, MergeId, Scope, Timestamp, UserId, entity::Merge};
use engine::{
    StoreError,
    graph::{ListedMerges, NamedIn},
};
use sqlx::SqliteConnection;
use std::collections::HashMap;
use uuid::Uuid;

pub(super) async fn merge(
    graph: &SqliteGraph,
    id: MergeId,
    (survivor, merged): (EntityId, EntityId),
    by: Option<UserId>,
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
    let sql = "insert into merges (id, survivor, merged, decided_by, at) values ($1, $2, $3, $4, $5)";
    let insert = sqlx::query(sql).bind(id.0).bind(survivor).bind(merged).bind(by.map(|by| by.0)).bind(at.as_micros());
    insert.execute(&mut *conn).await?;
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

/// Returns the collections in which the survivor of an entity has names: whether they are its own, and of what was merged into it.
pub(super) async fn named_in(graph: &SqliteGraph, entity: EntityId) -> Result<NamedIn, Fault> {
    let sql = "select k.id, max(e.n = e.root) from entities i join entities e on e.root = i.root
        join entity_facts f on f.entity = e.n and f.facet = 'name' join graph_collections k on k.n = f.collection
        where i.id = $1 and k.removed = 0 group by k.n";
    let rows: Vec<(Uuid, bool)> = sqlx::query_as(sql).bind(entity.0).fetch_all(&graph.reader).await?;
    let own = rows.iter().filter(|(_, is_own)| *is_own).map(|(id, _)| CollectionId(*id)).collect();
    Ok(NamedIn { own, all: rows.into_iter().map(|(id, _)| CollectionId(id)).collect() })
}

/// Returns merges that stand, newest first. A name comes before an alias.
pub(super) async fn standing(
    graph: &SqliteGraph,
    scope: &Scope,
    listed: ListedMerges,
    limit: u32,
) -> Result<Vec<Merge>, Fault> {
    let mut conn = graph.reader.acquire().await?;
    let scope = row_numbers::collection_list(&mut conn, scope).await?;
    let sql = "select m.id, s.id, (select f.value from entity_facts f where f.entity = s.n and f.facet = 'name'
                and f.collection in (select value from json_each($1)) order by f.key, f.value limit 1) as survivor_name,
            g.id, (select f.value from entity_facts f where f.entity = g.n and f.facet = 'name'
                and f.collection in (select value from json_each($1)) order by f.key, f.value limit 1) as merged_name, m.decided_by, m.at
        from merges m join entities s on s.n = m.survivor join entities g on g.n = m.merged
        where m.undone = 0 and ($3 or (survivor_name is not null and merged_name is not null))
        order by m.at desc, m.id desc limit $2";
    type Row = (Uuid, Uuid, Option<String>, Uuid, Option<String>, Option<Uuid>, i64);
    let query = sqlx::query_as(sql).bind(scope).bind(limit).bind(listed == ListedMerges::All);
    let rows: Vec<Row> = query.fetch_all(&mut *conn).await?;
    let merge = |(id, survivor, survivor_name, merged, merged_name, by, at): Row| Merge {
        id: MergeId(id),
        survivor: EntityId(survivor),
        survivor_name: survivor_name.unwrap_or_else(|| survivor.to_string()),
        merged: EntityId(merged),
        merged_name: merged_name.unwrap_or_else(|| merged.to_string()),
        by: by.map(UserId),
        at: Timestamp::from_micros(at),
    };
    Ok(rows.into_iter().map(merge).collect())
}
