//! Claims with their outlet and the entities that they are about.

use crate::graph::{
    claim_columns::StoredClaim,
    neo4j::{Neo4jGraph, client::Statement, cypher, row_numbers},
};
use domain::{ClaimId, Scope, claim::Claim};
use engine::StoreResult;
use serde_json::json;
use std::collections::HashMap;

pub(in crate::graph::neo4j) async fn claims(graph: &Neo4jGraph, scope: &Scope, ids: &[ClaimId]) -> StoreResult<Vec<Claim>> {
    if ids.is_empty() {
        return Ok(Vec::new());
    }
    let scope = row_numbers::collection_rows(graph, scope).await?;
    let statement = Statement::new(cypher::claims::by_ids()).with("ids", json!(ids)).with("scope", json!(scope));
    let rows: Vec<StoredClaim> = graph.client.read(statement).await?;
    let mut found: HashMap<ClaimId, Claim> = HashMap::new();
    for row in rows {
        let claim = row.claim()?;
        found.insert(claim.id, claim);
    }
    Ok(ids.iter().filter_map(|id| found.remove(id)).collect())
}

/// Loads the claims in these rows that the scope sees, in document order.
pub(in crate::graph::neo4j) async fn load(graph: &Neo4jGraph, scope: &[i64], rows: &[i64]) -> StoreResult<Vec<(i64, Claim)>> {
    if rows.is_empty() {
        return Ok(Vec::new());
    }
    let statement = Statement::new(cypher::claims::by_rows()).with("rows", json!(rows)).with("scope", json!(scope));
    let rows: Vec<StoredClaim> = graph.client.read(statement).await?;
    rows.into_iter().map(|row| Ok((row.n, row.claim()?))).collect()
}
