//! Work in the background: the reports of the sample, the search for stated strain, the upkeep of what it found, then the
//! snapshots of the day.

use crate::{finder::find_once, sample, settings::TensionSettings, snapshots::record_once, upkeep};
use engine::{StoreResult, leader::Leadership};
use feature::Web;
use std::time::Duration;
use tokio_util::sync::CancellationToken;

/// Shortest interval of the rounds in milliseconds.
const SHORTEST_MS: u64 = 1_000;

/// Runs rounds until `shutdown`, while this process is the leader.
pub async fn run_forever(web: Web, leadership: Leadership, shutdown: CancellationToken) {
    let check_ms = web.settings.get::<TensionSettings>().check_ms;
    if check_ms == 0 {
        return;
    }
    loop {
        tokio::select! {
            () = shutdown.cancelled() => return,
            () = tokio::time::sleep(Duration::from_millis(check_ms.max(SHORTEST_MS))) => {}
        }
        tokio::select! {
            () = shutdown.cancelled() => return,
            done = run_while_leader(&web, leadership) => if let Err(error) = done {
                web.engine.note_failure(&error);
                tracing::warn!(%error, "search for stated strain failed, retrying");
            }
        }
    }
}

async fn run_while_leader(web: &Web, leadership: Leadership) -> StoreResult<()> {
    if !leadership.is_leader(&web.engine).await? {
        return Ok(());
    }
    // Of deleted documents, nothing stays, even where the search fails.
    upkeep::refresh(web).await?;
    sample::add_reports(web).await?;
    while leadership.is_leader(&web.engine).await? && find_once(web).await? > 0 {}
    upkeep::refresh(web).await?;
    sample::add_responses(web).await?;
    while leadership.is_leader(&web.engine).await? && record_once(web).await? > 0 {}
    Ok(())
}
