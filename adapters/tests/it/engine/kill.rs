//! The process dies before or after any write; the next one finishes what was begun, with nothing lost and nothing doubled.

use super::prelude::*;
use domain::work_order::normalise_objective;
use futures::stream;
use std::fmt::Debug;

/// Outcome of an investigation, the same with and without interruptions.
#[derive(Debug, PartialEq)]
struct Outcome {
    documents: u64,
    /// Claims, entities, relationships.
    graph: (u64, u64, u64),
    orders: Vec<String>,
    assessment: String,
}

/// A process from its start to the end of the investigation, or to its own, which gives none. Takes a seed.
pub type Life<F> = fn(Folder, Arc<FaultPoint>, u64) -> F;

/// Investigations that are tried at the same time.
const AT_ONCE: usize = 4;

/// Distance of the kill points that are tried: `make chaos` tries each. Every call has two points, one before and one after it: an odd
/// distance meets both.
#[expect(clippy::disallowed_methods, reason = "the environment sets the size of the test")]
pub fn kill_step() -> usize {
    if std::env::var("AUTOSINT_CHAOS").is_ok() { 1 } else { 5 }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn killed_at_any_point_an_investigation_completes_after_a_restart() {
    let template = folder();
    prepare(&template).await;
    let fault_point = FaultPoint::never();
    let expected = live(copy(&template), fault_point.clone(), 50).await.expect("nobody kills it");
    let points = fault_point.passed();
    assert!(points > 100, "{points}");
    survive_each(&template, (0..points).collect(), expected, live).await;
}

/// Kills a process at each point (`kill_step`), and lets another end what it began, with the expected outcome.
pub async fn survive_each<O, F>(template: &Folder, points: Vec<u64>, expected: O, live: Life<F>)
where
    O: Debug + PartialEq + Send + Sync + 'static,
    F: Future<Output = Option<O>> + Send + 'static,
{
    let (expected, tried) = (Arc::new(expected), points.len().div_ceil(kill_step()));
    let outcomes: Vec<Result<bool, String>> = stream::iter(points.into_iter().step_by(kill_step()))
        .map(|point| {
            let (folder, expected) = (copy(template), expected.clone());
            async move { tokio::spawn(die_and_rise(folder, point, expected, live)).await.unwrap() }
        })
        .buffer_unordered(AT_ONCE)
        .collect()
        .await;
    let killed = outcomes.iter().filter(|outcome| **outcome == Ok(true)).count();
    let differences: Vec<String> = outcomes.into_iter().filter_map(Result::err).collect();
    println!("{tried} kill points, {killed} deaths survived, {} differences", differences.len());
    assert!(differences.is_empty(), "{} of {tried}:\n{}", differences.len(), differences.join("\n"));
    // What the workers and the orchestrator write at the same time may take a few points more or less.
    assert!(tried - killed <= 10 / kill_step(), "only {killed} of {tried} were reached");
}

async fn die_and_rise<O, F>(folder: Folder, point: u64, expected: Arc<O>, live: Life<F>) -> Result<bool, String>
where
    O: Debug + PartialEq,
    F: Future<Output = Option<O>>,
{
    let fault_point = FaultPoint::at(point);
    let seed = 1_000 + point;
    let killed = live(folder.clone(), fault_point.clone(), seed).await.is_none();
    let place = format!("point {point}, {}", fault_point.place.lock().unwrap());
    let left = live(folder, FaultPoint::never(), seed + 1_000_000).await.ok_or_else(|| place.clone())?;
    if left == *expected {
        return Ok(killed);
    }
    let (ours, theirs) = (format!("{left:#?}"), format!("{expected:#?}"));
    let first = ours.lines().zip(theirs.lines()).find(|(a, b)| a != b);
    Err(format!("{place} (killed: {killed}): {first:?}"))
}

/// Person, collection and an empty store, so that migrations are not run for each point.
async fn prepare(folder: &Folder) {
    let world = World::open(folder, 49, |_| {}).await;
    let person = world.person("ada").await;
    world.collection(&person).await;
    world.close().await;
}

pub fn copy(from: &Folder) -> Folder {
    let to = folder();
    for file in std::fs::read_dir(from.path()).unwrap() {
        let file = file.unwrap();
        std::fs::copy(file.path(), to.path().join(file.file_name())).unwrap();
    }
    to
}

async fn live(folder: Folder, fault_point: Arc<FaultPoint>, seed: u64) -> Option<Outcome> {
    let mut world = World::open(&folder, seed, |parts| guard(parts, &fault_point)).await;
    let dead = fault_point.dead.clone();
    let id = tokio::select! {
        id = run_investigation(&mut world) => id,
        () = dead.cancelled() => None,
    };
    let left = match id {
        Some(id) => Some(what_is_left(&world, id).await),
        None => None,
    };
    world.kill().await;
    left
}

async fn run_investigation(world: &mut World) -> Option<InvestigationId> {
    let stored = world.store.clone();
    engine::investigations::Investigations::forget_holders(&stored).await.unwrap();
    engine::queue::Queue::forget_workers(&stored).await.unwrap();
    let person = world.person("ada").await;
    let collection = world.collection(&person).await;
    // A caller without a reply calls again: both are harmless when repeated.
    world.ingest(collection, &three_reports()).await;
    let filter = InvestigationFilter { owner: Some(person.id), limit: 10, ..InvestigationFilter::default() };
    let begun = world.engine.investigations.list(&filter).await.unwrap();
    assert!(begun.len() <= 1);
    let id = match begun.first() {
        Some(investigation) => investigation.id,
        None => world.ask(&person, collection, FIRE_QUESTION).await.id,
    };
    world.start(1);
    world.end_of(id).await;
    Some(id)
}

async fn what_is_left(world: &World, id: InvestigationId) -> Outcome {
    let engine = &world.engine;
    let investigation = engine.investigations.investigation(id).await.unwrap().unwrap();
    assert_eq!(investigation.progress.status, Status::Completed, "{:?}", investigation.reason);
    let scope: &Scope = &investigation.scope;
    let orders = engine.work_orders.work_orders(id).await.unwrap();
    assert!(orders.iter().all(|order| order.status == WorkOrderStatus::Completed), "{orders:#?}");
    let objectives: BTreeSet<String> = orders.iter().map(|order| normalise_objective(&order.objective)).collect();
    assert_eq!(objectives.len(), orders.len(), "no order twice");
    let sessions = engine.sessions.sessions(id).await.unwrap();
    assert!(sessions.iter().all(|session| session.status != SessionStatus::Running), "{sessions:#?}");
    let events = engine.events.after(id, 0, 10_000).await.unwrap();
    assert!((1..).zip(&events).all(|(number, event)| event.sequence == number), "events without a hole");
    let documents = engine.documents.list(scope, &DocumentQuery { limit: 10, ..DocumentQuery::default() }).await.unwrap();
    assert_eq!(engine.assessments.latest(scope, &AssessmentQuery::newest(10)).await.unwrap().total, 1);
    Outcome {
        documents: documents.total,
        graph: engine.graph.counts(scope).await.unwrap(),
        orders: objectives.into_iter().collect(),
        assessment: without_ids(&world.assessment(&investigation).await),
    }
}
