//! Watched indicators: new claims are searched by the words of each, within what its watcher may read. Also notifications and saved
//! views, the other lists that a person keeps.

use crate::{
    Engine, StoreResult, annotations,
    graph::{ClaimQuery, search::search_claims},
    leader::Leadership,
};
use async_trait::async_trait;
use domain::{
    AssessmentId, ClaimId, SavedViewId, Scope, Timestamp, UserId, WatchId,
    notification::{Notification, SavedView, ViewPage, Watch, WatchMatch},
    user::User,
};
use serde::{Deserialize, Serialize};
use std::time::Duration;
use tokio_util::sync::CancellationToken;

/// Configuration of the search for watched indicators.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct WatchingConfig {
    /// Interval of the rounds; 0 disables them.
    pub check_ms: u64,
    /// Indicators per round.
    pub per_round: u32,
    /// Minimum score of a match, 0 to 1.
    pub min_score: f64,
    /// Best claims of a search that are looked at.
    pub candidates: usize,
    /// Indicators that one person may watch.
    pub per_person: u32,
    /// Views that one person may save.
    pub saved_views: u32,
}

impl Default for WatchingConfig {
    fn default() -> Self {
        Self { check_ms: 60_000, per_round: 50, min_score: 0.5, candidates: 50, per_person: 200, saved_views: 30 }
    }
}

/// Time before a search that the next one covers again: what was written, or got its vector, while it ran is not missed.
const OVERLAP_MS: i64 = 120_000;

/// Watched indicator on its list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WatchEntry {
    pub watch: Watch,
    /// Question of its assessment.
    pub question: String,
}

/// Port of watched indicators, notifications and saved views.
#[async_trait]
pub trait Watchlist: Send + Sync {
    /// Stores a watch, unique per person, assessment and indicator. Returns false when the person has `limit` watches already.
    async fn add_watch(&self, watch: &Watch, limit: u32) -> StoreResult<bool>;
    /// Removes a watch of `user` with its matches; returns whether there was one.
    async fn remove_watch(&self, user: UserId, id: WatchId) -> StoreResult<bool>;
    /// Returns the watches of a person on assessments that they may read, newest first.
    async fn watches(&self, scope: &Scope, user: UserId) -> StoreResult<Vec<WatchEntry>>;
    /// Returns the newest matches of a person's watches.
    async fn matches(&self, user: UserId, limit: u32) -> StoreResult<Vec<WatchMatch>>;
    /// Returns watches last looked at before the newest extraction, the longest ago first.
    async fn due_watches(&self, limit: u32) -> StoreResult<Vec<Watch>>;
    /// Records the claims that a search found at `now`; known matches keep their time. The next search is due for extractions after
    /// `covered`.
    async fn record_look(&self, watch: WatchId, now: Timestamp, covered: Timestamp, claims: &[ClaimId]) -> StoreResult<()>;

    /// Returns the newest notifications of a person.
    async fn notifications(&self, user: UserId, limit: u32) -> StoreResult<Vec<Notification>>;
    /// Records that a person looks at their notifications; returns the time of the last look.
    async fn look_at_notifications(&self, user: UserId, now: Timestamp) -> StoreResult<Option<Timestamp>>;

    /// Returns the saved views of a page that are the person's or shared, the person's own first, by name.
    async fn saved_views(&self, user: UserId, page: ViewPage) -> StoreResult<Vec<SavedView>>;
    /// Saves a view for its owner; one of the same page and name is replaced. Returns false when the owner has `limit` views already.
    async fn save_view(&self, page: ViewPage, view: &SavedView, now: Timestamp, limit: u32) -> StoreResult<bool>;
    async fn remove_view(&self, user: UserId, id: SavedViewId) -> StoreResult<bool>;
    /// Removes a shared view of anybody; returns whether there was one.
    async fn remove_shared_view(&self, id: SavedViewId) -> StoreResult<bool>;
}

/// Result of a request to watch an indicator.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WatchOutcome {
    Watched,
    NotFound,
    TooMany,
}

/// Watches an indicator of an assessment that `user` may read.
pub async fn watch(engine: &Engine, user: &User, id: AssessmentId, item: &str) -> StoreResult<WatchOutcome> {
    let stored = annotations::visible(engine, user, id).await?;
    let indicator = stored.and_then(|stored| stored.assessment.body.indicators.into_iter().find(|one| one.id == item));
    let Some(indicator) = indicator else { return Ok(WatchOutcome::NotFound) };
    let watch = Watch {
        id: WatchId(engine.ids.next()),
        user: user.id,
        assessment: id,
        item: indicator.id,
        text: indicator.text,
        at: engine.clock.now(),
    };
    let is_added = engine.watchlist.add_watch(&watch, engine.config.watching.per_person).await?;
    Ok(if is_added { WatchOutcome::Watched } else { WatchOutcome::TooMany })
}

/// Searches for due watches until `shutdown`, while this process is the leader.
pub async fn search_forever(engine: Engine, leadership: Leadership, shutdown: CancellationToken) {
    let check_ms = engine.config.watching.check_ms;
    if check_ms == 0 {
        return;
    }
    loop {
        tokio::select! {
            () = shutdown.cancelled() => return,
            () = tokio::time::sleep(Duration::from_millis(check_ms.max(1_000))) => {}
        }
        tokio::select! {
            () = shutdown.cancelled() => return,
            searched = search_while_leader(&engine, leadership) => if let Err(error) = searched {
                engine.note_failure(&error);
                tracing::warn!(%error, "search for watched indicators failed, retrying");
            }
        }
    }
}

async fn search_while_leader(engine: &Engine, leadership: Leadership) -> StoreResult<()> {
    if leadership.is_leader(engine).await? {
        search_once(engine).await?;
    }
    Ok(())
}

/// Runs one round and returns the number of watches searched.
pub async fn search_once(engine: &Engine) -> StoreResult<usize> {
    let due = engine.watchlist.due_watches(engine.config.watching.per_round).await?;
    for watch in &due {
        let now = engine.clock.now();
        // A report that was closed to the watcher matches nothing any more.
        let scope = engine.accounts.scope_of(watch.user).await?.read_by(watch.user);
        let is_open = engine.assessments.assessment(&scope, watch.assessment).await?.is_some();
        let claims = if is_open { matching_claims(engine, watch).await? } else { vec![] };
        engine.watchlist.record_look(watch.id, now, now.plus_ms(-OVERLAP_MS), &claims).await?;
    }
    Ok(due.len())
}

/// Returns claims that came after the watch began and match its words.
async fn matching_claims(engine: &Engine, watch: &Watch) -> StoreResult<Vec<ClaimId>> {
    let config = &engine.config.watching;
    let scope = engine.accounts.scope_of(watch.user).await?;
    let query = ClaimQuery { text: Some(engine.search.query.text(&watch.text)), ..ClaimQuery::default() };
    let (graph, embedder) = (&*engine.graph, engine.embedder.as_deref());
    let found = search_claims(graph, embedder, &engine.search, &scope, query, config.candidates).await?;
    let is_match = |score: f64, ingested_at: Timestamp| score >= config.min_score && ingested_at > watch.at;
    Ok(found.into_iter().filter(|hit| is_match(hit.score, hit.item.ingested_at)).map(|hit| hit.item.id).collect())
}
