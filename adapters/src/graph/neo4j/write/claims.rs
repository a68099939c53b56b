//! Appends claims. A claim that is there already stays as it is and keeps its id.

use super::{lock::Locked, terms::tokens};
use crate::graph::{
    draft::{ClaimRow, ground::Ground, searched, settle::Settled},
    neo4j::{
        cypher,
        link::{Transaction, ask, moment},
    },
    word::word,
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
    locked: &mut Locked,
    write: &GraphWrite,
    ground: &Ground,
    settled: &Settled,
) -> StoreResult<Vec<ClaimRow>> {
    if write.claims.is_empty() {
        return Ok(Vec::new());
    }
    let offered: Vec<i64> = write.claims.iter().map(|_| locked.row()).collect();
    let rows = write.claims.iter().zip(&offered).map(|(claim, n)| row(claim, *n, ground.collection));
    let statement = ask(cypher::write::CLAIMS)
        .with("rows", rows.collect::<Vec<_>>())
        .with("document_id", json!(write.document_id))
        .with("document_order", write.document_order.as_str())
        .with("collection", ground.collection)
        .with("at", json!(moment(write.at)));
    let stored: Vec<Stored> = transaction.read(statement).await?;
    let stored: HashMap<i64, Stored> = stored.into_iter().map(|stored| (stored.offered, stored)).collect();
    let row = |n: &i64| {
        let stored = stored.get(n).ok_or_else(|| StoreError::Defect("Neo4j gave no row for a claim".into()))?;
        Ok(ClaimRow { n: stored.n, id: ClaimId(stored.id), is_new: stored.n == *n })
    };
    let rows: Vec<ClaimRow> = offered.iter().map(row).collect::<StoreResult<_>>()?;
    publish(transaction, write, ground, settled, &rows).await?;
    reference(transaction, write, ground, settled, &rows).await?;
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
    let terms = searched(&claim.content, &claim.quote);
    json!({
        "n": n,
        "id": claim.id,
        "content_hash": claim.content_hash,
        "content": claim.content,
        "quote": claim.quote,
        "span_start": claim.span.start,
        "span_end": claim.span.end,
        "published": published.map(|published| moment(published.value)),
        "published_precision": published.map(|published| word(published.precision)),
        "published_basis": published.map(|published| word(published.basis)),
        "occurred_from": occurred.map(|occurred| moment(occurred.from)),
        "occurred_to": occurred.map(|occurred| moment(occurred.to)),
        "occurred_precision": occurred.map(|occurred| word(occurred.precision)),
        "attribution": word(claim.attribution),
        "information": word(claim.information),
        "speaker": claim.speaker,
        "mode": word(claim.mode),
        "language": claim.language,
        "terms": tokens(collection, &terms),
        "length": terms.len(),
    })
}

/// From the outlet to what it has published now.
async fn publish(
    transaction: &mut Transaction,
    write: &GraphWrite,
    ground: &Ground,
    settled: &Settled,
    rows: &[ClaimRow],
) -> StoreResult<()> {
    let Some(outlet) = write.outlet.map(|outlet| settled.row(ground, outlet)) else { return Ok(()) };
    let claims: Vec<i64> = rows.iter().filter(|row| row.is_new).map(|row| row.n).collect();
    transaction.run(ask(cypher::write::PUBLISHED).with("outlet", outlet).with("claims", claims)).await
}

/// Stores which entities each claim is about.
async fn reference(
    transaction: &mut Transaction,
    write: &GraphWrite,
    ground: &Ground,
    settled: &Settled,
    rows: &[ClaimRow],
) -> StoreResult<()> {
    let pairs = write.claims.iter().zip(rows).flat_map(|(claim, row)| {
        let pair = |(position, entity): (usize, _)| {
            json!({"entity": settled.row(ground, entity), "claim": row.n, "position": position})
        };
        claim.entities.iter().copied().enumerate().map(pair).collect::<Vec<_>>()
    });
    let pairs: Vec<Value> = pairs.collect();
    if pairs.is_empty() {
        return Ok(());
    }
    transaction.run(ask(cypher::write::REFERENCES).with("rows", pairs)).await
}
