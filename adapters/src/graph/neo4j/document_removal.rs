//! Removal of documents: their claims, and all data without other evidence.
//!
//! Invariant: a removal is final. The document stays as a tombstone in a collection that is removed, so that a concurrent write to it is
//! refused.

use super::{
    Neo4jGraph,
    client::{Statement, Transaction},
    cypher::{self, document_removal as statements},
    write::{CountChanges, describe, lock, mark, refresh_views},
};
use crate::graph::write_plan::facts::ViewKeys;
use domain::{CollectionId, DocumentId, entity::Review};
use engine::{StoreResult, graph::SoleEvidence};
use serde::Deserialize;
use serde_json::{Value, json};
use std::collections::BTreeSet;
use uuid::Uuid;

pub(super) async fn sole_evidence(graph: &Neo4jGraph, documents: &[DocumentId]) -> StoreResult<SoleEvidence> {
    #[derive(Deserialize)]
    struct Row {
        claims: u64,
        entities: u64,
        relationships: u64,
    }
    let statement = Statement::new(statements::SOLE_EVIDENCE).with("documents", json!(documents));
    let row: Option<Row> = graph.client.read(statement).await?.pop();
    Ok(row.map_or_else(SoleEvidence::default, |Row { claims, entities, relationships }| SoleEvidence {
        claims,
        entities,
        relationships,
    }))
}

pub(super) async fn remove_documents(graph: &Neo4jGraph, documents: &[DocumentId]) -> StoreResult<()> {
    let _alone = graph.cache.lock().await;
    let mut transaction = graph.client.begin().await?;
    let outcome = remove(&mut transaction, graph, documents).await;
    transaction.finish(outcome).await
}

#[derive(Deserialize)]
struct TouchedRows {
    roots: BTreeSet<i64>,
    facts: Vec<i64>,
    views: ViewKeys,
    /// Relationships with their collections.
    links: BTreeSet<(i64, i64)>,
}

/// A removed row of a collection.
#[derive(Deserialize)]
struct RemovedRows {
    collection: i64,
    number: i64,
}

#[derive(Deserialize)]
struct UnneededFact {
    fact: i64,
    entity: i64,
    collection: i64,
}

async fn remove(transaction: &mut Transaction, graph: &Neo4jGraph, documents: &[DocumentId]) -> StoreResult<()> {
    let tomb = CollectionId(Uuid::nil());
    let mut lock = lock(transaction, [tomb]).await?;
    let known = lock.collection(tomb).map(|known| known.n);
    let n = known.unwrap_or_else(|| lock.row());
    transaction.run(Statement::new(cypher::removal::TOMBSTONE).with("id", json!(tomb)).with("n", n)).await?;
    let documents = json!(documents);
    let bury = Statement::new(statements::BURY).with("documents", documents.clone()).with("collection", n);
    transaction.run(bury).await?;
    let reasons = Statement::new(statements::FORGET_REASONS).with("documents", documents.clone());
    transaction.run(reasons.with("stated", Review::STATED).with("judged", Review::JUDGED)).await?;
    let mut counted = CountChanges::default();
    let touched = Statement::new(statements::TOUCHED).with("documents", documents.clone());
    let touched: Option<TouchedRows> = transaction.read(touched).await?.pop();
    if let Some(TouchedRows { roots, mut facts, mut views, links }) = touched {
        let claims = Statement::new(statements::REMOVE_CLAIMS).with("documents", documents);
        for RemovedRows { collection, number } in transaction.read(claims).await? {
            counted.add(collection, [-number, 0, 0]);
        }
        let unneeded = Statement::new(statements::UNNEEDED_FACTS).with("roots", json!(roots));
        let mut gone: Vec<i64> = vec![];
        for UnneededFact { fact, entity, collection } in transaction.read(unneeded).await? {
            gone.push(fact);
            views.insert((entity, collection));
        }
        facts.extend(&gone);
        let remove = Statement::new(statements::REMOVE_FACTS).with("facts", json!(facts)).with("unneeded", json!(gone));
        transaction.run(remove).await?;
        transaction.run(Statement::new(statements::COUNT_FACTS).with("facts", json!(facts))).await?;
        relationships(transaction, &links, &mut counted).await?;
        let unnamed = Statement::new(statements::REMOVE_VIEWS).with("views", json!(views));
        for RemovedRows { collection, number } in transaction.read(unnamed).await? {
            counted.add(collection, [0, -number, 0]);
        }
        refresh_views(transaction, &mut lock, &graph.names, &views, &mut counted).await?;
        transaction.run(Statement::new(statements::REDUCE_REVIEWS).with("roots", json!(roots))).await?;
        transaction.run(Statement::new(cypher::removal::REMOVE_ENTITIES).with("roots", json!(roots))).await?;
        describe(transaction, &graph.names, &roots).await?;
    }
    counted.release(transaction, &lock).await
}

/// Deletes relationships where a collection has no evidence of them, and combines the values of the others again.
async fn relationships(
    transaction: &mut Transaction,
    links: &BTreeSet<(i64, i64)>,
    counted: &mut CountChanges,
) -> StoreResult<()> {
    #[derive(Deserialize)]
    struct Unseen {
        relationship: i64,
        collection: i64,
    }
    if links.is_empty() {
        return Ok(());
    }
    let unseen: Vec<Unseen> =
        transaction.read(Statement::new(statements::REMOVE_RELATIONSHIP_VIEWS).with("links", json!(links))).await?;
    let mut marks: Vec<Value> = vec![];
    for Unseen { relationship, collection } in unseen {
        counted.add(collection, [0, 0, -1]);
        marks.push(json!({"n": relationship, "mark": mark(collection)}));
    }
    for statement in [statements::UNMARK_RELATIONSHIPS, statements::REMOVE_RELATIONSHIPS] {
        transaction.run(Statement::new(statement).with("rows", marks.clone())).await?;
    }
    transaction.run(Statement::new(cypher::write::RECOUNT_VIEWS).with("links", json!(links))).await?;
    let kept: BTreeSet<i64> = links.iter().map(|(relationship, _)| *relationship).collect();
    transaction.run(Statement::new(cypher::write::RELATE).with("relationships", json!(kept))).await
}
