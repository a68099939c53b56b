//! Search for entities, claims and relationships at once: as many statements as for one kind.

use super::{
    claims::{self, ClaimSearch},
    entities,
    full_text::{Index, index_queries, words},
    relationships,
};
use crate::graph::{
    neo4j::{Neo4jGraph, client::Statement, cypher::find, read, row_numbers},
    projection::AllHits,
};
use domain::Scope;
use engine::{
    StoreResult,
    graph::{ClaimOrder, EntityQuery, GraphCandidates, GraphQuery, RelationshipQuery},
};
use serde::Deserialize;
use serde_json::json;

/// Searches in the same collections, with ids resolved to row numbers.
#[derive(Default)]
pub(super) struct Searches<'a> {
    pub collections: Vec<i64>,
    pub entities: Option<&'a EntityQuery>,
    pub claims: Option<ClaimSearch<'a>>,
    pub relationships: Option<&'a RelationshipQuery>,
}

pub(in crate::graph::neo4j) async fn all(
    graph: &Neo4jGraph,
    scope: &Scope,
    query: &GraphQuery,
) -> StoreResult<GraphCandidates> {
    let collections = row_numbers::collection_rows(graph, scope).await?;
    let claims = match &query.claims {
        Some(query) => ClaimSearch::new(graph, &collections, query).await?,
        None => None,
    };
    let (entities, relationships) = (query.entities.as_ref(), query.relationships.as_ref());
    let searches = Searches { collections, entities, claims, relationships };
    let hits = searches.hits(graph).await?;
    let found = read::load_all(graph, &searches.collections, hits.rows()).await?;
    Ok(hits.candidates(found, query))
}

impl Searches<'_> {
    /// Finds rows by words, by similarity, or by filters alone.
    pub async fn hits(&self, graph: &Neo4jGraph) -> StoreResult<AllHits> {
        let mut hits = AllHits::default();
        if self.collections.is_empty() {
            return Ok(hits);
        }
        self.add_matching(graph, &mut hits).await?;
        if let Some(query) = self.entities {
            entities::add_similar(graph, &self.collections, query, &mut hits.entities).await?;
        }
        if let Some(search) = &self.claims {
            claims::add_similar(graph, search, &mut hits.claims).await?;
        }
        if let Some(query) = self.relationships {
            relationships::add_similar(graph, &self.collections, query, &mut hits.relationships).await?;
        }
        Ok(hits)
    }

    /// Adds what the words match.
    async fn add_matching(&self, graph: &Neo4jGraph, hits: &mut AllHits) -> StoreResult<()> {
        #[derive(Deserialize)]
        struct Row {
            kind: String,
            n: i64,
        }
        let Self { collections, entities, claims, relationships } = self;
        let texts = [
            (Index::Views, entities.and_then(|query| words(query.text.as_ref()))),
            (Index::Claims, claims.as_ref().and_then(|search| words(search.query.text.as_ref()))),
            (Index::Links, relationships.and_then(|query| words(query.text.as_ref()))),
        ];
        let texts: Vec<(Index, &str)> = texts.into_iter().filter_map(|(index, text)| Some((index, text?))).collect();
        let mut queries = index_queries(graph, collections, &texts).await?;
        let mut words_of = |index: Index| queries.remove(index.name());
        let (mut parts, mut limit, mut parameters) = (vec![], 0, vec![]);
        if let Some((query, words)) = entities.zip(words_of(Index::Views)) {
            parts.push(find::views_by_words(Index::Views.name()));
            parameters.extend([("view_words", json!(words.all())), ("kind", json!(entities::kind(query)))]);
            limit = limit.max(query.candidates);
        }
        if let Some((query, words)) = relationships.zip(words_of(Index::Links)) {
            parts.push(find::links_by_words(Index::Links.name()));
            parameters.extend([("link_words", json!(words.all())), ("claim", json!(query.claim_id))]);
            limit = limit.max(query.candidates);
        }
        if let Some((search, words)) = claims.as_ref().zip(words_of(Index::Claims)) {
            let kind = Index::Claims.name();
            let is_ranked = search.query.order == ClaimOrder::Relevance;
            // A filter may leave a few of the claims with a common word, so all are ranked then.
            let is_bounded = is_ranked && !search.query.has_filters();
            let (words, common) = if is_bounded { (words.rare, words.common) } else { (words.all(), vec![]) };
            if !words.is_empty() {
                parts.push(if is_ranked {
                    find::claims_by_words(kind)
                } else {
                    find::claims_by_words_in(search.query.order, kind)
                });
                parameters.push(("claim_words", json!(words)));
            }
            if !common.is_empty() {
                parts.push(find::claims_by_common_words(kind));
                parameters.extend([("common_claim_words", json!(common)), ("most", json!(graph.config.common_word_texts))]);
            }
            limit = limit.max(search.query.candidates);
        }
        if parts.is_empty() {
            return Ok(());
        }
        let mut statement = Statement::new(parts.join(" UNION ALL ")).with("limit", limit).with("scope", json!(collections));
        for (name, value) in parameters {
            statement = statement.with(name, value);
        }
        if let Some(search) = claims {
            statement = search.filter(statement);
        }
        let rows: Vec<Row> = graph.client.read(statement).await?;
        for Row { kind, n } in rows {
            let of_kind = match kind {
                kind if kind == Index::Views.name() => &mut hits.entities,
                kind if kind == Index::Claims.name() => &mut hits.claims,
                _ => &mut hits.relationships,
            };
            of_kind.text.insert(n);
        }
        Ok(())
    }
}
