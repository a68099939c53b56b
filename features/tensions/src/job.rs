//! Work in the background: the reports of the sample, the search for stated strain, the upkeep of what it found, then the
//! snapshots of the day.

use crate::{finder::find_once, sample, snapshots::record_once, upkeep};
use engine::StoreResult;
use feature::JobContext;

/// Runs one round.
pub async fn run_round(context: JobContext) -> StoreResult<()> {
    let web = &context.web;
    // Of deleted documents, nothing stays, even where the search fails.
    upkeep::refresh(web).await?;
    sample::add_reports(web).await?;
    while context.is_leader().await? && find_once(web).await? > 0 {}
    upkeep::refresh(web).await?;
    sample::add_responses(web).await?;
    while context.is_leader().await? && record_once(web).await? > 0 {}
    Ok(())
}
