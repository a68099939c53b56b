//! Work orders: staging, attempts, resolution.

use super::prelude::*;
use domain::{
    EntityId,
    agent::SessionStatus,
    work_order::{PlanChangeKind, WorkOrder, WorkOrderStatus},
};
use engine::{
    investigations::{Addition, Investigations, WorkOrders},
    library::Documents,
    sessions::{SessionEnd, Sessions},
};

pub async fn an_objective_is_staged_once_per_cycle(backend: &TestBackend) {
    let store = &backend.store;
    let investigation = backend.any_investigation().await;
    let session = SessionId(id());
    let first = WorkOrder {
        referenced_entities: vec![EntityId(id())],
        priority: Priority::High,
        ..backend.order(investigation, 1, "Find the night keeper")
    };
    assert_eq!(store.stage(session, &first).await.unwrap(), (first.id, true));
    let same = backend.order(investigation, 1, " find the  NIGHT keeper");
    assert_eq!(store.stage(session, &same).await.unwrap(), (first.id, false));
    let next = backend.order(investigation, 2, "Find the night keeper");
    assert_eq!(store.stage(session, &next).await.unwrap(), (next.id, true));
    assert_eq!(store.work_order(first.id).await.unwrap(), Some(first.clone()));
    assert_eq!(store.work_orders(investigation).await.unwrap(), [first, next]);
    assert_eq!(store.work_order(WorkOrderId(id())).await.unwrap(), None);
}

pub async fn orders_and_investigations_are_counted_by_status(backend: &TestBackend) {
    let store = &backend.store;
    assert_eq!(store.count_by_status().await.unwrap(), []);
    assert_eq!(store.count_orders_by_status().await.unwrap(), []);
    let (investigation, order) = backend.queued_order().await;
    backend.any_investigation().await;
    store.stage(SessionId(id()), &backend.order(investigation, 2, "find more")).await.unwrap();
    let counted: u64 = store.count_by_status().await.unwrap().into_iter().map(|(_, count)| count).sum();
    assert_eq!(counted, 2);
    let orders = |assigned, queued| {
        let counts = [(WorkOrderStatus::Assigned, assigned), (WorkOrderStatus::Queued, queued), (WorkOrderStatus::Staged, 1)];
        counts.into_iter().filter(|(_, count)| *count > 0).collect::<Vec<_>>()
    };
    assert_eq!(store.count_orders_by_status().await.unwrap(), orders(0, 1));
    backend.assign(order, HolderId(id())).await.unwrap();
    assert_eq!(store.count_orders_by_status().await.unwrap(), orders(1, 0));
}

pub async fn an_ended_session_stages_nothing(backend: &TestBackend) {
    let store = &backend.store;
    let investigation = backend.any_investigation().await;
    let session = backend.session(investigation, None);
    store.start(&session, "{}").await.unwrap();
    store.abandon(investigation, AgentRole::Analyst, backend.now()).await.unwrap();
    let refused = store.stage(session.id, &backend.order(investigation, 1, "find it")).await;
    assert!(matches!(refused, Err(StoreError::Stale(_))), "{refused:?}");
    let ended = backend.session(investigation, None);
    store.start(&ended, "{}").await.unwrap();
    store.stage(ended.id, &backend.order(investigation, 1, "find it")).await.unwrap();
    let end =
        SessionEnd { status: SessionStatus::Completed, reason: None, turns: 1, tokens_in: 0, tokens_out: 0, at: backend.now() };
    store.end(ended.id, &end).await.unwrap();
    let refused = store.stage(ended.id, &backend.order(investigation, 1, "find more")).await;
    assert!(matches!(refused, Err(StoreError::Stale(_))), "{refused:?}");
}

