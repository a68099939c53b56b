//! Events: numbered without holes, followed without a hole or a double.

use super::{backends::status_event, prelude::*};
use engine::events::Events;
use futures::StreamExt;

fn growth(claims: u64) -> EventKind {
    EventKind::GraphAdded(GraphCounts { claims, entities: 0, relationships: 0 })
}

pub async fn numbers_start_at_one_and_have_no_hole(backend: &TestBackend) {
    let store = &backend.store;
    let (one, other) = (backend.any_investigation().await, backend.any_investigation().await);
    for n in 1..=5 {
        assert_eq!(store.append(one, backend.now(), growth(n)).await.unwrap().sequence, n);
    }
    let event = store.append(other, backend.now(), growth(9)).await.unwrap();
    assert_eq!(event.sequence, 1);
    assert_eq!(store.after(other, 0, 10).await.unwrap(), [event]);
    let page = store.after(one, 2, 2).await.unwrap();
    assert_eq!(page.iter().map(|event| event.sequence).collect::<Vec<_>>(), [3, 4]);
    assert!(store.after(one, 5, 2).await.unwrap().is_empty());
}

pub async fn an_event_needs_its_investigation(backend: &TestBackend) {
    let refused = backend.store.append(InvestigationId(id()), backend.now(), growth(1)).await;
    assert!(matches!(refused, Err(StoreError::Invalid(_))), "{refused:?}");
}

pub async fn followers_see_every_event_once_under_concurrent_appends(backend: &TestBackend) {
    const EACH: u64 = 25;
    let investigation = backend.any_investigation().await;
    let other = backend.other_process().await;
    let stores = [backend.store.clone(), other];
    let followers: Vec<_> = (0..4)
        .map(|n: u64| {
            let stream = stores[n as usize % 2].follow(investigation, n);
            tokio::spawn(async move { stream.map(|event| event.unwrap().sequence).collect::<Vec<_>>().await })
        })
        .collect();
    join_all(stores.iter().cycle().take(4).map(|store| async {
        for n in 0..EACH {
            store.append(investigation, backend.now(), growth(n)).await.unwrap();
        }
    }))
    .await;
    let lease = backend.lease(investigation).await;
    backend.advance(&lease, &Progress::default(), Status::Completed, StagedOrders::Discard).await;
    for (n, follower) in followers.into_iter().enumerate() {
        let seen = soon(follower).await.unwrap();
        assert_eq!(seen, (n as u64 + 1..=4 * EACH + 1).collect::<Vec<_>>());
    }
}

pub async fn a_follower_ends_with_the_terminal_status(backend: &TestBackend) {
    let investigation = backend.any_investigation().await;
    let mut stream = backend.store.follow(investigation, 0);
    not_yet(stream.next()).await;
    let lease = backend.lease(investigation).await;
    backend.advance(&lease, &Progress::default(), Status::Failed, StagedOrders::Discard).await;
    assert_eq!(soon(stream.next()).await.unwrap().unwrap().kind, status_event(Status::Failed));
    assert!(soon(stream.next()).await.is_none());
}

pub async fn following_an_ended_investigation_ends_at_once(backend: &TestBackend) {
    let investigation = backend.any_investigation().await;
    let lease = backend.lease(investigation).await;
    backend.advance(&lease, &Progress::default(), Status::Completed, StagedOrders::Discard).await;
    assert_eq!(soon(backend.store.follow(investigation, 0).count()).await, 1);
    assert_eq!(soon(backend.store.follow(investigation, 1).count()).await, 0);
    assert_eq!(soon(backend.store.follow(InvestigationId(id()), 0).count()).await, 0);
}

pub async fn a_follower_sees_what_another_process_appends(backend: &TestBackend) {
    let investigation = backend.any_investigation().await;
    let other = backend.other_process().await;
    let mut stream = backend.store.follow(investigation, 0);
    not_yet(stream.next()).await;
    let event = other.append(investigation, backend.now(), growth(1)).await.unwrap();
    assert_eq!(soon(stream.next()).await.unwrap().unwrap(), event);
}

pub async fn the_newest_come_first_on_the_way_back(backend: &TestBackend) {
    let (one, other) = (backend.any_investigation().await, backend.any_investigation().await);
    let mut told = vec![];
    for n in 1..=5 {
        told.push(backend.store.append(one, backend.now(), growth(n)).await.unwrap());
    }
    backend.store.append(other, backend.now(), growth(9)).await.unwrap();
    told.reverse();
    assert_eq!(backend.store.before(one, u64::MAX, 10).await.unwrap(), told);
    assert_eq!(backend.store.before(one, 4, 2).await.unwrap(), told[2..4]);
    assert!(backend.store.before(one, 1, 2).await.unwrap().is_empty());
}

pub async fn idle_followers_do_not_block_others(backend: &TestBackend) {
    let investigation = backend.any_investigation().await;
    // Each is asked once and left in the middle of its look: there are more of them than connections.
    let mut left: Vec<_> = (0..40).map(|_| backend.store.follow(investigation, 0)).collect();
    for stream in &mut left {
        assert!(futures::poll!(stream.next()).is_pending());
    }
    for n in 0..5 {
        soon(backend.store.append(investigation, backend.now(), growth(n))).await.unwrap();
        assert_eq!(soon(backend.store.last(investigation)).await.unwrap(), n + 1);
    }
    for mut stream in left {
        assert_eq!(soon(stream.next()).await.unwrap().unwrap().sequence, 1, "and each goes on where it was left");
    }
}
