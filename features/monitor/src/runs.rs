//! Runs of standing questions. A due time gets one row, and its investigation the id in that row: however often a start is repeated, and
//! by how many processes, there is one investigation.

use crate::{
    dates::DAY_MS,
    settings::MonitorSettings,
    standing::{RunState, StandingId, StandingQuestion, StandingRun, due_time},
    store::MonitorStore,
};
use domain::{
    InvestigationId,
    assessment::Producer,
    investigation::{FollowKind, Investigation, Trigger},
    user::{Action, User},
};
use engine::{
    StoreResult,
    accounts::active_user,
    investigations::{self, InvestigationRequest, ReachRequest, StartError},
};
use feature::Web;
use std::collections::HashMap;

/// Standing questions read at once, and runs started in one round.
const PER_STEP: u32 = 100;
/// Days over which a budget counts.
pub const BUDGET_DAYS: u32 = 30;
/// Most doublings of the pause after a failed start.
const MOST_DOUBLINGS: u32 = 10;
/// Earlier runs among which the next one looks for the version that it continues.
const EARLIER: u32 = 50;

/// Runs one round: records what is due, starts what is recorded, and removes old runs.
pub async fn run_round(web: &Web) -> StoreResult<()> {
    record_due(web).await?;
    start_due(web).await?;
    let keep_ms = i64::from(web.settings.get::<MonitorSettings>().keep_runs_days) * DAY_MS;
    MonitorStore::new(web).remove_old_runs(web.engine.clock.now().plus_ms(-keep_ms)).await
}

/// Records a run for each question that is due.
pub async fn record_due(web: &Web) -> StoreResult<()> {
    let (engine, store) = (&web.engine, MonitorStore::new(web));
    let (now, mut after) = (engine.clock.now(), None);
    loop {
        let questions = store.open_standing(after, PER_STEP).await?;
        let ids: Vec<StandingId> = questions.iter().map(|question| question.id).collect();
        let last: HashMap<StandingId, StandingRun> =
            store.last_runs(&ids).await?.into_iter().map(|run| (run.standing, run)).collect();
        for question in &questions {
            let last = last.get(&question.id);
            // A run that waits makes up for those that come due meanwhile.
            if last.is_some_and(|run| run.state == RunState::Due) {
                continue;
            }
            let due_at = match due_time(web, question, last, now).await {
                Ok(due_at) => due_at,
                // One question does not stop the others.
                Err(error) => {
                    engine.note_failure(&error);
                    tracing::warn!(%error, "time of a standing question not read, retrying in the next round");
                    continue;
                }
            };
            if let Some(due_at) = due_at {
                let (investigation, note) = (InvestigationId(engine.ids.next()), String::new());
                let (standing, state, attempts) = (question.id, RunState::Due, 0);
                let run = StandingRun { standing, due_at, investigation, state, note, changed_at: now, attempts };
                store.add_run(&run).await?;
            }
        }
        match questions.last() {
            Some(question) if questions.len() == PER_STEP as usize => after = Some(question.id),
            _ => return Ok(()),
        }
    }
}

/// Starts the runs that are recorded. One that fails for the store is tried again with growing pauses, and given up after the attempts of
/// the settings.
pub async fn start_due(web: &Web) -> StoreResult<()> {
    let (store, settings) = (MonitorStore::new(web), web.settings.get::<MonitorSettings>());
    for mut run in store.due_runs(web.engine.clock.now(), PER_STEP).await? {
        let started = start(web, &run).await;
        run.changed_at = web.engine.clock.now();
        (run.state, run.note) = match started {
            Ok(None) => (RunState::Started, String::new()),
            Ok(Some(reason)) => (RunState::Skipped, reason),
            // One run does not stop the others.
            Err(error) => {
                web.engine.note_failure(&error);
                run.attempts += 1;
                tracing::warn!(%error, attempts = run.attempts, "run of a standing question not started");
                if run.attempts < settings.run_attempts {
                    store.put_off_run(&run, run.changed_at.plus_ms(pause_ms(settings.schedule_ms, run.attempts))).await?;
                    continue;
                }
                let attempts = app::format::count(u64::from(run.attempts), "attempt", "attempts");
                (RunState::Skipped, format!("it could not be started in {attempts}"))
            }
        };
        store.end_run(&run).await?;
    }
    Ok(())
}