pub async fn an_order_is_assigned_with_a_new_attempt(backend: &TestBackend) {
    let store = &backend.store;
    let (investigation, order) = backend.queued_order().await;
    let first = backend.assign(order, HolderId(id())).await.unwrap().unwrap();
    assert_eq!((first.attempt, first.status), (1, WorkOrderStatus::Assigned));
    // Its worker died, and the queue gave it out again.
    let second = backend.assign(order, HolderId(id())).await.unwrap().unwrap();
    assert_eq!(second.attempt, 2);
    store.complete(order, 2, backend.now()).await.unwrap();
    assert_eq!(backend.assign(order, HolderId(id())).await.unwrap(), None);
    let staged = backend.order(investigation, 2, "not committed");
    store.stage(SessionId(id()), &staged).await.unwrap();
    assert_eq!(backend.assign(staged.id, HolderId(id())).await.unwrap(), None);
}

pub async fn a_late_worker_does_not_get_an_assigned_order(backend: &TestBackend) {
    let store = &backend.store;
    let (_, order) = backend.queued_order().await;
    let (first, late) = (HolderId(id()), HolderId(id()));
    assert_eq!(store.assign(order, 0, first, backend.now()).await.unwrap().unwrap().attempt, 1);
    assert_eq!(store.assign(order, 0, late, backend.now()).await.unwrap(), None);
    assert_eq!(store.assign(order, 2, late, backend.now()).await.unwrap(), None);
    assert_eq!(store.open().await.unwrap()[0].holder, Some(first));
    store.complete(order, 1, backend.now()).await.unwrap();
    assert_eq!(store.assign(order, 1, late, backend.now()).await.unwrap(), None);
}

pub async fn an_old_attempt_resolves_nothing(backend: &TestBackend) {
    let store = &backend.store;
    let (_, order) = backend.queued_order().await;
    for _ in 0..2 {
        backend.assign(order, HolderId(id())).await.unwrap().unwrap();
    }
    assert!(matches!(store.complete(order, 1, backend.now()).await, Err(StoreError::Stale(_))));
    assert!(matches!(store.fail(order, 1, "no", 2, backend.now()).await, Err(StoreError::Stale(_))));
    assert_eq!(store.work_order(order).await.unwrap().unwrap().status, WorkOrderStatus::Assigned);
}

pub async fn an_order_fails_for_good_after_its_attempts(backend: &TestBackend) {
    let store = &backend.store;
    let (_, order) = backend.queued_order().await;
    backend.assign(order, HolderId(id())).await.unwrap().unwrap();
    let again = store.fail(order, 1, "the file was locked", 2, backend.now()).await.unwrap();
    assert_eq!(
        (again.status, again.failure.as_deref(), again.completed_at),
        (WorkOrderStatus::Queued, Some("the file was locked"), None)
    );
    backend.assign(order, HolderId(id())).await.unwrap().unwrap();
    let failed = store.fail(order, 2, "still locked", 2, backend.now()).await.unwrap();
    assert_eq!((failed.status, failed.completed_at), (WorkOrderStatus::Failed, Some(backend.now())));
    assert_eq!(backend.assign(order, HolderId(id())).await.unwrap(), None);
}

/// Fails a queued order for good.
async fn fail(backend: &TestBackend, order: WorkOrderId, reason: &str) {
    let assigned = backend.assign(order, HolderId(id())).await.unwrap().unwrap();
    backend.store.fail(order, assigned.attempt, reason, 0, backend.now()).await.unwrap();
}

async fn failed_ids(backend: &TestBackend) -> (Vec<WorkOrderId>, u64) {
    let (failed, total) = backend.store.failed_orders(0, 10).await.unwrap();
    (failed.into_iter().map(|failed| failed.order.id).collect(), total)
}

