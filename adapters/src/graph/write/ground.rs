//! What a write stands on: its document and collection, and the entities and claims that it says exist.

use super::{check::invalid, terms};
use crate::{
    graph::{
        json,
        numbers::{self, EntityRow},
    },
    sql::{fault::Fault, types::id_list},
};
use domain::{ClaimId, CollectionId, EntityId};
use engine::graph::{EntityRef, GraphWrite};
use sqlx::SqliteConnection;
use std::collections::HashMap;
use uuid::Uuid;

pub(super) struct Ground {
    pub document: i64,
    pub collection: i64,
    /// The collections whose names may settle what is meant, as a parameter for `json_each`.
    pub resolve_within: String,
    pub entities: HashMap<EntityId, EntityRow>,
    /// Row and collection of each claim that was there before.
    pub claims: HashMap<ClaimId, (i64, i64)>,
}

pub(super) async fn prepare(conn: &mut SqliteConnection, write: &GraphWrite) -> Result<Ground, Fault> {
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
        return invalid(format!("document {} belongs to another collection", write.document_id));
    }
    let mut within = numbers::scope(conn, &write.resolve_within).await?;
    within.push(collection);
    within.sort_unstable();
    within.dedup();
    let resolve_within = json::list(within);
    Ok(Ground {
        document,
        collection,
        resolve_within,
        entities: entities(conn, write).await?,
        claims: claims(conn, write).await?,
    })
}

/// The row of a collection, made with its full-text index when it is new.
async fn collection(conn: &mut SqliteConnection, id: CollectionId) -> Result<i64, Fault> {
    let sql = "select n, removed from graph_collections where id = $1";
    match sqlx::query_as::<_, (i64, bool)>(sql).bind(id.0).fetch_optional(&mut *conn).await? {
        Some((known, false)) => return Ok(known),
        Some((_, true)) => return invalid(format!("collection {id} has been removed")),
        None => {}
    }
    let sql = "insert into graph_collections (id) values ($1) returning n";
    let new: i64 = sqlx::query_scalar(sql).bind(id.0).fetch_one(&mut *conn).await?;
    terms::create(conn, new).await?;
    Ok(new)
}

/// Entities named by id, and proposals that are there already because this very write was made before.
async fn entities(conn: &mut SqliteConnection, write: &GraphWrite) -> Result<HashMap<EntityId, EntityRow>, Fault> {
    let refs = write.outlet.iter().chain(write.claims.iter().flat_map(|claim| &claim.entities));
    let refs = refs.chain(write.relationships.iter().flat_map(|relationship| [&relationship.source, &relationship.target]));
    let refs = refs.chain(write.updates.iter().map(|update| &update.entity));
    let named: Vec<EntityId> = refs
        .filter_map(|entity| match entity {
            EntityRef::Existing(id) => Some(*id),
            EntityRef::New(_) => None,
        })
        .collect();
    let found = numbers::entities(conn, named.iter().copied().chain(write.entities.iter().map(|proposal| proposal.id))).await?;
    match named.iter().find(|id| !found.contains_key(id)) {
        Some(unknown) => invalid(format!("there is no entity {unknown}")),
        None => Ok(found),
    }
}

async fn claims(conn: &mut SqliteConnection, write: &GraphWrite) -> Result<HashMap<ClaimId, (i64, i64)>, Fault> {
    let named = write.relationships.iter().flat_map(|relationship| &relationship.existing_claims);
    let named: Vec<ClaimId> = named.chain(write.updates.iter().flat_map(|update| &update.existing_claims)).copied().collect();
    if named.is_empty() {
        return Ok(HashMap::new());
    }
    let sql = "select id, n, collection from claims where id in (select unhex(value) from json_each($1))";
    let rows: Vec<(Uuid, i64, i64)> =
        sqlx::query_as(sql).bind(id_list(named.iter().map(|id| id.0))).fetch_all(&mut *conn).await?;
    let found: HashMap<ClaimId, (i64, i64)> = rows.into_iter().map(|(id, n, of)| (ClaimId(id), (n, of))).collect();
    match named.iter().find(|id| !found.contains_key(id)) {
        Some(unknown) => invalid(format!("there is no claim {unknown}")),
        None => Ok(found),
    }
}
