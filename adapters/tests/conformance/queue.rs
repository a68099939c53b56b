//! The queue: priorities, heartbeats, nothing twice.

use super::bench::{Bench, id, not_yet, soon};
use domain::{HolderId, WorkOrderId, work_order::Priority};
use engine::queue::Queue;
use futures::future::join_all;
use std::{
    collections::BTreeSet,
    sync::{
        Arc, Mutex,
        atomic::{AtomicUsize, Ordering},
    },
};

const HEARTBEAT_MS: u64 = 1000;

async fn pushed(bench: &Bench, priority: Priority) -> WorkOrderId {
    let order = WorkOrderId(id());
    bench.store.push(order, priority).await.unwrap();
    order
}

pub async fn orders_come_by_priority_then_age(bench: &Bench) {
    let low = pushed(bench, Priority::Low).await;
    let normal = [pushed(bench, Priority::Normal).await, pushed(bench, Priority::Normal).await];
    let high = pushed(bench, Priority::High).await;
    assert_eq!(bench.store.depth().await.unwrap(), [1, 2, 1]);
    for expected in [high, normal[0], normal[1], low] {
        let delivery = soon(bench.store.take(HolderId(id()), HEARTBEAT_MS)).await.unwrap();
        assert_eq!((delivery.work_order_id, delivery.delivery), (expected, 1));
        bench.store.acknowledge(&delivery).await.unwrap();
    }
    assert_eq!(bench.store.depth().await.unwrap(), [0, 0, 0]);
}

pub async fn pushing_twice_gives_one_delivery(bench: &Bench) {
    let order = pushed(bench, Priority::Normal).await;
    bench.store.push(order, Priority::High).await.unwrap();
    let delivery = soon(bench.store.take(HolderId(id()), HEARTBEAT_MS)).await.unwrap();
    bench.store.push(order, Priority::Normal).await.unwrap();
    not_yet(bench.store.take(HolderId(id()), HEARTBEAT_MS)).await;
    bench.store.acknowledge(&delivery).await.unwrap();
    bench.store.push(order, Priority::Normal).await.unwrap();
    let again = soon(bench.store.take(HolderId(id()), HEARTBEAT_MS)).await.unwrap();
    assert_eq!(again.work_order_id, order);
}

pub async fn eight_takers_get_every_order_once(bench: &Bench) {
    const ORDERS: usize = 60;
    let stores = [Arc::new(bench.store.clone()), Arc::new(bench.other_process().await)];
    let taken: Arc<Mutex<Vec<WorkOrderId>>> = Arc::default();
    let left = Arc::new(AtomicUsize::new(ORDERS));
    let takers: Vec<_> = (0..8)
        .map(|n| {
            let (store, taken, left) = (stores[n % 2].clone(), taken.clone(), left.clone());
            tokio::spawn(async move {
                loop {
                    let delivery = store.take(HolderId(id()), HEARTBEAT_MS).await.unwrap();
                    taken.lock().unwrap().push(delivery.work_order_id);
                    store.acknowledge(&delivery).await.unwrap();
                    left.fetch_sub(1, Ordering::SeqCst);
                }
            })
        })
        .collect();
    let pushed = join_all((0..ORDERS).map(|_| pushed(bench, Priority::Normal))).await;
    soon(async {
        while left.load(Ordering::SeqCst) > 0 {
            tokio::task::yield_now().await;
        }
    })
    .await;
    takers.iter().for_each(|taker| taker.abort());
    let taken = taken.lock().unwrap().clone();
    assert_eq!(taken.len(), ORDERS);
    assert_eq!(taken.into_iter().collect::<BTreeSet<_>>(), pushed.into_iter().collect());
}

pub async fn an_expired_heartbeat_gives_the_order_to_another(bench: &Bench) {
    let order = pushed(bench, Priority::Normal).await;
    let dead = soon(bench.store.take(HolderId(id()), HEARTBEAT_MS)).await.unwrap();
    let waiting = bench.store.take(HolderId(id()), HEARTBEAT_MS);
    tokio::pin!(waiting);
    not_yet(&mut waiting).await;
    assert_eq!(bench.store.depth().await.unwrap(), [0, 0, 0]);
    bench.clock.forward_ms(1000);
    assert_eq!(bench.store.depth().await.unwrap(), [0, 1, 0]);
    let live = soon(waiting).await.unwrap();
    assert_eq!((live.work_order_id, live.delivery), (order, 2));
    assert!(!bench.store.beat(&dead, bench.now().plus_ms(9000)).await.unwrap());
    bench.store.acknowledge(&dead).await.unwrap();
    assert!(bench.store.beat(&live, bench.now().plus_ms(9000)).await.unwrap(), "the late worker took nothing away");
}

pub async fn a_beaten_order_is_not_given_away(bench: &Bench) {
    pushed(bench, Priority::Normal).await;
    let delivery = soon(bench.store.take(HolderId(id()), HEARTBEAT_MS)).await.unwrap();
    for _ in 0..3 {
        bench.clock.forward_ms(900);
        assert!(bench.store.beat(&delivery, bench.now().plus_ms(1000)).await.unwrap());
    }
    not_yet(bench.store.take(HolderId(id()), HEARTBEAT_MS)).await;
}

pub async fn a_waiting_taker_wakes_for_another_process(bench: &Bench) {
    let other = bench.other_process().await;
    let waiting = other.take(HolderId(id()), HEARTBEAT_MS);
    tokio::pin!(waiting);
    not_yet(&mut waiting).await;
    let order = pushed(bench, Priority::Low).await;
    assert_eq!(soon(waiting).await.unwrap().work_order_id, order);
}

pub async fn a_dropped_take_has_taken_nothing(bench: &Bench) {
    not_yet(bench.store.take(HolderId(id()), HEARTBEAT_MS)).await;
    let order = pushed(bench, Priority::Normal).await;
    let delivery = soon(bench.store.take(HolderId(id()), HEARTBEAT_MS)).await.unwrap();
    assert_eq!((delivery.work_order_id, delivery.delivery), (order, 1));
}

pub async fn only_what_nobody_holds_can_be_removed(bench: &Bench) {
    pushed(bench, Priority::High).await;
    let held = soon(bench.store.take(HolderId(id()), HEARTBEAT_MS)).await.unwrap();
    let waiting = pushed(bench, Priority::High).await;
    for order in [held.work_order_id, waiting] {
        bench.store.remove(order).await.unwrap();
    }
    assert_eq!(bench.store.depth().await.unwrap(), [0, 0, 0]);
    assert!(bench.store.beat(&held, bench.now().plus_ms(1)).await.unwrap());
}

pub async fn forgetting_workers_gives_out_what_they_held(bench: &Bench) {
    let order = pushed(bench, Priority::Normal).await;
    let dead = soon(bench.store.take(HolderId(id()), HEARTBEAT_MS)).await.unwrap();
    bench.store.forget_workers().await.unwrap();
    let live = soon(bench.store.take(HolderId(id()), HEARTBEAT_MS)).await.unwrap();
    assert_eq!((live.work_order_id, live.delivery), (order, 2));
    assert!(!bench.store.beat(&dead, bench.now().plus_ms(1)).await.unwrap());
}
