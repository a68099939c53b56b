//! Graph search: scores and orders the candidates of a backend, identically for all backends.

mod score;

#[cfg(test)]
mod tests;

use super::{Candidate, ClaimOrder, ClaimQuery, ClaimTime, EntityQuery, Graph, GraphCandidates, GraphQuery, RelationshipQuery};
use crate::{
    StoreResult,
    embeddings::{Embedder, query_vector},
};
use domain::{EntityId, QueryLimits, Scope, claim::Claim, entity::Entity, relationship::Relationship};
use score::Scores;
use serde::Deserialize;
use std::{
    cmp::{Ordering, Reverse},
    collections::HashMap,
};

domain::settings! {
    /// Configuration `[search]`.
    #[derive(Debug, Clone, PartialEq, Deserialize)]
    pub struct SearchConfig {
        /// Maximum number of candidates per search mode and collection.
        pub candidates: u32 = 100,
        /// Weight of full text against vector similarity.
        pub text_weight: f64 = 0.6,
        pub vector_weight: f64 = 0.4,
        /// Weight of name coverage in an entity's text score.
        pub name_weight: f64 = 0.4,
        /// Minimum vector similarity of a result that contains no query word.
        pub min_similarity: f64 = 0.3,
        /// Limits on the text of a search.
        pub query: QueryLimits = QueryLimits::default(),
    }
}

impl SearchConfig {
    /// Returns the first invalid setting.
    pub fn problem(&self) -> Option<String> {
        let limits = [("max_chars", self.query.max_chars), ("max_words", self.query.max_words)];
        let (name, _) = limits.into_iter().find(|(_, value)| *value == 0)?;
        Some(format!("search.query.{name} is 0; it must be at least 1"))
    }
}

/// Result with its score from 0 to 1; without query words every score is 0.
#[derive(Debug, Clone, PartialEq)]
pub struct ScoredItem<T> {
    pub item: T,
    pub score: f64,
}

/// Searches claims, at most `limit`. Fills in the query's vector and candidate number.
pub async fn search_claims(
    graph: &dyn Graph,
    embedder: Option<&dyn Embedder>,
    config: &SearchConfig,
    scope: &Scope,
    mut query: ClaimQuery,
    limit: usize,
) -> StoreResult<Vec<ScoredItem<Claim>>> {
    query.vector = vector(embedder, query.text.as_deref(), query.vector).await;
    query.candidates = candidates(config, limit);
    let found = graph.find_claims(scope, &query).await?;
    Ok(rank_claims(config, &query, found, limit))
}

fn rank_claims(
    config: &SearchConfig,
    query: &ClaimQuery,
    found: Vec<Candidate<Claim>>,
    limit: usize,
) -> Vec<ScoredItem<Claim>> {
    let scores = Scores::compute(query.text.as_deref(), config, &found, |claim| {
        // Most claims equal their quote.
        let quote = (claim.content != claim.quote).then_some(claim.quote.as_str());
        std::iter::once(claim.content.as_str()).chain(quote).collect()
    });
    let mut scored: Vec<ScoredItem<Claim>> = scores.apply(found).collect();
    // Every other order is that of the backend, ties included: pages would overlap otherwise.
    if query.order == ClaimOrder::Relevance {
        let newest = |claim: &Claim| Reverse(ClaimTime::Published.moment(claim));
        scored.sort_by(|a, b| {
            best(a, b)
                .then_with(|| newest(&a.item).cmp(&newest(&b.item)))
                .then_with(|| (&a.item.content_hash, a.item.id).cmp(&(&b.item.content_hash, b.item.id)))
        });
    }
    scored.truncate(limit);
    scored
}

/// Searches entities, at most `limit`.
pub async fn search_entities(
    graph: &dyn Graph,
    embedder: Option<&dyn Embedder>,
    config: &SearchConfig,
    scope: &Scope,
    mut query: EntityQuery,
    limit: usize,
) -> StoreResult<Vec<ScoredItem<Entity>>> {
    query.vector = vector(embedder, query.text.as_deref(), query.vector).await;
    query.candidates = candidates(config, limit);
    let found = graph.find_entities(scope, &query).await?;
    Ok(rank_entities(config, &query, found, limit))
}

