//! Investigations: leases and transitions.

use super::bench::{Bench, id, not_yet, soon, status_event};
use domain::{
    CollectionKind, HolderId, InvestigationId, Scope, SessionId, Timestamp, UserId,
    event::EventKind,
    investigation::{Investigation, InvestigationKind, Progress, ProgressSummary, ResumeFrom, Status, Trigger},
    live::LiveState,
    work_order::WorkOrderStatus,
};
use engine::{
    StoreError,
    events::Events,
    investigations::{InvestigationFilter, Investigations, ProcessRole, StagedOrders, Transition, WorkOrders},
};
use futures::future::join_all;
use std::collections::BTreeMap;

async fn listed(bench: &Bench, owner: Option<UserId>, scope: Option<Scope>, statuses: &[Status]) -> Vec<InvestigationId> {
    let filter = InvestigationFilter { owner, scope, statuses: statuses.to_vec(), limit: 10, ..Default::default() };
    bench.store.list(&filter).await.unwrap().into_iter().map(|investigation| investigation.id).collect()
}

pub async fn what_was_added_comes_back(bench: &Bench) {
    let (owner, collection) = bench.person("ada").await;
    let parent = bench.investigation(owner, collection).await;
    let investigation = Investigation {
        kind: InvestigationKind::Curiosity,
        trigger: Trigger::Indicator,
        parent_id: Some(parent),
        progress: Progress {
            status: Status::Suspended,
            cycle: 2,
            empty_sessions: 1,
            failed_cycles: 1,
            final_session: true,
            resume_from: Some(ResumeFrom::Processing),
        },
        reason: Some("the model does not answer".into()),
        suspended_at: Some(bench.now()),
        ..bench.an_investigation(owner, collection)
    };
    bench.store.add(&investigation).await.unwrap();
    bench.store.add(&investigation).await.unwrap();
    assert_eq!(bench.store.investigation(investigation.id).await.unwrap(), Some(investigation));
    assert_eq!(bench.store.investigation(InvestigationId(id())).await.unwrap(), None);
    let stranger = bench.an_investigation(UserId(id()), collection);
    assert!(matches!(bench.store.add(&stranger).await, Err(StoreError::Invalid(_))));
}

pub async fn a_list_shows_ones_own_and_what_a_scope_sees_in_full(bench: &Bench) {
    let (ada, hers) = bench.person("ada").await;
    let (bob, his) = bench.person("bob").await;
    let shared = bench.collection(bob, CollectionKind::Shared).await;
    let own = bench.investigation(ada, hers).await;
    bench.clock.forward_ms(1);
    let open = bench.investigation(bob, shared).await;
    bench.clock.forward_ms(1);
    // Writes where Ada may look, but reads what she may not.
    let mixed = Investigation { scope: Scope::new(vec![shared, his]), ..bench.an_investigation(bob, shared) };
    bench.store.add(&mixed).await.unwrap();
    let scope = Scope::new(vec![hers, shared]);
    assert_eq!(listed(bench, Some(ada), Some(scope.clone()), &[]).await, [open, own]);
    assert_eq!(listed(bench, Some(ada), None, &[]).await, [own]);
    assert_eq!(listed(bench, None, Some(scope), &[]).await, [open, own]);
    assert_eq!(listed(bench, Some(bob), None, &[]).await, [mixed.id, open]);
    assert_eq!(listed(bench, None, None, &[]).await, [mixed.id, open, own]);
    assert_eq!(listed(bench, None, Some(Scope::default()), &[]).await, []);
    assert_eq!(listed(bench, None, None, &[Status::Completed, Status::Failed]).await, []);
    assert_eq!(listed(bench, Some(ada), None, &[Status::Pending]).await, [own]);
}

