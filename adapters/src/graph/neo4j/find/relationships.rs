//! Search for relationships by words in their descriptions, by vector similarity and by supporting claim.

use super::{
    full_text::{self, Index},
    rows, similarity,
};
use crate::graph::{
    neo4j::{Neo4jGraph, client::Statement, cypher::find, read, row_numbers},
    projection::{Hits, merge_duplicates},
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
    if collections.is_empty() {
        return Ok(Vec::new());
    }
    let hits = hits(graph, &collections, query).await?;
    let loaded = read::load_relationships(graph, &collections, &hits.rows()).await?;
    let candidates = loaded.into_iter().map(|(n, relationship)| hits.candidate(n, relationship));
    Ok(merge_duplicates(candidates, |candidate| &mut candidate.item))
}

async fn hits(graph: &Neo4jGraph, collections: &[i64], query: &RelationshipQuery) -> StoreResult<Hits> {
    let text = query.text.as_deref().filter(|text| !text.trim().is_empty());
    let near = similarity::vector_query(graph, VectorKind::Relationship, query.vector.as_ref(), find::nearest_links()).await?;
    let filter = |statement: Statement| statement.with("scope", json!(collections)).with("claim", json!(query.claim_id));
    let mut hits = Hits::default();
    if let Some(text) = text {
        let words = full_text::index_queries(graph, Index::Links, collections, text).await?;
        let statement = filter(Statement::new(find::links_by_words())).with("asked", words).with("limit", query.candidates);
        hits.text.extend(rows(graph, statement).await?);
    }
    match near {
        Some(near) => {
            let nearest = near.best(graph, filter(Statement::new(find::links_among())), filter, query.candidates).await?;
            hits.similarity.extend(nearest);
            hits.similarity.extend(near.similarities(graph, &hits.without_similarity()).await?);
        }
        None if text.is_none() => {
            hits.listed = rows(graph, filter(Statement::new(find::links_listed())).with("limit", query.candidates)).await?;
        }
        None => {}
    }
    Ok(hits)
}
