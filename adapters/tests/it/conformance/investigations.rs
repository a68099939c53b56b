//! Investigations: leases and transitions.

use super::{backends::status_event, prelude::*};
use domain::{
    investigation::{FollowKind, InvestigationKind, ProgressSummary, ResumeFrom, Trigger},
    live::LiveState,
    model_choice::ModelChoices,
    work_order::WorkOrderStatus,
};
use engine::{
    assessments::Assessments,
    events::Events,
    investigations::{
        ArchiveFilter, Contents, InvestigationOrder, Investigations, ManageAccess, Obstacle, Obstacles, ProcessRole,
        Suspension, Transition, WorkOrders,
    },
    reliability::Outage,
    teams::Teams,
};

async fn listed(
    backend: &TestBackend,
    owner: Option<UserId>,
    scope: Option<Scope>,
    statuses: &[Status],
) -> Vec<InvestigationId> {
    let filter = InvestigationFilter { owner, scope, statuses: statuses.to_vec(), limit: 10, ..Default::default() };
    backend.store.list(&filter).await.unwrap().into_iter().map(|investigation| investigation.id).collect()
}

pub async fn an_added_investigation_is_read_back(backend: &TestBackend) {
    let (owner, collection) = backend.person("ada").await;
    let parent = backend.investigation(owner, collection).await;
    let investigation = Investigation {
        kind: InvestigationKind::Intelligence,
        trigger: Trigger::Prompt,
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
        suspended_at: Some(backend.now()),
        ..backend.an_investigation(owner, collection)
    };
    backend.store.add(&investigation).await.unwrap();
    backend.store.add(&investigation).await.unwrap();
    assert_eq!(backend.store.investigation(investigation.id).await.unwrap(), Some(investigation));
    assert_eq!(backend.store.investigation(InvestigationId(id())).await.unwrap(), None);
    let stranger = backend.an_investigation(UserId(id()), collection);
    assert!(matches!(backend.store.add(&stranger).await, Err(StoreError::Invalid(_))));
}

pub async fn a_list_shows_own_and_fully_readable_investigations(backend: &TestBackend) {
    let (ada, hers) = backend.person("ada").await;
    let (bob, his) = backend.person("bob").await;
    let shared = backend.collection(bob, CollectionKind::Shared).await;
    let own = backend.investigation(ada, hers).await;
    backend.clock.forward_ms(1);
    let open = backend.investigation(bob, shared).await;
    backend.clock.forward_ms(1);
    // Writes where Ada may look, but reads what she may not.
    let mixed = Investigation { scope: Scope::new(vec![shared, his]), ..backend.an_investigation(bob, shared) };
    backend.store.add(&mixed).await.unwrap();
    let scope = Scope::new(vec![hers, shared]);
    assert_eq!(listed(backend, Some(ada), Some(scope.clone()), &[]).await, [open, own]);
    assert_eq!(listed(backend, Some(ada), None, &[]).await, [own]);
    assert_eq!(listed(backend, None, Some(scope), &[]).await, [open, own]);
    assert_eq!(listed(backend, Some(bob), None, &[]).await, [mixed.id, open]);
    assert_eq!(listed(backend, None, None, &[]).await, [mixed.id, open, own]);
    assert_eq!(listed(backend, None, Some(Scope::default()), &[]).await, []);
    assert_eq!(listed(backend, None, None, &[Status::Completed, Status::Failed]).await, []);
    assert_eq!(listed(backend, Some(ada), None, &[Status::Pending]).await, [own]);

    let part = Investigation { parent_id: Some(own), ..backend.an_investigation(ada, hers) };
    backend.store.add(&part).await.unwrap();
    assert_eq!((backend.store.count_open(ada).await.unwrap(), backend.store.count_open(bob).await.unwrap()), (1, 2));
    let lease = backend.lease(own).await;
    backend.advance(&lease, &Progress::default(), Status::Failed, StagedOrders::Discard).await;
    assert_eq!(backend.store.count_open(ada).await.unwrap(), 0, "it has ended, and parts do not count");
}

