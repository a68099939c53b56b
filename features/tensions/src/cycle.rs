//! Cycle: situations, mapping of known responses, curiosity, response scout, stories, corroboration.
//!
//! Invariant: a stage can be repeated at any point. What its sessions found is stored with the end of their task in one
//! transaction. A session that was interrupted goes on with the id of its task.

mod budget;
mod job;
pub mod order;

pub use budget::spent_reason;
pub use job::{run_orders, system_order};

use crate::{
    agents::TaskAnswer,
    curiosity::{ask_why, plan_situations},
    finder::embed_missing,
    response::{RespondsTo, ResponseId},
    sample::without_sample,
    scout::scout,
    settings::TensionSettings,
    store::{TaskResult, TensionStore},
    story::tell_story,
    tension::{DAY_MS, Tension, TensionId},
};
use domain::Scope;
use engine::{StoreError, StoreResult, embeddings::cosine};
use feature::Web;
use order::{Counts, CycleOrder, CycleTask, CycleTaskId, OrderLease, Stage, add_count};
use std::{collections::HashSet, time::Duration};

/// Outcome of a task.
#[derive(Debug)]
pub enum TaskOutcome {
    Ended(Box<TaskResult>),
    /// A model or store is down.
    Waiting(String),
    OutOfBudget(String),
}

impl TaskOutcome {
    /// A task whose tension or claims are gone.
    pub fn gone(task: &CycleTask) -> Self {
        let mut result = TaskResult::new(task.id);
        add_count(&mut result.counts, "gone", 1);
        Self::Ended(Box::new(result))
    }

    /// A task whose session gave no answer.
    pub fn without_answer<T>(task: &CycleTask, answer: TaskAnswer<T>) -> Self {
        match answer {
            TaskAnswer::Waiting(why) => Self::Waiting(why),
            TaskAnswer::OutOfBudget(why) => Self::OutOfBudget(why),
            TaskAnswer::Failed(why) => {
                tracing::warn!(%why, stage = task.stage.as_str(), "session of the cycle failed");
                Self::Ended(Box::new(failed(task)))
            }
            TaskAnswer::Given(_) => Self::Ended(Box::new(TaskResult::new(task.id))),
        }
    }
}

/// Returns the result of a task that failed.
fn failed(task: &CycleTask) -> TaskResult {
    let mut result = TaskResult::new(task.id);
    add_count(&mut result.counts, "failed", 1);
    result
}

/// Progress of an order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum OrderProgress {
    Ended,
    /// It goes on later, for this reason.
    Waiting(String),
    /// Another process carries it out.
    Held,
}

/// End of a stage.
enum StageEnd {
    /// With figures, and the reason of an early end.
    Ended(Counts, String),
    Waiting(String),
}

/// Carries out an order from where it was interrupted, by a lease that is extended meanwhile. A run that lost its lease stops.
pub async fn run_order(web: &Web, order: &CycleOrder) -> StoreResult<OrderProgress> {
    let (store, lease_ms) = (TensionStore::new(web), web.settings.get::<TensionSettings>().order_lease_ms);
    let lease = OrderLease { order: order.id, holder: web.engine.ids.next() };
    let now = web.engine.clock.now();
    if !store.take_order(lease, now, now.plus_ms(lease_ms.cast_signed())).await? {
        return Ok(OrderProgress::Held);
    }
    let progress = tokio::select! {
        progress = run_stages(web, order, lease) => progress?,
        () = renew_until_lost(web, lease, lease_ms) => OrderProgress::Held,
    };
    let now = web.engine.clock.now();
    match &progress {
        OrderProgress::Ended => store.end_order(lease, now).await?,
        OrderProgress::Waiting(reason) => store.postpone_order(lease, now.plus_ms(lease_ms.cast_signed()), reason).await?,
        OrderProgress::Held => {}
    }
    Ok(progress)
}

