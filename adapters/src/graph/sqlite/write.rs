//! A graph write: everything extracted from one document, in one immediate transaction and a fixed number of statements.

mod candidates;
mod claims;
mod entities;
mod existing_refs;
mod facts;
mod relationships;
mod terms;
mod views;

pub(super) use terms::{
    IndexEntry, counts as term_counts, create as create_terms, forget as forget_terms, index as index_terms,
    table as terms_table,
};
pub(super) use views::refresh as refresh_views;

use super::{SqliteGraph, find::Kind, row_numbers};
use crate::{
    graph::{
        resolution_cache::ScopedCache,
        write_plan::{
            WriteContext,
            candidates::{KeyedProposal, load_candidates},
            validate,
        },
    },
    sql::fault::Fault,
};
use candidates::SqliteCandidates;
use domain::Scope;
use engine::graph::{EntityProposal, GraphWrite, KnownEntity, Resolve, WriteOutcome};

pub(super) async fn write(graph: &SqliteGraph, write: &GraphWrite, resolve: &dyn Resolve) -> Result<WriteOutcome, Fault> {
    validate::validate(write)?;
    let mut transaction = graph.writer.begin_with("begin immediate").await?;
    let conn = &mut *transaction;

    let version = row_numbers::next_version(conn).await?;
    let mut cache = graph.cache.lock().await;
    cache.clear_unless_version(version - 1);
    let (refs, document) = existing_refs::look_up(conn, write).await?;
    let resolved = entities::resolve_entities(conn, graph, write, resolve, &refs, cache.scoped(&refs.resolve_within)).await?;
    let claims = claims::append(conn, write, document, &refs, &resolved).await?;
    let context = WriteContext { write, refs: &refs, resolved: &resolved, claims: &claims };

    let (touched, keys) = facts::add(conn, &context, resolve).await?;
    cache.invalidate(touched.iter().map(|(entity, _)| *entity), &keys);
    let (relationships, mut changed) = relationships::add(conn, &context).await?;
    changed.extend(views::refresh(conn, &graph.names, &touched).await?);
    changed.extend(context.claim_terms().map(|(n, terms)| IndexEntry::new(Kind::Claim, n, refs.collection, &terms)));
    terms::index(conn, changed).await?;
    entities::add_reviews(conn, &context).await?;
    if write.completes_document {
        let sql = "insert into extractions (document_id, at) values ($1, $2) on conflict do nothing";
        sqlx::query(sql).bind(write.document_id.0).bind(write.at.as_micros()).execute(&mut *conn).await?;
    }
    transaction.commit().await?;
    cache.set_version(version);

    Ok(context.result(relationships))
}

/// Returns the candidates that resolution may compare each proposal with.
pub(super) async fn match_candidates(
    graph: &SqliteGraph,
    within: &Scope,
    proposals: &[EntityProposal],
    resolve: &dyn Resolve,
) -> Result<Vec<Vec<KnownEntity>>, Fault> {
    let mut conn = graph.reader.acquire().await?;
    let within = row_numbers::collection_rows(&mut conn, within).await?;
    let named = KeyedProposal::with_keys(proposals, resolve);
    let (rows, scoped) = (&mut SqliteCandidates(&mut conn), &mut ScopedCache::default());
    let pool = load_candidates(rows, &graph.config, &named, resolve, Vec::new(), &within, scoped).await?;
    Ok(named.iter().map(|named| pool.candidates(named).into_iter().cloned().collect()).collect())
}
