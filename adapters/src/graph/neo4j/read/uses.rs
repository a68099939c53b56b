//! Relationships and values that rest on claims.

use crate::graph::{
    neo4j::{Neo4jGraph, client::Statement, cypher, row_numbers},
    projection::{self, StatingRow, UseRow},
};
use domain::{ClaimId, DocumentId, Scope};
use engine::{StoreResult, graph::ClaimUses};
use serde_json::json;

pub(in crate::graph::neo4j) async fn claim_uses(
    graph: &Neo4jGraph,
    scope: &Scope,
    claim: ClaimId,
    limit: u32,
) -> StoreResult<ClaimUses> {
    let scope = row_numbers::collection_rows(graph, scope).await?;
    let statement = Statement::new(cypher::read::CLAIM_USES).with("claim", json!(claim));
    let rows: Vec<UseRow> = graph.client.read(statement.with("scope", json!(scope)).with("limit", limit)).await?;
    Ok(projection::claim_uses(rows))
}

pub(in crate::graph::neo4j) async fn stating_documents(
    graph: &Neo4jGraph,
    scope: &Scope,
    claims: &[ClaimId],
) -> StoreResult<Vec<Vec<DocumentId>>> {
    let scope = row_numbers::collection_rows(graph, scope).await?;
    let statement = Statement::new(cypher::read::STATING_DOCUMENTS).with("claims", json!(claims));
    let rows: Vec<StatingRow> = graph.client.read(statement.with("scope", json!(scope))).await?;
    Ok(projection::stating_documents(rows))
}
