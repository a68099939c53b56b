//! Suite of the tables, on every backend.

mod objects;
mod questions;
mod routes;

use crate::{
    notification::{Notification, NotificationKind},
    saved_view::{SavedView, SavedViewId, ViewPage},
    store::{SCHEMA, WatchingStore},
    watch::{Watch, WatchId, WatchMatch},
};
use domain::{
    AssessmentId, ClaimId, CollectionId, DocumentId, InvestigationId, Scope, TeamId, Timestamp, UserId,
    assessment::Citation,
    claim::{Attribution, Span},
    fetch::{PageFinding, PageState, RetrievalMethod, WebCapture},
    investigation::{FollowKind, Status},
    team::Team,
    visibility::Visibility,
};
use engine::{
    accounts::AuditEntry,
    assessments::Assessments,
    fetch::Captures,
    investigations::{Investigations, ManageAccess},
    library::{DependentRows, Documents},
    teams::{TeamChange, Teams},
};
use feature::Schema;
use objects::{a_sign_changes_with_another_state_or_a_later_time, objects_are_watched_once_within_the_limit};
use std::collections::BTreeMap;
use testkit::{
    TestBackend, assert_no_other_person_reads, assert_rows_go_with_their_objects, assert_transfer, capture, id,
    stored_assessment,
};

static SCHEMAS: [&Schema; 1] = [&SCHEMA];

testkit::on_every_backend! { crate::tests::SCHEMAS;
    all_lists_survive_a_transfer
    no_list_is_read_by_another_person
    lists_go_with_their_person_and_their_reports
    the_preview_of_deleting_counts_watched_indicators
    a_watch_is_seen_by_its_person_and_keeps_the_time_of_its_matches
    posts_at_once_stay_within_the_limit
    notifications_are_counted_since_the_last_look
    members_of_a_team_are_notified_of_a_finished_report_that_is_opened_to_them
    matches_on_a_report_that_was_closed_are_neither_listed_nor_counted
    changes_of_cited_pages_are_notified_once
    only_a_complete_rerun_of_the_owner_ends_notifications_of_cited_pages
    a_view_is_saved_under_one_name_within_the_limit
    graph_views_are_found_by_those_who_see_them
    objects_are_watched_once_within_the_limit
    a_sign_changes_with_another_state_or_a_later_time
}

fn store(backend: &TestBackend) -> WatchingStore {
    WatchingStore::from(backend.store.clone())
}

/// A person with an assessment of their own.
async fn assessed(backend: &TestBackend, name: &str) -> (UserId, Scope, AssessmentId) {
    let (person, collection) = backend.person(name).await;
    let investigation = backend.investigation(person, collection).await;
    let stored = stored_assessment(backend, investigation, &[collection], "Not known.");
    (person, Scope::from(collection), backend.store.put(&stored).await.unwrap())
}

fn entry(backend: &TestBackend, act: &str) -> AuditEntry {
    AuditEntry { at: backend.now(), user: None, act: act.into(), object: String::new(), address: None }
}

async fn team(backend: &TestBackend, name: &str, creator: UserId) -> Team {
    let team = Team { id: TeamId(id()), name: name.into(), created_by: creator, created_at: backend.now() };
    assert!(backend.store.add_team(&team, &entry(backend, "create_team")).await.unwrap());
    team
}

async fn change(backend: &TestBackend, team: TeamId, change: TeamChange) {
    assert!(backend.store.change_team(team, &change, &entry(backend, "change_team")).await.unwrap());
}

async fn show(backend: &TestBackend, id: InvestigationId, visibility: Visibility) {
    backend.store.set_visibility(id, visibility, &entry(backend, "change_visibility")).await.unwrap();
}

async fn all_lists_survive_a_transfer(backend: &TestBackend) {
    let store = store(backend);
    let (ada, _, assessment) = assessed(backend, "ada").await;
    let watched = watch(backend, ada, assessment, "I1");
    assert!(store.add_watch(&watched, 5).await.unwrap());
    store.record_look(watched.id, backend.now(), backend.now(), &[ClaimId(id())]).await.unwrap();
    store.look_at_notifications(ada, backend.now()).await.unwrap();
    let view = SavedView {
        id: SavedViewId(id()),
        owner: ada,
        owner_name: String::new(),
        name: "mine".into(),
        notes: "for Monday".into(),
        is_shared: true,
        query: "owner=me".into(),
    };
    assert!(store.save_view(ViewPage::Graph, &view, backend.now(), 5).await.unwrap());
    assert_transfer(backend, &SCHEMAS).await;
}