pub async fn an_owner_has_a_limited_number_of_unfinished_investigations(backend: &TestBackend) {
    let (ada, hers) = backend.person("ada").await;
    let other = backend.other_process().await;
    let new = || backend.an_investigation(ada, hers);
    let (a, b, c, d) = (new(), new(), new(), new());
    let (one, two, three, four) = tokio::join!(
        backend.store.add_within(&a, 2),
        other.add_within(&b, 2),
        backend.store.add_within(&c, 2),
        other.add_within(&d, 2)
    );
    let added = [one, two, three, four].into_iter().filter(|added| *added.as_ref().unwrap()).count();
    assert_eq!((added, backend.store.count_open(ada).await.unwrap()), (2, 2));
    let (bob, his) = backend.person("bob").await;
    assert!(backend.store.add_within(&backend.an_investigation(bob, his), 1).await.unwrap(), "each has a limit of their own");
}

async fn found(backend: &TestBackend, scope: &Scope, archived: ArchiveFilter) -> (Vec<InvestigationId>, u64) {
    let filter = InvestigationFilter { scope: Some(scope.clone()), archived, limit: 10, ..Default::default() };
    let listed = backend.store.list(&filter).await.unwrap().into_iter().map(|found| found.id).collect();
    let query = AssessmentQuery { archived, ..AssessmentQuery::newest(10) };
    (listed, backend.store.latest(scope, &query).await.unwrap().total)
}

pub async fn a_list_keeps_to_its_words_and_period(backend: &TestBackend) {
    let (ada, hers) = backend.person("ada").await;
    let mut ids = vec![];
    for question in ["Who lied?", "Who lied about the fire in Port Halen?", "Who opened the gate?"] {
        let investigation = Investigation { question: question.into(), ..backend.an_investigation(ada, hers) };
        backend.store.add(&investigation).await.unwrap();
        ids.push(investigation.id);
        backend.clock.forward_ms(1);
    }
    let list = async |order, from: &str, until: &str| {
        let (text, period) = (Some("LIED".into()), Period::parse(from, until).unwrap());
        let filter = InvestigationFilter { owner: Some(ada), text, period, order, limit: 5, ..Default::default() };
        backend.store.list(&filter).await.unwrap().into_iter().map(|found| found.id).collect::<Vec<_>>()
    };
    assert_eq!(list(InvestigationOrder::NewestFirst, "", "").await, [ids[1], ids[0]]);
    assert_eq!(list(InvestigationOrder::Relevance, "1970", "2199").await, [ids[0], ids[1]]);
    assert!(list(InvestigationOrder::Relevance, "", "1960").await.is_empty());
    assert!(list(InvestigationOrder::NewestFirst, "2199", "").await.is_empty());
}

pub async fn archived_ones_are_listed_apart(backend: &TestBackend) {
    let (ada, hers) = backend.person("ada").await;
    let (bob, his) = backend.person("bob").await;
    let scope = Scope::from(hers);
    let [one, other] = [backend.investigation(ada, hers).await, backend.investigation(ada, hers).await];
    backend.store.put(&stored_assessment(backend, one, &[hers], "Nobody knows.")).await.unwrap();
    let nobody = ManageAccess { user: bob, scope: Scope::from(his) };
    assert_eq!(backend.store.archive(&[one], &nobody, Some(backend.now())).await.unwrap(), []);
    let owner = ManageAccess { user: ada, scope: Scope::default() };
    assert_eq!(backend.store.archive(&[one], &owner, Some(backend.now())).await.unwrap(), [one]);
    assert_eq!(backend.store.archive(&[one], &owner, Some(backend.now())).await.unwrap(), [], "once is enough");
    let access = backend.store.access(&[one, other], bob).await.unwrap();
    assert_eq!((access[&one].is_archived, access[&other].is_archived), (true, false));
    assert_eq!(found(backend, &scope, ArchiveFilter::Archived).await, (vec![one], 1));
    assert_eq!(found(backend, &scope, ArchiveFilter::Current).await, (vec![other], 0));
    assert_eq!(found(backend, &scope, ArchiveFilter::All).await.1, 1);
    let administrator = ManageAccess { user: bob, scope: scope.clone() };
    assert_eq!(backend.store.archive(&[one], &nobody, None).await.unwrap(), []);
    assert_eq!(backend.store.archive(&[one], &administrator, None).await.unwrap(), [one]);
    assert_eq!(found(backend, &scope, ArchiveFilter::Archived).await, (vec![], 0));
}

