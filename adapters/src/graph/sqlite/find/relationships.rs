//! Search for relationships by words in their descriptions, by vector similarity and by supporting claim.

use super::{
    Kind,
    full_text::{RANKED_ITEM, TermQuery, best},
    similarity::{self, RowFilter},
};
use crate::{
    graph::{
        projection::{Hits, merge_duplicates},
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
    let hits = hits(&mut conn, graph, &collections, query).await?;
    let loaded = read::load_relationships(&mut conn, &json::list(collections), &hits.rows()).await?;
    let candidates = loaded.into_iter().map(|(n, relationship)| hits.candidate(n, relationship));
    Ok(merge_duplicates(candidates, |candidate| &mut candidate.item))
}

async fn hits(
    conn: &mut SqliteConnection,
    graph: &SqliteGraph,
    collections: &[i64],
    query: &RelationshipQuery,
) -> Result<Hits, Fault> {
    let text = query.text.as_deref().filter(|text| !text.trim().is_empty());
    let near = similarity::vector_query(conn, &graph.config, VectorKind::Relationship, query.vector.as_ref()).await?;
    let mut hits = Hits::default();
    if let Some(text) = text {
        let queries = TermQuery::of_collections(conn, &graph.config, Kind::Relationship, collections, text).await?;
        let found = best(conn, &queries, query.candidates, |sql| {
            sql.push(" where true");
            within(sql, RANKED_ITEM, collections, query.claim_id);
        });
        hits.text.extend(found.await?.into_iter().map(|(n, _)| n));
    }
    match near {
        Some(near) => {
            let mut sql = similarity::row_query("r.n");
            sql.push("relationships r where true");
            within(&mut sql, "r.n", collections, query.claim_id);
            let only = Some(similarity::fetch_rows(sql, conn).await?);
            hits.similarity.extend(near.best(conn, RowFilter { collections: None, only }, query.candidates).await?);
            hits.similarity.extend(near.similarities(conn, &hits.without_similarity()).await?);
        }
        None if text.is_none() => {
            let mut sql = QueryBuilder::new("select r.n from relationships r where true");
            within(&mut sql, "r.n", collections, query.claim_id);
            sql.push(" order by r.description, r.description_hash limit ").push_bind(query.candidates);
            hits.listed = sql.build_query_scalar().fetch_all(conn).await?;
        }
        None => {}
    }
    Ok(hits)
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
