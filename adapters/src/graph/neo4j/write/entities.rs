//! New entities, and the pairs that wait for a judgement.

use super::{lock::Locked, shelf::Nodes};
use crate::graph::{
    draft::{
        Site,
        ground::Ground,
        pool::{self, Named},
        reviews,
        settle::{self, Pair, Settled},
    },
    memory::Seen,
    neo4j::{
        Neo4jGraph, cypher,
        link::{Transaction, ask},
    },
};
use engine::{
    StoreResult,
    graph::{GraphWrite, Resolve},
};
use serde_json::{Value, json};

/// Settles which entity each proposal is, and stores the new ones.
pub(super) async fn settle(
    transaction: &mut Transaction,
    graph: &Neo4jGraph,
    locked: &mut Locked,
    write: &GraphWrite,
    resolve: &dyn Resolve,
    ground: &Ground,
    seen: &mut Seen,
) -> StoreResult<Settled> {
    if write.entities.is_empty() {
        return Ok(Settled::default());
    }
    let before = write.entities.iter().filter_map(|proposal| ground.entities.get(&proposal.id)).map(|row| row.root).collect();
    let named = Named::all(&write.entities, resolve);
    let nodes = &mut Nodes(&mut *transaction);
    let pool = pool::load(nodes, &graph.config, &named, resolve, before, &ground.resolve_within, seen).await?;
    let settled = settle::settle(&named, resolve, ground, pool, locked.last())?;
    let new: Vec<Value> = settled.new_entities().map(|entity| json!({"n": entity.n, "id": entity.id})).collect();
    if !new.is_empty() {
        locked.used(settled.new_entities().map(|entity| entity.n).max().unwrap_or_default());
        transaction.run(ask(cypher::write::NEW_ENTITIES).with("rows", new)).await?;
    }
    Ok(settled)
}

/// Stores the pairs that wait for a judgement, and those that were told apart, with the reason. Of a pair that waits already, the higher
/// score stays with its reason.
pub(super) async fn review(transaction: &mut Transaction, site: &Site<'_>) -> StoreResult<()> {
    let pairs = reviews::pairs(site);
    if pairs.is_empty() {
        return Ok(());
    }
    let row = |pair: &Pair| {
        json!({
            "id": pair.id, "left": pair.left, "right": pair.right, "score": pair.score, "why": pair.why, "closed": pair.is_closed,
            "left_collections": pair.left_collections, "right_collection": pair.right_collection,
        })
    };
    let rows: Vec<Value> = pairs.iter().map(row).collect();
    transaction.run(ask(cypher::write::REVIEWS).with("rows", rows).with("at", site.write.at.as_micros())).await
}
