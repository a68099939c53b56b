//! Splitting an entity by hand: some of its claims become those of a new entity, as when two persons of one name were taken for one.

use crate::{
    Engine, StoreResult,
    accounts::{Actor, audit},
};
use domain::{ClaimId, EntityId, ReviewId, Scope, Timestamp, UserId};

/// Act of an audit entry: object `ENTITY NEW`.
pub const SPLIT: &str = "split_entity";

/// Part of an entity that becomes an entity of its own.
#[derive(Debug, Clone, PartialEq)]
pub struct Split {
    pub entity: EntityId,
    /// Id of the new entity.
    pub new: EntityId,
    /// Id of the closed review, which keeps the two apart.
    pub review: ReviewId,
    /// The claims that move.
    pub claims: Vec<ClaimId>,
    pub by: Option<UserId>,
    pub at: Timestamp,
}

impl Split {
    /// Reason in the review of the two.
    pub const WHY: &str = "a person split them";
}

/// Outcome of a split.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SplitOutcome {
    Done,
    /// There is no such entity.
    Unknown,
    /// Others were merged into the entity: these merges are undone first.
    Merged,
    /// No claim would move, or none would stay.
    OneSided,
}

/// Splits an entity and returns the id of the new one with the outcome.
pub async fn split(
    engine: &Engine,
    scope: &Scope,
    by: Actor,
    entity: EntityId,
    claims: Vec<ClaimId>,
) -> StoreResult<(EntityId, SplitOutcome)> {
    let new = EntityId(engine.ids.next());
    let Some(found) = engine.graph.entities(scope, &[entity]).await?.pop() else { return Ok((new, SplitOutcome::Unknown)) };
    let (review, at) = (ReviewId(engine.ids.next()), engine.clock.now());
    let split = Split { entity: found.id, new, review, claims, by: by.user, at };
    let outcome = engine.graph.split(scope, &split).await?;
    if outcome == SplitOutcome::Done {
        audit(engine, by, SPLIT, &format!("{} {new}", found.id)).await?;
    }
    Ok((new, outcome))
}
