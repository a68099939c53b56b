//! Search for entities by words in their names and summaries, by vector similarity and by kind.

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
    let searches = Searches { collections, entities: Some(query), ..Searches::default() };
    let hits = searches.hits(&mut conn, graph).await?.entities;
    let scope = json::list(searches.collections);
    let found = read::load_entities(&mut conn, &graph.names, &scope, &hits.rows()).await?;
    Ok(hits.entities(found))
}

/// Appends the filters of a search by words.
pub(super) fn push_filter(sql: &mut QueryBuilder<Sqlite>, collections: &[i64], query: &EntityQuery) {
    if query.kind.is_some() {
        sql.push("cross join entity_views v on v.n = ").push(RANKED_ITEM);
    }
    sql.push(" where true");
    push_kind_filter(sql, collections, query);
}

/// Adds hits by similarity to those by words, or hits by filters alone.
pub(super) async fn add_similar(
    conn: &mut SqliteConnection,
    graph: &SqliteGraph,
    collections: &[i64],
    query: &EntityQuery,
    hits: &mut Hits,
) -> Result<(), Fault> {
    let near = similarity::vector_query(conn, &graph.config, VectorKind::Entity, query.vector.as_ref()).await?;
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
        None if words(query.text.as_ref()).is_none() => hits.listed = list_by_evidence(conn, collections, query).await?,
        None => {}
    }
    Ok(())
}

/// Appends that the entity is of the kind: that of most claims, as `KindRanking` has it.
fn push_kind_filter(sql: &mut QueryBuilder<Sqlite>, collections: &[i64], query: &EntityQuery) {
    if let Some(kind) = &query.kind {
        sql.push(
            " and v.n in (select x.n from entity_views x join entities e on e.n = x.entity
                join entities m on m.root = e.root join entity_facts f on f.entity = m.n
                where f.facet = 'kind' and f.value collate nocase = ",
        );
        sql.push_bind(kind.trim().to_owned()).push(
            " and f.value = (select k.value from entities o join entity_facts k on k.entity = o.n
                    where o.root = e.root and k.facet = 'kind' and k.collection in (select value from json_each(",
        );
        sql.push_bind(json::list(collections.iter().copied()));
        sql.push(")) group by k.value order by sum(k.claims) desc, length(k.value) desc, k.value limit 1))");
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