fn rank_entities(
    config: &SearchConfig,
    query: &EntityQuery,
    found: Vec<Candidate<Entity>>,
    limit: usize,
) -> Vec<ScoredItem<Entity>> {
    let names =
        |entity: &Entity| std::iter::once(entity.canonical_name.clone()).chain(entity.aliases.clone()).collect::<Vec<_>>();
    let mut scores = Scores::compute(query.text.as_deref(), config, &found, |entity| {
        let summary = entity.summary.iter().map(|summary| summary.value.as_str());
        std::iter::once(entity.canonical_name.as_str())
            .chain(entity.aliases.iter().map(String::as_str))
            .chain(summary)
            .collect()
    });
    scores.add_names(config, found.iter().map(|candidate| names(&candidate.item)));
    let mut scored: Vec<ScoredItem<Entity>> = scores.apply(found).collect();
    if query.text.is_some() || query.vector.is_some() {
        scored.sort_by(|a, b| best(a, b).then_with(|| a.item.canonical_name.cmp(&b.item.canonical_name)));
    }
    scored.truncate(limit);
    scored
}

/// Searches relationships, at most `limit`.
pub async fn search_relationships(
    graph: &dyn Graph,
    embedder: Option<&dyn Embedder>,
    config: &SearchConfig,
    scope: &Scope,
    mut query: RelationshipQuery,
    limit: usize,
) -> StoreResult<Vec<ScoredItem<Relationship>>> {
    query.vector = vector(embedder, query.text.as_deref(), query.vector).await;
    query.candidates = candidates(config, limit);
    let found = graph.find_relationships(scope, &query).await?;
    Ok(rank_relationships(config, &query, found, limit))
}

fn rank_relationships(
    config: &SearchConfig,
    query: &RelationshipQuery,
    found: Vec<Candidate<Relationship>>,
    limit: usize,
) -> Vec<ScoredItem<Relationship>> {
    let scores = Scores::compute(query.text.as_deref(), config, &found, |relationship| vec![relationship.description.as_str()]);
    let mut scored: Vec<ScoredItem<Relationship>> = scores.apply(found).collect();
    scored.sort_by(|a, b| best(a, b).then_with(|| a.item.description.cmp(&b.item.description)));
    scored.truncate(limit);
    scored
}

/// Results of a search over several kinds, best first.
#[derive(Debug, Clone, Default)]
pub struct FoundItems {
    pub entities: Vec<ScoredItem<Entity>>,
    pub claims: Vec<ScoredItem<Claim>>,
    pub relationships: Vec<ScoredItem<Relationship>>,
    /// Names of the entities at the ends of the relationships.
    pub ends: HashMap<EntityId, String>,
}

/// Searches the kinds that have a query, at most `limit` of each. Fills in the candidate number; the vector is the caller's.
pub async fn search_all(
    graph: &dyn Graph,
    config: &SearchConfig,
    scope: &Scope,
    mut query: GraphQuery,
    limit: usize,
) -> StoreResult<FoundItems> {
    let number = candidates(config, limit);
    query.entities.iter_mut().for_each(|query| query.candidates = number);
    query.claims.iter_mut().for_each(|query| query.candidates = number);
    query.relationships.iter_mut().for_each(|query| query.candidates = number);
    let GraphCandidates { entities, claims, relationships, ends } = graph.find_all(scope, &query).await?;
    let GraphQuery { entities: of_entities, claims: of_claims, relationships: of_relationships } = query;
    Ok(FoundItems {
        entities: rank_entities(config, &of_entities.unwrap_or_default(), entities, limit),
        claims: rank_claims(config, &of_claims.unwrap_or_default(), claims, limit),
        relationships: rank_relationships(config, &of_relationships.unwrap_or_default(), relationships, limit),
        ends,
    })
}

/// Returns the number of candidates for at most `limit` results.
fn candidates(config: &SearchConfig, limit: usize) -> u32 {
    config.candidates.max(u32::try_from(limit).unwrap_or(u32::MAX))
}

fn best<T>(a: &ScoredItem<T>, b: &ScoredItem<T>) -> Ordering {
    b.score.total_cmp(&a.score)
}

/// Returns the given vector, else that of the text.
async fn vector(
    embedder: Option<&dyn Embedder>,
    text: Option<&str>,
    given: Option<(String, Vec<f32>)>,
) -> Option<(String, Vec<f32>)> {
    match given {
        Some(given) => Some(given),
        None => query_vector(embedder, text?).await,
    }
}
