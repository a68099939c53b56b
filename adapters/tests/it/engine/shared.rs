//! Work orders in Redis: investigations survive an outage or data loss of Redis and the stop of a worker.

use super::{
    prelude::*,
    world::{SeededIds, Steps},
};
use crate::flaky_proxy::FlakyProxy;
use adapters::{
    Address,
    redis::{Redis, RedisConfig, RedisQueue},
};

/// A world in `folder` whose work orders are in Redis, at `url` under `prefix`.
async fn world(folder: &Folder, seed: u64, url: &str, prefix: &str) -> World {
    world_with(folder, seed, url, prefix, |_| {}).await
}

async fn world_with(folder: &Folder, seed: u64, url: &str, prefix: &str, change: impl FnOnce(&mut Parts)) -> World {
    let retry = RetryConfig { initial_backoff_ms: 1, max_backoff_ms: 5, ..RetryConfig::STORE };
    let config = RedisConfig { prefix: prefix.into(), recheck_ms: 20, retry, ..RedisConfig::default() };
    let address = Address::try_from(url.to_owned()).unwrap();
    let redis = Redis::new(&address, config, Arc::new(Steps::from(1_950_000_000_000_000))).unwrap();
    World::open(folder, seed, |parts| {
        parts.config.heartbeat_ms = 3_000;
        parts.config.lease_ms = 1_000;
        let ids = Arc::new(SeededIds::by(seed + 1));
        parts.queue = Arc::new(RedisQueue::new(&redis, parts.work_orders.clone(), ids, parts.config.heartbeat_ms));
        change(parts);
    })
    .await
}

fn prefix(name: &str) -> String {
    format!("engine:{}:{name}:", std::process::id())
}

/// Outcome of an undisturbed investigation on the embedded queue.
async fn expected() -> String {
    let mut world = World::new(7).await;
    world.start(2);
    let id = world.ask_about(&three_reports(), FIRE_QUESTION).await.id;
    let (investigation, _) = world.end_of(id).await;
    let assessment = without_cost(&without_ids(&world.assessment(&investigation).await));
    world.close().await;
    assessment
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn an_investigation_waits_while_the_queue_is_unavailable() {
    let Some(url) = testkit::backend("AUTOSINT_TEST_REDIS") else { return };
    let cut = FlakyProxy::before(&url).await;
    let mut world = world(&folder(), 8, &cut.address("redis://"), &prefix("away")).await;
    cut.sever();
    let id = world.ask_about(&three_reports(), FIRE_QUESTION).await.id;
    world.start(2);
    let mut events = world.engine.events.follow(id, 0);
    let reason = loop {
        match events.next().await.unwrap().unwrap().kind {
            EventKind::StatusChanged { status: Status::Suspended, reason, .. } => break reason.unwrap(),
            EventKind::StatusChanged { status, .. } => assert!(!status.is_terminal()),
            _ => {}
        }
    };
    assert!(reason.starts_with("work order queue unavailable"), "{reason}");
    cut.mend();
    let (investigation, _) = world.end_of(id).await;
    assert_eq!(investigation.progress.status, Status::Completed, "{:?}", investigation.reason);
    assert_eq!(without_cost(&without_ids(&world.assessment(&investigation).await)), expected().await);
    world.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_queue_that_loses_its_data_repeatedly_delivers_each_order_once() {
    let Some(url) = testkit::backend("AUTOSINT_TEST_REDIS") else { return };
    let prefix = prefix("forgets");
    let mut world = world(&folder(), 9, &url, &prefix).await;
    let id = world.ask_about(&three_reports(), FIRE_QUESTION).await.id;
    world.start(2);
    let forgetting = async {
        let mut connection = redis::Client::open(url).unwrap().get_multiplexed_async_connection().await.unwrap();
        let mut again = tokio::time::interval(Duration::from_millis(15));
        loop {
            again.tick().await;
            let keys: Vec<String> = redis::cmd("KEYS").arg(format!("{prefix}*")).query_async(&mut connection).await.unwrap();
            if !keys.is_empty() {
                let _: u64 = redis::cmd("DEL").arg(keys).query_async(&mut connection).await.unwrap();
            }
        }
    };
    let (investigation, _) = tokio::select! {
        ended = world.end_of(id) => ended,
        () = forgetting => unreachable!("it forgets for ever"),
    };
    assert_eq!(investigation.progress.status, Status::Completed, "{:?}", investigation.reason);
    let orders = world.engine.work_orders.work_orders(id).await.unwrap();
    assert!(orders.iter().all(|order| order.status == WorkOrderStatus::Completed), "{orders:#?}");
    assert_eq!(without_cost(&without_ids(&world.assessment(&investigation).await)), expected().await);
    world.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_stopping_worker_returns_its_orders() {
    let Some(url) = testkit::backend("AUTOSINT_TEST_REDIS") else { return };
    let (folder, prefix) = (folder(), prefix("stops"));
    let script = Script::new(extractive_then_hang(1), After::Extractive);
    let processor: Arc<dyn Model> = script.clone();
    let mut first = world_with(&folder, 10, &url, &prefix, |parts| {
        parts.role_models.analyst = Script::new(vec![vague_order()], After::Extractive).into();
        parts.role_models.processor = processor.into();
    })
    .await;
    let id = first.ask_about(&three_reports(), FIRE_QUESTION).await.id;
    first.start(1);
    script.until_called(2).await;
    first.close().await;

    let mut second = world(&folder, 11, &url, &prefix).await;
    let orders = second.engine.work_orders.work_orders(id).await.unwrap();
    let [order] = orders.as_slice() else { panic!("one order: {orders:#?}") };
    assert_eq!((order.status, order.tries()), (WorkOrderStatus::Queued, 0), "being stopped is no failure");
    assert_eq!(second.engine.queue.depth().await.unwrap().iter().sum::<u64>(), 1, "it waits for nobody's heartbeat");
    second.start(1);
    let (investigation, _) = second.end_of(id).await;
    assert_eq!(investigation.progress.status, Status::Completed, "{:?}", investigation.reason);
    assert_eq!(without_cost(&without_ids(&second.assessment(&investigation).await)), expected().await);
    second.close().await;
}