pub async fn only_one_of_many_takers_gets_the_lease(bench: &Bench) {
    let id = bench.any_investigation().await;
    let other = bench.other_process().await;
    let (now, until) = (bench.now(), bench.now().plus_ms(1000));
    let stores = [&bench.store, &other];
    let takes = (0..8).map(|n| stores[n % 2].take(id, HolderId(super::bench::id()), now, until));
    let leases: Vec<_> = join_all(takes).await.into_iter().filter_map(|lease| lease.unwrap()).collect();
    assert_eq!(leases.len(), 1);
    assert_eq!(leases[0].attempt, 1);
}

pub async fn an_expired_lease_is_taken_with_a_new_attempt(bench: &Bench) {
    let (store, now) = (&bench.store, bench.now());
    let id = bench.any_investigation().await;
    assert_eq!(store.unheld(now, 10).await.unwrap(), [id]);
    assert!(store.unheld(now, 0).await.unwrap().is_empty());
    let old = bench.lease(id).await;
    assert!(store.unheld(now, 10).await.unwrap().is_empty());
    assert!(store.renew(&old, now.plus_ms(10)).await.unwrap());
    let later = now.plus_ms(10);
    assert_eq!(store.unheld(later, 10).await.unwrap(), [id]);
    let new = store.take(id, HolderId(super::bench::id()), later, later.plus_ms(10)).await.unwrap().unwrap();
    assert_eq!(new.attempt, old.attempt + 1);
    assert!(!store.renew(&old, later.plus_ms(1000)).await.unwrap());
    store.release(&old).await.unwrap();
    assert!(store.renew(&new, later.plus_ms(20)).await.unwrap(), "releasing an old lease does not touch the new one");
    store.release(&new).await.unwrap();
    assert_eq!(store.unheld(later, 10).await.unwrap(), [id]);
}

pub async fn a_lost_lease_writes_nothing(bench: &Bench) {
    let (store, now) = (&bench.store, bench.now());
    let id = bench.any_investigation().await;
    let old = bench.lease(id).await;
    store.take(id, old.holder, now.plus_ms(60_000), now.plus_ms(90_000)).await.unwrap().unwrap();
    let running = Progress { status: Status::AnalystRunning, ..Progress::default() };
    let refused = store.advance(&old, &bench.transition(&Progress::default(), &running, StagedOrders::Discard)).await;
    assert!(matches!(refused, Err(StoreError::Stale(_))), "{refused:?}");
    assert_eq!(store.investigation(id).await.unwrap().unwrap().progress, Progress::default());
    assert!(store.after(id, 0, 10).await.unwrap().is_empty());
}

pub async fn a_transition_from_another_progress_is_stale(bench: &Bench) {
    let store = &bench.store;
    let id = bench.any_investigation().await;
    let lease = bench.lease(id).await;
    let running = bench.advance(&lease, &Progress::default(), Status::AnalystRunning, StagedOrders::Discard).await;
    for from in
        [Progress::default(), Progress { cycle: 1, ..running.clone() }, Progress { empty_sessions: 1, ..running.clone() }]
    {
        let refused = store.advance(&lease, &bench.transition(&from, &running, StagedOrders::Discard)).await;
        assert!(matches!(refused, Err(StoreError::Stale(_))), "{refused:?}");
    }
    assert_eq!(store.after(id, 0, 10).await.unwrap().len(), 1);
}

pub async fn a_transition_commits_the_orders_of_its_session_alone(bench: &Bench) {
    let store = &bench.store;
    let id = bench.any_investigation().await;
    let lease = bench.lease(id).await;
    let (dead, live) = (SessionId(super::bench::id()), SessionId(super::bench::id()));
    let lost = bench.order(id, 1, "what the dead session wanted");
    let both = bench.order(id, 1, "what both wanted");
    store.stage(dead, &lost).await.unwrap();
    store.stage(dead, &both).await.unwrap();
    let again = bench.order(id, 1, "What  both wanted");
    assert_eq!(store.stage(live, &again).await.unwrap(), (again.id, true));
    let processing = bench.advance(&lease, &Progress::default(), Status::Processing, StagedOrders::Commit(live)).await;
    assert_eq!(processing.cycle, 1);
    let orders = store.work_orders(id).await.unwrap();
    assert_eq!(orders.iter().map(|order| (order.id, order.status)).collect::<Vec<_>>(), [(again.id, WorkOrderStatus::Queued)]);
    let events = store.after(id, 0, 10).await.unwrap();
    assert_eq!(events.into_iter().map(|event| event.kind).collect::<Vec<_>>(), [status_event(Status::Processing)]);
}

