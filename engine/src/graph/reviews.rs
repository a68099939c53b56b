//! Decisions of people about entities: merges, their undoing, and pairs kept apart, each with an audit entry.

use crate::{
    Engine, StoreResult,
    accounts::{Actor, audit},
};
use domain::{
    EntityId, MergeId, ReviewId, Scope,
    entity::{Merge, ReviewDecision},
};

/// Act of an audit entry: object `SURVIVOR MERGED`.
pub const MERGE: &str = "merge_entities";
/// Act of an audit entry: object, the merge.
pub const UNDO: &str = "undo_merge";
/// Act of an audit entry: object, the review.
pub const KEEP_APART: &str = "keep_entities_apart";
/// Act of an audit entry: object, the review.
pub const DECIDE_LATER: &str = "postpone_review";
/// Act of an audit entry: object, the review.
pub const REOPEN: &str = "reopen_review";

/// Maximum number of merges among which one is looked for.
pub(crate) const MAX_LISTED: u32 = 10_000;

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
    engine.graph.merge(id, survivor, merged, by.user, engine.clock.now()).await?;
    audit(engine, by, MERGE, &format!("{survivor} {merged}")).await?;
    Ok(Some(id))
}

/// Returns a merge; none unless it stands and both sides are visible.
pub(crate) async fn standing_merge(engine: &Engine, scope: &Scope, id: MergeId) -> StoreResult<Option<Merge>> {
    Ok(engine.graph.merges(scope, MAX_LISTED).await?.into_iter().find(|merge| merge.id == id))
}

/// Undoes a merge. Returns false unless it stands and both sides are visible.
pub async fn undo_merge(engine: &Engine, scope: &Scope, by: Actor, id: MergeId) -> StoreResult<bool> {
    if standing_merge(engine, scope, id).await?.is_none() {
        return Ok(false);
    }
    engine.graph.undo_merge(id).await?;
    audit(engine, by, UNDO, &id.to_string()).await?;
    Ok(true)
}

/// Decision about several pairs at once.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PairsDecision {
    Merge,
    KeepApart,
}

/// Pages of open reviews around the one on which pairs were chosen: others may have moved them meanwhile.
const PAGES_AROUND: u32 = 3;

/// Decides about several pairs, each with an audit entry of its own. Returns how many were decided; pairs that are not visible, decided
/// by others or one by an earlier merge are left out.
pub async fn decide_many(
    engine: &Engine,
    scope: &Scope,
    by: Actor,
    ids: &[ReviewId],
    page: u64,
    decision: PairsDecision,
) -> StoreResult<u64> {
    let mut decided = 0;
    if decision == PairsDecision::KeepApart {
        for id in ids {
            decided += u64::from(decide(engine, scope, by, *id, ReviewDecision::KeepApart).await?);
        }
        return Ok(decided);
    }
    let per_page = engine.config.pages.reviews;
    let skip = page.saturating_sub(2).saturating_mul(u64::from(per_page));
    let open = engine.graph.reviews(scope, skip, per_page.saturating_mul(PAGES_AROUND)).await?;
    for review in open.iter().filter(|review| ids.contains(&review.id)) {
        let sides = engine.merge_sides(scope, [review.left, review.right], None).await?;
        let Some([survivor, merged]) = sides.map(|sides| sides.map(|side| side.entity.id)) else { continue };
        decided += u64::from(merge(engine, scope, by, survivor, merged).await?.is_some());
    }
    Ok(decided)
}

/// Stores a decision about a pair: to keep it apart, which is never proposed again, to decide later, or neither. Returns false unless
/// the review is visible.
pub async fn decide(engine: &Engine, scope: &Scope, by: Actor, id: ReviewId, decision: ReviewDecision) -> StoreResult<bool> {
    if !engine.graph.decide_review(scope, id, decision, by.user, engine.clock.now()).await? {
        return Ok(false);
    }
    let act = match decision {
        ReviewDecision::KeepApart => KEEP_APART,
        ReviewDecision::Later => DECIDE_LATER,
        ReviewDecision::Reopen => REOPEN,
    };
    audit(engine, by, act, &id.to_string()).await?;
    Ok(true)
}
