//! Search for entities, claims and relationships at once: as many statements as for one kind.

use super::{
    Kind,
    claims::{self, ClaimSearch},
    entities,
    full_text::{TermQuery, best, words},
    listing, relationships,
};
use crate::{
    graph::{
        projection::AllHits,
        sqlite::{SqliteGraph, json, read, row_numbers},
    },
    sql::fault::Fault,
};
use domain::Scope;
use engine::graph::{ClaimOrder, EntityQuery, GraphCandidates, GraphQuery, RelationshipQuery};
use sqlx::SqliteConnection;

/// Searches in the same collections, with ids resolved to row numbers.
#[derive(Default)]
pub(super) struct Searches<'a> {
    pub collections: Vec<i64>,
    pub entities: Option<&'a EntityQuery>,
    pub claims: Option<ClaimSearch<'a>>,
    pub relationships: Option<&'a RelationshipQuery>,
}

pub(in crate::graph::sqlite) async fn all(
    graph: &SqliteGraph,
    scope: &Scope,
    query: &GraphQuery,
) -> Result<GraphCandidates, Fault> {
    let mut conn = graph.reader.acquire().await?;
    let collections = row_numbers::collection_rows(&mut conn, scope).await?;
    let claims = match &query.claims {
        Some(query) => ClaimSearch::new(&mut conn, &collections, query).await?,
        None => None,
    };
    let (entities, relationships) = (query.entities.as_ref(), query.relationships.as_ref());
    let searches = Searches { collections, entities, claims, relationships };
    let hits = searches.hits(&mut conn, graph).await?;
    let found = read::load_all(&mut conn, &graph.names, &json::list(searches.collections), hits.rows()).await?;
    Ok(hits.candidates(found, query))
}

impl Searches<'_> {
    /// Finds rows by words, by similarity, or by filters alone.
    pub async fn hits(&self, conn: &mut SqliteConnection, graph: &SqliteGraph) -> Result<AllHits, Fault> {
        let mut hits = AllHits::default();
        self.add_matching(conn, graph, &mut hits).await?;
        if let Some(query) = self.entities {
            entities::add_similar(conn, graph, &self.collections, query, &mut hits.entities).await?;
        }
        if let Some(search) = &self.claims {
            claims::add_similar(conn, graph, search, &mut hits.claims).await?;
        }
        if let Some(query) = self.relationships {
            relationships::add_similar(conn, graph, &self.collections, query, &mut hits.relationships).await?;
        }
        Ok(hits)
    }

    /// Adds what the words match.
    async fn add_matching(&self, conn: &mut SqliteConnection, graph: &SqliteGraph, hits: &mut AllHits) -> Result<(), Fault> {
        let Self { collections, entities, claims, relationships } = self;
        let claims = claims.as_ref();
        let texts = [
            (Kind::View, entities.and_then(|query| words(query.text.as_ref()))),
            (Kind::Claim, claims.and_then(|search| words(search.query.text.as_ref()))),
            (Kind::Relationship, relationships.and_then(|query| words(query.text.as_ref()))),
        ];
        let texts: Vec<(Kind, &str)> = texts.into_iter().filter_map(|(kind, text)| Some((kind, text?))).collect();
        let queries = TermQuery::of_kinds(conn, &graph.config, collections, &texts).await?;
        // Claims in another order than that of relevance are not ranked.
        let listed = claims.filter(|search| search.query.order != ClaimOrder::Relevance);
        let is_listed = |query: &TermQuery| listed.is_some() && query.kind() == Kind::Claim;
        let (in_order, ranked): (Vec<TermQuery>, Vec<TermQuery>) = queries.into_iter().partition(is_listed);
        if let Some(search) = listed {
            for query in &in_order {
                hits.claims.text.extend(listing::list_matching(conn, search, query).await?);
            }
        }
        let is_filtered = |kind| match kind {
            Kind::View => entities.is_some_and(|query| query.kind.is_some()),
            Kind::Claim => claims.is_some_and(|search| search.query.has_filters()),
            Kind::Relationship => relationships.is_some_and(|query| query.claim_id.is_some()),
        };
        let found =
            best(conn, &ranked, self.candidates(), is_filtered, |sql, kind| match (kind, entities, claims, relationships) {
                (Kind::View, Some(query), ..) => entities::push_filter(sql, collections, query),
                (Kind::Claim, _, Some(search), _) => search.push_filter(sql),
                (Kind::Relationship, .., Some(query)) => relationships::push_filter(sql, collections, query),
                _ => {}
            });
        for (offset, n, _) in found.await? {
            let of_kind = match offset {
                offset if offset == Kind::View.offset() => &mut hits.entities,
                offset if offset == Kind::Claim.offset() => &mut hits.claims,
                _ => &mut hits.relationships,
            };
            of_kind.text.insert(n);
        }
        Ok(())
    }

    /// Returns the number of candidates of each kind.
    fn candidates(&self) -> u32 {
        let entities = self.entities.map(|query| query.candidates);
        let claims = self.claims.as_ref().map(|search| search.query.candidates);
        let relationships = self.relationships.map(|query| query.candidates);
        entities.into_iter().chain(claims).chain(relationships).max().unwrap_or_default()
    }
}
