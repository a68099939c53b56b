//! Search for entities by words in their names and summaries, by vector similarity and by kind.

use super::{
    full_text::{self, Index},
    rows, similarity,
};
use crate::graph::{
    neo4j::{Neo4jGraph, client::Statement, cypher::find, read, row_numbers},
    projection::Hits,
};
use domain::{Scope, entity::Entity};
use engine::{
    StoreResult,
    embeddings::VectorKind,
    graph::{Candidate, EntityQuery},
};
use serde::Deserialize;
use serde_json::json;
use std::collections::HashMap;

pub(in crate::graph::neo4j) async fn entities(
    graph: &Neo4jGraph,
    scope: &Scope,
    query: &EntityQuery,
) -> StoreResult<Vec<Candidate<Entity>>> {
    let collections = row_numbers::collection_rows(graph, scope).await?;
    if collections.is_empty() {
        return Ok(Vec::new());
    }
    let hits = hits(graph, &collections, query).await?;
    let mut found = read::load_entities(graph, &collections, &hits.rows()).await?;
    let mut candidates: Vec<Candidate<Entity>> =
        hits.rows().into_iter().filter_map(|root| Some(hits.candidate(root, found.remove(&root)?))).collect();
    candidates
        .sort_by(|a, b| a.item.canonical_name.cmp(&b.item.canonical_name).then_with(|| a.item.aliases.cmp(&b.item.aliases)));
    Ok(candidates)
}

/// Finds views and maps them to their entities.
async fn hits(graph: &Neo4jGraph, collections: &[i64], query: &EntityQuery) -> StoreResult<Hits> {
    let text = query.text.as_deref().filter(|text| !text.trim().is_empty());
    let near = similarity::vector_query(graph, VectorKind::Entity, query.vector.as_ref(), find::nearest_views()).await?;
    let filter = |statement: Statement| {
        let kind = query.kind.as_deref().map(|kind| kind.trim().to_lowercase());
        statement.with("scope", json!(collections)).with("kind", kind)
    };
    let mut hits = Hits::default();
    if let Some(text) = text {
        let words = full_text::index_queries(graph, Index::Views, collections, text).await?;
        let statement = filter(Statement::new(find::views_by_words())).with("asked", words).with("limit", query.candidates);
        let views = rows(graph, statement).await?.into_iter().map(|n| (n, 0.0)).collect();
        hits.text.extend(roots(graph, views).await?.into_keys());
    }
    match near {
        Some(near) => {
            let views = near.best(graph, filter(Statement::new(find::views_among())), filter, query.candidates).await?;
            hits.similarity = roots(graph, views).await?;
            let others = json!(hits.without_similarity());
            let others = rows(graph, filter(Statement::new(find::VIEWS_OF)).with("roots", others)).await?;
            let others = near.similarities(graph, &others).await?;
            hits.similarity.extend(roots(graph, others).await?);
        }
        None if text.is_none() => {
            hits.listed = rows(graph, filter(Statement::new(find::entities_listed())).with("limit", query.candidates)).await?;
        }
        None => {}
    }
    Ok(hits)
}

/// Returns the best signal of each entity.
async fn roots(graph: &Neo4jGraph, views: Vec<(i64, f64)>) -> StoreResult<HashMap<i64, f64>> {
    #[derive(Deserialize)]
    struct Row {
        n: i64,
        root: i64,
    }
    if views.is_empty() {
        return Ok(HashMap::new());
    }
    let list: Vec<i64> = views.iter().map(|(n, _)| *n).collect();
    let rows: Vec<Row> = graph.client.read(Statement::new(find::ROOTS).with("views", list)).await?;
    let of: HashMap<i64, i64> = rows.into_iter().map(|row| (row.n, row.root)).collect();
    let mut best: HashMap<i64, f64> = HashMap::new();
    for (view, signal) in views {
        if let Some(root) = of.get(&view) {
            best.entry(*root).and_modify(|known| *known = known.max(signal)).or_insert(signal);
        }
    }
    Ok(best)
}
