//! Entities, projected from the facts that the scope sees.

use crate::graph::{
    neo4j::{Neo4jGraph, client::Statement, cypher, row_numbers, vectors},
    projection::{FactEvidence, FactRow, Projections},
};
use domain::{ClaimId, EntityId, Scope, entity::Entity};
use engine::StoreResult;
use serde::Deserialize;
use serde_json::json;
use std::collections::{HashMap, HashSet};
use uuid::Uuid;

pub(in crate::graph::neo4j) async fn entities(graph: &Neo4jGraph, scope: &Scope, ids: &[EntityId]) -> StoreResult<Vec<Entity>> {
    let rows = row_numbers::entity_rows(&graph.client, ids.iter().copied()).await?;
    let scope = row_numbers::collection_rows(graph, scope).await?;
    let mut told = HashSet::new();
    let roots: Vec<i64> =
        ids.iter().filter_map(|id| rows.get(id)).map(|row| row.root).filter(|root| told.insert(*root)).collect();
    let mut found = load(graph, &scope, &roots).await?;
    Ok(roots.iter().filter_map(|root| found.remove(root)).collect())
}

/// Loads the entities in these rows that the scope sees.
pub(in crate::graph::neo4j) async fn load(
    graph: &Neo4jGraph,
    scope: &[i64],
    roots: &[i64],
) -> StoreResult<HashMap<i64, Entity>> {
    if roots.is_empty() || scope.is_empty() {
        return Ok(HashMap::new());
    }
    let statement = Statement::new(cypher::read::ENTITIES).with("roots", json!(roots)).with("scope", json!(scope));
    let rows: Vec<FactRow> = graph.client.read(statement).await?;
    let (projections, _) = Projections::new(rows);
    let evidence = load_evidence(graph, projections.facts_with_evidence()).await?;
    let pending = vectors::pending_entities(graph, scope, roots).await?;
    projections.entities(&graph.names, &evidence, &pending)
}

/// Loads the claims behind facts, in document order.
async fn load_evidence(graph: &Neo4jGraph, facts: Vec<i64>) -> StoreResult<FactEvidence> {
    #[derive(Deserialize)]
    struct Row {
        fact: i64,
        claim: Uuid,
    }
    if facts.is_empty() {
        return Ok(FactEvidence::new());
    }
    let rows: Vec<Row> = graph.client.read(Statement::new(cypher::read::FACT_EVIDENCE).with("facts", json!(facts))).await?;
    let mut found = FactEvidence::new();
    for Row { fact, claim } in rows {
        found.entry(fact).or_default().push(ClaimId(claim));
    }
    Ok(found)
}