pub async fn a_transition_discards_what_a_dead_session_staged(bench: &Bench) {
    let store = &bench.store;
    let id = bench.any_investigation().await;
    let lease = bench.lease(id).await;
    let order = bench.order(id, 1, "find it");
    store.stage(SessionId(super::bench::id()), &order).await.unwrap();
    bench.advance(&lease, &Progress::default(), Status::AnalystRunning, StagedOrders::Discard).await;
    assert_eq!(store.work_order(order.id).await.unwrap(), None);
}

pub async fn a_transition_keeps_what_a_waiting_session_staged(bench: &Bench) {
    let store = &bench.store;
    let id = bench.any_investigation().await;
    let lease = bench.lease(id).await;
    let (session, order) = (SessionId(super::bench::id()), bench.order(id, 1, "find it"));
    store.stage(session, &order).await.unwrap();
    let mut progress = Progress::default();
    for status in [Status::AnalystRunning, Status::Suspended, Status::AnalystRunning] {
        progress = bench.advance(&lease, &progress, status, StagedOrders::Keep).await;
    }
    assert_eq!(store.work_order(order.id).await.unwrap().unwrap().status, WorkOrderStatus::Staged);
    bench.advance(&lease, &progress, Status::Processing, StagedOrders::Commit(session)).await;
    assert_eq!(store.work_order(order.id).await.unwrap().unwrap().status, WorkOrderStatus::Queued);
}

pub async fn finishing_cancels_open_orders(bench: &Bench) {
    let store = &bench.store;
    let id = bench.any_investigation().await;
    let lease = bench.lease(id).await;
    let session = SessionId(super::bench::id());
    let orders = ["done", "being worked on", "waiting"].map(|objective| bench.order(id, 1, objective));
    for order in &orders {
        store.stage(session, order).await.unwrap();
    }
    let processing = bench.advance(&lease, &Progress::default(), Status::Processing, StagedOrders::Commit(session)).await;
    let [done, assigned, waiting] = orders.map(|order| order.id);
    for order in [done, assigned] {
        bench.assign(order, lease.holder).await.unwrap().unwrap();
    }
    store.complete(done, 1, bench.now()).await.unwrap();
    bench.advance(&lease, &processing, Status::AnalystRunning, StagedOrders::CancelOpen).await;
    let status = |order| async move { store.work_order(order).await.unwrap().unwrap().status };
    assert_eq!(status(done).await, WorkOrderStatus::Completed);
    assert_eq!(status(assigned).await, WorkOrderStatus::Failed);
    assert_eq!(status(waiting).await, WorkOrderStatus::Failed);
    assert!(matches!(store.complete(assigned, 1, bench.now()).await, Err(StoreError::Stale(_))));
    assert_eq!(bench.assign(waiting, lease.holder).await.unwrap(), None);
}

