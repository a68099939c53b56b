//! Tests of Redis only: data loss, outages.

use super::{
    backends::{self, GRACE_MS},
    prelude::*,
};
use crate::flaky_proxy::FlakyProxy;
use adapters::{
    Address,
    redis::{Redis, RedisCache, RedisConfig, RedisHostPermits, RedisLimits, RedisQueue},
};
use engine::{
    agents::cache::ToolCache,
    events::Events,
    investigations::WorkOrders,
    limits::RateLimits,
    queue::{Delivery, Queue},
    reliability::{BreakerConfig, CircuitState, Circuits, DependencyGuard, RetryConfig},
};
use futures::StreamExt;

async fn connection(backend: &TestBackend) -> redis::aio::MultiplexedConnection {
    let client = redis::Client::open(backend.redis_endpoint().0.exposed()).unwrap();
    client.get_multiplexed_async_connection().await.unwrap()
}

/// Redis loses what it holds of this bench.
async fn lose_everything(backend: &TestBackend) {
    let prefix = backend.redis_endpoint().1;
    let mut connection = connection(backend).await;
    let keys: Vec<String> = redis::cmd("KEYS").arg(format!("{prefix}*")).query_async(&mut connection).await.unwrap();
    if keys.is_empty() {
        return;
    }
    let _: u64 = redis::cmd("DEL").arg(keys).query_async(&mut connection).await.unwrap();
}

/// The Redis of a bench, as another process has it.
fn connected(backend: &TestBackend, address: &Address, config: RedisConfig) -> Redis {
    let config = RedisConfig { prefix: backend.redis_endpoint().1.to_owned(), ..config };
    Redis::new(address, config, backend.clock.clone()).unwrap()
}

/// The same behind a wire. Only a cut fails a command: a busy machine may take long to answer.
fn connected_through(cut: &FlakyProxy, backend: &TestBackend) -> Redis {
    let retry = RetryConfig { initial_backoff_ms: 1, max_backoff_ms: 5, ..RetryConfig::STORE };
    let address = cut.address("redis://").try_into().unwrap();
    let config = RedisConfig { recheck_ms: 20, timeout_ms: 20_000, retry, ..RedisConfig::default() };
    connected(backend, &address, config)
}

