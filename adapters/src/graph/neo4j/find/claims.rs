//! Claims by words, by likeness, by entity, outlet, document, time and attribution.

use super::{
    likeness::{self, Near},
    rows,
    words::{self, Index},
};
use crate::graph::{
    neo4j::{
        Neo4jGraph,
        cypher::find::{self, From},
        link::{Statement, ask},
        read, scope,
    },
    shown::{Hits, has_period, in_order},
    word::word,
};
use domain::{Scope, Timestamp, claim::Claim};
use engine::{
    StoreResult,
    embeddings::VectorKind,
    graph::{Candidate, ClaimOrder, ClaimQuery, ClaimTime},
};
use serde_json::{Value, json};

/// A query whose ids have become row numbers.
struct Asked<'a> {
    query: &'a ClaimQuery,
    collections: Vec<i64>,
    entity: Option<i64>,
    outlet: Option<i64>,
}

pub(in crate::graph::neo4j) async fn claims(
    graph: &Neo4jGraph,
    scope: &Scope,
    query: &ClaimQuery,
) -> StoreResult<Vec<Candidate<Claim>>> {
    let roots = scope::roots(&graph.link, query.entity_id.into_iter().chain(query.outlet_id)).await?;
    let root = |id| roots.get(&id).map(|row| row.root);
    let asked = Asked {
        query,
        collections: scope::numbers(graph, scope).await?,
        entity: query.entity_id.and_then(root),
        outlet: query.outlet_id.and_then(root),
    };
    if asked.collections.is_empty()
        || asked.entity.is_some() != query.entity_id.is_some()
        || asked.outlet.is_some() != query.outlet_id.is_some()
    {
        return Ok(Vec::new());
    }
    let hits = hits(graph, &asked).await?;
    let loaded = read::load_claims(graph, &asked.collections, &hits.rows()).await?;
    let candidates = loaded.into_iter().map(|(n, claim)| hits.candidate(n, claim)).collect();
    Ok(in_order(candidates, query.order, query.candidates))
}

async fn hits(graph: &Neo4jGraph, asked: &Asked<'_>) -> StoreResult<Hits> {
    let query = asked.query;
    let near = likeness::near(graph, VectorKind::Claim, query.vector.as_ref(), find::nearest_claims()).await?;
    let text = query.text.as_deref().filter(|text| !text.trim().is_empty());
    let mut hits = Hits::default();
    if let Some(text) = text {
        let words = words::asked(graph, Index::Claims, &asked.collections, text).await?;
        let statement = match query.order {
            ClaimOrder::Relevance => find::claims_by_words(),
            order => find::claims_by_words_in(order),
        };
        let statement = asked.filter(ask(statement)).with("asked", words).with("limit", query.candidates);
        hits.text.extend(rows(graph, statement).await?);
    }
    match &near {
        // A time order is of what the words match; likeness has no end and would fill it up.
        Some(near) if text.is_none() || query.order == ClaimOrder::Relevance => {
            hits.similarity.extend(asked.nearest(graph, near).await?);
            hits.similarity.extend(near.of_rows(graph, &hits.without_likeness()).await?);
        }
        Some(near) => hits.similarity.extend(near.of_rows(graph, &hits.rows()).await?),
        None if text.is_none() => hits.listed = asked.listed(graph).await?,
        None => {}
    }
    Ok(hits)
}

impl Asked<'_> {
    /// The parameters of the filters.
    fn filter(&self, statement: Statement) -> Statement {
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
            .with("attribution", query.attribution.map(word))
    }

    /// Where a search begins: with what leaves fewest claims.
    fn from(&self) -> From {
        match (self.query.document_ids.is_empty(), self.entity, self.outlet) {
            (false, ..) => From::Documents,
            (_, Some(_), _) => From::Entity,
            (.., Some(_)) => From::Outlet,
            _ => From::Anywhere,
        }
    }

    async fn nearest(&self, graph: &Neo4jGraph, near: &Near<'_>) -> StoreResult<Vec<(i64, f64)>> {
        let among = self.filter(ask(find::claims_among(self.from())));
        near.best(graph, among, |statement| self.filter(statement), self.query.candidates).await
    }

    /// By filters alone. Where none of them is narrow, the indexes are walked, collection by collection, so that the cost is that of
    /// what is asked for and not of what there is.
    async fn listed(&self, graph: &Neo4jGraph) -> StoreResult<Vec<i64>> {
        let query = self.query;
        if self.from() != From::Anywhere {
            let statement = self.filter(ask(find::claims_from(self.from(), query.order)));
            return rows(graph, statement.with("limit", query.candidates)).await;
        }
        let mut found = Vec::new();
        for collection in &self.collections {
            found.extend(self.walked(graph, *collection).await?);
        }
        Ok(found)
    }

    /// The first claims of one collection.
    async fn walked(&self, graph: &Neo4jGraph, collection: i64) -> StoreResult<Vec<i64>> {
        let (query, limit) = (self.query, i64::from(self.query.candidates));
        let walk = |text: String, limit: i64| self.filter(ask(text)).with("collection", collection).with("limit", limit);
        let order = if query.order == ClaimOrder::Relevance { ClaimOrder::NewestFirst } else { query.order };
        let Some((time, is_newest_first)) = order.time() else {
            return rows(graph, walk(find::claims_in_documents(None), limit)).await;
        };
        let (first, last) = match time {
            ClaimTime::Published => (query.published_after, query.published_before),
            // What began before the period may reach into it.
            ClaimTime::Occurred => (None, query.occurred_before),
        };
        let dated = walk(find::dated_claims(time, is_newest_first), limit)
            .with_moment("first", Some(first.unwrap_or(FIRST)))
            .with_moment("last", Some(last.unwrap_or(LAST)));
        let mut found = rows(graph, dated).await?;
        let missing = limit - found.len() as i64;
        if missing > 0 && !has_period(query, time) {
            let undated = match time {
                ClaimTime::Published => find::undated_claims(),
                ClaimTime::Occurred => find::claims_in_documents(Some(time)),
            };
            found.extend(rows(graph, walk(undated, missing)).await?);
        }
        Ok(found)
    }
}

/// Moments before and after every date: the years 1 and 9999.
const FIRST: Timestamp = Timestamp::from_micros(-62_135_596_800_000_000);
const LAST: Timestamp = Timestamp::from_micros(253_402_300_799_000_000);
