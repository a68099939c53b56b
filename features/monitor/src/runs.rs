//! Runs of standing questions. A due time gets one row, and its investigation the id in that row: however often a start is repeated, and
//! by how many processes, there is one investigation.

use crate::{
    dates::DAY_MS,
    standing::{RunState, StandingId, StandingQuestion, StandingRun, due_time},
    store::MonitorStore,
};
use domain::{
    InvestigationId,
    investigation::{FollowKind, Trigger},
    user::{Action, User},
};
use engine::{
    StoreResult,
    investigations::{self, InvestigationRequest, ReachRequest, StartError},
};
use feature::Web;
use std::collections::HashMap;

/// Standing questions read at once, and runs started in one round.
const PER_STEP: u32 = 100;
/// Days over which a budget counts.
const BUDGET_DAYS: i64 = 30;
/// Most runs whose cost a budget counts: one an hour.
const BUDGET_RUNS: u32 = 720;

/// Runs one round: records what is due, then starts what is recorded.
pub async fn run_round(web: &Web) -> StoreResult<()> {
    record_due(web).await?;
    start_due(web).await
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
            if let Some(due_at) = due_time(engine, question, last.get(&question.id), now).await? {
                let (investigation, note) = (InvestigationId(engine.ids.next()), String::new());
                let (standing, state) = (question.id, RunState::Due);
                store.add_run(&StandingRun { standing, due_at, investigation, state, note, changed_at: now }).await?;
            }
        }
        match questions.last() {
            Some(question) if questions.len() == PER_STEP as usize => after = Some(question.id),
            _ => return Ok(()),
        }
    }
}

/// Starts the runs that are recorded. One that fails for the store stays for the next round.
pub async fn start_due(web: &Web) -> StoreResult<()> {
    let store = MonitorStore::new(web);
    for mut run in store.due_runs(PER_STEP).await? {
        let Some(question) = store.standing(run.standing).await? else { continue };
        (run.state, run.note) = match start(web, &question, &run).await {
            Ok(None) => (RunState::Started, String::new()),
            Ok(Some(reason)) => (RunState::Skipped, reason),
            // One run does not stop the others.
            Err(error) => {
                web.engine.note_failure(&error);
                tracing::warn!(%error, "run of a standing question not started, retrying in the next round");
                continue;
            }
        };
        run.changed_at = web.engine.clock.now();
        store.end_run(&run).await?;
    }
    Ok(())
}

/// Starts the investigation of a run; returns the reason where it may not start.
async fn start(web: &Web, question: &StandingQuestion, run: &StandingRun) -> StoreResult<Option<String>> {
    let engine = &web.engine;
    if engine.investigations.investigation(run.investigation).await?.is_some() {
        return Ok(None);
    }
    let user = engine.accounts.user(question.user).await?;
    let Some(user) = user.filter(|user| !user.is_disabled && user.role.may(Action::Investigate)) else {
        return Ok(Some("you may no longer ask questions".to_owned()));
    };
    let earlier = started_runs(web, question, BUDGET_DAYS).await?;
    if let Some(budget) = question.budget_micros {
        let mut spent = 0;
        for run in &earlier {
            spent += engine.ledger.spent(run.investigation).await?.cost_micros;
        }
        if spent >= budget {
            return Ok(Some(format!("the budget of {BUDGET_DAYS} days is used up")));
        }
    }
    let before = earlier.iter().map(|run| run.investigation).chain(question.follows);
    match request(web, &user, question, run, before.collect()).await {
        Ok(()) => Ok(None),
        Err(StartError::Store(error)) => Err(error),
        Err(refusal) => Ok(Some(refusal.to_string())),
    }
}

/// Returns the started runs of a question over some days, newest first.
async fn started_runs(web: &Web, question: &StandingQuestion, days: i64) -> StoreResult<Vec<StandingRun>> {
    let since = web.engine.clock.now().plus_ms(-days * DAY_MS);
    let mut runs = MonitorStore::new(web).runs_of(question.user, since, BUDGET_RUNS).await?;
    runs.retain(|run| run.standing == question.id && run.state == RunState::Started);
    Ok(runs)
}

/// Starts the next version of the newest of some investigations that exists, else the question for the first time.
async fn request(
    web: &Web,
    user: &User,
    question: &StandingQuestion,
    run: &StandingRun,
    before: Vec<InvestigationId>,
) -> Result<(), StartError> {
    let engine = &web.engine;
    let mut base = None;
    for id in before {
        base = match engine.may_read(user, id).await? {
            true => engine.investigations.investigation(id).await?,
            false => None,
        };
        if base.is_some() {
            break;
        }
    }
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
        },
    )
    .await?;
    let request = InvestigationRequest {
        id: Some(run.investigation),
        new_collection: reach.new,
        scope: reach.scope,
        model: base.as_ref().and_then(|base| base.model.clone()),
        web: base.as_ref().map(|base| base.web),
        terms,
        follows: base.as_ref().map(|base| (base.id, FollowKind::Rerun)),
        trigger: Trigger::Schedule,
        ..InvestigationRequest::new(user, &question.question, reach.collection)
    };
    investigations::start(engine, request, |_| {}).await.map(drop)
}
