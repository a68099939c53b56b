//! The queue: priorities, heartbeats, nothing twice.

use super::prelude::*;
use std::sync::{Mutex, atomic::AtomicUsize};

/// Long, so that none expires by itself while a busy machine runs the test.
const HEARTBEAT_MS: u64 = 60_000;
/// `recheck_ms` of the test backends is 20; a busy machine takes its time besides.
const LOOK: Duration = Duration::from_secs(2);

async fn pushed(backend: &TestBackend, priority: Priority) -> WorkOrderId {
    let order = WorkOrderId(id());
    backend.queue.push(order, priority).await.unwrap();
    order
}

pub async fn orders_come_by_priority_then_age(backend: &TestBackend) {
    let low = pushed(backend, Priority::Low).await;
    let normal = [pushed(backend, Priority::Normal).await, pushed(backend, Priority::Normal).await];
    let high = pushed(backend, Priority::High).await;
    assert_eq!(backend.queue.depth().await.unwrap(), [1, 2, 1]);
    for expected in [high, normal[0], normal[1], low] {
        let delivery = soon(backend.queue.take(HolderId(id()), HEARTBEAT_MS)).await.unwrap();
        assert_eq!((delivery.work_order_id, delivery.delivery), (expected, 1));
        backend.queue.acknowledge(&delivery).await.unwrap();
    }
    assert_eq!(backend.queue.depth().await.unwrap(), [0, 0, 0]);
}

pub async fn pushing_twice_gives_one_delivery(backend: &TestBackend) {
    let order = pushed(backend, Priority::Normal).await;
    backend.queue.push(order, Priority::High).await.unwrap();
    let delivery = soon(backend.queue.take(HolderId(id()), HEARTBEAT_MS)).await.unwrap();
    backend.queue.push(order, Priority::Normal).await.unwrap();
    not_yet(backend.queue.take(HolderId(id()), HEARTBEAT_MS)).await;
    backend.queue.acknowledge(&delivery).await.unwrap();
    backend.queue.push(order, Priority::Normal).await.unwrap();
    let again = soon(backend.queue.take(HolderId(id()), HEARTBEAT_MS)).await.unwrap();
    assert_eq!(again.work_order_id, order);
}

pub async fn eight_takers_get_every_order_once(backend: &TestBackend) {
    const ORDERS: usize = 60;
    let queues = [backend.queue.clone(), backend.other_queue().await];
    let taken: Arc<Mutex<Vec<WorkOrderId>>> = Arc::default();
    let left = Arc::new(AtomicUsize::new(ORDERS));
    let takers: Vec<_> = (0..8)
        .map(|n| {
            let (queue, taken, left) = (queues[n % 2].clone(), taken.clone(), left.clone());
            tokio::spawn(async move {
                loop {
                    let delivery = queue.take(HolderId(id()), HEARTBEAT_MS).await.unwrap();
                    taken.lock().unwrap().push(delivery.work_order_id);
                    queue.acknowledge(&delivery).await.unwrap();
                    left.fetch_sub(1, Ordering::SeqCst);
                }
            })
        })
        .collect();
    let pushed = join_all((0..ORDERS).map(|_| pushed(backend, Priority::Normal))).await;
    assert!(eventually(async || left.load(Ordering::SeqCst) == 0).await, "every order is taken");
    takers.iter().for_each(|taker| taker.abort());
    let taken = taken.lock().unwrap().clone();
    assert_eq!(taken.len(), ORDERS);
    assert_eq!(taken.into_iter().collect::<BTreeSet<_>>(), pushed.into_iter().collect());
}

