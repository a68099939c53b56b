//! Removal of a collection during its investigation, at any point: no record of it remains.

use super::{
    kill::{copy, kill_step},
    prelude::*,
};
use engine::library;
use futures::stream;
use sqlx::{AssertSqlSafe, ConnectOptions, sqlite::SqliteConnectOptions};
use tokio::time::timeout;

/// Rows that remain after everything is removed: people, spend, and the tombstone of the collection.
const KEPT: [&str; 8] = [
    "users",
    "budget_levels",
    "graph_collections",
    "graph_version",
    "library_version",
    "holders",
    "sqlite_sequence",
    "_sqlx_migrations",
];
/// A call that waits for the next thing to do need not come to an end.
const PATIENCE: Duration = Duration::from_secs(1);
const AT_ONCE: usize = 4;

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_collection_removed_at_any_point_leaves_nothing() {
    let template = folder();
    let (collection, id) = prepare(&template).await;
    let fault_point = FaultPoint::never();
    let mut world = World::open(&copy(&template), 70, |parts| guard(parts, &fault_point)).await;
    world.start(2);
    world.end_of(id).await;
    world.kill().await;
    let points = fault_point.passed();
    assert!(points > 100, "{points}");
    let left: Vec<Vec<String>> = stream::iter((0..points).step_by(2 * kill_step() + 1))
        .map(|point| {
            let folder = copy(&template);
            async move { tokio::spawn(remove_at(folder, point, collection, id)).await.unwrap() }
        })
        .buffer_unordered(AT_ONCE)
        .collect()
        .await;
    let left: Vec<String> = left.into_iter().flatten().collect();
    assert!(left.is_empty(), "{}", left.join("\n"));
}

/// A store with a pending investigation.
async fn prepare(folder: &Folder) -> (CollectionId, InvestigationId) {
    let world = World::open(folder, 69, |_| {}).await;
    let person = world.person("ada").await;
    let collection = world.collection(&person).await;
    world.ingest(collection, &three_reports()).await;
    let id = world.ask(&person, collection, FIRE_QUESTION).await.id;
    world.close().await;
    (collection, id)
}

/// Holds one call up, removes the collection meanwhile, lets the call go on, and gives what is left then.
async fn remove_at(folder: Folder, point: u64, collection: CollectionId, id: InvestigationId) -> Vec<String> {
    let fault_point = FaultPoint::sleeping_at(point);
    let mut world = World::open(&folder, 71 + point, |parts| guard(parts, &fault_point)).await;
    world.start(2);
    // The last points are not always reached: then it is removed when it has ended.
    tokio::select! {
        () = fault_point.dead.cancelled() => {}
        _ = world.end_of(id) => fault_point.let_be(),
    }
    library::remove_collection(&world.engine, collection).await.unwrap();
    let _ = timeout(PATIENCE, fault_point.wake()).await;
    // A worker that is given an order which is gone gives it back: that takes a moment.
    eventually(async || rows(&folder).await.is_empty()).await;
    world.kill().await;
    let place = fault_point.place.lock().unwrap().clone();
    rows(&folder).await.into_iter().map(|row| format!("point {point}, {place}: {row}")).collect()
}

/// Every table with rows that should not be there. Of a full-text index the sizes of its documents count.
async fn rows(folder: &Folder) -> Vec<String> {
    let options = SqliteConnectOptions::new().filename(folder.path().join("state.db"));
    let mut conn = options.connect().await.unwrap();
    let sql = "select name from sqlite_schema where type = 'table' and sql not like '%using fts5%'";
    let tables: Vec<String> = sqlx::query_scalar(sql).fetch_all(&mut conn).await.unwrap();
    let of_an_index = |name: &str| ["_data", "_idx", "_config"].iter().any(|part| name.ends_with(part));
    let mut found = vec![];
    for table in tables.iter().filter(|name| !KEPT.contains(&name.as_str()) && !of_an_index(name)) {
        let sql = format!("select count(*) from {table}");
        let count: i64 = sqlx::query_scalar(AssertSqlSafe(sql)).fetch_one(&mut conn).await.unwrap();
        if count > 0 {
            found.push(format!("{count} rows in {table}"));
        }
    }
    found
}
