//! Search for watched indicators: new claims are searched by the words of each, within what its watcher may read.

use crate::{objects::or_logged, settings::WatchingSettings, store::WatchingStore, watch::Watch};
use domain::{ClaimId, Timestamp};
use engine::{
    Engine, StoreResult,
    graph::{ClaimQuery, search::search_claims},
};
use feature::Web;

/// Time before a search that the next one covers again: what was written, or got its vector, while it ran is not missed.
const OVERLAP_MS: i64 = 120_000;

/// Searches for every watch that is due, round by round, and returns their number.
pub async fn search_all(web: &Web) -> StoreResult<usize> {
    let per_round = web.settings.get::<WatchingSettings>().per_round;
    let (store, mut last, mut searched) = (WatchingStore::new(web), None, 0);
    loop {
        let due = store.due_watches_after(last, per_round).await?;
        let Some(watch) = due.last() else { return Ok(searched) };
        last = Some(watch.id);
        searched += due.len();
        search(web, &due).await;
    }
}

/// Searches for one round of due watches.
pub async fn search_once(web: &Web) -> StoreResult<()> {
    let per_round = web.settings.get::<WatchingSettings>().per_round;
    search(web, &WatchingStore::new(web).due_watches(per_round).await?).await;
    Ok(())
}

/// Searches for watches and records what was found.
async fn search(web: &Web, watches: &[Watch]) {
    for watch in watches {
        or_logged(web, search_for(web, watch).await);
    }
}

/// Searches for one watch and records what was found.
async fn search_for(web: &Web, watch: &Watch) -> StoreResult<()> {
    let (engine, settings) = (&web.engine, web.settings.get::<WatchingSettings>());
    let now = engine.clock.now();
    // A report that was closed to the watcher matches nothing any more.
    let scope = engine.accounts.scope_of(watch.user).await?.read_by(watch.user);
    let is_open = engine.assessments.assessment(&scope, watch.assessment).await?.is_some();
    let claims = if is_open { matching_claims(engine, &settings, watch).await? } else { vec![] };
    WatchingStore::new(web).record_look(watch.id, now, now.plus_ms(-OVERLAP_MS), &claims).await?;
    Ok(())
}

/// Returns claims that came after the watch began and match its words.
async fn matching_claims(engine: &Engine, settings: &WatchingSettings, watch: &Watch) -> StoreResult<Vec<ClaimId>> {
    let scope = engine.accounts.scope_of(watch.user).await?;
    let query = ClaimQuery { text: Some(engine.search.query.text(&watch.text)), ..ClaimQuery::default() };
    let (graph, embedder) = (&*engine.graph, engine.embedder.as_deref());
    let found = search_claims(graph, embedder, &engine.search, &scope, query, settings.candidates).await?;
    let is_match = |score: f64, ingested_at: Timestamp| score >= settings.min_score && ingested_at > watch.at;
    Ok(found.into_iter().filter(|hit| is_match(hit.score, hit.item.ingested_at)).map(|hit| hit.item.id).collect())
}
