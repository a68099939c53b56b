//! Lookup of the rows that a write refers to. A new document or collection is inserted here.

use super::terms;
use crate::{
    graph::{
        sqlite::row_numbers,
        write_plan::{
            existing_refs::{self, EntityRow, ExistingRefs},
            validate::invalid,
        },
    },
    sql::{fault::Fault, types::id_list},
};
use domain::{ClaimId, CollectionId, EntityId};
use engine::graph::GraphWrite;
use sqlx::SqliteConnection;
use std::collections::HashMap;
use uuid::Uuid;

/// Returns the references and the row of the document.
pub(super) async fn look_up(conn: &mut SqliteConnection, write: &GraphWrite) -> Result<(ExistingRefs, i64), Fault> {
    let collection = collection(conn, write.collection_id).await?;
    let sql = "insert into graph_documents (id, collection, document_order) values ($1, $2, $3)
        on conflict (id) do update set id = excluded.id returning n, collection";
    let (document, of): (i64, i64) = sqlx::query_as(sql)
        .bind(write.document_id.0)
        .bind(collection)
        .bind(&write.document_order)
        .fetch_one(&mut *conn)
        .await?;
    if of != collection {
        return Ok(invalid(format!("document {} belongs to another collection", write.document_id))?);
    }
    let resolve_within =
        existing_refs::resolution_collections(row_numbers::collection_rows(conn, &write.resolve_within).await?, collection);
    let (entities, claims) = (entities(conn, write).await?, claims(conn, write).await?);
    Ok((ExistingRefs { collection, resolve_within, entities, claims }, document))
}

/// Returns the row of a collection; inserts a new one with its full-text index.
async fn collection(conn: &mut SqliteConnection, id: CollectionId) -> Result<i64, Fault> {
    let sql = "select n, removed from graph_collections where id = $1";
    match sqlx::query_as::<_, (i64, bool)>(sql).bind(id.0).fetch_optional(&mut *conn).await? {
        Some((known, false)) => return Ok(known),
        Some((_, true)) => return Ok(invalid(format!("collection {id} has been removed"))?),
        None => {}
    }
    let sql = "insert into graph_collections (id) values ($1) returning n";
    let new: i64 = sqlx::query_scalar(sql).bind(id.0).fetch_one(&mut *conn).await?;
    terms::create(conn, new).await?;
    Ok(new)
}

/// Looks up entities named by id, and proposals that an earlier run of the same write has already inserted.
async fn entities(conn: &mut SqliteConnection, write: &GraphWrite) -> Result<HashMap<EntityId, EntityRow>, Fault> {
    let named = existing_refs::referenced_entities(write);
    let found =
        row_numbers::entity_rows(conn, named.iter().copied().chain(write.entities.iter().map(|proposal| proposal.id))).await?;
    Ok(existing_refs::require_all("entity", &named, found)?)
}

async fn claims(conn: &mut SqliteConnection, write: &GraphWrite) -> Result<HashMap<ClaimId, (i64, i64)>, Fault> {
    let named = existing_refs::referenced_claims(write);
    if named.is_empty() {
        return Ok(HashMap::new());
    }
    let sql = "select id, n, collection from claims where id in (select unhex(value) from json_each($1))";
    let rows: Vec<(Uuid, i64, i64)> =
        sqlx::query_as(sql).bind(id_list(named.iter().map(|id| id.0))).fetch_all(&mut *conn).await?;
    let found: HashMap<ClaimId, (i64, i64)> = rows.into_iter().map(|(id, n, of)| (ClaimId(id), (n, of))).collect();
    Ok(existing_refs::require_all("claim", &named, found)?)
}
