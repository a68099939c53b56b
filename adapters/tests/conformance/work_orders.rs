//! Work orders: staging, attempts, resolution.

use super::bench::{Bench, id};
use domain::{
    DocumentId, EntityId, HolderId, SessionId, WorkOrderId,
    agent::SessionStatus,
    work_order::{Priority, WorkOrder, WorkOrderStatus},
};
use engine::{
    StoreError,
    investigations::{Investigations, WorkOrders},
    sessions::{SessionEnd, Sessions},
};

pub async fn an_objective_is_staged_once_per_cycle(bench: &Bench) {
    let store = &bench.store;
    let investigation = bench.any_investigation().await;
    let session = SessionId(id());
    let first = WorkOrder {
        referenced_entities: vec![EntityId(id())],
        priority: Priority::High,
        ..bench.order(investigation, 1, "Find the night keeper")
    };
    assert_eq!(store.stage(session, &first).await.unwrap(), (first.id, true));
    let same = bench.order(investigation, 1, " find the  NIGHT keeper");
    assert_eq!(store.stage(session, &same).await.unwrap(), (first.id, false));
    let next = bench.order(investigation, 2, "Find the night keeper");
    assert_eq!(store.stage(session, &next).await.unwrap(), (next.id, true));
    assert_eq!(store.work_order(first.id).await.unwrap(), Some(first.clone()));
    assert_eq!(store.work_orders(investigation).await.unwrap(), [first, next]);
    assert_eq!(store.work_order(WorkOrderId(id())).await.unwrap(), None);
}

pub async fn orders_and_investigations_are_counted_by_status(bench: &Bench) {
    let store = &bench.store;
    assert_eq!(store.count_by_status().await.unwrap(), []);
    assert_eq!(store.count_orders_by_status().await.unwrap(), []);
    let (investigation, order) = bench.queued_order().await;
    bench.any_investigation().await;
    store.stage(SessionId(id()), &bench.order(investigation, 2, "find more")).await.unwrap();
    let counted: u64 = store.count_by_status().await.unwrap().into_iter().map(|(_, count)| count).sum();
    assert_eq!(counted, 2);
    let orders = |assigned, queued| {
        let counts = [(WorkOrderStatus::Assigned, assigned), (WorkOrderStatus::Queued, queued), (WorkOrderStatus::Staged, 1)];
        counts.into_iter().filter(|(_, count)| *count > 0).collect::<Vec<_>>()
    };
    assert_eq!(store.count_orders_by_status().await.unwrap(), orders(0, 1));
    bench.assign(order, HolderId(id())).await.unwrap();
    assert_eq!(store.count_orders_by_status().await.unwrap(), orders(1, 0));
}

pub async fn an_ended_session_stages_nothing(bench: &Bench) {
    let store = &bench.store;
    let investigation = bench.any_investigation().await;
    let session = bench.session(investigation, None);
    store.start(&session, "{}").await.unwrap();
    store.abandon(investigation, bench.now()).await.unwrap();
    let refused = store.stage(session.id, &bench.order(investigation, 1, "find it")).await;
    assert!(matches!(refused, Err(StoreError::Stale(_))), "{refused:?}");
    let ended = bench.session(investigation, None);
    store.start(&ended, "{}").await.unwrap();
    store.stage(ended.id, &bench.order(investigation, 1, "find it")).await.unwrap();
    let end =
        SessionEnd { status: SessionStatus::Completed, reason: None, turns: 1, tokens_in: 0, tokens_out: 0, at: bench.now() };
    store.end(ended.id, &end).await.unwrap();
    let refused = store.stage(ended.id, &bench.order(investigation, 1, "find more")).await;
    assert!(matches!(refused, Err(StoreError::Stale(_))), "{refused:?}");
}

pub async fn an_order_is_assigned_with_a_new_attempt(bench: &Bench) {
    let store = &bench.store;
    let (investigation, order) = bench.queued_order().await;
    let first = bench.assign(order, HolderId(id())).await.unwrap().unwrap();
    assert_eq!((first.attempt, first.status), (1, WorkOrderStatus::Assigned));
    // Its worker died, and the queue gave it out again.
    let second = bench.assign(order, HolderId(id())).await.unwrap().unwrap();
    assert_eq!(second.attempt, 2);
    store.complete(order, 2, bench.now()).await.unwrap();
    assert_eq!(bench.assign(order, HolderId(id())).await.unwrap(), None);
    let staged = bench.order(investigation, 2, "not committed");
    store.stage(SessionId(id()), &staged).await.unwrap();
    assert_eq!(bench.assign(staged.id, HolderId(id())).await.unwrap(), None);
}

pub async fn who_comes_late_is_not_assigned_what_another_was(bench: &Bench) {
    let store = &bench.store;
    let (_, order) = bench.queued_order().await;
    let (first, late) = (HolderId(id()), HolderId(id()));
    assert_eq!(store.assign(order, 0, first, bench.now()).await.unwrap().unwrap().attempt, 1);
    assert_eq!(store.assign(order, 0, late, bench.now()).await.unwrap(), None);
    assert_eq!(store.assign(order, 2, late, bench.now()).await.unwrap(), None);
    assert_eq!(store.open().await.unwrap()[0].holder, Some(first));
    store.complete(order, 1, bench.now()).await.unwrap();
    assert_eq!(store.assign(order, 1, late, bench.now()).await.unwrap(), None);
}

