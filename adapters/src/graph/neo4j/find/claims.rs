//! Search for claims by words, vector similarity, entity, outlet, document, time and attribution.

use super::{
    all::Searches,
    full_text::words,
    listing,
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
    projection::Hits,
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
    let collections = row_numbers::collection_rows(graph, scope).await?;
    let Some(search) = ClaimSearch::new(graph, &collections, query).await? else { return Ok(Vec::new()) };
    let searches = Searches { collections, claims: Some(search), ..Searches::default() };
    let hits = searches.hits(graph).await?.claims;
    Ok(hits.claims(read::load_claims(graph, &searches.collections, &hits.rows()).await?, query))
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

/// Adds hits by similarity to those by words, or hits by filters alone.
pub(super) async fn add_similar(graph: &Neo4jGraph, search: &ClaimSearch<'_>, hits: &mut Hits) -> StoreResult<()> {
    let query = search.query;
    let text = words(query.text.as_ref());
    match similarity::vector_query(graph, VectorKind::Claim, query.vector.as_ref(), find::nearest_claims()).await? {
        // A time order is of what the words match; likeness has no end and would fill it up.
        Some(near) if text.is_none() || query.order == ClaimOrder::Relevance => {
            hits.similarity.extend(search.nearest(graph, &near).await?);
            hits.similarity.extend(near.similarities(graph, &hits.without_similarity()).await?);
        }
        Some(near) => hits.similarity.extend(near.similarities(graph, &hits.rows()).await?),
        None if text.is_none() => hits.listed = listing::list_all(graph, search).await?,
        None => {}
    }
    Ok(())
}

impl<'a> ClaimSearch<'a> {
    /// Resolves the ids of a query; `None` where nothing can match.
    pub async fn new(graph: &Neo4jGraph, collections: &[i64], query: &'a ClaimQuery) -> StoreResult<Option<Self>> {
        let roots = row_numbers::entity_rows(&graph.client, query.entity_id.into_iter().chain(query.outlet_id)).await?;
        let root = |id| roots.get(&id).map(|row| row.root);
        let (entity, outlet) = (query.entity_id.and_then(root), query.outlet_id.and_then(root));
        let is_known = entity.is_some() == query.entity_id.is_some() && outlet.is_some() == query.outlet_id.is_some();
        Ok((is_known && !collections.is_empty()).then(|| Self { query, collections: collections.to_vec(), entity, outlet }))
    }

    /// Binds the parameters of the filters.
    pub fn filter(&self, statement: Statement) -> Statement {
        let query = self.query;
        let documents = if query.document_ids.is_empty() { Value::Null } else { json!(query.document_ids) };
        statement
            .with("scope", json!(self.collections))
            .with("entity", self.entity)
            .with("outlet", self.outlet)
            .with("without_outlet", query.is_without_outlet)
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