pub async fn a_thread_holds_the_follow_ups_of_a_question(backend: &TestBackend) {
    let (ada, hers) = backend.person("ada").await;
    let (bob, his) = backend.person("bob").await;
    let mut ids = vec![];
    for _ in 0..4 {
        ids.push(backend.investigation(ada, hers).await);
        backend.clock.forward_ms(1);
    }
    let [first, again, next, alone] = [ids[0], ids[1], ids[2], ids[3]];
    backend.store.join_thread(again, first, FollowKind::Rerun).await.unwrap();
    backend.store.join_thread(next, again, FollowKind::FollowUp).await.unwrap();
    backend.store.join_thread(next, alone, FollowKind::Rerun).await.unwrap();
    let stored = stored_assessment(backend, again, &[hers], "Nobody knows.");
    backend.store.put(&stored).await.unwrap();
    let scope = Scope::from(hers);
    for id in [first, again, next] {
        let thread = backend.store.thread(id, ada, &scope, 9).await.unwrap();
        let seen: Vec<_> = thread.iter().map(|entry| (entry.id, entry.follows, entry.assessment)).collect();
        let expected = [
            (first, None, None),
            (again, Some((first, FollowKind::Rerun)), Some(stored.assessment.id)),
            (next, Some((again, FollowKind::FollowUp)), None),
        ];
        assert_eq!(seen, expected);
    }
    assert_eq!(backend.store.thread(alone, ada, &scope, 9).await.unwrap().len(), 1);
    let threads = backend.store.threads(&[alone, first], ada, &scope, 2).await.unwrap();
    assert_eq!((threads[&alone].len(), threads[&first].len()), (1, 2), "at most two of each");
    assert_eq!(threads[&first][0].id, first);
    assert_eq!(backend.store.thread(first, bob, &Scope::from(his), 9).await.unwrap(), []);
    assert_eq!(backend.store.thread(first, bob, &scope, 9).await.unwrap().len(), 3, "whoever sees the collection");
}

pub async fn a_deleted_investigation_removes_its_own_records(backend: &TestBackend) {
    let (ada, hers) = backend.person("ada").await;
    let (bob, his) = backend.person("bob").await;
    let [whole, running] = [backend.investigation(ada, hers).await, backend.investigation(ada, hers).await];
    let part = Investigation { parent_id: Some(whole), ..backend.an_investigation(ada, hers) };
    backend.store.add(&part).await.unwrap();
    backend.store.put(&stored_assessment(backend, whole, &[hers], "Nobody knows.")).await.unwrap();
    backend.store.put(&stored_assessment(backend, part.id, &[hers], "A part.")).await.unwrap();
    for ended in [whole, part.id] {
        let lease = backend.lease(ended).await;
        backend.advance(&lease, &Progress::default(), Status::Failed, StagedOrders::Discard).await;
    }
    let (owner, other) =
        (ManageAccess { user: ada, scope: Scope::default() }, ManageAccess { user: bob, scope: Scope::from(his) });
    let (managed, contents) = backend.store.contents(&[whole, running], &owner).await.unwrap();
    assert_eq!((managed.len(), contents.parts, contents.assessments), (2, 1, 2));
    assert!(contents.events >= 2);
    assert_eq!(backend.store.contents(&[whole], &other).await.unwrap(), (vec![], Contents::default()));
    assert_eq!(backend.store.delete(&[whole, running], &other).await.unwrap(), []);
    assert_eq!(backend.store.delete(&[whole, running], &owner).await.unwrap(), [whole], "what runs stays");
    for (id, stays) in [(whole, false), (part.id, false), (running, true)] {
        assert_eq!(backend.store.investigation(id).await.unwrap().is_some(), stays);
    }
    assert_eq!(backend.store.latest(&Scope::from(hers), &AssessmentQuery::newest(10)).await.unwrap().total, 0);
    assert_eq!(backend.store.after(whole, 0, 10).await.unwrap(), []);
}

