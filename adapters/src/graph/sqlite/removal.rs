//! Removal of a collection: its claims, and all data without other evidence.
//!
//! Invariant: a removal is final. The collection's row stays as a tombstone, so that a concurrent write to it is refused.

use super::{SqliteGraph, json, row_numbers, vectors, write::forget_terms};
use crate::sql::fault::Fault;
use domain::CollectionId;
use engine::embeddings::VectorKind;
use serde_json::json;
use sqlx::SqliteConnection;

pub(super) async fn remove_collection(graph: &SqliteGraph, collection: CollectionId) -> Result<(), Fault> {
    let mut transaction = graph.writer.begin_with("begin immediate").await?;
    let conn = &mut *transaction;
    row_numbers::next_version(conn).await?;
    let sql = "select n from graph_collections where id = $1 and removed = 0";
    let known: Option<i64> = sqlx::query_scalar(sql).bind(collection.0).fetch_optional(&mut *conn).await?;
    // An empty collection is locked too, so that a write about to start is refused.
    let sql = "insert into graph_collections (id, removed) values ($1, 1) on conflict (id) do update set removed = 1";
    sqlx::query(sql).bind(collection.0).execute(&mut *conn).await?;
    if let Some(collection) = known {
        remove(conn, collection).await?;
    }
    transaction.commit().await?;
    Ok(())
}

async fn remove(conn: &mut SqliteConnection, collection: i64) -> Result<(), Fault> {
    let sql = "select distinct e.root from entities e where
        e.n in (select entity from entity_facts where collection = $1)
        or e.n in (select x.entity from claims c join claim_entities x on x.claim = c.n where c.collection = $1)
        or e.n in (select outlet from claims where collection = $1)
        or e.n in (select source from relationships r join relationship_views v on v.relationship = r.n where v.collection = $1)
        or e.n in (select target from relationships r join relationship_views v on v.relationship = r.n where v.collection = $1)";
    let touched: Vec<i64> = sqlx::query_scalar(sql).bind(collection).fetch_all(&mut *conn).await?;
    relationships(conn, collection).await?;
    views(conn, collection).await?;
    claims(conn, collection).await?;
    forget_terms(conn, collection).await?;
    for sql in [
        "delete from entity_facts where collection = $1",
        "delete from review_views where left_collection = $1 or right_collection = $1",
        "delete from graph_documents where collection = $1",
    ] {
        sqlx::query(sql).bind(collection).execute(&mut *conn).await?;
    }
    sqlx::query("delete from reviews where not exists (select 1 from review_views v where v.review = n)")
        .execute(&mut *conn)
        .await?;
    entities(conn, touched).await
}

async fn claims(conn: &mut SqliteConnection, collection: i64) -> Result<(), Fault> {
    let rows: Vec<i64> =
        sqlx::query_scalar("select n from claims where collection = $1").bind(collection).fetch_all(&mut *conn).await?;
    vectors::forget(conn, VectorKind::Claim, rows).await?;
    sqlx::query("delete from claims where collection = $1").bind(collection).execute(conn).await?;
    Ok(())
}

async fn views(conn: &mut SqliteConnection, collection: i64) -> Result<(), Fault> {
    let sql = "delete from entity_views where collection = $1 returning n";
    let rows: Vec<i64> = sqlx::query_scalar(sql).bind(collection).fetch_all(&mut *conn).await?;
    vectors::forget(conn, VectorKind::Entity, rows).await
}

/// Deletes the relationships that only this collection had.
async fn relationships(conn: &mut SqliteConnection, collection: i64) -> Result<(), Fault> {
    let sql = "delete from relationship_views where collection = $1 returning relationship";
    let rows: Vec<i64> = sqlx::query_scalar(sql).bind(collection).fetch_all(&mut *conn).await?;
    unseen_relationships(conn, rows).await
}

/// Combines again what the claims of relationships state, in these collections.
pub(super) async fn recount_relationships(conn: &mut SqliteConnection, views: &[(i64, i64)]) -> Result<(), Fault> {
    let sql = "update relationship_views set (weight, confidence, bidirectional, timestamp, since, until) = (
            select max(x.weight), max(x.confidence), coalesce(max(x.bidirectional), 0), max(x.timestamp),
                rtrim(min(x.since || '~'), '~'), max(x.until)
            from relationship_claims x join claims c on c.n = x.claim
            where x.relationship = relationship_views.relationship and c.collection = relationship_views.collection)
        where (relationship, collection) in (select value ->> 0, value ->> 1 from json_each($1))";
    sqlx::query(sql).bind(json!(views).to_string()).execute(conn).await?;
    Ok(())
}

/// Deletes those of these relationships that no collection has any more.
pub(super) async fn unseen_relationships(conn: &mut SqliteConnection, rows: Vec<i64>) -> Result<(), Fault> {
    let sql = "delete from relationships where n in (select value from json_each($1))
        and not exists (select 1 from relationship_views v where v.relationship = n) returning n";
    let gone: Vec<i64> = sqlx::query_scalar(sql).bind(json::list(rows)).fetch_all(&mut *conn).await?;
    vectors::forget(conn, VectorKind::Relationship, gone).await
}

/// Deletes entities without remaining data, with everything merged into them.
pub(super) async fn entities(conn: &mut SqliteConnection, roots: Vec<i64>) -> Result<(), Fault> {
    let sql = "delete from entities where root in (
        select w.value from json_each($1) w where not exists (
            select 1 from entities e where e.root = w.value and (
                exists (select 1 from entity_facts f where f.entity = e.n)
                or exists (select 1 from claim_entities x where x.entity = e.n)
                or exists (select 1 from claims c where c.outlet = e.n)
                or exists (select 1 from relationships r where r.source = e.n)
                or exists (select 1 from relationships r where r.target = e.n))))";
    sqlx::query(sql).bind(json::list(roots)).execute(conn).await?;
    Ok(())
}