pub async fn suspension_and_the_end_are_dated(bench: &Bench) {
    let store = &bench.store;
    let id = bench.any_investigation().await;
    let lease = bench.lease(id).await;
    let began = Progress { status: Status::AnalystRunning, ..Progress::default() };
    store.advance(&lease, &bench.transition(&Progress::default(), &began, StagedOrders::Discard)).await.unwrap();
    let suspended = Progress { status: Status::Suspended, resume_from: Some(ResumeFrom::Analyst), ..began.clone() };
    let mut transition = bench.transition(&began, &suspended, StagedOrders::Discard);
    transition.reason = Some("the model does not answer".into());
    store.advance(&lease, &transition).await.unwrap();
    let stored = store.investigation(id).await.unwrap().unwrap();
    assert_eq!((stored.suspended_at, stored.reason), (Some(bench.now()), transition.reason));
    let since = bench.now();
    bench.clock.forward_ms(1);
    store.advance(&lease, &bench.transition(&suspended, &suspended, StagedOrders::Discard)).await.unwrap();
    assert_eq!(store.investigation(id).await.unwrap().unwrap().suspended_at, Some(since));
    let failed = Progress { status: Status::Failed, resume_from: None, ..suspended.clone() };
    store.advance(&lease, &bench.transition(&suspended, &failed, StagedOrders::Discard)).await.unwrap();
    let stored = store.investigation(id).await.unwrap().unwrap();
    assert_eq!((stored.suspended_at, stored.completed_at, stored.reason), (None, Some(bench.now()), None));
    assert!(store.unheld(bench.now().plus_ms(1_000_000), 10).await.unwrap().is_empty());
}

pub async fn a_wish_to_finish_is_remembered_until_it_is_too_late(bench: &Bench) {
    let store = &bench.store;
    let id = bench.any_investigation().await;
    assert!(!store.finish_requested(id).await.unwrap());
    store.request_finish(id, bench.now()).await.unwrap();
    store.request_finish(id, bench.now()).await.unwrap();
    assert!(store.finish_requested(id).await.unwrap());
    let ended = bench.any_investigation().await;
    let lease = bench.lease(ended).await;
    bench.advance(&lease, &Progress::default(), Status::Completed, StagedOrders::Discard).await;
    store.request_finish(ended, bench.now()).await.unwrap();
    assert!(!store.finish_requested(ended).await.unwrap());
    assert!(!store.finish_requested(InvestigationId(super::bench::id())).await.unwrap());
}

pub async fn parts_are_added_with_the_transition_once_and_the_whole_is_left_alone_until_they_have_ended(bench: &Bench) {
    let (store, now) = (&bench.store, bench.now());
    let (owner, collection) = bench.person("ada").await;
    let whole = bench.investigation(owner, collection).await;
    let lease = bench.lease(whole).await;
    let running = bench.advance(&lease, &Progress::default(), Status::AnalystRunning, StagedOrders::Discard).await;
    let part = |n: i64| Investigation {
        parent_id: Some(whole),
        prompt: format!("Part {n}?"),
        created_at: Timestamp::from_micros(now.as_micros() + n),
        ..bench.an_investigation(owner, collection)
    };
    let parts = vec![part(1), part(2)];
    // A person wanted it to end just before.
    store.request_finish(whole, now).await.unwrap();
    let processing = Progress { status: Status::Processing, cycle: 1, ..running.clone() };
    let divided = Transition { parts: parts.clone(), ..bench.transition(&running, &processing, StagedOrders::Discard) };
    store.advance(&lease, &divided).await.unwrap();
    assert!(matches!(store.advance(&lease, &divided).await, Err(StoreError::Stale(_))));
    store.release(&lease).await.unwrap();
    assert_eq!(store.parts(whole).await.unwrap(), parts);
    assert!(store.finish_requested(parts[0].id).await.unwrap(), "they inherit the wish");
    assert_eq!(listed(bench, None, Some(Scope::from(collection)), &[Status::Pending]).await.len(), 2, "seen by the same scope");
    assert_eq!(store.unheld(now, 10).await.unwrap(), [parts[0].id, parts[1].id]);

    for (n, status) in [Status::Completed, Status::Failed].into_iter().enumerate() {
        let (lease, to) = (bench.lease(parts[n].id).await, Progress { status, ..Progress::default() });
        let question = parts[n].prompt.clone();
        let told = EventKind::PartChanged { investigation_id: parts[n].id, question, status, reason: None };
        let ended = bench.transition(&Progress::default(), &to, StagedOrders::Discard);
        store.advance(&lease, &Transition { parent_event: Some((whole, told)), ..ended }).await.unwrap();
        let left: &[InvestigationId] = if n == 0 { &[parts[1].id] } else { &[whole] };
        assert_eq!(store.unheld(now, 10).await.unwrap(), left);
    }
    let events = store.after(whole, 0, 20).await.unwrap();
    let watch = LiveState::from_events(&events);
    assert_eq!((watch.ended_parts(), watch.status, events.len()), ((2, 2), Status::Processing, 6));
}

