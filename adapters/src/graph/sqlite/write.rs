//! A graph write: everything extracted from a pack of documents, in one immediate transaction and a fixed number of statements.

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
    remove as remove_terms, table as terms_table,
};
pub(super) use views::refresh as refresh_views;

use super::{SqliteGraph, find::Kind, json, row_numbers};
use crate::{
    graph::{
        resolution_cache::{ResolutionCache, ScopedCache},
        write_plan::{
            candidates::KeyedProposal,
            facts::touched,
            pack::{self, PackContext},
            pack_candidates::PackCandidates,
            validate,
        },
    },
    sql::fault::Fault,
};
use candidates::SqliteCandidates;
use domain::Scope;
use engine::graph::{EntityProposal, GraphWrite, KnownEntity, Resolve, WriteOutcome};
use existing_refs::PackRefs;
use serde_json::{Value, json};
use sqlx::SqliteConnection;
use std::collections::BTreeSet;

pub(super) async fn write(
    graph: &SqliteGraph,
    writes: &[GraphWrite],
    resolve: &dyn Resolve,
) -> Result<Vec<WriteOutcome>, Fault> {
    validate::validate_pack(writes)?;
    if writes.is_empty() {
        return Ok(Vec::new());
    }
    let mut transaction = graph.writer.begin_with("begin immediate").await?;
    let conn = &mut *transaction;

    let version = row_numbers::next_version(conn).await?;
    let mut shared_cache = graph.cache.lock().await;
    let mut cache = shared_cache.take(version - 1);
    let refs = existing_refs::look_up(conn, writes).await?;
    let mut outcomes = Vec::with_capacity(writes.len());
    for run in pack::runs(writes, &refs.existing) {
        let again = match run.len() == writes.len() {
            true => None,
            false => Some(existing_refs::look_up(conn, run).await?),
        };
        outcomes.extend(write_pack(conn, graph, &mut cache, run, again.as_ref().unwrap_or(&refs), resolve).await?);
    }
    transaction.commit().await?;
    *shared_cache = cache.at_version(version);
    Ok(outcomes)
}

async fn write_pack(
    conn: &mut SqliteConnection,
    graph: &SqliteGraph,
    cache: &mut ResolutionCache,
    writes: &[GraphWrite],
    PackRefs { existing: refs, documents }: &PackRefs,
    resolve: &dyn Resolve,
) -> Result<Vec<WriteOutcome>, Fault> {
    let scoped = cache.scoped(&refs.resolve_within);
    let keyed: Vec<_> = writes.iter().map(|write| KeyedProposal::with_keys(&write.entities, resolve)).collect();
    let before = writes.iter().flat_map(|write| pack::rows_before(write, refs)).collect();
    let (rows, named) = (&mut SqliteCandidates(&mut *conn), keyed.concat());
    let mut candidates =
        PackCandidates::load(rows, &graph.config, resolve, &named, before, &refs.resolve_within, scoped).await?;
    let (last_entity, last_claim) = row_numbers::last(conn).await?;
    let claims = claims::rows(conn, writes, refs, documents, last_claim).await?;
    let pack = pack::plan(writes, &keyed, refs, claims, &mut candidates, resolve, last_entity)?;

    entities::insert(conn, &pack).await?;
    claims::append(conn, &pack, documents).await?;
    facts::add(conn, &pack, resolve).await?;
    let (relationships, mut changed) = relationships::add(conn, &pack).await?;
    changed.extend(views::refresh(conn, &graph.names, &touched(&pack.facts)).await?);
    let claim_terms = pack.documents.iter().flat_map(|document| document.claim_terms());
    changed.extend(claim_terms.map(|(n, terms)| IndexEntry::new(Kind::Claim, n, refs.collection, &terms)));
    terms::index(conn, changed).await?;
    entities::add_reviews(conn, &pack).await?;
    complete(conn, &pack).await?;
    cache.apply(&refs.resolve_within, candidates.changes(pack.is_all_new()));
    Ok(pack.outcomes(relationships))
}

/// Records which documents are extracted.
async fn complete(conn: &mut SqliteConnection, pack: &PackContext<'_>) -> Result<(), Fault> {
    let complete = pack.documents.iter().map(|document| document.write).filter(|write| write.completes_document);
    let row = |write: &GraphWrite| json!([json::hex(write.document_id.0), write.at.as_micros(), write.in_view_of]);
    let rows: Vec<Value> = complete.map(row).collect();
    if rows.is_empty() {
        return Ok(());
    }
    let sql = "insert into extractions (document_id, at, in_view_of)
        select unhex(value ->> 0), value ->> 1, value ->> 2 from json_each($1) where true
        on conflict (document_id) do update set at = excluded.at, in_view_of = excluded.in_view_of
        where extractions.in_view_of is not null";
    sqlx::query(sql).bind(Value::from(rows).to_string()).execute(conn).await?;
    Ok(())
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
    let (rows, scoped, also) = (&mut SqliteCandidates(&mut conn), &mut ScopedCache::default(), BTreeSet::new());
    let pool = PackCandidates::load(rows, &graph.config, resolve, &named, BTreeSet::new(), &within, scoped).await?;
    let pool = pool.pool(&named, &also);
    Ok(named.iter().map(|named| pool.candidates(named).into_iter().cloned().collect()).collect())
}