pub async fn an_old_attempt_resolves_nothing(bench: &Bench) {
    let store = &bench.store;
    let (_, order) = bench.queued_order().await;
    for _ in 0..2 {
        bench.assign(order, HolderId(id())).await.unwrap().unwrap();
    }
    assert!(matches!(store.complete(order, 1, bench.now()).await, Err(StoreError::Stale(_))));
    assert!(matches!(store.fail(order, 1, "no", 2, bench.now()).await, Err(StoreError::Stale(_))));
    assert_eq!(store.work_order(order).await.unwrap().unwrap().status, WorkOrderStatus::Assigned);
}

pub async fn an_order_fails_for_good_after_its_attempts(bench: &Bench) {
    let store = &bench.store;
    let (_, order) = bench.queued_order().await;
    bench.assign(order, HolderId(id())).await.unwrap().unwrap();
    let again = store.fail(order, 1, "the file was locked", 2, bench.now()).await.unwrap();
    assert_eq!(
        (again.status, again.failure.as_deref(), again.completed_at),
        (WorkOrderStatus::Queued, Some("the file was locked"), None)
    );
    bench.assign(order, HolderId(id())).await.unwrap().unwrap();
    let failed = store.fail(order, 2, "still locked", 2, bench.now()).await.unwrap();
    assert_eq!((failed.status, failed.completed_at), (WorkOrderStatus::Failed, Some(bench.now())));
    assert_eq!(bench.assign(order, HolderId(id())).await.unwrap(), None);
}

pub async fn the_death_of_a_worker_is_no_failure_of_its_order(bench: &Bench) {
    let store = &bench.store;
    let (_, order) = bench.queued_order().await;
    let assign = async || bench.assign(order, HolderId(id())).await.unwrap().unwrap().attempt;
    // Two workers died with it, and once something that it needs was down.
    for attempt in 1..=3 {
        assert_eq!(assign().await, attempt);
    }
    assert_eq!(store.return_to_queue(order, 3, "the model is down").await.unwrap().status, WorkOrderStatus::Queued);
    let attempt = assign().await;
    let once = store.fail(order, attempt, "broken", 2, bench.now()).await.unwrap();
    assert_eq!(once.status, WorkOrderStatus::Queued, "it is tried once more");
    let attempt = assign().await;
    let twice = store.fail(order, attempt, "broken again", 2, bench.now()).await.unwrap();
    assert_eq!(twice.status, WorkOrderStatus::Failed);
}

pub async fn resolving_twice_is_harmless(bench: &Bench) {
    let store = &bench.store;
    let (_, order) = bench.queued_order().await;
    bench.assign(order, HolderId(id())).await.unwrap().unwrap();
    let once = store.fail(order, 1, "no", 2, bench.now()).await.unwrap();
    assert_eq!(store.fail(order, 1, "no", 2, bench.now()).await.unwrap(), once);
    bench.assign(order, HolderId(id())).await.unwrap().unwrap();
    store.complete(order, 2, bench.now()).await.unwrap();
    let completed = store.work_order(order).await.unwrap();
    bench.clock.forward_ms(5);
    store.complete(order, 2, bench.now()).await.unwrap();
    assert_eq!(store.work_order(order).await.unwrap(), completed);
    assert!(matches!(store.fail(order, 2, "no", 2, bench.now()).await, Err(StoreError::Stale(_))));
}

pub async fn giving_back_costs_no_attempt(bench: &Bench) {
    let store = &bench.store;
    let (_, order) = bench.queued_order().await;
    for attempt in 1..=5 {
        bench.assign(order, HolderId(id())).await.unwrap().unwrap();
        let back = store.return_to_queue(order, attempt, "the model is down").await.unwrap();
        assert_eq!((back.status, back.attempt, back.tries()), (WorkOrderStatus::Queued, attempt, 0));
        assert_eq!(store.return_to_queue(order, attempt, "the model is down").await.unwrap(), back);
    }
    bench.assign(order, HolderId(id())).await.unwrap().unwrap();
    assert!(matches!(store.return_to_queue(order, 5, "late").await, Err(StoreError::Stale(_))));
    assert_eq!(store.fail(order, 6, "no", 2, bench.now()).await.unwrap().status, WorkOrderStatus::Queued);
    bench.assign(order, HolderId(id())).await.unwrap().unwrap();
    assert_eq!(store.fail(order, 7, "no", 2, bench.now()).await.unwrap().status, WorkOrderStatus::Failed);
}

pub async fn documents_of_an_order_are_noted_once(bench: &Bench) {
    let store = &bench.store;
    let (investigation, order) = bench.queued_order().await;
    let (first, second) = (DocumentId(id()), DocumentId(id()));
    assert_eq!(store.hold_documents(order, &[first]).await.unwrap(), [first].into());
    assert_eq!(store.hold_documents(order, &[first, second, second]).await.unwrap(), [first, second].into());
    assert_eq!(store.hold_documents(order, &[]).await.unwrap(), [].into());
    assert_eq!(store.documents_read(investigation).await.unwrap(), [(order, first), (order, second)]);
    // Another order leaves them to one that is carried out, and takes them over from one that is not.
    let third = DocumentId(id());
    let later = bench.order(investigation, 1, "find the other keeper");
    store.stage(SessionId(id()), &later).await.unwrap();
    bench.assign(order, HolderId(id())).await.unwrap().unwrap();
    assert_eq!(store.hold_documents(later.id, &[first, third]).await.unwrap(), [third].into());
    store.complete(order, 1, bench.now()).await.unwrap();
    assert_eq!(store.hold_documents(later.id, &[first]).await.unwrap(), [first].into());
    let other = bench.any_investigation().await;
    assert!(store.documents_read(other).await.unwrap().is_empty());
}
