//! Resolution and insertion of entities, and the review list.

use super::{candidates::Neo4jCandidates, lock::WriterLock};
use crate::graph::{
    neo4j::{
        Neo4jGraph,
        client::{Statement, Transaction},
        cypher,
    },
    resolution_cache::ScopedCache,
    write_plan::{
        WriteContext,
        candidates::{self, KeyedProposal},
        existing_refs::ExistingRefs,
        resolution::{self, ResolvedEntities, ReviewPair},
        reviews,
    },
};
use engine::{
    StoreResult,
    graph::{GraphWrite, Resolve},
};
use serde_json::{Value, json};

/// Resolves the proposals to entities and inserts the new ones.
pub(super) async fn resolve_entities(
    transaction: &mut Transaction,
    graph: &Neo4jGraph,
    lock: &mut WriterLock,
    write: &GraphWrite,
    resolve: &dyn Resolve,
    refs: &ExistingRefs,
    scoped: &mut ScopedCache,
) -> StoreResult<ResolvedEntities> {
    if write.entities.is_empty() {
        return Ok(ResolvedEntities::default());
    }
    let before = write.entities.iter().filter_map(|proposal| refs.entities.get(&proposal.id)).map(|row| row.root).collect();
    let named = KeyedProposal::with_keys(&write.entities, resolve);
    let nodes = &mut Neo4jCandidates(&mut *transaction);
    let pool = candidates::load_candidates(nodes, &graph.config, &named, resolve, before, &refs.resolve_within, scoped).await?;
    let resolved = resolution::resolve_entities(&named, resolve, refs, pool, lock.last())?;
    let new: Vec<Value> = resolved.new_entities().map(|entity| json!({"n": entity.n, "id": entity.id})).collect();
    if !new.is_empty() {
        lock.used(resolved.new_entities().map(|entity| entity.n).max().unwrap_or_default());
        transaction.run(Statement::new(cypher::write::NEW_ENTITIES).with("rows", new)).await?;
    }
    Ok(resolved)
}

/// Stores pairs that need review, and pairs that were told apart, with the reason. A pair that is already open keeps the higher score and
/// its reason.
pub(super) async fn add_reviews(transaction: &mut Transaction, context: &WriteContext<'_>) -> StoreResult<()> {
    let pairs = reviews::pairs(context);
    if pairs.is_empty() {
        return Ok(());
    }
    let row = |pair: &ReviewPair| {
        json!({
            "id": pair.id, "left": pair.left, "right": pair.right, "score": pair.score, "why": pair.why, "closed": pair.is_closed,
            "left_collections": pair.left_collections, "right_collection": pair.right_collection,
        })
    };
    let rows: Vec<Value> = pairs.iter().map(row).collect();
    transaction.run(Statement::new(cypher::write::REVIEWS).with("rows", rows).with("at", context.write.at.as_micros())).await
}
