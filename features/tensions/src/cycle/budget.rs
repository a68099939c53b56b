//! Check of the budget before a session of the cycle starts.

use super::order::Stage;
use crate::{
    agents::{READ_PAGE, WEB_SEARCH},
    settings::TensionSettings,
    store::TensionStore,
    tension::{day_number, day_start},
};
use domain::{UserId, budget::BudgetLevel};
use engine::{StoreResult, budget::day_keys};
use feature::Web;

/// Returns why no session of a stage may start: the daily budget, that of the person, or the searches and page reads of the day do
/// not reach.
pub async fn spent_reason(web: &Web, user: UserId, stage: Stage) -> StoreResult<Option<String>> {
    let (engine, settings) = (&web.engine, web.settings.get::<TensionSettings>());
    let now = engine.clock.now();
    let own = engine.accounts.user(user).await?.map(|user| user.cap).unwrap_or_default();
    let caps = engine.budget.caps().with_own(own);
    let open = 1.0 - caps.final_share;
    let keys = day_keys(now, user);
    // Levels of a day come first in the caps.
    for ((level, key), cap) in [BudgetLevel::Day, BudgetLevel::User].into_iter().zip(&keys).zip(&caps.levels) {
        let used = engine.ledger.used(level, key).await?;
        let needed = u64::from(settings.scout_model_calls).saturating_mul(u64::from(settings.tokens_per_call));
        let has_tokens = |cap: u64| used.tokens.saturating_add(needed) as f64 <= cap as f64 * open;
        let has_money = |cap: u64| (used.micros as f64) < cap as f64 * open;
        if !(cap.tokens.is_none_or(has_tokens) && cap.micros.is_none_or(has_money)) {
            return Ok(Some(format!("the {} budget does not reach for another session", level.as_str())));
        }
    }
    if stage == Stage::Story {
        return Ok(None);
    }
    let calls = TensionStore::new(web).calls_since(day_start(day_number(now))).await?;
    let limits = [
        (WEB_SEARCH, settings.scout_searches, settings.searches_per_day, "searches"),
        (READ_PAGE, settings.scout_page_reads, settings.page_reads_per_day, "page reads"),
    ];
    let spent = limits
        .into_iter()
        .find(|(tool, needed, most, _)| calls.get(*tool).copied().unwrap_or_default() + u64::from(*needed) > u64::from(*most));
    Ok(spent.map(|(_, _, most, name)| format!("the {most} {name} of the day do not reach for another session")))
}