pub async fn a_failed_order_is_listed_until_it_is_queued_again_or_discarded(backend: &TestBackend) {
    let store = &backend.store;
    let (investigation, first) = backend.queued_order().await;
    let (_, second) = backend.queued_order().await;
    assert_eq!(store.failed_orders(0, 10).await.unwrap(), (vec![], 0));
    assert!(!store.discard(first, backend.now()).await.unwrap(), "it has not failed");
    fail(backend, first, "no page could be read").await;
    backend.let_pass_ms(1).await;
    fail(backend, second, "delivered 3 times without finishing").await;
    assert_eq!(failed_ids(backend).await, (vec![second, first], 2));
    let (page, total) = store.failed_orders(1, 1).await.unwrap();
    let asked = store.investigation(investigation).await.unwrap().unwrap();
    assert_eq!((page.len(), total, page[0].order.failure.as_deref()), (1, 2, Some("no page could be read")));
    assert_eq!((page[0].is_open, &page[0].question, page[0].owner), (true, &asked.question, asked.owner));
    assert_eq!((page[0].collection_id, page[0].order.investigation_id), (asked.collection_id, investigation));

    let queued = store.requeue(first).await.unwrap().unwrap();
    assert_eq!((queued.status, queued.tries(), queued.completed_at), (WorkOrderStatus::Queued, 0, None));
    assert_eq!(store.requeue(first).await.unwrap(), Some(queued), "repeating it is harmless");
    assert_eq!(failed_ids(backend).await, (vec![second], 1));
    assert_eq!(store.open().await.unwrap().iter().map(|order| order.id).collect::<Vec<_>>(), [first]);
    let assigned = backend.assign(first, HolderId(id())).await.unwrap().unwrap();
    let again = store.fail(first, assigned.attempt, "broken", 2, backend.now()).await.unwrap();
    assert_eq!(again.status, WorkOrderStatus::Queued, "it has all its attempts again");

    assert!(store.discard(second, backend.now()).await.unwrap());
    assert!(!store.discard(second, backend.now()).await.unwrap());
    assert_eq!(store.requeue(second).await.unwrap(), None, "discarded");
    assert_eq!(store.requeue(WorkOrderId(id())).await.unwrap(), None);
    assert_eq!(failed_ids(backend).await, (vec![], 0));
}

pub async fn a_failed_order_of_an_ended_investigation_can_only_be_discarded(backend: &TestBackend) {
    let store = &backend.store;
    let (investigation, order) = backend.queued_order().await;
    fail(backend, order, "no page could be read").await;
    let from = store.investigation(investigation).await.unwrap().unwrap().progress;
    let lease = backend.lease(investigation).await;
    backend.advance(&lease, &from, Status::Completed, StagedOrders::Discard).await;
    assert!(!store.failed_orders(0, 10).await.unwrap().0[0].is_open);
    assert_eq!(store.requeue(order).await.unwrap(), None);
    assert!(store.discard(order, backend.now()).await.unwrap());
}

pub async fn a_cancelled_order_is_not_listed_as_failed(backend: &TestBackend) {
    let store = &backend.store;
    let (investigation, order) = backend.queued_order().await;
    let from = store.investigation(investigation).await.unwrap().unwrap().progress;
    let lease = backend.lease(investigation).await;
    backend.advance(&lease, &from, Status::AnalystRunning, StagedOrders::CancelOpen).await;
    assert_eq!(store.work_order(order).await.unwrap().unwrap().status, WorkOrderStatus::Failed);
    assert_eq!(failed_ids(backend).await, (vec![], 0));
}

