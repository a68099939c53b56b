//! Entities and the relationships around them, in two statements.

use crate::graph::{
    neo4j::{Neo4jGraph, client::Statement, cypher, row_numbers},
    projection::{self, EdgeRow, NodeRow},
};
use domain::{Scope, subgraph::Subgraph};
use engine::{StoreResult, graph::SubgraphQuery};
use serde_json::json;

pub(in crate::graph::neo4j) async fn subgraph(
    graph: &Neo4jGraph,
    scope: &Scope,
    query: &SubgraphQuery,
) -> StoreResult<Subgraph> {
    let scope = json!(row_numbers::collection_rows(graph, scope).await?);
    let asked = |statement: Statement| statement.with("scope", scope.clone()).with("seeds", json!(query.seeds));
    let edges: Vec<EdgeRow> = match query.max_edges {
        0 => vec![],
        most => graph.client.read(asked(Statement::new(cypher::find::SUBGRAPH_EDGES)).with("limit", most)).await?,
    };
    let ends: Vec<i64> = edges.iter().flat_map(EdgeRow::ends).collect();
    let nodes: Vec<NodeRow> = graph
        .client
        .read(
            asked(Statement::new(cypher::find::SUBGRAPH_NODES)).with("ends", json!(ends)).with("counted", query.counts_claims),
        )
        .await?;
    projection::subgraph(edges, nodes, &graph.names)
}
