//! One write: everything that came out of one document, in one transaction and a fixed number of statements.

mod claims;
mod entities;
mod facts;
mod ground;
mod lock;
mod relationships;
mod shelf;
mod terms;
mod views;

pub(super) use facts::{filed, row as fact_row};
pub(super) use lock::{Locked, lock};
pub(super) use terms::{mark, token, tokens};
pub(super) use views::{describe, refresh as refresh_views};

use super::{
    Neo4jGraph, cypher,
    link::{Transaction, ask},
    scope,
};
use crate::graph::{
    draft::{
        Site, check,
        pool::{self, Named},
    },
    memory::{Memory, Seen},
};
use domain::Scope;
use engine::{
    StoreResult,
    graph::{EntityProposal, GraphWrite, KnownEntity, Resolve, Written},
};
use serde_json::json;
use shelf::Nodes;
use std::collections::BTreeMap;

pub(super) async fn write(graph: &Neo4jGraph, write: &GraphWrite, resolve: &dyn Resolve) -> StoreResult<Written> {
    check::check(write)?;
    if write.completes_document && !graph.store.has_document(write.document_id).await? {
        return check::invalid(format!("there is no document {}", write.document_id));
    }
    let mut memory = graph.memory.lock().await;
    let mut transaction = graph.link.begin().await?;
    let (written, version) = match all(graph, &mut transaction, &mut memory, write, resolve).await {
        Ok(done) => done,
        Err(error) => {
            transaction.roll_back().await;
            return Err(error);
        }
    };
    transaction.commit().await?;
    memory.committed(version);
    drop(memory);
    if write.completes_document {
        // After the graph has it: in between, the document is only read again.
        graph.store.mark_extracted(write.document_id, write.at).await?;
    }
    Ok(written)
}

/// What a write adds to the counts of collections: claims, views, links.
#[derive(Default)]
pub(super) struct Counted(BTreeMap<i64, [i64; 3]>);

impl Counted {
    pub fn add(&mut self, collection: i64, what: [i64; 3]) {
        let counts = self.0.entry(collection).or_default();
        counts.iter_mut().zip(what).for_each(|(count, more)| *count += more);
    }

    pub async fn store(&self, transaction: &mut Transaction) -> StoreResult<()> {
        let rows = self.0.iter().map(|(collection, [claims, views, links])| {
            json!({"collection": collection, "claims": claims, "views": views, "links": links})
        });
        transaction.run(ask(cypher::write::COUNTED).with("rows", rows.collect::<Vec<_>>())).await
    }
}

async fn all(
    graph: &Neo4jGraph,
    transaction: &mut Transaction,
    memory: &mut Memory,
    write: &GraphWrite,
    resolve: &dyn Resolve,
) -> StoreResult<(Written, i64)> {
    let collections = std::iter::once(write.collection_id).chain(write.resolve_within.collections().iter().copied());
    let mut locked = lock(transaction, collections).await?;
    memory.hold_for(locked.version - 1);
    let ground = ground::prepare(transaction, &mut locked, write).await?;
    let seen = memory.seen(&ground.resolve_within);
    let settled = entities::settle(transaction, graph, &mut locked, write, resolve, &ground, seen).await?;
    let claims = claims::append(transaction, &mut locked, write, &ground, &settled).await?;
    let site = Site { write, ground: &ground, settled: &settled, claims: &claims };
    let mut counted = Counted::default();
    counted.add(ground.collection, [claims.iter().filter(|claim| claim.is_new).count() as i64, 0, 0]);

    let (touched, keys) = facts::add(transaction, &mut locked, &site, resolve).await?;
    memory.forget(touched.iter().map(|(entity, _)| *entity), &keys);
    let relationships = relationships::add(transaction, &mut locked, &site, &mut counted).await?;
    views::refresh(transaction, &mut locked, &graph.names, &touched, &mut counted).await?;
    entities::review(transaction, &site).await?;
    counted.store(transaction).await?;
    locked.release(transaction).await?;
    Ok((site.written(relationships), locked.version))
}

/// What resolution may compare each proposal with.
pub(super) async fn known(
    graph: &Neo4jGraph,
    within: &Scope,
    proposals: &[EntityProposal],
    resolve: &dyn Resolve,
) -> StoreResult<Vec<Vec<KnownEntity>>> {
    let within = scope::numbers(graph, within).await?;
    let named = Named::all(proposals, resolve);
    let mut transaction = graph.link.begin().await?;
    let (nodes, seen) = (&mut Nodes(&mut transaction), &mut Seen::default());
    let pool = pool::load(nodes, &graph.config, &named, resolve, Vec::new(), &within, seen).await;
    transaction.roll_back().await;
    let pool = pool?;
    Ok(named.iter().map(|named| pool.candidates(named).into_iter().cloned().collect()).collect())
}
