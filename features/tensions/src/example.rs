//! Example of a scouting in three hops, played with the sample: the agents of the feature with the replies of a script (`example.json`)
//! over an invented web (`example.toml`).
//!
//! Invariant: the replies and the pages alone are invented. Tools, checks of addresses and quotes, and the store are those of every run.
//! It is played once; a play that was interrupted begins anew.

mod web;

pub use web::EXAMPLE;

use crate::{
    agents::{RESPONSE_SCOUT, TASK},
    curiosity::ask_why,
    cycle::{
        TaskOutcome,
        order::{CycleOrder, CycleOrderId, CycleTask, CycleTaskId, OrderKind, Stage},
    },
    sample::DOCUMENTS,
    scout::scout,
    store::{TaskResult, TensionStore},
    tension::TensionId,
};
use adapters::replay::{Recording, Replay};
use domain::{CollectionId, Scope, agent::SessionOwner, claim::Claim};
use engine::{
    Engine, Parts, StoreError, StoreResult, accounts,
    agents::{machine::Input, record::RecordedStep},
    graph::{ClaimOrder, ClaimQuery},
    library::DocumentQuery,
    models::RoleModels,
    reliability::Chain,
};
use feature::Web;
use protocol::model::ToolRequest;
use std::sync::Arc;
use uuid::Uuid;
use web::{InventedWeb, SOURCE};

/// Order of the example. It has ended from the beginning, so that no other run takes it.
pub const ORDER: CycleOrderId = CycleOrderId(Uuid::from_u128(0x019e_5b2a_0000_7000_8000_0000_0000_0020));
/// Claims read at once, more than a report has.
const CLAIMS: u32 = 100;
const RECORDING: &str = include_str!("../example.json");

/// Step of the scouting.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExampleStep {
    /// Question that the step follows.
    pub question: String,
    /// Tool that was called.
    pub tool: String,
    /// Query or address that it was called with.
    pub input: String,
}

/// Returns the task of the scouting, once it has ended.
pub async fn played(store: &TensionStore) -> StoreResult<Option<CycleTask>> {
    Ok(store.tasks(ORDER, Stage::Scout).await?.into_iter().find(|task| task.is_ended))
}

/// Returns the steps of the scouting, as its session recorded them.
pub async fn steps(engine: &Engine, task: &CycleTask) -> StoreResult<Vec<ExampleStep>> {
    let owner = SessionOwner::Feature { kind: TASK, id: task.id.0 };
    let Some(session) = engine.sessions.completed(owner, RESPONSE_SCOUT.role).await? else { return Ok(vec![]) };
    let mut steps = vec![];
    for stored in engine.sessions.steps(session.id).await? {
        let Input::Reply { reply } = RecordedStep::read(&stored)?.fed else { continue };
        let question = reply.text.to_string();
        steps.extend(reply.tool_calls.into_iter().map(|call| step(question.clone(), call)));
    }
    Ok(steps)
}

fn step(question: String, call: ToolRequest) -> ExampleStep {
    let input = ["query", "url"].into_iter().find_map(|name| call.arguments.get(name)?.as_str());
    ExampleStep { question, input: input.unwrap_or_default().to_owned(), tool: call.name }
}

/// Plays the example where its reports are and it was not played yet.
pub async fn play(web: &Web, collection: CollectionId) -> StoreResult<()> {
    let (engine, store) = (&web.engine, TensionStore::new(web));
    if played(&store).await?.is_some() {
        return Ok(());
    }
    let situation = first_claims(engine, collection).await?;
    if situation.is_empty() {
        return Ok(());
    }
    let recorded = with_recording(web)?;
    let (user, now) = (accounts::system_user(engine).await?.id, engine.clock.now());
    let order = CycleOrder { ended_at: Some(now), ..CycleOrder::new(ORDER, OrderKind::Scout, user, now) };
    // Replies come in their order, so that a session cannot go on in the middle.
    store.remove_order(ORDER).await?;
    store.add_order(&order).await?;
    let outcome = play_sessions(&recorded, &order, collection, situation).await;
    recorded.engine.drain().await;
    outcome
}

/// Returns the claims of the first report.
async fn first_claims(engine: &Engine, collection: CollectionId) -> StoreResult<Vec<Claim>> {
    let scope = Scope::from(collection);
    let every = DocumentQuery { limit: DOCUMENTS, ..DocumentQuery::default() };
    let documents = engine.documents.list(&scope, &every).await?.documents;
    let first = EXAMPLE.reports.first().and_then(|report| documents.iter().find(|one| one.path == report.address));
    let Some(first) = first else { return Ok(vec![]) };
    let query = ClaimQuery {
        document_ids: vec![first.id],
        order: ClaimOrder::DocumentOrder,
        candidates: CLAIMS,
        ..ClaimQuery::default()
    };
    Ok(engine.graph.find_claims(&scope, &query).await?.into_iter().map(|found| found.item).collect())
}

/// Returns the state with the script as every model, and the invented web as the only one. Likeness of texts plays no part.
fn with_recording(web: &Web) -> StoreResult<Web> {
    let recording = Recording::read(RECORDING).map_err(|error| StoreError::Defect(error.to_string()))?;
    let script: Chain = Arc::new(Replay::in_order(recording)).into();
    let invented = Arc::new(InventedWeb(web.engine.clock.now()));
    let mut parts: Parts = (*web.engine).clone();
    parts.fetch = Some(invented.clone());
    parts.catalogue = Some(invented);
    parts.browse = None;
    parts.embedder = None;
    parts.role_models = RoleModels::single(script.clone());
    // In place of models that an administrator chose, too.
    parts.named_models = Arc::new(move |_: &str| script.clone());
    parts.config.web.enabled = true;
    parts.config.web.sources = vec![SOURCE.to_owned()];
    let mut recorded = web.clone();
    recorded.engine = Engine::new(parts);
    Ok(recorded)
}

/// Asks for the strain behind the claims, and scouts the tension that was found.
async fn play_sessions(web: &Web, order: &CycleOrder, collection: CollectionId, situation: Vec<Claim>) -> StoreResult<()> {
    let (engine, store) = (&web.engine, TensionStore::new(web));
    let task = |stage, tension| CycleTask::new(CycleTaskId(engine.ids.next()), order.id, stage, collection, tension);
    let asking = task(Stage::Curiosity, None);
    let claims: Vec<_> = situation.into_iter().map(|claim| (asking.id, claim.id, claim.document_id)).collect();
    store.add_tasks(std::slice::from_ref(&asking), &claims).await?;
    let Some(found) = result_of(ask_why(web, order, &asking).await?) else { return Ok(()) };
    store.finish_task(&found, engine.clock.now()).await?;
    let tension: Option<TensionId> = found.strain.evidence.first().map(|(tension, _)| *tension);
    let scouting = task(Stage::Scout, tension);
    store.add_tasks(std::slice::from_ref(&scouting), &[]).await?;
    match result_of(scout(web, order, &scouting).await?) {
        Some(found) => store.finish_task(&found, engine.clock.now()).await,
        None => Ok(()),
    }
}

/// Returns the result of a task that ended. Otherwise the example is played anew in the next round.
fn result_of(outcome: TaskOutcome) -> Option<Box<TaskResult>> {
    match outcome {
        TaskOutcome::Ended(result) => Some(result),
        TaskOutcome::Waiting(why) | TaskOutcome::OutOfBudget(why) => {
            tracing::info!(why, "example of a scouting put off");
            None
        }
    }
}