/// Extends a lease again and again; returns when another run holds the order.
async fn renew_until_lost(web: &Web, lease: OrderLease, lease_ms: u64) {
    let store = TensionStore::new(web);
    loop {
        tokio::time::sleep(Duration::from_millis(lease_ms / 3)).await;
        let until = web.engine.clock.now().plus_ms(lease_ms.cast_signed());
        match store.renew_order(lease, until).await {
            Ok(true) => {}
            Ok(false) => return,
            Err(error) => tracing::warn!(%error, "lease of a cycle order not extended, retrying"),
        }
    }
}

async fn run_stages(web: &Web, order: &CycleOrder, lease: OrderLease) -> StoreResult<OrderProgress> {
    let store = TensionStore::new(web);
    let scope = match order.is_shared {
        true => web.engine.accounts.open_scope().await?,
        false => web.engine.accounts.scope_of(order.user).await?,
    };
    let scope = without_sample(&web.engine, scope).await?;
    let runs = store.stage_runs(&[order.id]).await?;
    for stage in order.kind.stages() {
        if runs.iter().any(|run| run.stage == *stage && run.ended_at.is_some()) {
            continue;
        }
        store.begin_stage(order.id, *stage, web.engine.clock.now()).await?;
        match run_stage(web, order, &scope, *stage).await? {
            StageEnd::Ended(counts, error) => {
                store.end_stage(lease, *stage, &counts, &error, web.engine.clock.now()).await?;
            }
            StageEnd::Waiting(reason) => return Ok(OrderProgress::Waiting(reason)),
        }
    }
    Ok(OrderProgress::Ended)
}

async fn run_stage(web: &Web, order: &CycleOrder, scope: &Scope, stage: Stage) -> StoreResult<StageEnd> {
    let (store, settings) = (TensionStore::new(web), web.settings.get::<TensionSettings>());
    embed_missing::<TensionId>(web, &store, &settings).await?;
    embed_missing::<ResponseId>(web, &store, &settings).await?;
    let figure = match stage {
        Stage::Situations => {
            let (tasks, claims) = plan_situations(web, order, scope).await?;
            unless_stale(store.add_tasks(&tasks, &claims).await)?;
            "situations"
        }
        Stage::Mapping => {
            map_responses(web, order, scope).await?;
            "links"
        }
        Stage::Corroboration => {
            let (confidence, origins) = (settings.corroborated_confidence, settings.corroborating_origins);
            store.corroborate(order.id, scope, confidence, origins).await?;
            "corroborated"
        }
        Stage::Scout => {
            let now = web.engine.clock.now();
            let (before, limits) =
                (now.plus_ms(i64::from(settings.scout_days).saturating_mul(-DAY_MS)), settings.event_limits(now));
            let tensions: Vec<Tension> = match order.tension {
                Some(id) => store.tension(scope, id).await?.into_iter().collect(),
                None => store.targets(scope, settings.scout_confidence, before, limits, order.max_targets).await?,
            };
            plan_tasks(web, order, stage, tensions).await?;
            return run_tasks(web, order, stage).await;
        }
        Stage::Story => {
            let tensions: Vec<Tension> = match order.tension {
                Some(id) => store.tension(scope, id).await?.into_iter().collect(),
                None => store.untold(scope, settings.stories).await?,
            };
            plan_tasks(web, order, stage, tensions).await?;
            return run_tasks(web, order, stage).await;
        }
        Stage::Curiosity => return run_tasks(web, order, stage).await,
    };
    // Stored with what they count, so that an interrupted stage loses none of them.
    let runs = store.stage_runs(&[order.id]).await?;
    let mut counts = runs.into_iter().find(|run| run.stage == stage).map(|run| run.counts).unwrap_or_default();
    add_count(&mut counts, figure, 0);
    Ok(StageEnd::Ended(counts, String::new()))
}

/// Accepts that another process has stored the same.
fn unless_stale(stored: StoreResult<()>) -> StoreResult<()> {
    match stored {
        Err(StoreError::Stale(reason)) => {
            tracing::debug!(reason, "step of the cycle repeated");
            Ok(())
        }
        stored => stored,
    }
}

