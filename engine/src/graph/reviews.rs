//! Decisions of people about entities: merges, their undoing, and pairs kept apart, each with an audit entry.

use crate::{
    Engine, StoreResult,
    accounts::{Actor, audit},
};
use domain::{EntityId, MergeId, ReviewId, Scope};

/// Act of an audit entry: object `SURVIVOR MERGED`.
pub const MERGE: &str = "merge_entities";
/// Act of an audit entry: object, the merge.
pub const UNDO: &str = "undo_merge";
/// Act of an audit entry: object, the review.
pub const KEEP_APART: &str = "keep_entities_apart";

/// Maximum number of reviews or merges among which one is looked for.
const MAX_LISTED: u32 = 10_000;

/// Merges `merged` into `survivor`. Returns the id of the merge; none unless both are visible and are two entities.
pub async fn merge(
    engine: &Engine,
    scope: &Scope,
    by: Actor,
    survivor: EntityId,
    merged: EntityId,
) -> StoreResult<Option<MergeId>> {
    let visible = engine.graph.entities(scope, &[survivor, merged]).await?;
    if visible.len() != 2 {
        return Ok(None);
    }
    let id = MergeId(engine.ids.next());
    engine.graph.merge(id, survivor, merged, engine.clock.now()).await?;
    audit(engine, by, MERGE, &format!("{survivor} {merged}")).await?;
    Ok(Some(id))
}

/// Undoes a merge. Returns false unless it stands and both sides are visible.
pub async fn undo_merge(engine: &Engine, scope: &Scope, by: Actor, id: MergeId) -> StoreResult<bool> {
    let standing = engine.graph.merges(scope, MAX_LISTED).await?;
    if !standing.iter().any(|merge| merge.id == id) {
        return Ok(false);
    }
    engine.graph.undo_merge(id).await?;
    audit(engine, by, UNDO, &id.to_string()).await?;
    Ok(true)
}

/// Closes a review: the pair stays two entities and is not proposed again. Returns false unless the review is open and visible.
pub async fn keep_apart(engine: &Engine, scope: &Scope, by: Actor, id: ReviewId) -> StoreResult<bool> {
    let open = engine.graph.reviews(scope, MAX_LISTED).await?;
    if !open.iter().any(|review| review.id == id) {
        return Ok(false);
    }
    engine.graph.close_review(id).await?;
    audit(engine, by, KEEP_APART, &id.to_string()).await?;
    Ok(true)
}
