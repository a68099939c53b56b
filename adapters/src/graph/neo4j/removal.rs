//! Removal of a collection: first a tombstone, then its rows in portions, each in a transaction of its own.
//!
//! Invariant: a removal is final. The tombstone stays, so that a concurrent write to the collection is refused.

use super::{
    Neo4jGraph,
    client::{Statement, Transaction},
    cypher,
    write::{CountChanges, WriterLock, describe, lock, mark},
};
use domain::CollectionId;
use engine::{StoreResult, names::NameMatcher};
use serde::Deserialize;
use serde_json::json;
use std::collections::BTreeSet;

/// Writes the tombstone, after which writes to the collection are refused. Returns the collection's number if the graph had data of it.
pub(super) async fn close_collection(graph: &Neo4jGraph, collection: CollectionId) -> StoreResult<Option<i64>> {
    let _alone = graph.cache.lock().await;
    let mut transaction = graph.client.begin().await?;
    let outcome = close(&mut transaction, collection).await;
    transaction.finish(outcome).await
}

async fn close(transaction: &mut Transaction, collection: CollectionId) -> StoreResult<Option<i64>> {
    let mut lock: WriterLock = lock(transaction, [collection]).await?;
    // An empty collection is locked too, so that a write about to start is refused.
    let known = lock.collection(collection).map(|known| known.n);
    let n = known.unwrap_or_else(|| lock.row());
    transaction.run(Statement::new(cypher::removal::TOMBSTONE).with("id", json!(collection)).with("n", n)).await?;
    CountChanges::default().release(transaction, &lock).await?;
    Ok(known)
}

/// Removes one portion of a closed collection (`cypher::removal::REMOVE`) and the entities left without data; false when there was none.
/// Other writers may run in between; an interrupted removal continues when it is repeated.
pub(super) async fn remove_portion(graph: &Neo4jGraph, collection: i64, statement: &'static str) -> StoreResult<bool> {
    let _alone = graph.cache.lock().await;
    let mut transaction = graph.client.begin().await?;
    let limit = graph.config.neo4j.removal_portion.max(1);
    let statement =
        Statement::new(statement).with("collection", collection).with("mark", mark(collection)).with("limit", limit);
    let outcome = remove(&mut transaction, &graph.names, statement).await;
    transaction.finish(outcome).await
}

async fn remove(transaction: &mut Transaction, names: &NameMatcher, statement: Statement) -> StoreResult<bool> {
    #[derive(Deserialize)]
    struct RemovalCounts {
        number: i64,
        roots: BTreeSet<i64>,
        kept: Vec<i64>,
    }
    lock(transaction, []).await?;
    let removed: Option<RemovalCounts> = transaction.read(statement).await?.pop();
    let Some(RemovalCounts { roots, kept, .. }) = removed.filter(|removed| removed.number > 0) else { return Ok(false) };
    if !roots.is_empty() {
        transaction.run(Statement::new(cypher::removal::REMOVE_ENTITIES).with("roots", json!(roots))).await?;
        describe(transaction, names, &roots).await?;
    }
    if !kept.is_empty() {
        transaction.run(Statement::new(cypher::write::RELATE).with("relationships", kept)).await?;
    }
    Ok(true)
}