async fn no_list_is_read_by_another_person(backend: &TestBackend) {
    assert_no_other_person_reads(backend, &SCHEMA, &[]).await;
}

async fn lists_go_with_their_person_and_their_reports(backend: &TestBackend) {
    assert_rows_go_with_their_objects(backend, &SCHEMA, &[]).await;
}

async fn the_preview_of_deleting_counts_watched_indicators(backend: &TestBackend) {
    let store = &store(backend);
    let (ada, collection) = backend.person("ada").await;
    let (watched, other) = (backend.investigation(ada, collection).await, backend.investigation(ada, collection).await);
    let stored = stored_assessment(backend, watched, &[collection], "Not known.");
    let assessment = backend.store.put(&stored).await.unwrap();
    for item in ["I1", "I2"] {
        assert!(store.add_watch(&watch(backend, ada, assessment, item), 5).await.unwrap());
    }
    let by = ManageAccess { user: ada, scope: Scope::default() };
    let added = async |id| backend.store.contents(&[id], &by).await.unwrap().1.added;
    let indicators = DependentRows { one: "watched indicator", many: "watched indicators", rows: 2 };
    assert_eq!((added(watched).await, added(other).await), (vec![indicators], vec![]));
}

fn watch(backend: &TestBackend, user: UserId, assessment: AssessmentId, item: &str) -> Watch {
    let text = format!("The gate log of {item} is published.");
    Watch { id: WatchId(id()), user, assessment, item: item.into(), text, at: backend.now() }
}

async fn a_watch_is_seen_by_its_person_and_keeps_the_time_of_its_matches(backend: &TestBackend) {
    let store = &store(backend);
    let (ada, scope, assessment) = assessed(backend, "ada").await;
    let (bob, his_scope, _) = assessed(backend, "bob").await;
    let first = watch(backend, ada, assessment, "I1");
    assert!(store.add_watch(&first, 2).await.unwrap());
    assert!(store.add_watch(&watch(backend, ada, assessment, "I1"), 2).await.unwrap(), "once is enough");
    backend.clock.forward_ms(1);
    let second = watch(backend, ada, assessment, "I2");
    assert!(store.add_watch(&second, 2).await.unwrap());
    assert!(!store.add_watch(&watch(backend, ada, assessment, "I3"), 2).await.unwrap(), "the limit holds");
    let listed = async |scope: &Scope, user| {
        let entries = store.watches(scope, user).await.unwrap();
        entries.into_iter().map(|entry| (entry.watch, entry.question)).collect::<Vec<_>>()
    };
    let question = listed(&scope, ada).await[0].1.clone();
    assert_eq!(listed(&scope, ada).await, [(second.clone(), question.clone()), (first.clone(), question)]);
    assert_eq!(listed(&his_scope, ada).await, [], "an assessment that is hidden now hides its watches");
    assert_eq!(listed(&his_scope, bob).await, []);
    assert_eq!(store.due_watches(5).await.unwrap(), [], "nothing was extracted yet");

    let (early, late) = (backend.now(), backend.now().plus_ms(1_000));
    let claims = [ClaimId(id()), ClaimId(id())];
    store.record_look(first.id, early, early, &claims[..1]).await.unwrap();
    store.record_look(first.id, late, early, &claims).await.unwrap();
    let found = |claim, found_at| WatchMatch { watch: first.id, claim, found_at };
    assert_eq!(store.matches(ada, 5).await.unwrap(), [found(claims[1], late), found(claims[0], early)]);
    assert_eq!((store.matches(ada, 1).await.unwrap().len(), store.count_matches().await.unwrap()), (1, 2));
    assert_eq!(store.matches(bob, 5).await.unwrap(), []);
    assert!(!store.remove_watch(bob, first.id).await.unwrap());
    assert!(store.remove_watch(ada, first.id).await.unwrap());
    assert_eq!(store.matches(ada, 5).await.unwrap(), []);
}

