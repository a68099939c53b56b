//! Search for relationships by words in their descriptions, by vector similarity and by supporting claim.

use super::{
    all::Searches,
    full_text::{RANKED_ITEM, words},
    similarity::{self, RowFilter},
};
use crate::{
    graph::{
        projection::Hits,
        sqlite::{SqliteGraph, json, read, row_numbers},
    },
    sql::fault::Fault,
};
use domain::{ClaimId, Scope, relationship::Relationship};
use engine::{
    embeddings::VectorKind,
    graph::{Candidate, RelationshipQuery},
};
use sqlx::{QueryBuilder, Sqlite, SqliteConnection};

pub(in crate::graph::sqlite) async fn relationships(
    graph: &SqliteGraph,
    scope: &Scope,
    query: &RelationshipQuery,
) -> Result<Vec<Candidate<Relationship>>, Fault> {
    let mut conn = graph.reader.acquire().await?;
    let collections = row_numbers::collection_rows(&mut conn, scope).await?;
    let searches = Searches { collections, relationships: Some(query), ..Searches::default() };
    let hits = searches.hits(&mut conn, graph).await?.relationships;
    let scope = json::list(searches.collections);
    Ok(hits.relationships(read::load_relationships(&mut conn, &scope, &hits.rows()).await?))
}

/// Appends the filters of a search by words.
pub(super) fn push_filter(sql: &mut QueryBuilder<Sqlite>, collections: &[i64], query: &RelationshipQuery) {
    sql.push(" where true");
    within(sql, RANKED_ITEM, collections, query.claim_id);
}

/// Adds hits by similarity to those by words, or hits by filters alone.
pub(super) async fn add_similar(
    conn: &mut SqliteConnection,
    graph: &SqliteGraph,
    collections: &[i64],
    query: &RelationshipQuery,
    hits: &mut Hits,
) -> Result<(), Fault> {
    let near = similarity::vector_query(conn, &graph.config, VectorKind::Relationship, query.vector.as_ref()).await?;
    match near {
        Some(near) => {
            let mut sql = similarity::row_query("r.n");
            sql.push("relationships r where true");
            within(&mut sql, "r.n", collections, query.claim_id);
            let only = Some(similarity::fetch_rows(sql, conn).await?);
            hits.similarity.extend(near.best(conn, RowFilter { collections: None, only }, query.candidates).await?);
            hits.similarity.extend(near.similarities(conn, &hits.without_similarity()).await?);
        }
        None if words(query.text.as_ref()).is_none() => {
            let mut sql = QueryBuilder::new("select r.n from relationships r where true");
            within(&mut sql, "r.n", collections, query.claim_id);
            sql.push(" order by r.description, r.description_hash limit ").push_bind(query.candidates);
            hits.listed = sql.build_query_scalar().fetch_all(conn).await?;
        }
        None => {}
    }
    Ok(())
}

/// Appends the visibility condition and, with a claim, the condition that it is evidence.
fn within(sql: &mut QueryBuilder<Sqlite>, row: &str, collections: &[i64], claim: Option<ClaimId>) {
    let list = json::list(collections.iter().copied());
    sql.push(" and exists (select 1 from relationship_views s where s.relationship = ").push(row);
    sql.push(" and s.collection in (select value from json_each(").push_bind(list.clone()).push(")))");
    if let Some(claim) = claim {
        sql.push(" and ")
            .push(row)
            .push(" in (select x.relationship from claims c join relationship_claims x on x.claim = c.n where c.id = ");
        sql.push_bind(claim.0).push(" and c.collection in (select value from json_each(").push_bind(list).push(")))");
    }
}
