//! Lookup of the rows that a pack refers to. New documents and a new collection are inserted here.

use super::terms;
use crate::{
    graph::{
        sqlite::{json, row_numbers},
        write_plan::{
            existing_refs::{self, EntityRow, ExistingRefs},
            validate::invalid,
        },
    },
    sql::{fault::Fault, types::id_list},
};
use domain::{ClaimId, CollectionId, DocumentId, EntityId};
use engine::graph::GraphWrite;
use serde_json::{Value, json};
use sqlx::SqliteConnection;
use std::collections::{HashMap, HashSet};
use uuid::Uuid;

pub(super) struct PackRefs {
    pub existing: ExistingRefs,
    /// Rows of the documents.
    pub documents: HashMap<DocumentId, i64>,
}

/// `writes`: at least one, all of one collection.
pub(super) async fn look_up(conn: &mut SqliteConnection, writes: &[GraphWrite]) -> Result<PackRefs, Fault> {
    let (collection, resolve_within) = collections(conn, &writes[0]).await?;
    let (documents, documents_with_claims) = documents(conn, writes, collection).await?;
    let (entities, claims) = (entities(conn, writes).await?, claims(conn, writes).await?);
    Ok(PackRefs { existing: ExistingRefs { collection, documents_with_claims, resolve_within, entities, claims }, documents })
}

/// Returns the rows of the collection and of those to resolve within; inserts a new collection with its full-text index.
async fn collections(conn: &mut SqliteConnection, write: &GraphWrite) -> Result<(i64, Vec<i64>), Fault> {
    let ids = write.resolve_within.collections().iter().copied().chain([write.collection_id]);
    let sql = "select id, n, removed from graph_collections where id in (select unhex(value) from json_each($1))";
    let rows: Vec<(Uuid, i64, bool)> = sqlx::query_as(sql).bind(id_list(ids.map(|id| id.0))).fetch_all(&mut *conn).await?;
    let own = match rows.iter().find(|(id, ..)| *id == write.collection_id.0) {
        Some((_, _, true)) => return Ok(invalid(format!("collection {} has been removed", write.collection_id))?),
        Some((_, known, false)) => *known,
        None => new_collection(conn, write.collection_id).await?,
    };
    let open = rows.into_iter().filter(|(.., removed)| !removed).map(|(_, n, _)| n).collect();
    Ok((own, existing_refs::resolution_collections(open, own)))
}

async fn new_collection(conn: &mut SqliteConnection, id: CollectionId) -> Result<i64, Fault> {
    let sql = "insert into graph_collections (id) values ($1) returning n";
    let new: i64 = sqlx::query_scalar(sql).bind(id.0).fetch_one(&mut *conn).await?;
    terms::create(conn, new).await?;
    Ok(new)
}

/// Returns the rows of the documents, and which of them have claims already.
async fn documents(
    conn: &mut SqliteConnection,
    writes: &[GraphWrite],
    collection: i64,
) -> Result<(HashMap<DocumentId, i64>, HashSet<DocumentId>), Fault> {
    let rows = Value::from_iter(writes.iter().map(|write| json!([json::hex(write.document_id.0), write.document_order])));
    let sql = "insert into graph_documents (id, collection, document_order)
        select unhex(value ->> 0), $2, value ->> 1 from json_each($1) where true
        on conflict (id) do update set id = excluded.id
        returning id, n, collection, exists (select 1 from claims c where c.document = graph_documents.n)";
    let rows: Vec<(Uuid, i64, i64, bool)> =
        sqlx::query_as(sql).bind(rows.to_string()).bind(collection).fetch_all(&mut *conn).await?;
    if let Some((id, ..)) = rows.iter().find(|(_, _, of, _)| *of != collection) {
        return Ok(invalid(format!("document {id} belongs to another collection"))?);
    }
    let with_claims = rows.iter().filter(|(.., has_claims)| *has_claims).map(|(id, ..)| DocumentId(*id)).collect();
    Ok((rows.into_iter().map(|(id, n, ..)| (DocumentId(id), n)).collect(), with_claims))
}

/// Looks up entities named by id, and proposals that an earlier run of the same write has already inserted.
async fn entities(conn: &mut SqliteConnection, writes: &[GraphWrite]) -> Result<HashMap<EntityId, EntityRow>, Fault> {
    let found = row_numbers::entity_rows(conn, existing_refs::named_entities(writes)).await?;
    Ok(existing_refs::require_all("entity", &existing_refs::referenced_entities(writes), found)?)
}

async fn claims(conn: &mut SqliteConnection, writes: &[GraphWrite]) -> Result<HashMap<ClaimId, (i64, i64)>, Fault> {
    let named = existing_refs::referenced_claims(writes);
    if named.is_empty() {
        return Ok(HashMap::new());
    }
    let sql = "select id, n, collection from claims where id in (select unhex(value) from json_each($1))";
    let rows: Vec<(Uuid, i64, i64)> =
        sqlx::query_as(sql).bind(id_list(named.iter().map(|id| id.0))).fetch_all(&mut *conn).await?;
    let found: HashMap<ClaimId, (i64, i64)> = rows.into_iter().map(|(id, n, of)| (ClaimId(id), (n, of))).collect();
    Ok(existing_refs::require_all("claim", &named, found)?)
}
