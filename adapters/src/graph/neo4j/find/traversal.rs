//! Relationships of one entity, with the entities at the other end.

use crate::graph::{
    neo4j::{Neo4jGraph, client::Statement, cypher, read, row_numbers},
    projection::{Edge, neighbours, strongest_first},
    write_plan::existing_refs::EntityRow,
};
use domain::Scope;
use engine::{
    StoreResult,
    graph::{Neighbour, Traversal},
};
use serde_json::json;

pub(in crate::graph::neo4j) async fn traverse(
    graph: &Neo4jGraph,
    scope: &Scope,
    traversal: &Traversal,
) -> StoreResult<Vec<Neighbour>> {
    let roots = row_numbers::entity_rows(&graph.client, [traversal.entity_id]).await?;
    let Some(EntityRow { root, root_id }) = roots.get(&traversal.entity_id).copied() else { return Ok(Vec::new()) };
    let scope = row_numbers::collection_rows(graph, scope).await?;
    let edges = strongest_first(edges(graph, &scope, root).await?, root, traversal);
    let rows: Vec<i64> = edges.iter().map(|edge| edge.n).collect();
    let relationships = read::load_relationships(graph, &scope, &rows).await?.into_iter().collect();
    let others: Vec<i64> = edges.iter().map(|edge| edge.other(root)).collect();
    let entities = read::load_entities(graph, &scope, &others).await?;
    Ok(neighbours(edges, (root, root_id), relationships, &entities))
}

/// Returns every visible edge whose other end is visible too.
async fn edges(graph: &Neo4jGraph, scope: &[i64], root: i64) -> StoreResult<Vec<Edge>> {
    let statement = Statement::new(cypher::find::EDGES).with("root", root).with("scope", json!(scope));
    graph.client.read(statement).await
}
