//! Backfill task: runs at low priority for the life of the process.

use super::{BackfillError, backfill_assessments, backfill_once};
use crate::{Engine, leader::Leadership};
use domain::agent::AgentRole;
use std::time::Duration;
use tokio_util::sync::CancellationToken;

/// Runs the backfill until `shutdown`, while this process is the leader. When no model needs vectors, it pauses during
/// investigations.
pub async fn backfill_forever(engine: Engine, leadership: Leadership, shutdown: CancellationToken) {
    let pause = Duration::from_millis(engine.config.embedding_pause_ms);
    let mut is_behind = false;
    loop {
        let wait = if is_behind { Duration::ZERO } else { pause };
        tokio::select! {
            () = shutdown.cancelled() => return,
            () = tokio::time::sleep(wait) => {}
        }
        let step = tokio::select! {
            () = shutdown.cancelled() => return,
            step = step(&engine, leadership) => step,
        };
        is_behind = step.unwrap_or_else(|error| {
            tracing::warn!(%error, "embedding backfill failed, retrying");
            false
        });
    }
}

/// Runs one batch. Returns true when more is pending.
async fn step(engine: &Engine, leadership: Leadership) -> Result<bool, BackfillError> {
    let Some(embedder) = &engine.embedder else { return Ok(false) };
    if !leadership.is_leader(engine).await? {
        return Ok(false);
    }
    let models = engine.models_seen();
    let are_wanted_now = AgentRole::ALL.into_iter().any(|role| models.model(role).wants_vectors());
    if !are_wanted_now && engine.investigations.is_any_running().await? {
        return Ok(false);
    }
    let batch = engine.config.embedding_batch;
    let products = backfill_assessments(&*engine.assessments, &**embedder, batch).await?;
    let progress = backfill_once(&*engine.graph, &**embedder, batch).await?;
    if progress.added > 0 {
        tracing::debug!(model = embedder.model(), done = progress.done, pending = progress.pending, "vectors");
    }
    Ok([products, progress].iter().any(|kind| kind.added > 0 && kind.pending > 0))
}