pub async fn a_person_removes_and_raises_waiting_orders(backend: &TestBackend) {
    let store = &backend.store;
    let by = UserId(id());
    let (investigation, order) = backend.queued_order().await;
    let raised = store.raise(order, by, backend.now()).await.unwrap().unwrap();
    assert_eq!((raised.status, raised.priority), (WorkOrderStatus::Queued, Priority::High));
    backend.clock.forward_ms(1);
    let cancelled = store.cancel(order, by, backend.now()).await.unwrap().unwrap();
    assert_eq!((cancelled.status, cancelled.failure.as_deref()), (WorkOrderStatus::Cancelled, None));
    assert!(cancelled.status.is_resolved());
    backend.clock.forward_ms(1);
    assert_eq!(store.cancel(order, by, backend.now()).await.unwrap(), Some(cancelled), "repeated");
    assert_eq!(store.raise(order, by, backend.now()).await.unwrap(), None);
    assert_eq!(backend.assign(order, HolderId(id())).await.unwrap(), None);
    assert_eq!(store.open().await.unwrap(), []);
    assert_eq!(store.requeue(order).await.unwrap(), None);
    assert_eq!(failed_ids(backend).await, (vec![], 0));
    let changes = store.plan_changes(investigation).await.unwrap();
    let kinds: Vec<_> = changes.iter().map(|change| (change.kind, change.by, change.objective.as_str())).collect();
    let objective = "find the night keeper";
    assert_eq!(kinds, [(PlanChangeKind::Raised, by, objective), (PlanChangeKind::Removed, by, objective)]);

    let (begun, order) = backend.queued_order().await;
    backend.assign(order, HolderId(id())).await.unwrap().unwrap();
    assert_eq!(store.cancel(order, by, backend.now()).await.unwrap(), None);
    store.return_to_queue(order, 1, "the model is down").await.unwrap();
    assert_eq!(store.cancel(order, by, backend.now()).await.unwrap(), None, "it has begun");
    assert_eq!(store.raise(order, by, backend.now()).await.unwrap(), None);
    assert_eq!(store.plan_changes(begun).await.unwrap(), []);
}

pub async fn a_person_adds_to_a_cycle_that_is_being_read(backend: &TestBackend) {
    let store = &backend.store;
    let by = UserId(id());
    let (investigation, order) = backend.queued_order().await;
    let queued = |objective| WorkOrder { status: WorkOrderStatus::Queued, ..backend.order(investigation, 1, objective) };
    let added = queued("read the gate log");
    assert_eq!(store.add_to_plan(&added, 3, by).await.unwrap(), Addition::Added);
    assert_eq!(store.work_order(added.id).await.unwrap(), Some(added.clone()));
    assert_eq!(store.add_to_plan(&queued("Read the  gate log"), 3, by).await.unwrap(), Addition::Known);
    assert_eq!(store.add_to_plan(&queued("read the tide table"), 2, by).await.unwrap(), Addition::Full);
    let other = WorkOrder { cycle: 2, ..queued("read the tide table") };
    assert_eq!(store.add_to_plan(&other, 3, by).await.unwrap(), Addition::Closed, "nothing of that cycle is open");
    let changes = store.plan_changes(investigation).await.unwrap();
    assert_eq!(
        changes.iter().map(|change| (change.kind, change.work_order_id)).collect::<Vec<_>>(),
        [(PlanChangeKind::Added, added.id)]
    );
    for order in [order, added.id] {
        assert!(store.cancel(order, by, backend.now()).await.unwrap().is_some());
    }
    assert_eq!(store.add_to_plan(&queued("read the tide table"), 3, by).await.unwrap(), Addition::Closed);
}

pub async fn the_death_of_a_worker_is_no_failure_of_its_order(backend: &TestBackend) {
    let store = &backend.store;
    let (_, order) = backend.queued_order().await;
    let assign = async || backend.assign(order, HolderId(id())).await.unwrap().unwrap().attempt;
    // Two workers died with it, and once something that it needs was down.
    for attempt in 1..=3 {
        assert_eq!(assign().await, attempt);
    }
    assert_eq!(store.return_to_queue(order, 3, "the model is down").await.unwrap().status, WorkOrderStatus::Queued);
    let attempt = assign().await;
    let once = store.fail(order, attempt, "broken", 2, backend.now()).await.unwrap();
    assert_eq!(once.status, WorkOrderStatus::Queued, "it is tried once more");
    let attempt = assign().await;
    let twice = store.fail(order, attempt, "broken again", 2, backend.now()).await.unwrap();
    assert_eq!(twice.status, WorkOrderStatus::Failed);
}

