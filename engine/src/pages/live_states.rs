//! Live states of investigations, kept between views: a view reads only the events that no earlier view has read.

use super::PagesConfig;
use crate::{StoreResult, events::Events};
use domain::{InvestigationId, live::LiveState};
use moka::future::Cache;
use std::sync::Arc;
use tokio::sync::Mutex;

/// Live states of the investigations that were viewed last. Cheap to clone.
#[derive(Debug, Clone)]
pub(crate) struct LiveStates {
    kept: Cache<InvestigationId, Arc<Mutex<LiveState>>>,
    events_per_read: u32,
}

impl LiveStates {
    pub(crate) fn new(config: &PagesConfig) -> Self {
        Self { kept: Cache::new(config.live_states), events_per_read: config.events_per_read }
    }

    /// Returns the state after all stored events. Concurrent views of one investigation read its events once.
    pub(super) async fn current(&self, events: &dyn Events, id: InvestigationId) -> StoreResult<LiveState> {
        let kept = self.kept.get_with(id, async { Arc::default() }).await;
        let mut live = kept.lock().await;
        loop {
            let more = events.after(id, live.last, self.events_per_read).await?;
            for event in &more {
                live.fold(event);
            }
            if more.len() < self.events_per_read as usize {
                return Ok(live.clone());
            }
        }
    }
}
