//! One write: everything that came out of one document, in one immediate transaction and a fixed number of statements.

mod check;
mod claims;
mod entities;
mod facts;
mod ground;
mod pool;
mod relationships;
mod terms;
mod views;

pub(super) use pool::Pooled;
pub(super) use terms::{counts as term_counts, forget as forget_terms, table as terms_table};

use super::{
    SqliteGraph,
    memory::{self, Seen},
    numbers,
};
use crate::sql::fault::Fault;
use domain::Scope;
use engine::graph::{EntityProposal, GraphWrite, KnownEntity, Resolve, ResolvedEntity, Written, WrittenItem};

pub(super) async fn write(graph: &SqliteGraph, write: &GraphWrite, resolve: &dyn Resolve) -> Result<Written, Fault> {
    check::check(write)?;
    let mut transaction = graph.writer.begin_with("begin immediate").await?;
    let conn = &mut *transaction;

    let version = memory::next_version(conn).await?;
    let mut memory = graph.memory.lock().await;
    memory.hold_for(version - 1);
    let ground = ground::prepare(conn, write).await?;
    let settled = entities::settle(conn, graph, write, resolve, &ground, memory.seen(&ground.resolve_within)).await?;
    let claims = claims::append(conn, write, &ground, &settled).await?;
    let site = Site { write, ground: &ground, settled: &settled, claims: &claims };

    let (facts, keys) = facts::add(conn, &site, resolve).await?;
    memory.forget(facts.iter().map(|(entity, _)| *entity), &keys);
    let relationships = relationships::add(conn, &site).await?;
    let mut changed = views::refresh(conn, &facts).await?;
    changed.extend(claims::terms(&site));
    changed.extend(relationships.changed);
    terms::index(conn, changed).await?;
    entities::review(conn, &site).await?;
    if write.completes_document {
        let sql = "insert into extractions (document_id, at) values ($1, $2) on conflict do nothing";
        sqlx::query(sql).bind(write.document_id.0).bind(write.at.as_micros()).execute(&mut *conn).await?;
    }
    transaction.commit().await?;
    memory.committed(version);

    Ok(Written {
        entities: settled.entities.iter().map(|entity| ResolvedEntity { id: entity.id, is_new: entity.is_new }).collect(),
        claims: claims.iter().map(|claim| WrittenItem { id: claim.id, is_new: claim.is_new }).collect(),
        relationships: relationships.written,
    })
}

/// What resolution may compare each proposal with.
pub(super) async fn known(
    graph: &SqliteGraph,
    within: &Scope,
    proposals: &[EntityProposal],
    resolve: &dyn Resolve,
) -> Result<Vec<Vec<KnownEntity>>, Fault> {
    let mut conn = graph.reader.acquire().await?;
    let within = numbers::scope_list(&mut conn, within).await?;
    let named: Vec<_> = proposals.iter().map(|proposal| pool::Named::new(proposal, resolve)).collect();
    let pool = pool::load(&mut conn, &graph.config, &named, resolve, Vec::new(), &within, &mut Seen::default()).await?;
    Ok(named.iter().map(|named| pool.candidates(named).into_iter().cloned().collect()).collect())
}

/// A write half done: what was asked for, and the rows that its parts have by now.
struct Site<'a> {
    write: &'a GraphWrite,
    ground: &'a ground::Ground,
    settled: &'a entities::Settled,
    claims: &'a [claims::ClaimRow],
}

impl Site<'_> {
    /// The claims that evidence something, with the collection of each.
    fn evidence(&self, new: &[usize], existing: &[domain::ClaimId]) -> Vec<(i64, i64)> {
        let new = new.iter().map(|index| (self.claims[*index].n, self.ground.collection));
        let mut claims: Vec<_> = new.chain(existing.iter().map(|id| self.ground.claims[id])).collect();
        claims.sort_unstable();
        claims.dedup();
        claims
    }
}