pub async fn resolving_twice_is_harmless(backend: &TestBackend) {
    let store = &backend.store;
    let (_, order) = backend.queued_order().await;
    backend.assign(order, HolderId(id())).await.unwrap().unwrap();
    let once = store.fail(order, 1, "no", 2, backend.now()).await.unwrap();
    assert_eq!(store.fail(order, 1, "no", 2, backend.now()).await.unwrap(), once);
    backend.assign(order, HolderId(id())).await.unwrap().unwrap();
    store.complete(order, 2, backend.now()).await.unwrap();
    let completed = store.work_order(order).await.unwrap();
    backend.clock.forward_ms(5);
    store.complete(order, 2, backend.now()).await.unwrap();
    assert_eq!(store.work_order(order).await.unwrap(), completed);
    assert!(matches!(store.fail(order, 2, "no", 2, backend.now()).await, Err(StoreError::Stale(_))));
}

pub async fn giving_back_costs_no_attempt(backend: &TestBackend) {
    let store = &backend.store;
    let (_, order) = backend.queued_order().await;
    for attempt in 1..=5 {
        backend.assign(order, HolderId(id())).await.unwrap().unwrap();
        let back = store.return_to_queue(order, attempt, "the model is down").await.unwrap();
        assert_eq!((back.status, back.attempt, back.tries()), (WorkOrderStatus::Queued, attempt, 0));
        assert_eq!(store.return_to_queue(order, attempt, "the model is down").await.unwrap(), back);
    }
    backend.assign(order, HolderId(id())).await.unwrap().unwrap();
    assert!(matches!(store.return_to_queue(order, 5, "late").await, Err(StoreError::Stale(_))));
    assert_eq!(store.fail(order, 6, "no", 2, backend.now()).await.unwrap().status, WorkOrderStatus::Queued);
    backend.assign(order, HolderId(id())).await.unwrap().unwrap();
    assert_eq!(store.fail(order, 7, "no", 2, backend.now()).await.unwrap().status, WorkOrderStatus::Failed);
}

pub async fn documents_of_an_order_are_noted_once(backend: &TestBackend) {
    let store = &backend.store;
    let (investigation, order) = backend.queued_order().await;
    let (first, second) = (DocumentId(id()), DocumentId(id()));
    assert_eq!(store.hold_documents(order, &[first]).await.unwrap(), [first].into());
    assert_eq!(store.hold_documents(order, &[first, second, second]).await.unwrap(), [first, second].into());
    assert_eq!(store.hold_documents(order, &[]).await.unwrap(), [].into());
    assert_eq!(store.documents_read(investigation).await.unwrap(), [(order, first), (order, second)]);
    // Another order leaves them to one that is carried out, and takes them over from one that is not.
    let third = DocumentId(id());
    let later = backend.order(investigation, 1, "find the other keeper");
    store.stage(SessionId(id()), &later).await.unwrap();
    backend.assign(order, HolderId(id())).await.unwrap().unwrap();
    assert_eq!(store.hold_documents(later.id, &[first, third]).await.unwrap(), [third].into());
    store.complete(order, 1, backend.now()).await.unwrap();
    assert_eq!(store.hold_documents(later.id, &[first]).await.unwrap(), [first].into());
    let other = backend.any_investigation().await;
    assert!(store.documents_read(other).await.unwrap().is_empty());
}

pub async fn documents_read_for_an_investigation_are_limited_to_its_scope(backend: &TestBackend) {
    let store = &backend.store;
    let (investigation, order) = backend.queued_order().await;
    let (_, hers) = backend.person("ada").await;
    let (_, his) = backend.person("bob").await;
    let batch = [capture(hers, "a.txt", "one"), capture(his, "b.txt", "two"), capture(hers, "c.txt", "three")];
    let (stored, _) = store.add_documents(&batch).await.unwrap();
    store.hold_documents(order, &[stored[0].id, stored[1].id]).await.unwrap();
    assert_eq!(store.read_for(&Scope::from(hers), investigation).await.unwrap(), stored[..1]);
    let other = backend.any_investigation().await;
    assert!(store.read_for(&Scope::from(hers), other).await.unwrap().is_empty());
}