pub async fn an_expired_heartbeat_gives_the_order_to_another(backend: &TestBackend) {
    let order = pushed(backend, Priority::Normal).await;
    let dead = soon(backend.queue.take(HolderId(id()), HEARTBEAT_MS)).await.unwrap();
    let waiting = backend.queue.take(HolderId(id()), HEARTBEAT_MS);
    tokio::pin!(waiting);
    not_yet(&mut waiting).await;
    assert_eq!(backend.queue.depth().await.unwrap(), [0, 0, 0]);
    backend.let_pass_ms(60_000).await;
    assert_eq!(backend.queue.depth().await.unwrap(), [0, 1, 0]);
    let live = soon(waiting).await.unwrap();
    assert_eq!((live.work_order_id, live.delivery), (order, 2));
    assert!(!backend.queue.beat(&dead, backend.now().plus_ms(90_000)).await.unwrap());
    backend.queue.acknowledge(&dead).await.unwrap();
    assert!(backend.queue.beat(&live, backend.now().plus_ms(90_000)).await.unwrap(), "the late worker took nothing away");
}

pub async fn ten_minutes_of_work_are_never_taken_from_a_live_worker(backend: &TestBackend) {
    pushed(backend, Priority::Normal).await;
    let delivery = soon(backend.queue.take(HolderId(id()), HEARTBEAT_MS)).await.unwrap();
    let other = backend.other_queue().await;
    let waiting = other.take(HolderId(id()), HEARTBEAT_MS);
    tokio::pin!(waiting);
    for _ in 0..30 {
        backend.let_pass_ms(20_000).await;
        assert!(futures::poll!(&mut waiting).is_pending());
        assert!(backend.queue.beat(&delivery, backend.now().plus_ms(60_000)).await.unwrap());
    }
    not_yet(&mut waiting).await;
    // It dies: one heartbeat and one look later somebody else has its order.
    backend.let_pass_ms(60_000).await;
    let next = tokio::time::timeout(LOOK, waiting).await.expect("a dead worker's order is found at the next look").unwrap();
    assert_eq!((next.work_order_id, next.delivery), (delivery.work_order_id, 2));
}

pub async fn a_waiting_taker_wakes_for_another_process(backend: &TestBackend) {
    let other = backend.other_queue().await;
    let waiting = other.take(HolderId(id()), HEARTBEAT_MS);
    tokio::pin!(waiting);
    not_yet(&mut waiting).await;
    let order = pushed(backend, Priority::Low).await;
    assert_eq!(soon(waiting).await.unwrap().work_order_id, order);
}

pub async fn a_dropped_take_has_taken_nothing(backend: &TestBackend) {
    not_yet(backend.queue.take(HolderId(id()), HEARTBEAT_MS)).await;
    let order = pushed(backend, Priority::Normal).await;
    let delivery = soon(backend.queue.take(HolderId(id()), HEARTBEAT_MS)).await.unwrap();
    assert_eq!((delivery.work_order_id, delivery.delivery), (order, 1));
}

pub async fn only_waiting_orders_can_be_removed(backend: &TestBackend) {
    pushed(backend, Priority::High).await;
    let held = soon(backend.queue.take(HolderId(id()), HEARTBEAT_MS)).await.unwrap();
    let waiting = pushed(backend, Priority::High).await;
    for order in [held.work_order_id, waiting] {
        backend.queue.remove(order).await.unwrap();
    }
    assert_eq!(backend.queue.depth().await.unwrap(), [0, 0, 0]);
    assert!(backend.queue.beat(&held, backend.now().plus_ms(1000)).await.unwrap());
}

pub async fn removing_workers_returns_their_orders(backend: &TestBackend) {
    let order = pushed(backend, Priority::Normal).await;
    let dead = soon(backend.queue.take(HolderId(id()), HEARTBEAT_MS)).await.unwrap();
    backend.queue.forget_workers().await.unwrap();
    let live = soon(backend.queue.take(HolderId(id()), HEARTBEAT_MS)).await.unwrap();
    assert_eq!((live.work_order_id, live.delivery), (order, 2));
    assert!(!backend.queue.beat(&dead, backend.now().plus_ms(1000)).await.unwrap());
}
