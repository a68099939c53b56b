//! Events of an investigation: numbered, stored, and streamed live.

use crate::{Engine, StoreResult, reliability::retry::retry_while_unavailable};
use async_trait::async_trait;
use domain::{InvestigationId, Timestamp, event::Event, event::EventKind};
use futures::stream::BoxStream;

#[async_trait]
pub trait Events: Send + Sync {
    /// Appends an event with the next sequence number and notifies followers.
    async fn append(&self, investigation: InvestigationId, at: Timestamp, what: EventKind) -> StoreResult<Event>;
    /// Appends several events in order; followers see all or none.
    async fn append_all(&self, investigation: InvestigationId, at: Timestamp, what: Vec<EventKind>) -> StoreResult<()>;
    /// Returns events after `after`, oldest first.
    async fn after(&self, investigation: InvestigationId, after: u64, limit: u32) -> StoreResult<Vec<Event>>;
    /// Returns events before `before`, newest first.
    async fn before(&self, investigation: InvestigationId, before: u64, limit: u32) -> StoreResult<Vec<Event>>;
    /// Returns the number of the newest event; 0 without events.
    async fn last(&self, investigation: InvestigationId) -> StoreResult<u64>;
    /// Streams every event after `after`, stored and future, without gaps or duplicates. Ends after a terminal status.
    fn follow(&self, investigation: InvestigationId, after: u64) -> BoxStream<'static, StoreResult<Event>>;
}

/// Records an event, retrying while the store is unavailable: unrecorded work would be repeated.
pub(crate) async fn record_event(engine: &Engine, investigation: InvestigationId, what: EventKind) -> StoreResult<()> {
    let at = engine.clock.now();
    retry_while_unavailable(engine.config.worker_pause_ms, || engine.events.append(investigation, at, what.clone())).await?;
    Ok(())
}
