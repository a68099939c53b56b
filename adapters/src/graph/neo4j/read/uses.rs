//! Relationships and values that rest on a claim.

use crate::graph::{
    neo4j::{Neo4jGraph, client::Statement, cypher, row_numbers},
    projection::{self, UseRow},
};
use domain::{ClaimId, Scope};
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
