//! Relationships with their visible evidence.

use crate::graph::{
    neo4j::{Neo4jGraph, client::Statement, cypher, row_numbers},
    projection::{StoredRelationship, relationships_by_id},
};
use domain::{RelationshipId, Scope, relationship::Relationship};
use engine::StoreResult;
use serde_json::json;

pub(in crate::graph::neo4j) async fn relationships(
    graph: &Neo4jGraph,
    scope: &Scope,
    ids: &[RelationshipId],
) -> StoreResult<Vec<Relationship>> {
    if ids.is_empty() {
        return Ok(Vec::new());
    }
    let scope = row_numbers::collection_rows(graph, scope).await?;
    let statement = Statement::new(cypher::read::RELATIONSHIPS_BY_ID).with("ids", json!(ids)).with("scope", json!(scope));
    let rows: Vec<StoredRelationship> = graph.client.read(statement).await?;
    relationships_by_id(ids, rows)
}

/// Loads the relationships in these rows that the scope sees, by description.
pub(in crate::graph::neo4j) async fn load(
    graph: &Neo4jGraph,
    scope: &[i64],
    rows: &[i64],
) -> StoreResult<Vec<(i64, Relationship)>> {
    if rows.is_empty() {
        return Ok(Vec::new());
    }
    let statement = Statement::new(cypher::read::RELATIONSHIPS_IN_ROWS).with("links", json!(rows)).with("scope", json!(scope));
    let rows: Vec<StoredRelationship> = graph.client.read(statement).await?;
    rows.into_iter().map(|row| Ok((row.n, row.relationship()?))).collect()
}