pub async fn only_one_of_many_takers_gets_the_lease(backend: &TestBackend) {
    let id = backend.any_investigation().await;
    let other = backend.other_process().await;
    let (now, until) = (backend.now(), backend.now().plus_ms(1000));
    let stores = [&backend.store, &other];
    let takes = (0..8).map(|n| stores[n % 2].take(id, HolderId(super::backends::id()), now, until));
    let leases: Vec<_> = join_all(takes).await.into_iter().filter_map(|lease| lease.unwrap()).collect();
    assert_eq!(leases.len(), 1);
    assert_eq!(leases[0].attempt, 1);
}

pub async fn an_expired_lease_is_taken_with_a_new_attempt(backend: &TestBackend) {
    let (store, now) = (&backend.store, backend.now());
    let id = backend.any_investigation().await;
    assert_eq!(store.unheld(now, 10).await.unwrap(), [id]);
    assert!(store.unheld(now, 0).await.unwrap().is_empty());
    let old = backend.lease(id).await;
    assert!(store.unheld(now, 10).await.unwrap().is_empty());
    assert!(store.renew(&old, now.plus_ms(10)).await.unwrap());
    let later = now.plus_ms(10);
    assert_eq!(store.unheld(later, 10).await.unwrap(), [id]);
    let new = store.take(id, HolderId(super::backends::id()), later, later.plus_ms(10)).await.unwrap().unwrap();
    assert_eq!(new.attempt, old.attempt + 1);
    assert!(!store.renew(&old, later.plus_ms(1000)).await.unwrap());
    store.release(&old).await.unwrap();
    assert!(store.renew(&new, later.plus_ms(20)).await.unwrap(), "releasing an old lease does not touch the new one");
    store.release(&new).await.unwrap();
    assert_eq!(store.unheld(later, 10).await.unwrap(), [id]);
}

pub async fn a_lost_lease_writes_nothing(backend: &TestBackend) {
    let (store, now) = (&backend.store, backend.now());
    let id = backend.any_investigation().await;
    let old = backend.lease(id).await;
    store.take(id, old.holder, now.plus_ms(60_000), now.plus_ms(90_000)).await.unwrap().unwrap();
    let running = Progress { status: Status::AnalystRunning, ..Progress::default() };
    let refused = store.advance(&old, &backend.transition(&Progress::default(), &running, StagedOrders::Discard)).await;
    assert!(matches!(refused, Err(StoreError::Stale(_))), "{refused:?}");
    assert_eq!(store.investigation(id).await.unwrap().unwrap().progress, Progress::default());
    assert!(store.after(id, 0, 10).await.unwrap().is_empty());
}

pub async fn a_transition_from_another_progress_is_stale(backend: &TestBackend) {
    let store = &backend.store;
    let id = backend.any_investigation().await;
    let lease = backend.lease(id).await;
    let running = backend.advance(&lease, &Progress::default(), Status::AnalystRunning, StagedOrders::Discard).await;
    for from in
        [Progress::default(), Progress { cycle: 1, ..running.clone() }, Progress { empty_sessions: 1, ..running.clone() }]
    {
        let refused = store.advance(&lease, &backend.transition(&from, &running, StagedOrders::Discard)).await;
        assert!(matches!(refused, Err(StoreError::Stale(_))), "{refused:?}");
    }
    assert_eq!(store.after(id, 0, 10).await.unwrap().len(), 1);
}

