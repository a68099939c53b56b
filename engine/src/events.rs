//! The events of an investigation: numbered, stored, and watched live.

use crate::{Engine, StoreResult, reliability::retry::outlast};
use async_trait::async_trait;
use domain::{InvestigationId, Timestamp, event::Event, event::EventKind};
use futures::stream::BoxStream;

#[async_trait]
pub trait Events: Send + Sync {
    /// Appends with the next sequence number and wakes whoever follows.
    async fn append(&self, investigation: InvestigationId, at: Timestamp, what: EventKind) -> StoreResult<Event>;
    /// Appends several in this order; nobody sees some of them without the others.
    async fn append_all(&self, investigation: InvestigationId, at: Timestamp, what: Vec<EventKind>) -> StoreResult<()>;
    /// Events after `after`, oldest first.
    async fn after(&self, investigation: InvestigationId, after: u64, limit: u32) -> StoreResult<Vec<Event>>;
    /// Events before `before`, newest first.
    async fn before(&self, investigation: InvestigationId, before: u64, limit: u32) -> StoreResult<Vec<Event>>;
    /// The number of the newest event; 0 when there is none.
    async fn last(&self, investigation: InvestigationId) -> StoreResult<u64>;
    /// Every event after `after`, those stored and those to come, without a hole or a double. Ends after a terminal status.
    fn follow(&self, investigation: InvestigationId, after: u64) -> BoxStream<'static, StoreResult<Event>>;
}

/// Tells who follows an investigation, as soon as the store can be reached: what was done and not told would be done again.
pub(crate) async fn say(engine: &Engine, investigation: InvestigationId, what: EventKind) -> StoreResult<()> {
    let at = engine.clock.now();
    outlast(engine.config.worker_pause_ms, || engine.events.append(investigation, at, what.clone())).await?;
    Ok(())
}
