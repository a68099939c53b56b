//! View model of tool statistics: cache hits, result quality, latency.

use crate::{Engine, StoreResult};
use domain::{
    agent::ToolQuality,
    user::{Action, User},
};
use std::cmp::Reverse;
use views::ToolsView;

const DAY_MS: i64 = 24 * 60 * 60 * 1_000;

impl Engine {
    /// Returns the statistics of the last `days`, rounded to a configured period; none for viewers who cannot start
    /// investigations.
    pub async fn tools_view(&self, viewer: &User, days: Option<u32>) -> StoreResult<Option<ToolsView>> {
        if !viewer.role.may(Action::Investigate) {
            return Ok(None);
        }
        let choices = self.config.pages.tool_days.clone();
        let wanted = days.filter(|days| choices.contains(days)).or_else(|| choices.first().copied()).unwrap_or(1);
        let since = self.clock.now().plus_ms(-i64::from(wanted) * DAY_MS);
        let mut lines = self.sessions.tool_quality(since).await?;
        lines.sort_by(|a, b| (Reverse(a.calls), &a.tool, &a.source).cmp(&(Reverse(b.calls), &b.tool, &b.source)));
        let mut total = ToolQuality::default();
        lines.iter().for_each(|line| total.add(line));
        let reflector = self
            .models_seen()
            .reflector
            .as_ref()
            .map(|chain| format!("{} {}", chain.first().provider(), chain.first().model()));
        Ok(Some(ToolsView { days: wanted, choices, total, lines, reflector }))
    }
}
