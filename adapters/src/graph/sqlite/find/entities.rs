//! Search for entities by words in their names and summaries, by vector similarity and by kind.

use super::{
    Kind,
    full_text::{RANKED_ITEM, TermQuery, best},
    similarity::{self, RowFilter},
};
use crate::{
    graph::{
        projection::Hits,
        sqlite::{SqliteGraph, json, read, row_numbers},
    },
    sql::fault::Fault,
};
use domain::{Scope, entity::Entity};
use engine::{
    embeddings::VectorKind,
    graph::{Candidate, EntityQuery},
};
use sqlx::{QueryBuilder, Sqlite, SqliteConnection};
use std::collections::HashMap;

pub(in crate::graph::sqlite) async fn entities(
    graph: &SqliteGraph,
    scope: &Scope,
    query: &EntityQuery,
) -> Result<Vec<Candidate<Entity>>, Fault> {
    let mut conn = graph.reader.acquire().await?;
    let collections = row_numbers::collection_rows(&mut conn, scope).await?;
    let hits = hits(&mut conn, graph, &collections, query).await?;
    let mut found = read::load_entities(&mut conn, &graph.names, &json::list(collections), &hits.rows()).await?;
    let mut candidates: Vec<Candidate<Entity>> =
        hits.rows().into_iter().filter_map(|root| Some(hits.candidate(root, found.remove(&root)?))).collect();
    candidates
        .sort_by(|a, b| a.item.canonical_name.cmp(&b.item.canonical_name).then_with(|| a.item.aliases.cmp(&b.item.aliases)));
    Ok(candidates)
}

/// Finds views and maps them to their entities.
async fn hits(
    conn: &mut SqliteConnection,
    graph: &SqliteGraph,
    collections: &[i64],
    query: &EntityQuery,
) -> Result<Hits, Fault> {
    let text = query.text.as_deref().filter(|text| !text.trim().is_empty());
    let near = similarity::vector_query(conn, &graph.config, VectorKind::Entity, query.vector.as_ref()).await?;
    let mut hits = Hits::default();
    if let Some(text) = text {
        let queries = TermQuery::of_collections(conn, &graph.config, Kind::View, collections, text).await?;
        let views = best(conn, &queries, query.candidates, |sql| {
            if query.kind.is_some() {
                sql.push("cross join entity_views v on v.n = ").push(RANKED_ITEM);
            }
            sql.push(" where true");
            push_kind_filter(sql, collections, query);
        });
        let views = views.await?;
        hits.text.extend(roots(conn, views).await?.into_keys());
    }
    match near {
        Some(near) => {
            let only = match query.kind {
                Some(_) => {
                    let mut sql = similarity::row_query("v.n");
                    sql.push("entity_views v where v.collection in (select value from json_each(");
                    sql.push_bind(json::list(collections.iter().copied())).push("))");
                    push_kind_filter(&mut sql, collections, query);
                    Some(similarity::fetch_rows(sql, conn).await?)
                }
                None => None,
            };
            let views = near.best(conn, RowFilter { collections: Some(collections), only }, query.candidates).await?;
            hits.similarity = roots(conn, views).await?;
            let others = views_of(conn, collections, hits.without_similarity()).await?;
            let others = near.similarities(conn, &others).await?;
            hits.similarity.extend(roots(conn, others).await?);
        }
        None if text.is_none() => hits.listed = list_by_evidence(conn, collections, query).await?,
        None => {}
    }
    Ok(hits)
}

fn push_kind_filter(sql: &mut QueryBuilder<Sqlite>, collections: &[i64], query: &EntityQuery) {
    if let Some(kind) = &query.kind {
        sql.push(
            " and v.n in (select x.n from entity_views x join entities e on e.n = x.entity
                join entities m on m.root = e.root join entity_facts f on f.entity = m.n
                where f.facet = 'kind' and f.value collate nocase = ",
        );
        sql.push_bind(kind.trim().to_owned()).push(" and f.collection in (select value from json_each(");
        sql.push_bind(json::list(collections.iter().copied())).push(")))");
    }
}

/// Returns the best signal of each entity.
async fn roots(conn: &mut SqliteConnection, views: Vec<(i64, f64)>) -> Result<HashMap<i64, f64>, Fault> {
    let sql = "select v.n, e.root from json_each($1) w cross join entity_views v on v.n = w.value cross join entities e on e.n = v.entity";
    let list = json::list(views.iter().map(|(n, _)| *n));
    let of: HashMap<i64, i64> = sqlx::query_as(sql).bind(list).fetch_all(conn).await?.into_iter().collect::<HashMap<_, _>>();
    let mut best: HashMap<i64, f64> = HashMap::new();
    for (view, signal) in views {
        if let Some(root) = of.get(&view) {
            best.entry(*root).and_modify(|known| *known = known.max(signal)).or_insert(signal);
        }
    }
    Ok(best)
}

async fn views_of(conn: &mut SqliteConnection, collections: &[i64], roots: Vec<i64>) -> Result<Vec<i64>, Fault> {
    let sql =
        "select v.n from json_each($1) w cross join entities e on e.root = w.value cross join entity_views v on v.entity = e.n
        where v.collection in (select value from json_each($2))";
    let (roots, collections) = (json::list(roots), json::list(collections.iter().copied()));
    Ok(sqlx::query_scalar(sql).bind(roots).bind(collections).fetch_all(conn).await?)
}

/// Lists entities with the most claims behind their names, for a query without words and vector.
async fn list_by_evidence(conn: &mut SqliteConnection, collections: &[i64], query: &EntityQuery) -> Result<Vec<i64>, Fault> {
    let mut sql = QueryBuilder::new(
        "select e.root from entity_views v join entities e on e.n = v.entity join entity_facts n on n.entity = v.entity
            and n.facet = 'name' and +n.collection = v.collection
        where v.collection in (select value from json_each(",
    );
    sql.push_bind(json::list(collections.iter().copied())).push("))");
    push_kind_filter(&mut sql, collections, query);
    sql.push(" group by e.root order by sum(n.claims) desc, min(n.value) limit ").push_bind(query.candidates);
    Ok(sql.build_query_scalar().fetch_all(conn).await?)
}