pub async fn a_transition_commits_the_orders_of_its_session_alone(backend: &TestBackend) {
    let store = &backend.store;
    let id = backend.any_investigation().await;
    let lease = backend.lease(id).await;
    let (dead, live) = (SessionId(super::backends::id()), SessionId(super::backends::id()));
    let lost = backend.order(id, 1, "what the dead session wanted");
    let both = backend.order(id, 1, "what both wanted");
    store.stage(dead, &lost).await.unwrap();
    store.stage(dead, &both).await.unwrap();
    let again = backend.order(id, 1, "What  both wanted");
    assert_eq!(store.stage(live, &again).await.unwrap(), (again.id, true));
    let processing = backend.advance(&lease, &Progress::default(), Status::Processing, StagedOrders::Commit(live)).await;
    assert_eq!(processing.cycle, 1);
    let orders = store.work_orders(id).await.unwrap();
    assert_eq!(orders.iter().map(|order| (order.id, order.status)).collect::<Vec<_>>(), [(again.id, WorkOrderStatus::Queued)]);
    let events = store.after(id, 0, 10).await.unwrap();
    assert_eq!(events.into_iter().map(|event| event.kind).collect::<Vec<_>>(), [status_event(Status::Processing)]);
}

pub async fn a_transition_discards_the_orders_of_a_dead_session(backend: &TestBackend) {
    let store = &backend.store;
    let id = backend.any_investigation().await;
    let lease = backend.lease(id).await;
    let order = backend.order(id, 1, "find it");
    store.stage(SessionId(super::backends::id()), &order).await.unwrap();
    backend.advance(&lease, &Progress::default(), Status::AnalystRunning, StagedOrders::Discard).await;
    assert_eq!(store.work_order(order.id).await.unwrap(), None);
}

pub async fn a_transition_keeps_the_orders_of_a_waiting_session(backend: &TestBackend) {
    let store = &backend.store;
    let id = backend.any_investigation().await;
    let lease = backend.lease(id).await;
    let (session, order) = (SessionId(super::backends::id()), backend.order(id, 1, "find it"));
    store.stage(session, &order).await.unwrap();
    let mut progress = Progress::default();
    for status in [Status::AnalystRunning, Status::Suspended, Status::AnalystRunning] {
        progress = backend.advance(&lease, &progress, status, StagedOrders::Keep).await;
    }
    assert_eq!(store.work_order(order.id).await.unwrap().unwrap().status, WorkOrderStatus::Staged);
    backend.advance(&lease, &progress, Status::Processing, StagedOrders::Commit(session)).await;
    assert_eq!(store.work_order(order.id).await.unwrap().unwrap().status, WorkOrderStatus::Queued);
}

pub async fn finishing_cancels_open_orders(backend: &TestBackend) {
    let store = &backend.store;
    let id = backend.any_investigation().await;
    let lease = backend.lease(id).await;
    let session = SessionId(super::backends::id());
    let orders = ["done", "being worked on", "waiting"].map(|objective| backend.order(id, 1, objective));
    for order in &orders {
        store.stage(session, order).await.unwrap();
    }
    let processing = backend.advance(&lease, &Progress::default(), Status::Processing, StagedOrders::Commit(session)).await;
    let [done, assigned, waiting] = orders.map(|order| order.id);
    for order in [done, assigned] {
        backend.assign(order, lease.holder).await.unwrap().unwrap();
    }
    store.complete(done, 1, backend.now()).await.unwrap();
    backend.advance(&lease, &processing, Status::AnalystRunning, StagedOrders::CancelOpen).await;
    let status = |order| async move { store.work_order(order).await.unwrap().unwrap().status };
    assert_eq!(status(done).await, WorkOrderStatus::Completed);
    assert_eq!(status(assigned).await, WorkOrderStatus::Failed);
    assert_eq!(status(waiting).await, WorkOrderStatus::Failed);
    assert!(matches!(store.complete(assigned, 1, backend.now()).await, Err(StoreError::Stale(_))));
    assert_eq!(backend.assign(waiting, lease.holder).await.unwrap(), None);
}