async fn posts_at_once_stay_within_the_limit(backend: &TestBackend) {
    let store = &store(backend);
    let (ada, _, assessment) = assessed(backend, "ada").await;
    let (first, second) = (watch(backend, ada, assessment, "I1"), watch(backend, ada, assessment, "I2"));
    let added = tokio::join!(store.add_watch(&first, 1), store.add_watch(&second, 1));
    assert!(added.0.unwrap() != added.1.unwrap(), "one of the two");
    let view = |name: &str| SavedView {
        id: SavedViewId(id()),
        owner: ada,
        owner_name: String::new(),
        name: name.into(),
        notes: String::new(),
        is_shared: false,
        query: "owner=me".into(),
    };
    let (first, second, page, now) = (view("first"), view("second"), ViewPage::Assessments, backend.now());
    let saved = tokio::join!(store.save_view(page, &first, now, 1), store.save_view(page, &second, now, 1));
    assert!(saved.0.unwrap() != saved.1.unwrap(), "one of the two");
}

async fn notifications_are_counted_since_the_last_look(backend: &TestBackend) {
    let store = &store(backend);
    let unseen = async |user| store.count_unseen(user).await.unwrap().others;
    let (ada, collection) = backend.person("ada").await;
    let bob = backend.user("bob").await;
    backend.clock.forward_ms(1);
    let mut done = backend.an_investigation(ada, collection);
    done.progress.status = Status::Completed;
    done.completed_at = Some(backend.now());
    Investigations::add(&backend.store, &done).await.unwrap();
    let stored = stored_assessment(backend, done.id, &[collection], "Known.");
    let assessment = backend.store.put(&stored).await.unwrap();
    backend.investigation(ada, collection).await;
    assert_eq!((unseen(ada).await, unseen(bob).await), (1, 0));
    let watched = watch(backend, ada, assessment, "I1");
    assert!(store.add_watch(&watched, 5).await.unwrap());
    let later = backend.now().plus_ms(1_000);
    store.record_look(watched.id, later, later, &[ClaimId(id()), ClaimId(id())]).await.unwrap();
    assert_eq!(unseen(ada).await, 2, "claims that were found together are one notification");
    let kinds: Vec<_> = store.notifications(ada, 5).await.unwrap().into_iter().map(|one| one.kind).collect();
    let finished = NotificationKind::Finished { investigation: done.id, assessment: Some(assessment), earlier: None };
    assert_eq!(kinds, [NotificationKind::Matched { watch: watched.id, claims: 2 }, finished]);
    assert_eq!(store.notifications(bob, 5).await.unwrap(), []);

    assert_eq!(store.look_at_notifications(ada, done.completed_at.unwrap()).await.unwrap(), None);
    assert_eq!(unseen(ada).await, 1);
    assert_eq!(store.look_at_notifications(ada, later).await.unwrap(), done.completed_at);
    assert_eq!(unseen(ada).await, 0);
}

async fn a_view_is_saved_under_one_name_within_the_limit(backend: &TestBackend) {
    let store = &store(backend);
    let (ada, bob) = (backend.user("ada").await, backend.user("bob").await);
    let view = |name: &str, query: &str| SavedView {
        id: SavedViewId(id()),
        owner: ada,
        owner_name: "ada".into(),
        name: name.into(),
        notes: String::new(),
        is_shared: false,
        query: query.into(),
    };
    let page = ViewPage::Assessments;
    let (mine, old) = (view("mine", "owner=me"), view("oldest", "sort=oldest"));
    for view in [&old, &mine] {
        assert!(store.save_view(page, view, backend.now(), 2).await.unwrap());
    }
    assert!(!store.save_view(page, &view("third", "q=x"), backend.now(), 2).await.unwrap());
    let replaced = SavedView { query: "q=lock&owner=me".into(), is_shared: true, ..mine.clone() };
    assert!(store.save_view(page, &SavedView { id: SavedViewId(id()), ..replaced.clone() }, backend.now(), 2).await.unwrap());
    assert_eq!(store.saved_views(ada, page).await.unwrap(), [replaced.clone(), old]);
    assert_eq!(store.saved_views(ada, ViewPage::Graph).await.unwrap(), []);
    assert_eq!(store.saved_views(bob, page).await.unwrap(), [replaced], "shared with everybody");
    assert!(!store.remove_view(bob, mine.id).await.unwrap());
    assert!(store.remove_view(ada, mine.id).await.unwrap());
}

