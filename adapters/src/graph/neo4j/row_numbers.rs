//! Row numbers of collections and entities, by id.

use super::{
    Neo4jGraph,
    client::{Client, Statement, Transaction},
    cypher,
};
use crate::graph::write_plan::existing_refs::EntityRow;
use domain::{CollectionId, EntityId, Scope};
use engine::StoreResult;
use serde::Deserialize;
use serde_json::json;
use std::{
    collections::HashMap,
    sync::{Mutex, PoisonError},
};
use uuid::Uuid;

/// Cache of collection numbers, which never change.
#[derive(Default)]
pub(super) struct CollectionCache(Mutex<HashMap<CollectionId, i64>>);

impl CollectionCache {
    fn look_up(&self, ids: &[CollectionId]) -> (Vec<i64>, Vec<CollectionId>) {
        let known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let (numbered, unknown): (Vec<CollectionId>, Vec<CollectionId>) = ids.iter().partition(|id| known.contains_key(id));
        (numbered.iter().map(|id| known[id]).collect(), unknown)
    }

    fn insert(&self, id: CollectionId, n: i64) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).insert(id, n);
    }
}

#[derive(Deserialize)]
struct CollectionRow {
    id: Uuid,
    n: i64,
}

/// Returns the numbers of the scope's collections that exist in the graph.
pub(super) async fn collection_rows(graph: &Neo4jGraph, scope: &Scope) -> StoreResult<Vec<i64>> {
    let (mut numbers, unknown) = graph.collections.look_up(scope.collections());
    if !unknown.is_empty() {
        let ids = json!(unknown);
        let rows: Vec<CollectionRow> = graph.client.read(Statement::new(cypher::read::COLLECTIONS).with("ids", ids)).await?;
        for CollectionRow { id, n } in rows {
            graph.collections.insert(CollectionId(id), n);
            numbers.push(n);
        }
    }
    numbers.sort_unstable();
    Ok(numbers)
}

#[derive(Deserialize)]
struct Root {
    id: Uuid,
    root: i64,
    root_id: Uuid,
}

fn by_id(rows: Vec<Root>) -> HashMap<EntityId, EntityRow> {
    let row = |row: Root| (EntityId(row.id), EntityRow { root: row.root, root_id: EntityId(row.root_id) });
    rows.into_iter().map(row).collect()
}

/// Returns the current root row of each existing entity.
pub(super) async fn entity_rows(
    client: &Client,
    ids: impl IntoIterator<Item = EntityId>,
) -> StoreResult<HashMap<EntityId, EntityRow>> {
    let ids: Vec<EntityId> = ids.into_iter().collect();
    if ids.is_empty() {
        return Ok(HashMap::new());
    }
    Ok(by_id(client.read(Statement::new(cypher::write::ENTITIES).with("ids", json!(ids))).await?))
}

/// Returns the same rows inside a transaction.
pub(super) async fn entity_rows_in(
    transaction: &mut Transaction,
    ids: Vec<EntityId>,
) -> StoreResult<HashMap<EntityId, EntityRow>> {
    if ids.is_empty() {
        return Ok(HashMap::new());
    }
    Ok(by_id(transaction.read(Statement::new(cypher::write::ENTITIES).with("ids", json!(ids))).await?))
}
