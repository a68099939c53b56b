//! Insertion of claims. An existing claim stays unchanged and keeps its id.

use super::{lock::WriterLock, terms::tokens};
use crate::graph::{
    enum_text::to_text,
    neo4j::{
        client::{Statement, Transaction, moment},
        cypher,
    },
    write_plan::{ClaimRow, claim_search_terms, existing_refs::ExistingRefs, resolution::ResolvedEntities},
};
use domain::ClaimId;
use engine::{
    StoreError, StoreResult,
    graph::{GraphWrite, NewClaim},
};
use serde::Deserialize;
use serde_json::{Value, json};
use std::collections::HashMap;
use uuid::Uuid;

pub(super) async fn append(
    transaction: &mut Transaction,
    lock: &mut WriterLock,
    write: &GraphWrite,
    refs: &ExistingRefs,
    resolved: &ResolvedEntities,
) -> StoreResult<Vec<ClaimRow>> {
    if write.claims.is_empty() {
        return Ok(Vec::new());
    }
    let offered: Vec<i64> = write.claims.iter().map(|_| lock.row()).collect();
    let rows = write.claims.iter().zip(&offered).map(|(claim, n)| row(claim, *n, refs.collection));
    let statement = Statement::new(cypher::write::CLAIMS)
        .with("rows", rows.collect::<Vec<_>>())
        .with("document_id", json!(write.document_id))
        .with("document_order", write.document_order.as_str())
        .with("collection", refs.collection)
        .with("at", json!(moment(write.at)));
    let stored: Vec<Stored> = transaction.read(statement).await?;
    let stored: HashMap<i64, Stored> = stored.into_iter().map(|stored| (stored.offered, stored)).collect();
    let row = |n: &i64| {
        let stored = stored.get(n).ok_or_else(|| StoreError::Defect("Neo4j returned no row for a claim".into()))?;
        Ok(ClaimRow { n: stored.n, id: ClaimId(stored.id), is_new: stored.n == *n })
    };
    let rows: Vec<ClaimRow> = offered.iter().map(row).collect::<StoreResult<_>>()?;
    publish(transaction, write, refs, resolved, &rows).await?;
    reference(transaction, write, refs, resolved, &rows).await?;
    Ok(rows)
}

#[derive(Deserialize)]
struct Stored {
    offered: i64,
    n: i64,
    id: Uuid,
}

fn row(claim: &NewClaim, n: i64, collection: i64) -> Value {
    let (published, occurred) = (claim.published, claim.occurred);
    let terms = claim_search_terms(&claim.content, &claim.quote);
    json!({
        "n": n,
        "id": claim.id,
        "content_hash": claim.content_hash,
        "content": claim.content,
        "quote": claim.quote,
        "span_start": claim.span.start,
        "span_end": claim.span.end,
        "published": published.map(|published| moment(published.value)),
        "published_precision": published.map(|published| to_text(published.precision)),
        "published_basis": published.map(|published| to_text(published.basis)),
        "occurred_from": occurred.map(|occurred| moment(occurred.from)),
        "occurred_to": occurred.map(|occurred| moment(occurred.to)),
        "occurred_precision": occurred.map(|occurred| to_text(occurred.precision)),
        "attribution": to_text(claim.attribution),
        "information": to_text(claim.information),
        "speaker": claim.speaker,
        "mode": to_text(claim.mode),
        "language": claim.language,
        "terms": tokens(collection, &terms),
        "length": terms.len(),
    })
}

/// Links the outlet to its new claims.
async fn publish(
    transaction: &mut Transaction,
    write: &GraphWrite,
    refs: &ExistingRefs,
    resolved: &ResolvedEntities,
    rows: &[ClaimRow],
) -> StoreResult<()> {
    let Some(outlet) = write.outlet.map(|outlet| resolved.row(refs, outlet)) else { return Ok(()) };
    let claims: Vec<i64> = rows.iter().filter(|row| row.is_new).map(|row| row.n).collect();
    transaction.run(Statement::new(cypher::write::PUBLISHED).with("outlet", outlet).with("claims", claims)).await
}

/// Links each claim to its entities.
async fn reference(
    transaction: &mut Transaction,
    write: &GraphWrite,
    refs: &ExistingRefs,
    resolved: &ResolvedEntities,
    rows: &[ClaimRow],
) -> StoreResult<()> {
    let pairs = write.claims.iter().zip(rows).flat_map(|(claim, row)| {
        let pair = |(position, entity): (usize, _)| {
            json!({"entity": resolved.row(refs, entity), "claim": row.n, "position": position})
        };
        claim.entities.iter().copied().enumerate().map(pair).collect::<Vec<_>>()
    });
    let pairs: Vec<Value> = pairs.collect();
    if pairs.is_empty() {
        return Ok(());
    }
    transaction.run(Statement::new(cypher::write::REFERENCES).with("rows", pairs)).await
}
