//! Crash test of the first start: after `kill -9` at any time, the next start finishes without loss or duplicates.
//!
//! `make chaos` kills it twenty times, other test runs eight times.

use super::autosint;
use crate::{chaos::size::Size, prelude::*, resumed::taken_up_again};
use domain::Scope;
use engine::assessments::AssessmentQuery;
use futures::StreamExt;
use server::Runner;

/// Kills in each data directory.
const DEATHS: u64 = 4;

/// Message of a server that is ready.
const SERVES: &str = "autosint serves http://";
/// Number of sample investigations.
const INVESTIGATIONS: usize = 3;

/// Final state after the sample.
#[derive(Debug, PartialEq)]
struct FinalState {
    documents: u64,
    /// Counts of claims, entities and relationships.
    graph: (u64, u64, u64),
    orders: Vec<String>,
    assessments: Vec<String>,
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn killed_at_any_moment_the_sample_completes() {
    let folders = if Size::given().unwrap_or(Size::SMALL) == Size::SMALL { 2 } else { 5 };
    let undisturbed = tempfile::tempdir().unwrap();
    let whole = live_until_served(undisturbed.path());
    let (expected, interrupted) = end_it(undisturbed.path()).await;
    assert_eq!(interrupted, 0);
    assert!(expected.graph.0 > 50 && !expected.orders.is_empty(), "{expected:?}");
    let mut interruptions = 0;
    for folder_seed in 0..folders {
        let folder = tempfile::tempdir().unwrap();
        let statements: Vec<usize> = (0..DEATHS)
            // The first kill comes while work certainly remains.
            .map(|death| draw(folder_seed * DEATHS + death) * if death == 0 { 0.9 } else { 0.6 })
            .map(|share| (whole as f64 * share) as usize)
            .collect();
        statements.iter().for_each(|statements| die_after(folder.path(), *statements));
        let (left, interrupted) = end_it(folder.path()).await;
        assert_eq!(left, expected, "killed after {statements:?} of {whole} statements");
        interruptions += interrupted;
    }
    println!("{} deaths within {whole} statements, {interruptions} sessions and orders were in progress", folders * DEATHS);
    assert!(interruptions > 0, "no death came while there was work");
}

/// Returns a number from 0 to 1 that depends on the seed alone (the finaliser of SplitMix64).
fn draw(seed: u64) -> f64 {
    let mut z = (seed + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    ((z ^ (z >> 31)) >> 11) as f64 / (1_u64 << 53) as f64
}

/// Starts the server like `make run`.
fn start(folder: &Path) -> std::process::Child {
    let mut command = autosint(folder);
    command
        .args(["serve", "--listen", "127.0.0.1:0", "--first-run-sample"])
        .env("AUTOSINT__LOG__LEVEL", "warn,sqlx::query=debug");
    command.stderr(Stdio::piped()).stdout(Stdio::null()).spawn().unwrap()
}

/// Reads what the server says until it has logged so many statements, or serves; returns their number.
fn statements(server: &mut std::process::Child, most: usize) -> usize {
    let lines = BufReader::new(server.stderr.as_mut().unwrap()).lines().map_while(Result::ok);
    lines.take_while(|line| !line.starts_with(SERVES)).filter(|line| line.contains("sqlx::query")).take(most).count()
}

/// Counts the statements of an undisturbed first start.
fn live_until_served(folder: &Path) -> usize {
    let mut server = start(folder);
    let statements = statements(&mut server, usize::MAX);
    let ended = server.try_wait().unwrap();
    server.kill().unwrap();
    server.wait().unwrap();
    assert_eq!(ended, None);
    statements
}

fn die_after(folder: &Path, most: usize) {
    let mut server = start(folder);
    statements(&mut server, most);
    server.kill().unwrap();
    server.wait().unwrap();
}

/// Finishes the work with the next processes: one launches the sample if needed, one completes it. Also returns how many
/// sessions and work orders were resumed.
async fn end_it(folder: &Path) -> (FinalState, usize) {
    live_until_served(folder);
    let program = open_folder(folder).await;
    let begun = program.engine.investigations.list(&InvestigationFilter { limit: 10, ..Default::default() }).await.unwrap();
    assert_eq!(begun.len(), INVESTIGATIONS, "{begun:?}");
    let runner = Runner::start(&program, 2).await.unwrap();
    for investigation in &begun {
        ended(&program, investigation).await;
    }
    runner.stop().await;
    let left = what_is_left(&program, &begun).await;
    let mut interrupted = 0;
    for investigation in &begun {
        interrupted += taken_up_again(&program.engine, investigation.id).await;
    }
    program.store.close().await;
    (left, interrupted)
}

async fn ended(program: &Program, investigation: &Investigation) {
    let engine = &program.engine;
    let mut events = engine.events.follow(investigation.id, 0);
    loop {
        let now = engine.investigations.investigation(investigation.id).await.unwrap().unwrap();
        if now.progress.status.is_terminal() {
            return;
        }
        events.next().await.unwrap().unwrap();
    }
}

async fn what_is_left(program: &Program, investigations: &[Investigation]) -> FinalState {
    let engine = &program.engine;
    let scope: &Scope = &investigations[0].scope;
    let (mut objectives, mut assessments): (Vec<String>, Vec<String>) = (vec![], vec![]);
    for investigation in investigations {
        let orders = engine.work_orders.work_orders(investigation.id).await.unwrap();
        assert!(orders.iter().all(|order| order.status == WorkOrderStatus::Completed), "{orders:?}");
        objectives.extend(orders.into_iter().map(|order| order.objective));
        let stored = engine.assessments.of_investigation(scope, investigation.id).await.unwrap().expect("an assessment");
        let assessment = without_ids(serde_json::to_value(&stored.assessment).unwrap());
        assessments.push(serde_json::to_string_pretty(&assessment).unwrap());
    }
    objectives.sort();
    assessments.sort();
    let stored = engine.assessments.latest(scope, &AssessmentQuery::newest(10)).await.unwrap();
    assert_eq!(stored.total, investigations.len() as u64);
    let documents = engine.documents.list(scope, &DocumentQuery::default()).await.unwrap();
    FinalState { documents: documents.total, graph: engine.graph.counts(scope).await.unwrap(), orders: objectives, assessments }
}