async fn graph_views_are_found_by_those_who_see_them(backend: &TestBackend) {
    let store = &store(backend);
    let (ada, bob) = (backend.user("ada").await, backend.user("bob").await);
    let view = |name: &str, is_shared: bool| SavedView {
        id: SavedViewId(id()),
        owner: ada,
        owner_name: "ada".into(),
        name: name.into(),
        notes: String::new(),
        is_shared,
        query: "seed=x".into(),
    };
    let (own, shared, list) = (view("own", false), view("shared", true), view("list", true));
    for (page, one) in [(ViewPage::Graph, &own), (ViewPage::Graph, &shared), (ViewPage::Assessments, &list)] {
        assert!(store.save_view(page, one, backend.now(), 9).await.unwrap());
    }
    let ids = [own.id, shared.id, list.id, SavedViewId(id())];
    let found = async |person| {
        let mut found = store.graph_views(person, &ids).await.unwrap();
        found.sort_by(|(one, _), (other, _)| one.name.cmp(&other.name));
        found
    };
    let at = backend.now();
    assert_eq!(found(ada).await, [(own.clone(), at), (shared.clone(), at)]);
    assert_eq!(found(bob).await, [(shared.clone(), at)]);
    assert_eq!(store.graph_views(ada, &[shared.id]).await.unwrap(), [(shared.clone(), at)]);
    assert_eq!(store.owner_of_graph_view(shared.id).await.unwrap(), Some(ada));
    assert_eq!(store.owner_of_graph_view(list.id).await.unwrap(), None, "a view of another page");
}

async fn members_of_a_team_are_notified_of_a_finished_report_that_is_opened_to_them(backend: &TestBackend) {
    let store = &store(backend);
    let (ada, hers) = backend.person("ada").await;
    let (bob, eve) = (backend.user("bob").await, backend.user("eve").await);
    let unseen = async |user| store.count_unseen(user).await.unwrap().others;
    let north = team(backend, "North desk", ada).await;
    change(backend, north.id, TeamChange::Add(bob)).await;
    backend.clock.forward_ms(1);
    let running = backend.investigation(ada, hers).await;
    show(backend, running, Visibility::Team(north.id)).await;
    let mut done = backend.an_investigation(ada, hers);
    done.progress.status = Status::Completed;
    done.completed_at = Some(backend.now());
    Investigations::add(&backend.store, &done).await.unwrap();
    let stored = stored_assessment(backend, done.id, &[hers], "The keeper did.");
    let assessment = backend.store.put(&stored).await.unwrap();
    assert_eq!((unseen(bob).await, unseen(ada).await), (0, 1));
    backend.clock.forward_ms(1);
    let shared_at = backend.now();
    show(backend, done.id, Visibility::Team(north.id)).await;
    let kind = NotificationKind::Shared { investigation: done.id, assessment: Some(assessment), owner: "ada".into() };
    let expected = Notification { kind, title: done.question.clone(), at: shared_at };
    let opened = vec![expected];
    assert_eq!(store.notifications(bob, 5).await.unwrap(), opened, "the running one is announced at its end");
    assert_eq!((unseen(bob).await, unseen(ada).await, unseen(eve).await), (1, 1, 0));
    store.look_at_notifications(bob, shared_at).await.unwrap();
    assert_eq!(unseen(bob).await, 0);
    show(backend, done.id, Visibility::Workspace).await;
    assert_eq!(store.notifications(eve, 5).await.unwrap(), opened, "opened to everybody");
    assert_eq!((unseen(eve).await, unseen(ada).await), (1, 1));
    show(backend, done.id, Visibility::Private).await;
    assert_eq!(store.notifications(eve, 5).await.unwrap(), []);
}

async fn matches_on_a_report_that_was_closed_are_neither_listed_nor_counted(backend: &TestBackend) {
    let store = &store(backend);
    let (owner, hers) = backend.person("ada").await;
    let investigation = backend.investigation(owner, hers).await;
    let stored = stored_assessment(backend, investigation, &[hers], "The keeper did.");
    backend.store.put(&stored).await.unwrap();
    let bob = backend.user("bob").await;
    show(backend, investigation, Visibility::Workspace).await;
    let (assessment, text, at) = (stored.assessment.id, "The gate log is published.".to_owned(), backend.now());
    let watch = Watch { id: WatchId(id()), user: bob, assessment, item: "I1".into(), text, at };
    assert!(store.add_watch(&watch, 5).await.unwrap());
    let found_at = at.plus_ms(1_000);
    store.record_look(watch.id, found_at, found_at, &[ClaimId(id())]).await.unwrap();
    let notified = async || {
        let unseen = store.count_unseen(bob).await.unwrap().others;
        (unseen, store.notifications(bob, 5).await.unwrap().len())
    };
    assert_eq!(notified().await, (1, 1));
    show(backend, investigation, Visibility::Private).await;
    assert_eq!(notified().await, (0, 0));
    show(backend, investigation, Visibility::Workspace).await;
    assert_eq!(notified().await, (1, 1));
}