pub async fn suspension_and_the_end_are_dated(backend: &TestBackend) {
    let store = &backend.store;
    let id = backend.any_investigation().await;
    let lease = backend.lease(id).await;
    let began = Progress { status: Status::AnalystRunning, ..Progress::default() };
    store.advance(&lease, &backend.transition(&Progress::default(), &began, StagedOrders::Discard)).await.unwrap();
    let suspended = Progress { status: Status::Suspended, resume_from: Some(ResumeFrom::Analyst), ..began.clone() };
    let mut transition = backend.transition(&began, &suspended, StagedOrders::Discard);
    transition.reason = Some("the model does not answer".into());
    store.advance(&lease, &transition).await.unwrap();
    let stored = store.investigation(id).await.unwrap().unwrap();
    assert_eq!((stored.suspended_at, stored.reason), (Some(backend.now()), transition.reason));
    let since = backend.now();
    backend.clock.forward_ms(1);
    store.advance(&lease, &backend.transition(&suspended, &suspended, StagedOrders::Discard)).await.unwrap();
    assert_eq!(store.investigation(id).await.unwrap().unwrap().suspended_at, Some(since));
    let failed = Progress { status: Status::Failed, resume_from: None, ..suspended.clone() };
    store.advance(&lease, &backend.transition(&suspended, &failed, StagedOrders::Discard)).await.unwrap();
    let stored = store.investigation(id).await.unwrap().unwrap();
    assert_eq!((stored.suspended_at, stored.completed_at, stored.reason), (None, Some(backend.now()), None));
    assert!(store.unheld(backend.now().plus_ms(1_000_000), 10).await.unwrap().is_empty());
}

pub async fn obstacles_survive_a_suspension_that_lasts_until_the_next_progress(backend: &TestBackend) {
    let store = &backend.store;
    let id = backend.any_investigation().await;
    let lease = backend.lease(id).await;
    let session = SessionId(super::backends::id());
    let order = backend.order(id, 1, "find it");
    store.stage(session, &order).await.unwrap();
    let mut progress = backend.advance(&lease, &Progress::default(), Status::Processing, StagedOrders::Commit(session)).await;
    assert_eq!(store.suspension(id).await.unwrap(), Suspension::default());
    let outage = Outage { reason: "it is overloaded".into(), waits_for: vec!["house small".into()] };
    store.report_obstacle(id, &Obstacle::Outage(outage.clone())).await.unwrap();
    store.report_obstacle(id, &Obstacle::Budget("the budget of the day".into())).await.unwrap();
    let (reason, budget) = (Some(outage.reason), Some("the budget of the day".into()));
    let obstacles = Obstacles { outage: reason, waits_for: outage.waits_for, budget };
    assert_eq!(store.suspension(id).await.unwrap(), Suspension { obstacles: obstacles.clone(), since: None });
    // Two attempts to resume that come to nothing.
    let since = Some(backend.now());
    for kept in [obstacles, Obstacles::default()] {
        progress = backend.advance(&lease, &progress, Status::Suspended, StagedOrders::Keep).await;
        assert_eq!(store.suspension(id).await.unwrap(), Suspension { obstacles: kept, since });
        progress = backend.advance(&lease, &progress, Status::Processing, StagedOrders::Keep).await;
        assert_eq!(store.suspension(id).await.unwrap().obstacles, Obstacles::default());
        backend.clock.forward_ms(1_000);
    }
    backend.assign(order.id, lease.holder).await.unwrap().unwrap();
    store.complete(order.id, 1, backend.now()).await.unwrap();
    backend.clock.forward_ms(1_000);
    progress = backend.advance(&lease, &progress, Status::Suspended, StagedOrders::Keep).await;
    assert_eq!(store.suspension(id).await.unwrap().since, Some(backend.now()), "something was done since the first time");
    backend.advance(&lease, &progress, Status::Completed, StagedOrders::Discard).await;
    store.report_obstacle(id, &Obstacle::Budget("too late".into())).await.unwrap();
    assert_eq!(store.suspension(id).await.unwrap().obstacles, Obstacles::default());
}

