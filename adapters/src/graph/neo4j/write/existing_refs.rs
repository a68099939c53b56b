//! Lookup of the rows that a write refers to. A new document or collection is inserted here.

use super::lock::WriterLock;
use crate::graph::{
    neo4j::{
        client::{Statement, Transaction},
        cypher,
        row_numbers::entity_rows_in,
    },
    write_plan::{
        existing_refs::{self, ExistingRefs},
        validate::invalid,
    },
};
use domain::ClaimId;
use engine::{StoreResult, graph::GraphWrite};
use serde::Deserialize;
use serde_json::json;
use std::collections::HashMap;
use uuid::Uuid;

pub(super) async fn look_up(
    transaction: &mut Transaction,
    lock: &mut WriterLock,
    write: &GraphWrite,
) -> StoreResult<ExistingRefs> {
    let collection = match lock.collection(write.collection_id) {
        Some(known) if known.removed => return invalid(format!("collection {} has been removed", write.collection_id)),
        Some(known) => known.n,
        None => lock.row(),
    };
    document(transaction, collection, write).await?;
    let open = lock.collections.iter().filter(|known| !known.removed).map(|known| known.n).collect();
    let named = existing_refs::referenced_entities(write);
    let ids = named.iter().copied().chain(write.entities.iter().map(|proposal| proposal.id)).collect();
    let entities = entity_rows_in(transaction, ids).await?;
    Ok(ExistingRefs {
        collection,
        resolve_within: existing_refs::resolution_collections(open, collection),
        entities: existing_refs::require_all("entity", &named, entities)?,
        claims: claims(transaction, write).await?,
    })
}

async fn document(transaction: &mut Transaction, collection: i64, write: &GraphWrite) -> StoreResult<()> {
    #[derive(Deserialize)]
    struct Row {
        collection: i64,
    }
    let statement = Statement::new(cypher::write::DOCUMENT)
        .with("collection_id", json!(write.collection_id))
        .with("collection", collection)
        .with("document_id", json!(write.document_id))
        .with("document_order", write.document_order.as_str());
    let rows: Vec<Row> = transaction.read(statement).await?;
    if rows.iter().any(|row| row.collection != collection) {
        return invalid(format!("document {} belongs to another collection", write.document_id));
    }
    Ok(())
}

async fn claims(transaction: &mut Transaction, write: &GraphWrite) -> StoreResult<HashMap<ClaimId, (i64, i64)>> {
    #[derive(Deserialize)]
    struct Row {
        id: Uuid,
        n: i64,
        collection: i64,
    }
    let named = existing_refs::referenced_claims(write);
    if named.is_empty() {
        return Ok(HashMap::new());
    }
    let rows: Vec<Row> = transaction.read(Statement::new(cypher::write::CLAIMS_NAMED).with("ids", json!(named))).await?;
    let found = rows.into_iter().map(|row| (ClaimId(row.id), (row.n, row.collection))).collect();
    existing_refs::require_all("claim", &named, found)
}
