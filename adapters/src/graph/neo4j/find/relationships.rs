//! Search for relationships by words in their descriptions, by vector similarity and by supporting claim.

use super::{all::Searches, full_text::words, rows, similarity};
use crate::graph::{
    neo4j::{Neo4jGraph, client::Statement, cypher::find, read, row_numbers},
    projection::Hits,
};
use domain::{Scope, relationship::Relationship};
use engine::{
    StoreResult,
    embeddings::VectorKind,
    graph::{Candidate, RelationshipQuery},
};
use serde_json::json;

pub(in crate::graph::neo4j) async fn relationships(
    graph: &Neo4jGraph,
    scope: &Scope,
    query: &RelationshipQuery,
) -> StoreResult<Vec<Candidate<Relationship>>> {
    let collections = row_numbers::collection_rows(graph, scope).await?;
    let searches = Searches { collections, relationships: Some(query), ..Searches::default() };
    let hits = searches.hits(graph).await?.relationships;
    Ok(hits.relationships(read::load_relationships(graph, &searches.collections, &hits.rows()).await?))
}

/// Adds hits by similarity to those by words, or hits by filters alone.
pub(super) async fn add_similar(
    graph: &Neo4jGraph,
    collections: &[i64],
    query: &RelationshipQuery,
    hits: &mut Hits,
) -> StoreResult<()> {
    let near = similarity::vector_query(graph, VectorKind::Relationship, query.vector.as_ref(), find::nearest_links()).await?;
    let filter = |statement: Statement| statement.with("scope", json!(collections)).with("claim", json!(query.claim_id));
    match near {
        Some(near) => {
            let nearest = near.best(graph, filter(Statement::new(find::links_among())), filter, query.candidates).await?;
            hits.similarity.extend(nearest);
            hits.similarity.extend(near.similarities(graph, &hits.without_similarity()).await?);
        }
        None if words(query.text.as_ref()).is_none() => {
            hits.listed = rows(graph, filter(Statement::new(find::links_listed())).with("limit", query.candidates)).await?;
        }
        None => {}
    }
    Ok(())
}
