//! Heat of all tensions in memory, by what a reader sees.
//!
//! Invariant: an overview of the cache equals one that is loaded now. Every write that a list shows counts itself (`HeatState`).

use crate::{
    settings::TensionSettings,
    store::{HeatState, TensionStore},
    tension::day_number,
    view::HeatOverview,
};
use domain::{CollectionId, Scope, Timestamp};
use engine::StoreResult;
use std::sync::{Arc, Mutex, PoisonError};

/// Collections, day and length of the history of an overview.
#[derive(Debug, Clone, PartialEq, Eq)]
struct HeatKey {
    collections: Vec<CollectionId>,
    today: i64,
    days: i64,
}

/// Overview with the state of the tables that it was computed from.
struct CachedOverview {
    key: HeatKey,
    state: HeatState,
    overview: Arc<HeatOverview>,
}

/// Overviews of the process, the newest first. A cheap clone.
#[derive(Clone, Default)]
pub struct HeatCache(Arc<Mutex<Vec<CachedOverview>>>);

impl HeatCache {
    /// Returns the overview of a scope, computed again where something changed.
    pub async fn load(
        &self,
        store: &TensionStore,
        settings: &TensionSettings,
        scope: &Scope,
        days: i64,
        now: Timestamp,
    ) -> StoreResult<Arc<HeatOverview>> {
        let key = HeatKey { collections: scope.collections().to_vec(), today: day_number(now), days };
        // Read first: a change during the computation is seen by the next reader.
        let state = store.heat_state(settings.event_limits(now)).await?;
        if let Some(overview) = self.find(&key, state) {
            return Ok(overview);
        }
        let overview = Arc::new(HeatOverview::load(store, settings, scope, days, now).await?);
        self.keep(CachedOverview { key, state, overview: overview.clone() }, settings.cached_overviews);
        Ok(overview)
    }

    fn find(&self, key: &HeatKey, state: HeatState) -> Option<Arc<HeatOverview>> {
        let cached = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let found = cached.iter().find(|one| one.key == *key && one.state == state)?;
        Some(found.overview.clone())
    }

    fn keep(&self, new: CachedOverview, most: usize) {
        let mut cached = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        cached.retain(|one| one.key.collections != new.key.collections);
        cached.insert(0, new);
        cached.truncate(most);
    }
}
