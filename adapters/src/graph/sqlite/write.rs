//! One write: everything that came out of one document, in one immediate transaction and a fixed number of statements.

mod claims;
mod entities;
mod facts;
mod ground;
mod relationships;
mod shelf;
mod terms;
mod views;

pub(super) use terms::{
    Indexed, counts as term_counts, create as create_terms, forget as forget_terms, index as index_terms, table as terms_table,
};
pub(super) use views::refresh as refresh_views;

use super::{SqliteGraph, find::Kind, numbers};
use crate::{
    graph::{
        draft::{
            Site, check,
            pool::{self, Named},
        },
        memory::Seen,
    },
    sql::fault::Fault,
};
use domain::Scope;
use engine::graph::{EntityProposal, GraphWrite, KnownEntity, Resolve, Written};
use shelf::Rows;

pub(super) async fn write(graph: &SqliteGraph, write: &GraphWrite, resolve: &dyn Resolve) -> Result<Written, Fault> {
    check::check(write)?;
    let mut transaction = graph.writer.begin_with("begin immediate").await?;
    let conn = &mut *transaction;

    let version = numbers::next_version(conn).await?;
    let mut memory = graph.memory.lock().await;
    memory.hold_for(version - 1);
    let (ground, document) = ground::prepare(conn, write).await?;
    let settled = entities::settle(conn, graph, write, resolve, &ground, memory.seen(&ground.resolve_within)).await?;
    let claims = claims::append(conn, write, document, &ground, &settled).await?;
    let site = Site { write, ground: &ground, settled: &settled, claims: &claims };

    let (touched, keys) = facts::add(conn, &site, resolve).await?;
    memory.forget(touched.iter().map(|(entity, _)| *entity), &keys);
    let (relationships, mut changed) = relationships::add(conn, &site).await?;
    changed.extend(views::refresh(conn, &graph.names, &touched).await?);
    changed.extend(site.claim_terms().map(|(n, terms)| Indexed::new(Kind::Claim, n, ground.collection, &terms)));
    terms::index(conn, changed).await?;
    entities::review(conn, &site).await?;
    if write.completes_document {
        let sql = "insert into extractions (document_id, at) values ($1, $2) on conflict do nothing";
        sqlx::query(sql).bind(write.document_id.0).bind(write.at.as_micros()).execute(&mut *conn).await?;
    }
    transaction.commit().await?;
    memory.committed(version);

    Ok(site.written(relationships))
}

/// What resolution may compare each proposal with.
pub(super) async fn known(
    graph: &SqliteGraph,
    within: &Scope,
    proposals: &[EntityProposal],
    resolve: &dyn Resolve,
) -> Result<Vec<Vec<KnownEntity>>, Fault> {
    let mut conn = graph.reader.acquire().await?;
    let within = numbers::scope(&mut conn, within).await?;
    let named = Named::all(proposals, resolve);
    let (rows, seen) = (&mut Rows(&mut conn), &mut Seen::default());
    let pool = pool::load(rows, &graph.config, &named, resolve, Vec::new(), &within, seen).await?;
    Ok(named.iter().map(|named| pool.candidates(named).into_iter().cloned().collect()).collect())
}