pub async fn a_finish_request_is_stored_until_the_investigation_ends(backend: &TestBackend) {
    let store = &backend.store;
    let id = backend.any_investigation().await;
    assert!(!store.finish_requested(id).await.unwrap());
    store.request_finish(id, backend.now()).await.unwrap();
    store.request_finish(id, backend.now()).await.unwrap();
    assert!(store.finish_requested(id).await.unwrap());
    let ended = backend.any_investigation().await;
    let lease = backend.lease(ended).await;
    backend.advance(&lease, &Progress::default(), Status::Completed, StagedOrders::Discard).await;
    store.request_finish(ended, backend.now()).await.unwrap();
    assert!(!store.finish_requested(ended).await.unwrap());
    assert!(!store.finish_requested(InvestigationId(super::backends::id())).await.unwrap());
}

pub async fn the_models_of_a_suspended_investigation_are_changed(backend: &TestBackend) {
    let store = &backend.store;
    let id = backend.any_investigation().await;
    let choices = ModelChoices { analyst: Some("house:large".into()), ..ModelChoices::default() };
    assert!(!store.change_models(id, Some("extractive"), &choices).await.unwrap(), "it runs");
    let lease = backend.lease(id).await;
    let running = backend.advance(&lease, &Progress::default(), Status::AnalystRunning, StagedOrders::Discard).await;
    backend.advance(&lease, &running, Status::Suspended, StagedOrders::Keep).await;
    for model in [Some("extractive"), None] {
        assert!(store.change_models(id, model, &choices).await.unwrap());
        let stored = store.investigation(id).await.unwrap().unwrap();
        assert_eq!((stored.model.as_deref(), &stored.models), (model, &choices));
    }
}

pub async fn parts_are_added_with_the_transition_once_and_the_whole_is_left_alone_until_they_have_ended(backend: &TestBackend) {
    let (store, now) = (&backend.store, backend.now());
    let (owner, collection) = backend.person("ada").await;
    let whole = backend.investigation(owner, collection).await;
    let lease = backend.lease(whole).await;
    let running = backend.advance(&lease, &Progress::default(), Status::AnalystRunning, StagedOrders::Discard).await;
    let part = |n: i64| Investigation {
        parent_id: Some(whole),
        question: format!("Part {n}?"),
        created_at: Timestamp::from_micros(now.as_micros() + n),
        ..backend.an_investigation(owner, collection)
    };
    let parts = vec![part(1), part(2)];
    // A person wanted it to end just before.
    store.request_finish(whole, now).await.unwrap();
    let processing = Progress { status: Status::Processing, cycle: 1, ..running.clone() };
    let divided = Transition { parts: parts.clone(), ..backend.transition(&running, &processing, StagedOrders::Discard) };
    store.advance(&lease, &divided).await.unwrap();
    assert!(matches!(store.advance(&lease, &divided).await, Err(StoreError::Stale(_))));
    store.release(&lease).await.unwrap();
    assert_eq!(store.parts(whole).await.unwrap(), parts);
    assert!(store.finish_requested(parts[0].id).await.unwrap(), "they inherit the wish");
    assert_eq!(
        listed(backend, None, Some(Scope::from(collection)), &[Status::Pending]).await.len(),
        2,
        "seen by the same scope"
    );
    assert_eq!(store.unheld(now, 10).await.unwrap(), [parts[0].id, parts[1].id]);

    for (n, status) in [Status::Completed, Status::Failed].into_iter().enumerate() {
        let (lease, to) = (backend.lease(parts[n].id).await, Progress { status, ..Progress::default() });
        let question = parts[n].question.clone();
        let told = EventKind::PartChanged { investigation_id: parts[n].id, question, status, reason: None };
        let ended = backend.transition(&Progress::default(), &to, StagedOrders::Discard);
        store.advance(&lease, &Transition { parent_event: Some((whole, told)), ..ended }).await.unwrap();
        let left: &[InvestigationId] = if n == 0 { &[parts[1].id] } else { &[whole] };
        assert_eq!(store.unheld(now, 10).await.unwrap(), left);
    }
    let events = store.after(whole, 0, 20).await.unwrap();
    let watch = LiveState::from_events(&events);
    assert_eq!((watch.ended_parts(), watch.status, events.len()), ((2, 2), Status::Processing, 6));
}

