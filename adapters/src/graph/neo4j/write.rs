//! A graph write: everything extracted from one document, in one transaction and a fixed number of statements.

mod candidates;
mod claims;
mod entities;
mod existing_refs;
mod facts;
mod lock;
mod relationships;
mod terms;
mod views;

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
        WriteContext,
        candidates::{KeyedProposal, load_candidates},
        validate,
    },
};
use candidates::Neo4jCandidates;
use domain::Scope;
use engine::{
    StoreResult,
    graph::{EntityProposal, GraphWrite, KnownEntity, Resolve, WriteOutcome},
};
use serde_json::json;
use std::collections::BTreeMap;

pub(super) async fn write(graph: &Neo4jGraph, write: &GraphWrite, resolve: &dyn Resolve) -> StoreResult<WriteOutcome> {
    validate::validate(write)?;
    if write.completes_document && !graph.store.has_document(write.document_id).await? {
        return validate::invalid(format!("there is no document {}", write.document_id));
    }
    let mut cache = graph.cache.lock().await;
    let mut transaction = graph.client.begin().await?;
    let (written, version) = match all(graph, &mut transaction, &mut cache, write, resolve).await {
        Ok(done) => done,
        Err(error) => {
            transaction.roll_back().await;
            return Err(error);
        }
    };
    transaction.commit().await?;
    cache.set_version(version);
    drop(cache);
    if write.completes_document {
        // After the graph has it: in between, the document is only read again.
        graph.store.mark_extracted(write.document_id, write.at).await?;
    }
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

    pub async fn store(&self, transaction: &mut Transaction) -> StoreResult<()> {
        let rows = self.0.iter().map(|(collection, [claims, views, links])| {
            json!({"collection": collection, "claims": claims, "views": views, "links": links})
        });
        transaction.run(Statement::new(cypher::write::COUNTED).with("rows", rows.collect::<Vec<_>>())).await
    }
}

async fn all(
    graph: &Neo4jGraph,
    transaction: &mut Transaction,
    cache: &mut ResolutionCache,
    write: &GraphWrite,
    resolve: &dyn Resolve,
) -> StoreResult<(WriteOutcome, i64)> {
    let collections = std::iter::once(write.collection_id).chain(write.resolve_within.collections().iter().copied());
    let mut lock = lock(transaction, collections).await?;
    cache.clear_unless_version(lock.version - 1);
    let refs = existing_refs::look_up(transaction, &mut lock, write).await?;
    let scoped = cache.scoped(&refs.resolve_within);
    let resolved = entities::resolve_entities(transaction, graph, &mut lock, write, resolve, &refs, scoped).await?;
    let claims = claims::append(transaction, &mut lock, write, &refs, &resolved).await?;
    let context = WriteContext { write, refs: &refs, resolved: &resolved, claims: &claims };
    let mut counted = CountChanges::default();
    counted.add(refs.collection, [claims.iter().filter(|claim| claim.is_new).count() as i64, 0, 0]);

    let (touched, keys) = facts::add(transaction, &mut lock, &context, resolve).await?;
    cache.invalidate(touched.iter().map(|(entity, _)| *entity), &keys);
    let relationships = relationships::add(transaction, &mut lock, &context, &mut counted).await?;
    views::refresh(transaction, &mut lock, &graph.names, &touched, &mut counted).await?;
    entities::add_reviews(transaction, &context).await?;
    counted.store(transaction).await?;
    lock.release(transaction).await?;
    Ok((context.result(relationships), lock.version))
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
    let (nodes, scoped) = (&mut Neo4jCandidates(&mut transaction), &mut ScopedCache::default());
    let pool = load_candidates(nodes, &graph.config, &named, resolve, Vec::new(), &within, scoped).await;
    transaction.roll_back().await;
    let pool = pool?;
    Ok(named.iter().map(|named| pool.candidates(named).into_iter().cloned().collect()).collect())
}
