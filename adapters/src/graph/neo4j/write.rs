//! A graph write: everything extracted from a pack of documents, in one transaction and a fixed number of statements.

mod candidates;
mod claims;
mod entities;
mod existing_refs;
mod facts;
mod lock;
mod relationships;
mod terms;
mod views;

pub(super) use claims::{ClaimDocument, claim_row};
pub(super) use facts::{filed, row as fact_row};
pub(super) use lock::{WriterLock, lock};
pub(super) use terms::{mark, token, tokens};
pub(super) use views::{describe, refresh as refresh_views};

use super::{
    Neo4jGraph,
    client::{Statement, Transaction},
    cypher, row_numbers,
};
use crate::graph::{
    resolution_cache::{ResolutionCache, ScopedCache},
    write_plan::{
        candidates::KeyedProposal, existing_refs::ExistingRefs, facts::touched, pack, pack_candidates::PackCandidates, validate,
    },
};
use candidates::Neo4jCandidates;
use domain::Scope;
use engine::{
    StoreResult,
    graph::{EntityProposal, GraphWrite, KnownEntity, Resolve, WriteOutcome},
};
use serde_json::json;
use std::collections::{BTreeMap, BTreeSet};

pub(super) async fn write(graph: &Neo4jGraph, writes: &[GraphWrite], resolve: &dyn Resolve) -> StoreResult<Vec<WriteOutcome>> {
    validate::validate_pack(writes)?;
    if writes.is_empty() {
        return Ok(Vec::new());
    }
    let complete: Vec<&GraphWrite> = writes.iter().filter(|write| write.completes_document).collect();
    if let Some(missing) = graph.store.missing_document(complete.iter().map(|write| write.document_id)).await? {
        return validate::invalid(format!("there is no document {missing}"));
    }
    let mut cache = graph.cache.lock().await;
    let mut transaction = graph.client.begin().await?;
    let (written, changed) = match all(graph, &mut transaction, &mut cache, writes, resolve).await {
        Ok(done) => done,
        Err(error) => {
            transaction.roll_back().await;
            return Err(error);
        }
    };
    transaction.commit().await?;
    *cache = changed;
    drop(cache);
    // After the graph has them: in between, the documents are only read again.
    graph.store.mark_extracted(&complete).await?;
    Ok(written)
}

/// Additions to the counts of each collection: claims, views, relationships.
#[derive(Default)]
pub(super) struct CountChanges(BTreeMap<i64, [i64; 3]>);

impl CountChanges {
    pub fn add(&mut self, collection: i64, what: [i64; 3]) {
        let counts = self.0.entry(collection).or_default();
        counts.iter_mut().zip(what).for_each(|(count, more)| *count += more);
    }

    /// Stores the counts and the last used row number, committed with the write.
    pub async fn release(&self, transaction: &mut Transaction, lock: &WriterLock) -> StoreResult<()> {
        let rows = self.0.iter().map(|(collection, [claims, views, links])| {
            json!({"collection": collection, "claims": claims, "views": views, "links": links})
        });
        let statement = Statement::new(cypher::write::RELEASE).with("rows", rows.collect::<Vec<_>>()).with("last", lock.last());
        transaction.run(statement).await
    }
}

/// Writes the documents and returns the outcomes with the cache as it is after the commit.
async fn all(
    graph: &Neo4jGraph,
    transaction: &mut Transaction,
    shared_cache: &mut ResolutionCache,
    writes: &[GraphWrite],
    resolve: &dyn Resolve,
) -> StoreResult<(Vec<WriteOutcome>, ResolutionCache)> {
    let collections = [writes[0].collection_id].into_iter().chain(writes[0].resolve_within.collections().iter().copied());
    let mut lock = lock(transaction, collections).await?;
    let mut cache = shared_cache.take(lock.version - 1);
    let mut counted = CountChanges::default();
    let refs = existing_refs::look_up(transaction, &mut lock, writes).await?;
    let mut outcomes = Vec::with_capacity(writes.len());
    for run in pack::runs(writes, &refs) {
        let again = match run.len() == writes.len() {
            true => None,
            false => Some(existing_refs::look_up(transaction, &mut lock, run).await?),
        };
        let mut writer = PackWriter { graph, transaction: &mut *transaction, lock: &mut lock, counted: &mut counted };
        outcomes.extend(writer.write(&mut cache, run, again.as_ref().unwrap_or(&refs), resolve).await?);
    }
    counted.release(transaction, &lock).await?;
    Ok((outcomes, cache.at_version(lock.version)))
}

/// The parts of a transaction that writes packs.
struct PackWriter<'a> {
    graph: &'a Neo4jGraph,
    transaction: &'a mut Transaction,
    lock: &'a mut WriterLock,
    counted: &'a mut CountChanges,
}

impl PackWriter<'_> {
    async fn write(
        &mut self,
        cache: &mut ResolutionCache,
        writes: &[GraphWrite],
        refs: &ExistingRefs,
        resolve: &dyn Resolve,
    ) -> StoreResult<Vec<WriteOutcome>> {
        let Self { graph, transaction, lock, counted } = self;
        let scoped = cache.scoped(&refs.resolve_within);
        let keyed: Vec<_> = writes.iter().map(|write| KeyedProposal::with_keys(&write.entities, resolve)).collect();
        let before = writes.iter().flat_map(|write| pack::rows_before(write, refs)).collect();
        let (nodes, named) = (&mut Neo4jCandidates(transaction), keyed.concat());
        let mut candidates =
            PackCandidates::load(nodes, &graph.config, resolve, &named, before, &refs.resolve_within, scoped).await?;
        let claims = claims::rows(transaction, lock, writes, refs).await?;
        let pack = pack::plan(writes, &keyed, refs, claims, &mut candidates, resolve, lock.last())?;

        entities::insert(transaction, lock, &pack).await?;
        claims::append(transaction, &pack, counted).await?;
        facts::add(transaction, lock, &pack, resolve).await?;
        let relationships = relationships::add(transaction, lock, &pack, counted).await?;
        views::refresh(transaction, lock, &graph.names, &touched(&pack.facts), counted).await?;
        entities::add_reviews(transaction, &pack).await?;
        cache.apply(&refs.resolve_within, candidates.changes(pack.is_all_new()));
        Ok(pack.outcomes(relationships))
    }
}

/// Returns the candidates that resolution may compare each proposal with.
pub(super) async fn match_candidates(
    graph: &Neo4jGraph,
    within: &Scope,
    proposals: &[EntityProposal],
    resolve: &dyn Resolve,
) -> StoreResult<Vec<Vec<KnownEntity>>> {
    let within = row_numbers::collection_rows(graph, within).await?;
    let named = KeyedProposal::with_keys(proposals, resolve);
    let mut transaction = graph.client.begin().await?;
    let (nodes, scoped, also) = (&mut Neo4jCandidates(&mut transaction), &mut ScopedCache::default(), BTreeSet::new());
    let loaded = PackCandidates::load(nodes, &graph.config, resolve, &named, BTreeSet::new(), &within, scoped).await;
    transaction.roll_back().await;
    let pool = loaded?.pool(&named, &also);
    Ok(named.iter().map(|named| pool.candidates(named).into_iter().cloned().collect()).collect())
}