/// Adds a task per tension, unless the stage has tasks.
async fn plan_tasks(web: &Web, order: &CycleOrder, stage: Stage, tensions: Vec<Tension>) -> StoreResult<()> {
    let task = |tension: Tension| {
        CycleTask::new(CycleTaskId(web.engine.ids.next()), order.id, stage, tension.collection, Some(tension.id))
    };
    let tasks: Vec<CycleTask> = tensions.into_iter().map(task).collect();
    unless_stale(TensionStore::new(web).add_tasks(&tasks, &[]).await)
}

/// Runs the open tasks of a stage, one after the other, as far as the budget reaches.
async fn run_tasks(web: &Web, order: &CycleOrder, stage: Stage) -> StoreResult<StageEnd> {
    let store = TensionStore::new(web);
    let mut reason = String::new();
    for task in store.tasks(order.id, stage).await? {
        if task.is_ended {
            continue;
        }
        if reason.is_empty() {
            reason = spent_reason(web, order.user, stage).await?.unwrap_or_default();
        }
        let outcome = match reason.is_empty() {
            true => run_task_of(web, order, &task).await?,
            false => TaskOutcome::OutOfBudget(reason.clone()),
        };
        let result = match outcome {
            TaskOutcome::Ended(result) => *result,
            TaskOutcome::Waiting(reason) => return Ok(StageEnd::Waiting(reason)),
            TaskOutcome::OutOfBudget(why) => {
                reason = why;
                let mut result = TaskResult::new(task.id);
                add_count(&mut result.counts, "skipped", 1);
                result
            }
        };
        let mut stored = store.finish_task(&result, web.engine.clock.now()).await;
        if let Err(StoreError::Invalid(why)) = stored {
            // What the result rests on was removed meanwhile.
            tracing::warn!(%why, stage = stage.as_str(), "result of a session refused");
            stored = store.finish_task(&failed(&task), web.engine.clock.now()).await;
        }
        unless_stale(stored)?;
    }
    let mut counts = Counts::new();
    let tasks = store.tasks(order.id, stage).await?;
    add_count(&mut counts, "sessions", tasks.len());
    for (name, number) in tasks.into_iter().flat_map(|task| task.counts) {
        *counts.entry(name).or_default() += number;
    }
    Ok(StageEnd::Ended(counts, reason))
}

async fn run_task_of(web: &Web, order: &CycleOrder, task: &CycleTask) -> StoreResult<TaskOutcome> {
    match task.stage {
        Stage::Curiosity => ask_why(web, order, task).await,
        Stage::Scout => scout(web, order, task).await,
        Stage::Story => tell_story(web, order, task).await,
        Stage::Situations | Stage::Mapping | Stage::Corroboration => Ok(TaskOutcome::gone(task)),
    }
}

/// Links known responses to the tensions that they are alike.
async fn map_responses(web: &Web, order: &CycleOrder, scope: &Scope) -> StoreResult<()> {
    let (store, settings) = (TensionStore::new(web), web.settings.get::<TensionSettings>());
    let Some(embedder) = web.engine.embedder.as_deref() else { return Ok(()) };
    let tensions = store.active_vectors(scope, embedder.model()).await?;
    let ids: Vec<_> = tensions.iter().map(|(id, _)| *id).collect();
    let linked: HashSet<_> =
        store.responses_to(scope, &ids).await?.into_iter().map(|one| (one.response.id, one.link.tension)).collect();
    let now = web.engine.clock.now();
    let mut links = vec![];
    for response in store.known_responses(scope, embedder.model()).await? {
        let Some(vector) = &response.vector else { continue };
        for (tension, other) in &tensions {
            let strength = cosine(vector, other);
            if strength > settings.same_likeness && !linked.contains(&(response.id, *tension)) {
                let link = RespondsTo {
                    tension: *tension,
                    strength,
                    explanation: "Its text is alike that of the tension.".to_owned(),
                    mechanism: String::new(),
                    first_seen: now,
                    last_seen: now,
                };
                links.push((response.id, link));
            }
        }
    }
    store.add_links(order.id, &links).await
}