pub async fn holders_live_by_registration_or_lease(bench: &Bench) {
    let (store, now) = (&bench.store, bench.now());
    let registered = HolderId(id());
    store.register_holder(registered, ProcessRole::Full, now.plus_ms(5)).await.unwrap();
    store.register_holder(registered, ProcessRole::WorkerOnly, now.plus_ms(10)).await.unwrap();
    let investigation = bench.any_investigation().await;
    let leased = bench.lease(investigation).await.holder;
    let mut both = vec![(registered, ProcessRole::WorkerOnly), (leased, ProcessRole::Full)];
    both.sort();
    assert_eq!(store.live_holders(now.plus_ms(9)).await.unwrap(), both);
    assert_eq!(store.live_holders(now.plus_ms(10)).await.unwrap(), [(leased, ProcessRole::Full)]);
    assert!(store.live_holders(now.plus_ms(60_000)).await.unwrap().is_empty());
}

pub async fn a_list_says_how_far_each_has_come(bench: &Bench) {
    let store = &bench.store;
    assert!(!store.is_any_running().await.unwrap());
    let (new, (ahead, order)) = (bench.any_investigation().await, bench.queued_order().await);
    let attempt = bench.assign(order, HolderId(id())).await.unwrap().unwrap().attempt;
    store.complete(order, attempt, bench.now()).await.unwrap();
    store.stage(SessionId(id()), &bench.order(ahead, 2, "look into the lock house")).await.unwrap();
    for claims in [2, 5] {
        let grown = EventKind::GraphGrew { claims, entities: 1, relationships: 1 };
        store.append_all(ahead, bench.now(), vec![grown, EventKind::FinishRequested]).await.unwrap();
    }
    let progress_summaries = store.progress_summaries(&[ahead, InvestigationId(id()), new]).await.unwrap();
    let expected =
        [(new, ProgressSummary::default()), (ahead, ProgressSummary { cycle: 1, orders: 1, resolved: 1, claims: 5 })];
    assert_eq!(progress_summaries, BTreeMap::from(expected));
    assert!(store.progress_summaries(&[]).await.unwrap().is_empty());
    assert!(store.is_any_running().await.unwrap());
}

pub async fn forgetting_holders_frees_everything(bench: &Bench) {
    let (store, now) = (&bench.store, bench.now());
    store.register_holder(HolderId(id()), ProcessRole::Full, now.plus_ms(10)).await.unwrap();
    let investigation = bench.any_investigation().await;
    let old = bench.lease(investigation).await;
    store.forget_holders().await.unwrap();
    assert!(store.live_holders(now).await.unwrap().is_empty());
    assert_eq!(store.unheld(now, 10).await.unwrap(), [investigation]);
    assert!(!store.renew(&old, now.plus_ms(10)).await.unwrap());
    assert_eq!(bench.lease(investigation).await.attempt, old.attempt + 1);
}

pub async fn a_new_investigation_wakes_the_orchestrator_of_another_process(bench: &Bench) {
    let (owner, collection) = bench.person("ada").await;
    let other = bench.other_process().await;
    // The first look of a process may find what was written before it.
    while tokio::time::timeout(std::time::Duration::from_millis(200), other.changed()).await.is_ok() {}
    not_yet(other.changed()).await;
    let waiting = other.changed();
    bench.investigation(owner, collection).await;
    soon(waiting).await;
    soon(bench.store.changed()).await;
}
