//! Searchable views of entities, kept in step with their facts: one view per entity and collection.

use super::terms::IndexEntry;
use crate::{
    graph::{
        sqlite::{find::Kind, json, vectors},
        write_plan::{
            facts::ViewKeys,
            views::{self, EntityView, ViewFactRow, view_id},
        },
    },
    sql::fault::Fault,
};
use engine::{embeddings::VectorKind, graph::terms::terms, names::NameMatcher};
use serde_json::{Value, json};
use sqlx::SqliteConnection;
use std::collections::HashMap;

/// Rewrites the changed views and returns their full-text entries.
pub(in crate::graph::sqlite) async fn refresh(
    conn: &mut SqliteConnection,
    names: &NameMatcher,
    touched: &ViewKeys,
) -> Result<Vec<IndexEntry>, Fault> {
    if touched.is_empty() {
        return Ok(Vec::new());
    }
    let keys = json!(touched).to_string();
    let wanted = read_views(conn, names, &keys).await?;
    let sql = "select v.entity, v.collection, v.n, v.label, v.words from json_each($1) j
        cross join entity_views v on v.entity = j.value ->> 0 and v.collection = j.value ->> 1";
    let rows: Vec<(i64, i64, i64, String, String)> = sqlx::query_as(sql).bind(&keys).fetch_all(&mut *conn).await?;
    let before: HashMap<(i64, i64), (i64, EntityView)> = rows
        .into_iter()
        .map(|(entity, collection, n, label, words)| ((entity, collection), (n, EntityView { label, words })))
        .collect();
    let is_changed = |key: &(i64, i64), view: &EntityView| before.get(key).is_none_or(|(_, old)| old != view);
    let changed: HashMap<(i64, i64), EntityView> = wanted.into_iter().filter(|(key, view)| is_changed(key, view)).collect();
    if changed.is_empty() {
        return Ok(Vec::new());
    }
    let stale = changed.iter().filter_map(|(key, view)| before.get(key).filter(|(_, old)| old.label != view.label));
    vectors::forget(conn, VectorKind::Entity, stale.map(|(n, _)| *n).collect()).await?;
    let rows = store(conn, &changed).await?;
    let indexed = rows.into_iter().map(|(n, entity, collection)| {
        let key = (entity, collection);
        IndexEntry::new(Kind::View, n, collection, &terms(&changed[&key].words)).replacing(before.contains_key(&key))
    });
    Ok(indexed.collect())
}

/// Builds the views from the current facts.
async fn read_views(
    conn: &mut SqliteConnection,
    names: &NameMatcher,
    keys: &str,
) -> Result<HashMap<(i64, i64), EntityView>, Fault> {
    // The `+` keeps SQLite from going through everything that the collection knows, once per entity.
    let sql = "select f.entity, f.collection, f.facet, f.key, f.value, f.claims, f.newest, f.oldest from json_each($1) j
        cross join entity_facts f on f.entity = j.value ->> 0 and f.facet in ('name', 'summary') and +f.collection = j.value ->> 1";
    let said: Vec<ViewFactRow> = sqlx::query_as(sql).bind(keys).fetch_all(conn).await?;
    Ok(views::build_views(names, said))
}

async fn store(conn: &mut SqliteConnection, views: &HashMap<(i64, i64), EntityView>) -> Result<Vec<(i64, i64, i64)>, Fault> {
    let rows = views.iter().map(|((entity, collection), view)| {
        json!([json::hex(view_id(*entity, *collection, &view.label)), entity, collection, view.label, view.words])
    });
    let sql = "insert into entity_views (id, entity, collection, label, words)
        select unhex(value ->> 0), value ->> 1, value ->> 2, value ->> 3, value ->> 4 from json_each($1) where true
        on conflict (entity, collection) do update set id = excluded.id, label = excluded.label, words = excluded.words
        returning n, entity, collection";
    Ok(sqlx::query_as(sql).bind(Value::from_iter(rows).to_string()).fetch_all(conn).await?)
}
