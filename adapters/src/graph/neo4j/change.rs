//! Merging two entities and undoing it, closing a review, and removing a collection. Each is one transaction under the lock of writers;
//! a removal is many, for it may be of any size.
//!
//! Merging changes only `root`: names and edges keep the ends that they were written with.

use super::{
    Neo4jGraph, cypher,
    link::{Statement, Transaction, ask, moment},
    read::Number,
    scope::roots_within,
    write::{Locked, describe, lock, mark},
};
use domain::{CollectionId, EntityId, MergeId, ReviewId, Timestamp};
use engine::{StoreError, StoreResult, names::Names};
use serde::Deserialize;
use serde_json::json;
use std::collections::{BTreeSet, HashMap};

/// Commits what a block did, or rolls it back.
async fn end<T>(transaction: Transaction, outcome: StoreResult<T>) -> StoreResult<T> {
    match outcome {
        Ok(done) => transaction.commit().await.map(|()| done),
        Err(error) => {
            transaction.roll_back().await;
            Err(error)
        }
    }
}

pub(super) async fn merge(
    graph: &Neo4jGraph,
    id: MergeId,
    survivor: EntityId,
    merged: EntityId,
    at: Timestamp,
) -> StoreResult<()> {
    let _alone = graph.memory.lock().await;
    let mut transaction = graph.link.begin().await?;
    let outcome = join(&mut transaction, id, survivor, merged, at).await;
    end(transaction, outcome).await
}

async fn join(
    transaction: &mut Transaction,
    id: MergeId,
    survivor: EntityId,
    merged: EntityId,
    at: Timestamp,
) -> StoreResult<()> {
    lock(transaction, []).await?;
    let known: Vec<Number> = transaction.read(ask(cypher::change::MERGE_KNOWN).with("id", json!(id))).await?;
    if known.iter().any(|known| known.number > 0) {
        return Ok(());
    }
    let rows = roots_within(transaction, vec![survivor, merged]).await?;
    let root =
        |id: EntityId| rows.get(&id).map(|row| row.root).ok_or_else(|| StoreError::Invalid(format!("there is no entity {id}")));
    let (survivor, merged) = (root(survivor)?, root(merged)?);
    if survivor == merged {
        return Err(StoreError::Invalid("these two are one entity already".into()));
    }
    let statement = ask(cypher::change::MERGE)
        .with("id", json!(id))
        .with("survivor", survivor)
        .with("merged", merged)
        .with("at", json!(moment(at)));
    transaction.run(statement).await
}

pub(super) async fn undo_merge(graph: &Neo4jGraph, id: MergeId) -> StoreResult<()> {
    let _alone = graph.memory.lock().await;
    let mut transaction = graph.link.begin().await?;
    let outcome = part(&mut transaction, id).await;
    end(transaction, outcome).await
}

/// Works out anew which entity each member of what was merged counts as, from the merges that stand.
async fn part(transaction: &mut Transaction, id: MergeId) -> StoreResult<()> {
    #[derive(Deserialize)]
    struct Member {
        n: i64,
        survivor: Option<i64>,
    }
    lock(transaction, []).await?;
    let members: Vec<Member> = transaction.read(ask(cypher::change::UNDO).with("id", json!(id))).await?;
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
    transaction.run(ask(cypher::change::SET_ROOTS).with("rows", rows)).await
}

pub(super) async fn close_review(graph: &Neo4jGraph, id: ReviewId) -> StoreResult<()> {
    graph.link.run(ask(cypher::change::CLOSE_REVIEW).with("id", json!(id))).await
}

/// Leaves a tombstone, from which on nothing is written to the collection. Gives its number, where the graph had something of it.
pub(super) async fn close_collection(graph: &Neo4jGraph, collection: CollectionId) -> StoreResult<Option<i64>> {
    let _alone = graph.memory.lock().await;
    let mut transaction = graph.link.begin().await?;
    let outcome = close(&mut transaction, collection).await;
    end(transaction, outcome).await
}

async fn close(transaction: &mut Transaction, collection: CollectionId) -> StoreResult<Option<i64>> {
    let mut locked: Locked = lock(transaction, [collection]).await?;
    // Also one that nothing was written to yet: whoever is about to is refused.
    let known = locked.collection(collection).map(|known| known.n);
    let n = known.unwrap_or_else(|| locked.row());
    transaction.run(ask(cypher::change::TOMBSTONE).with("id", json!(collection)).with("n", n)).await?;
    locked.release(transaction).await?;
    Ok(known)
}

/// Takes a portion of what a closed collection had (`cypher::change::REMOVE`), and the entities of which nothing is left then; false
/// when there was none. Others may write between two portions; what stops here goes on when the collection is removed again.
pub(super) async fn remove_portion(graph: &Neo4jGraph, collection: i64, statement: &'static str) -> StoreResult<bool> {
    let _alone = graph.memory.lock().await;
    let mut transaction = graph.link.begin().await?;
    let limit = graph.config.neo4j.removal_portion.max(1);
    let statement = ask(statement).with("collection", collection).with("mark", mark(collection)).with("limit", limit);
    let outcome = remove(&mut transaction, &graph.names, statement).await;
    end(transaction, outcome).await
}

async fn remove(transaction: &mut Transaction, names: &Names, statement: Statement) -> StoreResult<bool> {
    #[derive(Deserialize)]
    struct Removed {
        number: i64,
        roots: BTreeSet<i64>,
        kept: Vec<i64>,
    }
    lock(transaction, []).await?;
    let removed: Option<Removed> = transaction.read(statement).await?.pop();
    let Some(Removed { roots, kept, .. }) = removed.filter(|removed| removed.number > 0) else { return Ok(false) };
    if !roots.is_empty() {
        transaction.run(ask(cypher::change::REMOVE_ENTITIES).with("roots", json!(roots))).await?;
        describe(transaction, names, &roots).await?;
    }
    if !kept.is_empty() {
        transaction.run(ask(cypher::write::RELATE).with("relationships", kept)).await?;
    }
    Ok(true)
}
