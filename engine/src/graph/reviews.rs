//! Decisions of people about entities: merges, their undoing, and pairs kept apart, each with an audit entry.

use super::{ListedMerges, NamedIn, readership::Readership};
use crate::{
    Engine, StoreResult,
    accounts::{Actor, audit},
};
use domain::{
    EntityId, MergeId, ReviewId, Scope,
    entity::{Merge, ReviewDecision},
    user::{Action, User},
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

/// Outcome of a request to merge.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MergeOutcome {
    Done {
        merge: MergeId,
        survivor: EntityId,
    },
    /// The two are not visible, or one entity already.
    Unknown,
    /// Some people see only the one, others only the other: a merge would change what they see.
    Divided,
}

/// Merges two visible entities, `merged` into `survivor` where readers allow it.
///
/// Invariant: all who see anything of the merged entity see the survivor by its own names, and the merge with both names. So nothing
/// private joins what others see, and every merge that somebody sees can be undone by them.
pub async fn merge(
    engine: &Engine,
    scope: &Scope,
    by: Actor,
    survivor: EntityId,
    merged: EntityId,
) -> StoreResult<MergeOutcome> {
    let mut roots = vec![];
    for id in [survivor, merged] {
        roots.extend(engine.graph.entities(scope, &[id]).await?.into_iter().map(|entity| entity.id));
    }
    let [survivor, merged] = roots[..] else { return Ok(MergeOutcome::Unknown) };
    if survivor == merged {
        return Ok(MergeOutcome::Unknown);
    }
    let Some([survivor, merged]) = survivor_first(engine, [survivor, merged]).await? else {
        return Ok(MergeOutcome::Divided);
    };
    let merge = MergeId(engine.ids.next());
    engine.graph.merge(merge, survivor, merged, by.user, engine.clock.now()).await?;
    audit(engine, by, MERGE, &format!("{survivor} {merged}")).await?;
    Ok(MergeOutcome::Done { merge, survivor })
}

/// Returns a pair with the entity first that can survive a merge: the first of the two unless it has fewer readers. None where each has
/// readers that the other has not.
pub(crate) async fn survivor_first(engine: &Engine, [one, other]: [EntityId; 2]) -> StoreResult<Option<[EntityId; 2]>> {
    let readership = Readership::load(engine).await?;
    let (first, second) = (engine.graph.named_in(one).await?, engine.graph.named_in(other).await?);
    let can_survive = |survivor: &NamedIn, merged: &NamedIn| {
        readership
            .collect_readers(survivor.own.iter().copied())
            .include(&readership.collect_readers(merged.all.iter().copied()))
    };
    Ok(match (can_survive(&first, &second), can_survive(&second, &first)) {
        (true, _) => Some([one, other]),
        (false, true) => Some([other, one]),
        (false, false) => None,
    })
}

/// Returns which merges a person lists and may undo: administrators all.
pub(crate) fn listed_for(user: &User) -> ListedMerges {
    if user.role.may(Action::RemoveSample) { ListedMerges::All } else { ListedMerges::Named }
}

/// Returns a merge; none unless it stands and the person may undo it.
pub(crate) async fn standing_merge(engine: &Engine, scope: &Scope, user: &User, id: MergeId) -> StoreResult<Option<Merge>> {
    let listed = engine.graph.merges(scope, listed_for(user), MAX_LISTED).await?;
    Ok(listed.into_iter().find(|merge| merge.id == id))
}

/// Undoes a merge. Returns false unless it stands, and `user` sees both sides or is an administrator.
pub async fn undo_merge(engine: &Engine, scope: &Scope, user: &User, by: Actor, id: MergeId) -> StoreResult<bool> {
    if standing_merge(engine, scope, user, id).await?.is_none() {
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
        let outcome = merge(engine, scope, by, survivor, merged).await?;
        decided += u64::from(matches!(outcome, MergeOutcome::Done { .. }));
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