/// Another process, whose Redis is behind a wire; it learns of others by news alone.
async fn behind(cut: &FlakyProxy, backend: &TestBackend, silence_ms: u64) -> Store {
    let redis = connected_through(cut, backend);
    let sql = SqlConfig { recheck_ms: 20, lease_check_ms: 3_600_000, silence_ms, ..SqlConfig::default() };
    Store::open_postgres(backend.database().unwrap(), sql, backend.clock.clone(), Some(&redis)).await.unwrap()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_failed_notification_is_sent_again_later() {
    let Some(backend) = backends::redis().await else { return };
    let (cut, whole) = (
        FlakyProxy::before(backend.redis_endpoint().0.exposed()).await,
        FlakyProxy::before(backend.redis_endpoint().0.exposed()).await,
    );
    let (cut_off, listener) = (behind(&cut, &backend, 3_600_000).await, behind(&whole, &backend, 3_600_000).await);
    let investigation = backend.any_investigation().await;
    let mut stream = listener.follow(investigation, 0);
    not_yet(stream.next()).await;
    cut.sever();
    let event = cut_off.append(investigation, backend.now(), EventKind::FinishRequested).await.unwrap();
    not_yet(stream.next()).await;
    cut.mend();
    assert_eq!(soon(stream.next()).await.unwrap().unwrap(), event);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_listener_recovers_from_a_silently_lost_connection() {
    let Some(backend) = backends::redis().await else { return };
    let cut = FlakyProxy::before_connections_sending(backend.redis_endpoint().0.exposed(), "SUBSCRIBE").await;
    let listener = behind(&cut, &backend, 500).await;
    let investigation = backend.any_investigation().await;
    let mut stream = listener.follow(investigation, 0);
    not_yet(stream.next()).await;
    for _ in 0..2 {
        cut.deaden();
        let event = backend.store.append(investigation, backend.now(), EventKind::FinishRequested).await.unwrap();
        assert_eq!(soon(stream.next()).await.unwrap().unwrap(), event);
    }
}

async fn taken(queue: &dyn Queue) -> Delivery {
    soon(queue.take(HolderId(id()), GRACE_MS)).await.unwrap()
}

/// An order that a worker carries out, as the database and the queue know it.
async fn assigned(backend: &TestBackend) -> Delivery {
    let (_, order) = backend.queued_order().await;
    backend.queue.push(order, Priority::Normal).await.unwrap();
    let delivery = taken(&*backend.queue).await;
    assert_eq!(delivery.work_order_id, order);
    backend.assign(order, delivery.worker).await.unwrap().unwrap();
    delivery
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_lost_queue_is_rebuilt_and_live_workers_keep_their_orders() {
    let Some(backend) = backends::redis().await else { return };
    let (alive, dead) = (assigned(&backend).await, assigned(&backend).await);
    let (_, waiting) = backend.queued_order().await;
    backend.queue.push(waiting, Priority::Normal).await.unwrap();
    lose_everything(&backend).await;

    let other = backend.other_queue().await;
    let next = taken(&*other).await;
    assert_eq!(next.work_order_id, waiting, "what nobody holds is given out at once");
    assert_eq!(backend.queue.depth().await.unwrap(), [0, 0, 0]);
    not_yet(other.take(HolderId(id()), GRACE_MS)).await;

    backend.let_pass_ms(50_000).await;
    assert!(backend.queue.beat(&alive, backend.now().plus_ms(60_000)).await.unwrap(), "who lives keeps what he holds");
    assert!(other.beat(&next, backend.now().plus_ms(60_000)).await.unwrap());
    backend.let_pass_ms(10_000).await;
    let again = taken(&*other).await;
    assert_eq!(again.work_order_id, dead.work_order_id);
    assert!(!backend.queue.beat(&dead, backend.now().plus_ms(60_000)).await.unwrap());
    not_yet(other.take(HolderId(id()), GRACE_MS)).await;

    backend.assign(again.work_order_id, again.worker).await.unwrap().unwrap();
    let late = backend.store.complete(dead.work_order_id, 1, backend.now()).await;
    assert!(matches!(late, Err(StoreError::Stale(_))), "a late writer is refused: {late:?}");
    backend.queue.acknowledge(&alive).await.unwrap();
    other.acknowledge(&again).await.unwrap();
    other.acknowledge(&next).await.unwrap();
    not_yet(other.take(HolderId(id()), GRACE_MS)).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn an_order_lost_before_its_assignment_is_carried_out_once() {
    let Some(backend) = backends::redis().await else { return };
    let (_, order) = backend.queued_order().await;
    backend.queue.push(order, Priority::Normal).await.unwrap();
    let (first, seen) = (taken(&*backend.queue).await, 0);
    lose_everything(&backend).await;
    let second = taken(&*backend.other_queue().await).await;
    assert_eq!(second.work_order_id, order);
    assert!(!backend.queue.beat(&first, backend.now().plus_ms(60_000)).await.unwrap(), "the first learns it before it begins");
    let assigned = backend.assign(order, second.worker).await.unwrap().unwrap();
    assert_eq!(backend.store.assign(order, seen, first.worker, backend.now()).await.unwrap(), None);
    backend.store.complete(order, assigned.attempt, backend.now()).await.unwrap();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn one_of_many_processes_rebuilds_a_lost_queue() {
    let Some(backend) = backends::redis().await else { return };
    let mut orders = vec![];
    for _ in 0..20 {
        orders.push(backend.queued_order().await.1);
    }
    lose_everything(&backend).await;
    let queues = [backend.queue.clone(), backend.other_queue().await, backend.other_queue().await];
    let takers = (0..20).map(|n| {
        let queue = queues[n % 3].clone();
        tokio::spawn(async move { taken(&*queue).await.work_order_id })
    });
    let mut given: Vec<WorkOrderId> = vec![];
    for taker in takers.collect::<Vec<_>>() {
        given.push(taker.await.unwrap());
    }
    given.sort();
    orders.sort();
    assert_eq!(given, orders);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn orders_pushed_or_finished_after_the_loss_are_kept() {
    let Some(backend) = backends::redis().await else { return };
    let held = assigned(&backend).await;
    lose_everything(&backend).await;
    backend.queue.acknowledge(&held).await.unwrap();
    let stranger = WorkOrderId(id());
    lose_everything(&backend).await;
    backend.queue.push(stranger, Priority::High).await.unwrap();
    assert_eq!(taken(&*backend.queue).await.work_order_id, stranger);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn results_of_tools_leave_room_for_the_queue() {
    let Some(backend) = backends::redis().await else { return };
    let mut admin = connection(&backend).await;
    let (_, most_bytes): (String, u64) = redis::cmd("CONFIG").arg(&["GET", "maxmemory"]).query_async(&mut admin).await.unwrap();
    if most_bytes == 0 {
        // More than any test needs: the server is everybody's.
        let limit = ["SET", "maxmemory", "1000gb"];
        let _: () = redis::cmd("CONFIG").arg(&limit).query_async(&mut admin).await.unwrap();
    }
    for (cache_share, is_kept) in [(0.0, false), (1.0, true)] {
        let config = RedisConfig { cache_share, ..RedisConfig::default() };
        let cache = RedisCache::new(&connected(&backend, backend.redis_endpoint().0, config));
        cache.keep("key", "{}", backend.now().plus_ms(60_000)).await.unwrap();
        assert_eq!(cache.cached("key", backend.now()).await.unwrap().is_some(), is_kept, "{cache_share}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn an_unreachable_queue_is_reported_and_recovers() {
    let Some(backend) = backends::redis().await else { return };
    let cut = FlakyProxy::before(backend.redis_endpoint().0.exposed()).await;
    let redis = connected_through(&cut, &backend);
    let queue = RedisQueue::new(&redis, Arc::new(backend.store.clone()), Arc::new(backends::SequentialIds), GRACE_MS);
    let order = WorkOrderId(id());
    queue.push(order, Priority::Normal).await.unwrap();
    cut.sever();
    let ambiguous = WorkOrderId(id());
    let refused = soon(queue.push(ambiguous, Priority::Normal)).await;
    assert!(matches!(refused, Err(StoreError::Unavailable(_))), "{refused:?}");
    let refused = soon(queue.take(HolderId(id()), GRACE_MS)).await;
    assert!(matches!(refused, Err(StoreError::Unavailable(_))), "{refused:?}");
    cut.mend();
    soon(async { while queue.depth().await.is_err() {} }).await;
    // It may have arrived before its answer was cut off.
    queue.remove(ambiguous).await.unwrap();
    assert_eq!(taken(&queue).await.work_order_id, order);
    // Its ear hears again, too.
    let waiting = queue.take(HolderId(id()), GRACE_MS);
    tokio::pin!(waiting);
    not_yet(&mut waiting).await;
    backend.queue.push(WorkOrderId(id()), Priority::Normal).await.unwrap();
    soon(waiting).await.unwrap();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn an_unreachable_cache_or_limit_store_is_not_called_before_its_probe() {
    let Some(backend) = backends::redis().await else { return };
    let cut = FlakyProxy::before(backend.redis_endpoint().0.exposed()).await;
    let config = BreakerConfig { failure_threshold: 2, ..BreakerConfig::default() }.for_stores();
    let cooldown_ms = config.cooldown_ms.cast_signed();
    let circuits = Arc::new(backend.store.clone());
    let guard = DependencyGuard::new("redis", circuits, backend.clock.clone(), Arc::new(backends::SequentialIds), config);
    let redis = connected_through(&cut, &backend).guarded_by(guard);
    let (cache, limits) = (RedisCache::new(&redis), RedisLimits::new(&redis));
    let cached = async || cache.cached("key", backend.now()).await.unwrap();
    let state = async || backend.store.circuit("redis").await.unwrap().state;
    cache.keep("key", "{}", backend.now().plus_ms(3_600_000)).await.unwrap();
    assert!(cached().await.is_some() && limits.take("ada", 1).await.unwrap());
    cut.sever();
    assert!(cached().await.is_none(), "a miss");
    assert!(limits.take("ada", 1).await.unwrap(), "this process counts alone");
    assert_eq!(state().await, CircuitState::Open);
    cut.mend();
    assert!(cached().await.is_none() && !limits.take("ada", 1).await.unwrap(), "it answers again, and nobody asked it");
    backend.clock.forward_ms(cooldown_ms);
    assert!(cached().await.is_some(), "the probe");
    assert_eq!(state().await, CircuitState::Closed);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn processes_take_turns_at_one_host_together() {
    let Some(backend) = backends::redis().await else { return };
    let process = || RedisHostPermits::new(&connected(&backend, backend.redis_endpoint().0, RedisConfig::default()));
    let (one, other) = (process(), process());
    let (interval, ahead, longest) = (Duration::from_secs(600), Duration::from_secs(600), Duration::from_secs(1_500));
    // In tens of minutes, as the clock of Redis goes on meanwhile.
    let turn = async |process: &RedisHostPermits, host: &str| {
        let turn = process.reserve(host, interval, ahead, longest).await.unwrap();
        let tens = |wait: Duration| (wait.as_secs_f64() / 600.0).round() as u64;
        turn.map(tens).map_err(tens)
    };
    assert_eq!([turn(&one, "a").await, turn(&other, "a").await], [Ok(0), Ok(0)], "a burst of two, whoever asks");
    assert_eq!([turn(&one, "a").await, turn(&other, "a").await, turn(&one, "a").await], [Ok(1), Ok(2), Err(3)]);
    assert_eq!(turn(&other, "b").await, Ok(0));
    one.hold("c", Duration::from_secs(2_400)).await.unwrap();
    assert_eq!(turn(&other, "c").await, Err(3), "a pause holds for all, less what a burst may be ahead");
    one.hold("c", Duration::from_secs(u64::MAX)).await.unwrap();
    assert!(turn(&other, "c").await.is_err());
    let none = Duration::ZERO;
    for _ in 0..3 {
        assert_eq!(one.reserve("d", none, none, none).await.unwrap(), Ok(none), "no interval, no wait");
    }
}