/// A report of `owner` that cites a page under the citation watch.
async fn page_cited(
    backend: &TestBackend,
    owner: UserId,
    collection: CollectionId,
) -> (InvestigationId, AssessmentId, DocumentId) {
    let (url, quote) = ("https://news.example/lock", "The gate was open.");
    let page = backend.store.add_documents(&[capture(collection, url, quote)]).await.unwrap().0.remove(0);
    let fetched = WebCapture {
        document_id: page.id,
        url: url.into(),
        final_url: url.into(),
        canonical_url: None,
        status: 200,
        hops: vec![],
        headers: BTreeMap::new(),
        reached: RetrievalMethod::Fetched,
        fetched_at: backend.now(),
    };
    backend.store.record_captures(std::slice::from_ref(&fetched)).await.unwrap();
    Captures::watch(&backend.store, &[page.id]).await.unwrap();
    let investigation = backend.investigation(owner, collection).await;
    let mut stored = stored_assessment(backend, investigation, &[collection], "The keeper did [1].");
    stored.assessment.citations = vec![Citation {
        marker: 1,
        claim_id: ClaimId(id()),
        content: None,
        speaker: None,
        speaker_entity: None,
        document_id: page.id,
        document_sha256: page.sha256.clone(),
        text_sha256: page.text_sha256.clone(),
        document_title: page.title.clone(),
        document_path: page.path.clone(),
        origin: None,
        quote: quote.into(),
        span: Span { start: 0, end: quote.len() as u64 },
        outlet: None,
        published_at: None,
        attribution: Attribution::Primary,
    }];
    (investigation, backend.store.put(&stored).await.unwrap(), page.id)
}

async fn only_a_complete_rerun_of_the_owner_ends_notifications_of_cited_pages(backend: &TestBackend) {
    let store = &store(backend);
    let (ada, bob) = (backend.person("ada").await, backend.person("bob").await);
    let (first, _, page) = page_cited(backend, ada.0, ada.1).await;
    let at = backend.now().plus_ms(1_000);
    let finding = PageFinding { document_id: page, state: PageState::Gone, note: "Gone.".into(), at };
    backend.store.record_check(page, at, Some(&finding)).await.unwrap();
    let notified = async || {
        let unseen = store.count_unseen(ada.0).await.unwrap().others;
        (unseen, store.notifications(ada.0, 5).await.unwrap().len())
    };
    assert_eq!(notified().await, (1, 1));
    for ((person, collection), is_partial, left) in [(bob, false, (1, 1)), (ada, true, (1, 1)), (ada, false, (0, 0))] {
        let rerun = backend.investigation(person, collection).await;
        backend.store.join_thread(rerun, first, FollowKind::Rerun).await.unwrap();
        let mut stored = stored_assessment(backend, rerun, &[collection], "The keeper did.");
        stored.is_partial = is_partial;
        backend.store.put(&stored).await.unwrap();
        assert_eq!(notified().await, left, "partial: {is_partial}");
    }
}

async fn changes_of_cited_pages_are_notified_once(backend: &TestBackend) {
    let store = &store(backend);
    let ((ada, hers), bob) = (backend.person("ada").await, backend.user("bob").await);
    let (_, assessment, page) = page_cited(backend, ada, hers).await;
    let first = backend.now().plus_ms(1_000);
    let check = async |state: Option<PageState>, at: Timestamp| {
        let finding = state.map(|state| PageFinding { document_id: page, state, note: "Gone.".into(), at });
        backend.store.record_check(page, at, finding.as_ref()).await.unwrap();
        let found = store.notifications(ada, 5).await.unwrap();
        found.into_iter().map(|one| (one.kind, one.at)).collect::<Vec<_>>()
    };
    let kind = |state: PageState| NotificationKind::PagesChanged { assessment, state, pages: 1 };
    assert_eq!(check(Some(PageState::Gone), first).await, [(kind(PageState::Gone), first)]);
    assert_eq!(store.count_unseen(ada).await.unwrap().others, 1);
    assert_eq!(store.count_unseen(bob).await.unwrap().others, 0);
    assert_eq!(store.notifications(bob, 5).await.unwrap(), []);
    let later = first.plus_ms(1_000);
    assert_eq!(check(Some(PageState::Gone), later).await, [(kind(PageState::Gone), first)], "found again");
    assert_eq!(check(Some(PageState::Retracted), later).await, [(kind(PageState::Retracted), later)]);
    assert_eq!(check(None, later).await, []);
}
