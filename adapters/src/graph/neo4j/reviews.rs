//! Pairs of entities that may be one and need review.

use super::{Neo4jGraph, client::Statement, cypher, read::Number, row_numbers};
use crate::graph::projection::ReviewRow;
use domain::{
    ReviewId, Scope, Timestamp, UserId,
    entity::{Review, ReviewDecision},
};
use engine::StoreResult;
use serde::Deserialize;
use serde_json::json;
use uuid::Uuid;

/// Returns open pairs, best first, then by name; postponed ones last. A merged pair is not open.
pub(super) async fn open(graph: &Neo4jGraph, scope: &Scope, skip: u64, limit: u32) -> StoreResult<Vec<Review>> {
    list(graph, scope, cypher::reviews::open(), (skip, limit)).await
}

/// Returns the number of open pairs.
pub(super) async fn count_open(graph: &Neo4jGraph, scope: &Scope) -> StoreResult<u64> {
    let scope = row_numbers::collection_rows(graph, scope).await?;
    let counted: Vec<Number> =
        graph.client.read(Statement::new(cypher::reviews::count_open()).with("scope", json!(scope))).await?;
    Ok(counted.first().map_or(0, |counted| counted.number.unsigned_abs()))
}

/// Returns closed pairs, the latest decision first, then by name.
pub(super) async fn kept_apart(graph: &Neo4jGraph, scope: &Scope, limit: u32) -> StoreResult<Vec<Review>> {
    list(graph, scope, cypher::reviews::kept_apart(), (0, limit)).await
}

async fn list(graph: &Neo4jGraph, scope: &Scope, statement: String, (skip, limit): (u64, u32)) -> StoreResult<Vec<Review>> {
    let scope = row_numbers::collection_rows(graph, scope).await?;
    let statement = Statement::new(statement).with("scope", json!(scope)).with("skip", json!(skip)).with("limit", limit);
    let rows: Vec<ReviewRow> = graph.client.read(statement).await?;
    Ok(rows.into_iter().map(Review::from).collect())
}

pub(super) async fn decide(
    graph: &Neo4jGraph,
    scope: &Scope,
    id: ReviewId,
    decision: ReviewDecision,
    (by, at): (Option<UserId>, Timestamp),
) -> StoreResult<bool> {
    #[derive(Deserialize)]
    struct PairDecisions {
        #[expect(dead_code, reason = "a row is the answer")]
        id: Uuid,
    }
    let scope = row_numbers::collection_rows(graph, scope).await?;
    let statement = Statement::new(cypher::reviews::DECIDE)
        .with("id", json!(id))
        .with("scope", json!(scope))
        .with("closed", json!(decision == ReviewDecision::KeepApart))
        .with("postponed_at", json!((decision == ReviewDecision::Later).then(|| at.as_micros())))
        .with("decided_by", json!(by.filter(|_| decision != ReviewDecision::Reopen)))
        .with("decided_at", json!((decision != ReviewDecision::Reopen).then(|| at.as_micros())));
    let mut transaction = graph.client.begin().await?;
    let decided = transaction.read::<PairDecisions>(statement).await;
    Ok(!transaction.finish(decided).await?.is_empty())
}
