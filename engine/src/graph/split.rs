//! Splitting an entity by hand: some of its claims become those of a new entity, as when two persons of one name were taken for one.

use super::readership::Readership;
use crate::{
    Engine, StoreResult,
    accounts::{Actor, audit},
};
use domain::{ClaimId, CollectionId, EntityId, ReviewId, Scope, Timestamp, UserId};

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
    /// Readers of the collections.
    pub readership: Readership,
    /// The claims that move.
    pub claims: Vec<ClaimId>,
    pub by: Option<UserId>,
    pub at: Timestamp,
}

impl Split {
    /// Returns whether all who see claims that move see claims that stay, so that the entity keeps its address for them.
    pub fn keeps_readers(&self, moved_in: &[CollectionId], kept_in: &[CollectionId]) -> bool {
        let readers = |collections: &[CollectionId]| self.readership.collect_readers(collections.iter().copied());
        readers(kept_in).include(&readers(moved_in))
    }

    /// Reason in the review of the two.
    pub const WHY: &str = "a person split them";
}

/// Outcome of a split.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SplitOutcome {
    Done,
    /// There is no such entity.
    Unknown,
    /// Visible others were merged into the entity: these merges are undone first.
    Merged,
    /// No visible claim would move, or none would stay.
    OneSided,
    /// Some who see the entity would see nothing of it any more.
    Divided,
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
    let readership = Readership::load(engine).await?;
    let split = Split { readership, entity: found.id, new, review, claims, by: by.user, at };
    let outcome = engine.graph.split(scope, &split).await?;
    if outcome == SplitOutcome::Done {
        audit(engine, by, SPLIT, &format!("{} {new}", found.id)).await?;
    }
    Ok((new, outcome))
}
