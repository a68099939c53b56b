//! Insertion of claims. An existing claim stays unchanged and keeps its id.

use super::{CountChanges, lock::WriterLock, terms::tokens};
use crate::graph::{
    claim_columns::ClaimColumns,
    neo4j::{
        client::{Statement, Transaction, moment},
        cypher,
    },
    write_plan::{
        ClaimRow, WriteContext, claim_search_terms,
        existing_refs::ExistingRefs,
        pack::{self, ExistingClaims, PackContext},
    },
};
use domain::{ClaimId, DocumentId, Timestamp};
use engine::{
    StoreResult,
    graph::{GraphWrite, NewClaim},
};
use serde::Deserialize;
use serde_json::{Value, json};
use uuid::Uuid;

/// Returns the rows of the claims of each document.
pub(super) async fn rows(
    transaction: &mut Transaction,
    lock: &mut WriterLock,
    writes: &[GraphWrite],
    refs: &ExistingRefs,
) -> StoreResult<Vec<Vec<ClaimRow>>> {
    let mut rows = Vec::with_capacity(writes.len());
    for write in writes {
        let existing = match refs.documents_with_claims.contains(&write.document_id) {
            true => existing(transaction, write).await?,
            false => ExistingClaims::new(),
        };
        rows.push(pack::claim_rows(&write.claims, existing, || lock.row()));
    }
    Ok(rows)
}

async fn existing(transaction: &mut Transaction, write: &GraphWrite) -> StoreResult<ExistingClaims> {
    #[derive(Deserialize)]
    struct Row {
        hash: String,
        n: i64,
        id: Uuid,
    }
    let hashes = write.claims.iter().map(|claim| Value::from(claim.content_hash.as_str()));
    let statement = Statement::new(cypher::write::CLAIMS_OF)
        .with("document", json!(write.document_id))
        .with("hashes", hashes.collect::<Vec<_>>());
    let rows: Vec<Row> = transaction.read(statement).await?;
    Ok(rows.into_iter().map(|row| (row.hash, (row.n, ClaimId(row.id)))).collect())
}

/// Inserts the new claims and links all to their entities.
pub(super) async fn append(
    transaction: &mut Transaction,
    pack: &PackContext<'_>,
    counted: &mut CountChanges,
) -> StoreResult<()> {
    let new: Vec<Value> = pack.documents.iter().flat_map(new_rows).collect();
    if !new.is_empty() {
        pack.documents.iter().take(1).for_each(|document| counted.add(document.refs.collection, [new.len() as i64, 0, 0]));
        transaction.run_rows(cypher::claims::insert(), new).await?;
    }
    let published = pack.documents.iter().filter_map(published).collect();
    transaction.run_rows(cypher::write::PUBLISHED, published).await?;
    let mentions = pack.documents.iter().flat_map(|document| document.mentions());
    let mentions =
        mentions.map(|(entity, claim, position)| json!({"entity": entity, "claim": claim, "position": position})).collect();
    transaction.run_rows(cypher::write::REFERENCES, mentions).await
}

fn new_rows(context: &WriteContext<'_>) -> Vec<Value> {
    let write = context.write;
    let document = ClaimDocument {
        id: write.document_id,
        order: &write.document_order,
        collection: context.refs.collection,
        ingested_at: write.at,
    };
    let new = write.claims.iter().zip(&context.claims).filter(|(_, row)| row.is_new);
    new.map(|(claim, row)| claim_row(claim, row.n, &document)).collect()
}

/// Returns the outlet of a document with its new claims.
fn published(document: &WriteContext<'_>) -> Option<Value> {
    let claims: Vec<i64> = document.claims.iter().filter(|row| row.is_new).map(|row| row.n).collect();
    let outlet = document.outlet()?;
    (!claims.is_empty()).then(|| json!({"outlet": outlet, "claims": claims}))
}

/// Document of a claim, with the time of its arrival.
pub(in crate::graph::neo4j) struct ClaimDocument<'a> {
    pub id: DocumentId,
    pub order: &'a str,
    pub collection: i64,
    pub ingested_at: Timestamp,
}

/// Returns the row of a claim for `cypher::claims::insert`.
pub(in crate::graph::neo4j) fn claim_row(claim: &NewClaim, n: i64, document: &ClaimDocument<'_>) -> Value {
    let terms = claim_search_terms(&claim.content, &claim.quote);
    let mut row = json!(ClaimColumns::new(claim));
    for (column, _) in cypher::claims::MOMENTS {
        row[column] = row[column].as_i64().map(|micros| json!(moment(Timestamp::from_micros(micros)))).into();
    }
    row["n"] = n.into();
    row["id"] = json!(claim.id);
    row["document"] = json!(document.id);
    row["document_order"] = document.order.into();
    row["collection"] = document.collection.into();
    row["ingested_at"] = json!(moment(document.ingested_at));
    row["terms"] = tokens(document.collection, &terms).into();
    row["length"] = terms.len().into();
    row
}
