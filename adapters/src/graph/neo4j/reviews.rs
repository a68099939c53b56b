//! Pairs of entities that may be one and need review.

use super::{Neo4jGraph, client::Statement, cypher, row_numbers};
use domain::{EntityId, ReviewId, Scope, Timestamp, entity::Review};
use engine::StoreResult;
use serde::Deserialize;
use serde_json::json;
use uuid::Uuid;

/// Returns open pairs, best first, then by name. A merged pair is not open.
pub(super) async fn open(graph: &Neo4jGraph, scope: &Scope, limit: u32) -> StoreResult<Vec<Review>> {
    #[derive(Deserialize)]
    struct Row {
        id: Uuid,
        left: Uuid,
        right: Uuid,
        score: f64,
        why: String,
        created_at: i64,
    }
    let scope = row_numbers::collection_rows(graph, scope).await?;
    let statement = Statement::new(cypher::reviews::OPEN).with("scope", json!(scope)).with("limit", limit);
    let rows: Vec<Row> = graph.client.read(statement).await?;
    let review = |Row { id, left, right, score, why, created_at }| Review {
        id: ReviewId(id),
        left: EntityId(left),
        right: EntityId(right),
        score,
        why,
        created_at: Timestamp::from_micros(created_at),
    };
    Ok(rows.into_iter().map(review).collect())
}

pub(super) async fn close(graph: &Neo4jGraph, id: ReviewId) -> StoreResult<()> {
    graph.client.run(Statement::new(cypher::reviews::CLOSE).with("id", json!(id))).await
}
