//! Lookup of the rows that a pack refers to. New documents and a new collection are inserted here.

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
use domain::{ClaimId, CollectionId, DocumentId};
use engine::{StoreResult, graph::GraphWrite};
use serde::Deserialize;
use serde_json::json;
use std::collections::{HashMap, HashSet};
use uuid::Uuid;

/// `writes`: at least one, all of one collection.
pub(super) async fn look_up(
    transaction: &mut Transaction,
    lock: &mut WriterLock,
    writes: &[GraphWrite],
) -> StoreResult<ExistingRefs> {
    let id = writes[0].collection_id;
    let collection = match lock.collection(id) {
        Some(known) if known.removed => return invalid(format!("collection {id} has been removed")),
        Some(known) => known.n,
        None => lock.new_collection(id),
    };
    let documents_with_claims = documents(transaction, id, collection, writes).await?;
    let open = lock.collections.iter().filter(|known| !known.removed).map(|known| known.n).collect();
    let entities = entity_rows_in(transaction, existing_refs::named_entities(writes)).await?;
    Ok(ExistingRefs {
        collection,
        documents_with_claims,
        resolve_within: existing_refs::resolution_collections(open, collection),
        entities: existing_refs::require_all("entity", &existing_refs::referenced_entities(writes), entities)?,
        claims: claims(transaction, writes).await?,
    })
}

/// Returns the documents that have claims already.
async fn documents(
    transaction: &mut Transaction,
    collection_id: CollectionId,
    collection: i64,
    writes: &[GraphWrite],
) -> StoreResult<HashSet<DocumentId>> {
    #[derive(Deserialize)]
    struct Row {
        id: Uuid,
        collection: i64,
        has_claims: bool,
    }
    let rows = writes.iter().map(|write| json!({"id": write.document_id, "document_order": write.document_order}));
    let statement = Statement::new(cypher::write::DOCUMENTS)
        .with("collection_id", json!(collection_id))
        .with("collection", collection)
        .with("rows", rows.collect::<Vec<_>>());
    let rows: Vec<Row> = transaction.read(statement).await?;
    match rows.iter().find(|row| row.collection != collection) {
        Some(row) => invalid(format!("document {} belongs to another collection", row.id)),
        None => Ok(rows.iter().filter(|row| row.has_claims).map(|row| DocumentId(row.id)).collect()),
    }
}

async fn claims(transaction: &mut Transaction, writes: &[GraphWrite]) -> StoreResult<HashMap<ClaimId, (i64, i64)>> {
    #[derive(Deserialize)]
    struct Row {
        id: Uuid,
        n: i64,
        collection: i64,
    }
    let named = existing_refs::referenced_claims(writes);
    if named.is_empty() {
        return Ok(HashMap::new());
    }
    let rows: Vec<Row> = transaction.read(Statement::new(cypher::write::CLAIMS_NAMED).with("ids", json!(named))).await?;
    let found = rows.into_iter().map(|row| (ClaimId(row.id), (row.n, row.collection))).collect();
    existing_refs::require_all("claim", &named, found)
}
