//! Search for entities by words in their names and summaries, by vector similarity and by kind.

use super::{all::Searches, full_text::words, rows, similarity};
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
    let searches = Searches { collections, entities: Some(query), ..Searches::default() };
    let hits = searches.hits(graph).await?.entities;
    let found = read::load_entities(graph, &searches.collections, &hits.rows()).await?;
    Ok(hits.entities(found))
}

/// Returns the kind of a query as it is compared.
pub(super) fn kind(query: &EntityQuery) -> Option<String> {
    query.kind.as_deref().map(|kind| kind.trim().to_lowercase())
}

/// Adds hits by similarity to those by words, or hits by filters alone.
pub(super) async fn add_similar(
    graph: &Neo4jGraph,
    collections: &[i64],
    query: &EntityQuery,
    hits: &mut Hits,
) -> StoreResult<()> {
    let near = similarity::vector_query(graph, VectorKind::Entity, query.vector.as_ref(), find::nearest_views()).await?;
    let filter = |statement: Statement| statement.with("scope", json!(collections)).with("kind", kind(query));
    match near {
        Some(near) => {
            let views = near.best(graph, filter(Statement::new(find::views_among())), filter, query.candidates).await?;
            hits.similarity = roots(graph, views).await?;
            let others = json!(hits.without_similarity());
            let others = rows(graph, filter(Statement::new(find::VIEWS_OF)).with("roots", others)).await?;
            let others = near.similarities(graph, &others).await?;
            hits.similarity.extend(roots(graph, others).await?);
        }
        None if words(query.text.as_ref()).is_none() => {
            hits.listed = rows(graph, filter(Statement::new(find::entities_listed())).with("limit", query.candidates)).await?;
        }
        None => {}
    }
    Ok(())
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
