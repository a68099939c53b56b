//! Search for claims by words, vector similarity, entity, outlet, document, time and attribution.

use super::{
    full_text::{self, Index},
    listing, rows,
    similarity::{self, VectorQuery},
};
use crate::graph::{
    enum_text::to_text,
    neo4j::{
        Neo4jGraph,
        client::Statement,
        cypher::find::{self, From},
        read, row_numbers,
    },
    projection::{Hits, sort_claims},
};
use domain::{EntityId, Scope, claim::Claim};
use engine::{
    StoreResult,
    embeddings::VectorKind,
    graph::{Candidate, ClaimOrder, ClaimQuery},
};
use serde::Deserialize;
use serde_json::{Value, json};
use std::collections::{BTreeSet, HashMap};
use uuid::Uuid;

/// A claim query with its ids resolved to row numbers.
pub(super) struct ClaimSearch<'a> {
    pub query: &'a ClaimQuery,
    pub collections: Vec<i64>,
    pub entity: Option<i64>,
    pub outlet: Option<i64>,
}

pub(in crate::graph::neo4j) async fn claims(
    graph: &Neo4jGraph,
    scope: &Scope,
    query: &ClaimQuery,
) -> StoreResult<Vec<Candidate<Claim>>> {
    let roots = row_numbers::entity_rows(&graph.client, query.entity_id.into_iter().chain(query.outlet_id)).await?;
    let root = |id| roots.get(&id).map(|row| row.root);
    let search = ClaimSearch {
        query,
        collections: row_numbers::collection_rows(graph, scope).await?,
        entity: query.entity_id.and_then(root),
        outlet: query.outlet_id.and_then(root),
    };
    if search.collections.is_empty()
        || search.entity.is_some() != query.entity_id.is_some()
        || search.outlet.is_some() != query.outlet_id.is_some()
    {
        return Ok(Vec::new());
    }
    let hits = hits(graph, &search).await?;
    let loaded = read::load_claims(graph, &search.collections, &hits.rows()).await?;
    let candidates = loaded.into_iter().map(|(n, claim)| hits.candidate(n, claim)).collect();
    Ok(sort_claims(candidates, query.order, query.candidates))
}

/// Returns the newest claims about each entity, by survivor and from new to old.
pub(in crate::graph::neo4j) async fn newest_claims(
    graph: &Neo4jGraph,
    scope: &Scope,
    entities: &[EntityId],
    each: u32,
) -> StoreResult<Vec<(EntityId, Claim)>> {
    #[derive(Deserialize)]
    struct Row {
        id: Uuid,
        n: i64,
    }
    let scope = row_numbers::collection_rows(graph, scope).await?;
    let statement = Statement::new(find::NEWEST_CLAIMS).with("ids", json!(entities));
    let statement = statement.with("scope", json!(scope)).with("each", each);
    let rows: Vec<Row> = graph.client.read(statement).await?;
    let numbers: BTreeSet<i64> = rows.iter().map(|row| row.n).collect();
    let numbers: Vec<i64> = numbers.into_iter().collect();
    let claims: HashMap<i64, Claim> = read::load_claims(graph, &scope, &numbers).await?.into_iter().collect();
    Ok(rows.into_iter().filter_map(|row| Some((EntityId(row.id), claims.get(&row.n)?.clone()))).collect())
}

async fn hits(graph: &Neo4jGraph, search: &ClaimSearch<'_>) -> StoreResult<Hits> {
    let query = search.query;
    let near = similarity::vector_query(graph, VectorKind::Claim, query.vector.as_ref(), find::nearest_claims()).await?;
    let text = query.text.as_deref().filter(|text| !text.trim().is_empty());
    let mut hits = Hits::default();
    if let Some(text) = text {
        let words = full_text::index_queries(graph, Index::Claims, &search.collections, text).await?;
        let statement = match query.order {
            ClaimOrder::Relevance => find::claims_by_words(),
            order => find::claims_by_words_in(order),
        };
        let statement = search.filter(Statement::new(statement)).with("asked", words).with("limit", query.candidates);
        hits.text.extend(rows(graph, statement).await?);
    }
    match &near {
        // A time order is of what the words match; likeness has no end and would fill it up.
        Some(near) if text.is_none() || query.order == ClaimOrder::Relevance => {
            hits.similarity.extend(search.nearest(graph, near).await?);
            hits.similarity.extend(near.similarities(graph, &hits.without_similarity()).await?);
        }
        Some(near) => hits.similarity.extend(near.similarities(graph, &hits.rows()).await?),
        None if text.is_none() => hits.listed = listing::list_all(graph, search).await?,
        None => {}
    }
    Ok(hits)
}

impl ClaimSearch<'_> {
    /// Binds the parameters of the filters.
    pub fn filter(&self, statement: Statement) -> Statement {
        let query = self.query;
        let documents = if query.document_ids.is_empty() { Value::Null } else { json!(query.document_ids) };
        statement
            .with("scope", json!(self.collections))
            .with("entity", self.entity)
            .with("outlet", self.outlet)
            .with("documents", documents)
            .with_moment("after", query.published_after)
            .with_moment("before", query.published_before)
            .with_moment("occurred_after", query.occurred_after)
            .with_moment("occurred_before", query.occurred_before)
            .with("attribution", query.attribution.map(to_text))
            .with("mode", query.mode.map(to_text))
    }

    /// Returns the starting point of a search: the filter that leaves the fewest claims.
    pub fn from(&self) -> From {
        match (self.query.document_ids.is_empty(), self.entity, self.outlet) {
            (false, ..) => From::Documents,
            (_, Some(_), _) => From::Entity,
            (.., Some(_)) => From::Outlet,
            _ => From::Anywhere,
        }
    }

    async fn nearest(&self, graph: &Neo4jGraph, near: &VectorQuery<'_>) -> StoreResult<Vec<(i64, f64)>> {
        let among = self.filter(Statement::new(find::claims_among(self.from())));
        near.best(graph, among, |statement| self.filter(statement), self.query.candidates).await
    }
}