pub async fn holders_live_by_registration_or_lease(backend: &TestBackend) {
    let (store, now) = (&backend.store, backend.now());
    let registered = HolderId(id());
    store.register_holder(registered, ProcessRole::Full, now.plus_ms(5)).await.unwrap();
    store.register_holder(registered, ProcessRole::WorkerOnly, now.plus_ms(10)).await.unwrap();
    let investigation = backend.any_investigation().await;
    let leased = backend.lease(investigation).await.holder;
    let mut both = vec![(registered, ProcessRole::WorkerOnly), (leased, ProcessRole::Full)];
    both.sort();
    assert_eq!(store.live_holders(now.plus_ms(9)).await.unwrap(), both);
    assert_eq!(store.live_holders(now.plus_ms(10)).await.unwrap(), [(leased, ProcessRole::Full)]);
    assert!(store.live_holders(now.plus_ms(60_000)).await.unwrap().is_empty());
}

pub async fn a_list_shows_the_progress_of_each_investigation(backend: &TestBackend) {
    let store = &backend.store;
    assert!(!store.is_any_running().await.unwrap());
    let (new, (ahead, order)) = (backend.any_investigation().await, backend.queued_order().await);
    let attempt = backend.assign(order, HolderId(id())).await.unwrap().unwrap().attempt;
    store.complete(order, attempt, backend.now()).await.unwrap();
    store.stage(SessionId(id()), &backend.order(ahead, 2, "look into the lock house")).await.unwrap();
    for claims in [2, 3] {
        let added = EventKind::GraphAdded(GraphCounts { claims, entities: 1, relationships: 1 });
        store.append_all(ahead, backend.now(), vec![added, EventKind::FinishRequested]).await.unwrap();
    }
    let progress_summaries = store.progress_summaries(&[ahead, InvestigationId(id()), new]).await.unwrap();
    let expected =
        [(new, ProgressSummary::default()), (ahead, ProgressSummary { cycle: 1, orders: 1, resolved: 1, claims: 5 })];
    assert_eq!(progress_summaries, BTreeMap::from(expected));
    assert!(store.progress_summaries(&[]).await.unwrap().is_empty());
    assert!(store.is_any_running().await.unwrap());
}

pub async fn forgetting_holders_frees_everything(backend: &TestBackend) {
    let (store, now) = (&backend.store, backend.now());
    store.register_holder(HolderId(id()), ProcessRole::Full, now.plus_ms(10)).await.unwrap();
    let investigation = backend.any_investigation().await;
    let old = backend.lease(investigation).await;
    store.forget_holders().await.unwrap();
    assert!(store.live_holders(now).await.unwrap().is_empty());
    assert_eq!(store.unheld(now, 10).await.unwrap(), [investigation]);
    assert!(!store.renew(&old, now.plus_ms(10)).await.unwrap());
    assert_eq!(backend.lease(investigation).await.attempt, old.attempt + 1);
}

pub async fn a_new_investigation_wakes_the_orchestrator_of_another_process(backend: &TestBackend) {
    let (owner, collection) = backend.person("ada").await;
    let other = backend.other_process().await;
    // The first look of a process may find what was written before it.
    while tokio::time::timeout(std::time::Duration::from_millis(200), other.changed()).await.is_ok() {}
    not_yet(other.changed()).await;
    let waiting = other.changed();
    backend.investigation(owner, collection).await;
    soon(waiting).await;
    soon(backend.store.changed()).await;
}
