//! Numbers of claims, entities and relationships visible to a scope.

use super::Number;
use crate::graph::{
    neo4j::{Neo4jGraph, client::Statement, cypher, row_numbers},
    projection::{self, NumberRow},
};
use domain::{DocumentId, EntityId, Scope};
use engine::{StoreResult, graph::ClaimNumber};
use serde::Deserialize;
use serde_json::json;
use std::collections::HashMap;
use uuid::Uuid;

/// Counts claims, entities and relationships. The stored counts suffice for one collection without merges.
pub(in crate::graph::neo4j) async fn counts(graph: &Neo4jGraph, scope: &Scope) -> StoreResult<(u64, u64, u64)> {
    #[derive(Deserialize)]
    struct Row {
        claims: u64,
        views: u64,
        links: u64,
        is_merged: bool,
    }
    let scope = json!(row_numbers::collection_rows(graph, scope).await?);
    let rows: Vec<Row> = graph.client.read(Statement::new(cypher::read::COUNTED).with("scope", scope.clone())).await?;
    match &rows[..] {
        [] => Ok((0, 0, 0)),
        [Row { claims, views, links, is_merged: false }] => Ok((*claims, *views, *links)),
        many => {
            let claims = many.iter().map(|row| row.claims).sum();
            let entities = number(graph, cypher::read::COUNT_ENTITIES, &scope).await?;
            Ok((claims, entities, number(graph, cypher::read::COUNT_RELATIONSHIPS, &scope).await?))
        }
    }
}

async fn number(graph: &Neo4jGraph, statement: &'static str, scope: &serde_json::Value) -> StoreResult<u64> {
    let rows: Vec<Number> = graph.client.read(Statement::new(statement).with("scope", scope.clone())).await?;
    Ok(rows.iter().map(|row| row.number.cast_unsigned()).sum())
}

/// Counts claims per document, in the given order.
pub(in crate::graph::neo4j) async fn claim_counts(
    graph: &Neo4jGraph,
    scope: &Scope,
    documents: &[DocumentId],
) -> StoreResult<Vec<u64>> {
    #[derive(Deserialize)]
    struct Row {
        document: Uuid,
        claims: u64,
    }
    let scope = row_numbers::collection_rows(graph, scope).await?;
    let statement = Statement::new(cypher::read::CLAIM_COUNTS).with("documents", json!(documents)).with("scope", json!(scope));
    let rows: Vec<Row> = graph.client.read(statement).await?;
    let found: HashMap<Uuid, u64> = rows.into_iter().map(|row| (row.document, row.claims)).collect();
    Ok(documents.iter().map(|id| found.get(&id.0).copied().unwrap_or_default()).collect())
}

/// Counts the claims of an entity by month, outlet and mode.
pub(in crate::graph::neo4j) async fn claim_numbers(
    graph: &Neo4jGraph,
    scope: &Scope,
    entity: EntityId,
    is_outlet: bool,
) -> StoreResult<Vec<ClaimNumber>> {
    let scope = row_numbers::collection_rows(graph, scope).await?;
    let statement = Statement::new(cypher::read::claim_numbers(is_outlet)).with("entity", json!(entity));
    let rows: Vec<NumberRow> = graph.client.read(statement.with("scope", json!(scope))).await?;
    projection::claim_numbers(rows)
}