/// Returns the pause after a failed start: the interval of the rounds, doubled with each.
fn pause_ms(interval_ms: u64, attempts: u32) -> i64 {
    let doublings = attempts.saturating_sub(1).min(MOST_DOUBLINGS);
    i64::try_from(interval_ms.saturating_mul(1 << doublings)).map_or(DAY_MS, |pause| pause.min(DAY_MS))
}

/// Starts the investigation of a run; returns the reason where it may not start.
async fn start(web: &Web, run: &StandingRun) -> StoreResult<Option<String>> {
    let (engine, store) = (&web.engine, MonitorStore::new(web));
    let Some(question) = store.standing(run.standing).await? else { return Ok(Some("it was deleted".to_owned())) };
    let is_stored = engine.investigations.investigation(run.investigation).await?.is_some();
    let user = active_user(engine, question.user).await?;
    let Some(user) = user.filter(|user| user.role.may(Action::Investigate)) else {
        return Ok((!is_stored).then(|| "you may no longer ask questions".to_owned()));
    };
    let earlier = store.started_runs(question.id, EARLIER).await?;
    let base = newest_readable(web, &user, earlier.iter().map(|run| run.investigation).chain(question.follows)).await?;
    if is_stored {
        // The process that stored it may have died before it joined the thread.
        if let Some(base) = base {
            engine.investigations.join_thread(run.investigation, base.id, FollowKind::Rerun).await?;
        }
        return Ok(None);
    }
    if let Some(budget) = question.budget_micros {
        let since = engine.clock.now().plus_ms(-i64::from(BUDGET_DAYS) * DAY_MS);
        let spent = store.spent_since(&[question.id], since).await?;
        if spent.get(&question.id).copied().unwrap_or_default() >= budget {
            return Ok(Some(format!("the budget of {BUDGET_DAYS} days is used up")));
        }
    }
    match request(web, &user, &question, run, base).await {
        Ok(()) => Ok(None),
        Err(StartError::Store(error)) => Err(error),
        Err(refusal) => Ok(Some(refusal.to_string())),
    }
}

/// Returns the first of some investigations that exists and that a person reads.
async fn newest_readable(
    web: &Web,
    user: &User,
    ids: impl Iterator<Item = InvestigationId>,
) -> StoreResult<Option<Investigation>> {
    for id in ids {
        if web.engine.may_read(user, id).await?
            && let Some(found) = web.engine.investigations.investigation(id).await?
        {
            return Ok(Some(found));
        }
    }
    Ok(None)
}

/// Starts the next version of an investigation, or the question for the first time.
async fn request(
    web: &Web,
    user: &User,
    question: &StandingQuestion,
    run: &StandingRun,
    base: Option<Investigation>,
) -> Result<(), StartError> {
    let engine = &web.engine;
    let terms = base.as_ref().map(|base| base.terms).unwrap_or_default();
    let reach = investigations::reach(
        engine,
        ReachRequest {
            id: run.investigation,
            owner: user,
            question: &question.question,
            reading: terms.reading,
            chosen: base.as_ref().map(|base| base.scope.collections()).unwrap_or_default(),
            follows: base.as_ref().map(|base| base.id),
            shared_name: None,
        },
    )
    .await?;
    let request = InvestigationRequest {
        id: Some(run.investigation),
        new_collection: reach.new,
        scope: reach.scope,
        // A recording would answer every run with the recorded words.
        model: base.as_ref().and_then(|base| base.model.clone()).filter(|model| !Producer::is_recording(model)),
        web: base.as_ref().map(|base| base.web),
        terms,
        follows: base.as_ref().map(|base| (base.id, FollowKind::Rerun)),
        trigger: Trigger::Schedule,
        ..InvestigationRequest::new(user, &question.question, reach.collection)
    };
    investigations::start(engine, request, |_| {}).await.map(drop)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_pause_after_a_failed_start_doubles_up_to_a_limit() {
        assert_eq!([1, 2, 3].map(|attempts| pause_ms(60_000, attempts)), [60_000, 120_000, 240_000]);
        assert_eq!(pause_ms(60_000, 99), 60_000 * 1_024);
    }
}
