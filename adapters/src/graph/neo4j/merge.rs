//! Merging two entities and undoing a merge, each in one transaction under the writers' lock.
//!
//! Invariant: a merge changes only `root`: names and edges keep the ends that they were written with.

use super::{
    Neo4jGraph,
    client::{Statement, Transaction, moment},
    cypher,
    read::Number,
    row_numbers::{self, entity_rows_in},
    write::lock,
};
use domain::{CollectionId, EntityId, MergeId, Scope, Timestamp, UserId, entity::Merge};
use engine::{
    StoreError, StoreResult,
    graph::{ListedMerges, NamedIn},
};
use serde::Deserialize;
use serde_json::json;
use std::collections::HashMap;
use uuid::Uuid;

pub(super) async fn merge(
    graph: &Neo4jGraph,
    id: MergeId,
    (survivor, merged): (EntityId, EntityId),
    by: Option<UserId>,
    at: Timestamp,
) -> StoreResult<()> {
    let _alone = graph.cache.lock().await;
    let mut transaction = graph.client.begin().await?;
    let outcome = join(&mut transaction, id, (survivor, merged), by, at).await;
    transaction.finish(outcome).await
}

async fn join(
    transaction: &mut Transaction,
    id: MergeId,
    (survivor, merged): (EntityId, EntityId),
    by: Option<UserId>,
    at: Timestamp,
) -> StoreResult<()> {
    lock(transaction, []).await?;
    let known: Vec<Number> = transaction.read(Statement::new(cypher::merge::MERGE_KNOWN).with("id", json!(id))).await?;
    if known.iter().any(|known| known.number > 0) {
        return Ok(());
    }
    let rows = entity_rows_in(transaction, vec![survivor, merged]).await?;
    let root =
        |id: EntityId| rows.get(&id).map(|row| row.root).ok_or_else(|| StoreError::Invalid(format!("there is no entity {id}")));
    let (survivor, merged) = (root(survivor)?, root(merged)?);
    if survivor == merged {
        return Err(StoreError::Invalid("both are already one entity".into()));
    }
    let statement = Statement::new(cypher::merge::MERGE)
        .with("id", json!(id))
        .with("survivor", survivor)
        .with("merged", merged)
        .with("by", json!(by))
        .with("at", json!(moment(at)));
    transaction.run(statement).await
}

pub(super) async fn undo(graph: &Neo4jGraph, id: MergeId) -> StoreResult<()> {
    let _alone = graph.cache.lock().await;
    let mut transaction = graph.client.begin().await?;
    let outcome = part(&mut transaction, id).await;
    transaction.finish(outcome).await
}

/// Recomputes the root of each member of the merged entity from the merges that were not undone.
async fn part(transaction: &mut Transaction, id: MergeId) -> StoreResult<()> {
    #[derive(Deserialize)]
    struct Member {
        n: i64,
        survivor: Option<i64>,
    }
    lock(transaction, []).await?;
    let members: Vec<Member> = transaction.read(Statement::new(cypher::merge::UNDO).with("id", json!(id))).await?;
    if members.is_empty() {
        return Err(StoreError::Invalid(format!("there is no merge {id}")));
    }
    let standing: HashMap<i64, i64> = members.iter().filter_map(|member| Some((member.n, member.survivor?))).collect();
    let root = |mut member: i64| {
        while let Some(next) = standing.get(&member) {
            member = *next;
        }
        member
    };
    let rows: Vec<_> = members.iter().map(|member| json!({"n": member.n, "root": root(member.n)})).collect();
    transaction.run(Statement::new(cypher::merge::SET_ROOTS).with("rows", rows)).await
}

/// Returns the collections in which the survivor of an entity has names: its own ones, and those of what was merged into it.
pub(super) async fn named_in(graph: &Neo4jGraph, entity: EntityId) -> StoreResult<NamedIn> {
    #[derive(Deserialize)]
    struct Row {
        id: Uuid,
        is_own: bool,
    }
    let rows: Vec<Row> = graph.client.read(Statement::new(cypher::merge::NAMED_IN).with("id", json!(entity))).await?;
    let own = rows.iter().filter(|row| row.is_own).map(|row| CollectionId(row.id)).collect();
    Ok(NamedIn { own, all: rows.into_iter().map(|row| CollectionId(row.id)).collect() })
}

/// Returns merges that stand, newest first.
pub(super) async fn standing(graph: &Neo4jGraph, scope: &Scope, listed: ListedMerges, limit: u32) -> StoreResult<Vec<Merge>> {
    #[derive(Deserialize)]
    struct Row {
        id: Uuid,
        survivor: Uuid,
        survivor_name: Option<String>,
        merged: Uuid,
        merged_name: Option<String>,
        by: Option<Uuid>,
        at: i64,
    }
    let scope = row_numbers::collection_rows(graph, scope).await?;
    let statement = Statement::new(cypher::merge::STANDING).with("scope", json!(scope)).with("limit", limit);
    let statement = statement.with("is_all", json!(listed == ListedMerges::All));
    let rows: Vec<Row> = graph.client.read(statement).await?;
    let merge = |row: Row| Merge {
        id: MergeId(row.id),
        survivor: EntityId(row.survivor),
        survivor_name: row.survivor_name.unwrap_or_else(|| row.survivor.to_string()),
        merged: EntityId(row.merged),
        merged_name: row.merged_name.unwrap_or_else(|| row.merged.to_string()),
        by: row.by.map(UserId),
        at: Timestamp::from_micros(row.at),
    };
    Ok(rows.into_iter().map(merge).collect())
}
