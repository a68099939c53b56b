//! Suite of annotations, watched indicators, notifications and saved views.

use super::{
    assessments::stored_assessment,
    backends::{TestBackend, capture, id},
};
use domain::{
    AssessmentId, ClaimId, ConfidenceLevel, ContestId, NoteId, SavedViewId, Scope, UserId, WatchId,
    annotation::{AnnotationSubject, Annotations, Contest, ContestedItem, ContestedValue, Exclusion, Note, Tag},
    investigation::Status,
    notification::{NotificationKind, SavedView, ViewPage, Watch, WatchMatch},
};
use engine::{
    accounts::Accounts,
    annotations::{AnnotationCounts, AnnotationStore},
    assessments::Assessments,
    library::{DocumentQuery, Documents},
    watching::Watchlist,
};
use std::collections::BTreeSet;

/// Maximum number of notes and contests that are read.
const LIMIT: u64 = 200;

/// A person with an assessment of their own.
async fn assessed(backend: &TestBackend, name: &str) -> (UserId, Scope, AssessmentId) {
    let (person, collection) = backend.person(name).await;
    let investigation = backend.investigation(person, collection).await;
    let stored = stored_assessment(backend, investigation, &[collection], "Not known.");
    (person, Scope::from(collection), backend.store.put(&stored).await.unwrap())
}

fn watch(backend: &TestBackend, user: UserId, assessment: AssessmentId, item: &str) -> Watch {
    let text = format!("The gate log of {item} is published.");
    Watch { id: WatchId(id()), user, assessment, item: item.into(), text, at: backend.now() }
}

pub async fn annotations_stand_beside_an_assessment_and_are_taken_back_by_their_authors(backend: &TestBackend) {
    let store = &backend.store;
    let (ada, _, assessment) = assessed(backend, "ada").await;
    let (bob, _, other) = assessed(backend, "bob").await;
    assert_eq!(store.annotations(assessment.into(), ada, LIMIT).await.unwrap(), Annotations::default());
    let exclusion =
        |marker, reason: &str| Exclusion { marker, reason: reason.into(), by: ada, name: "ada".into(), at: backend.now() };
    store.exclude(assessment, &exclusion(2, "a forgery")).await.unwrap();
    let again = exclusion(2, "a proven forgery");
    store.exclude(assessment, &again).await.unwrap();
    backend.clock.forward_ms(1);
    let contest = |by, name: &str, item: &str, value| Contest {
        id: ContestId(id()),
        item: ContestedItem::parse(item).unwrap(),
        value,
        reason: "the log was seen".into(),
        by,
        name: name.into(),
        at: backend.now(),
    };
    let hers = contest(ada, "ada", "J1", ContestedValue::Percent(35));
    store.contest(assessment, &hers).await.unwrap();
    backend.clock.forward_ms(1);
    let his = contest(bob, "bob", "c2", ContestedValue::Level(ConfidenceLevel::Low));
    store.contest(assessment, &his).await.unwrap();
    let watched = watch(backend, ada, assessment, "I1");
    assert!(store.add_watch(&watched, 5).await.unwrap());
    let expected = Annotations {
        exclusions: vec![again],
        contests: vec![hers.clone(), his.clone()],
        watched: vec![(watched.id, "I1".into())],
        ..Annotations::default()
    };
    assert_eq!(store.annotations(assessment.into(), ada, LIMIT).await.unwrap(), expected);
    assert_eq!(store.annotations(assessment.into(), bob, LIMIT).await.unwrap(), Annotations { watched: vec![], ..expected });
    assert_eq!(store.annotations(other.into(), bob, LIMIT).await.unwrap(), Annotations::default());

    assert!(!store.withdraw(assessment, hers.id, bob).await.unwrap(), "a contest is withdrawn by its author only");
    assert!(!store.withdraw(other, hers.id, ada).await.unwrap());
    assert!(store.withdraw(assessment, hers.id, ada).await.unwrap());
    assert!(store.include(assessment, 2).await.unwrap() && !store.include(assessment, 2).await.unwrap());
    let left = store.annotations(assessment.into(), bob, LIMIT).await.unwrap();
    assert_eq!(left, Annotations { contests: vec![his], ..Annotations::default() });
}

pub async fn a_watch_is_seen_by_its_person_and_keeps_the_time_of_its_matches(backend: &TestBackend) {
    let store = &backend.store;
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
    assert_eq!(store.matches(ada, 1).await.unwrap().len(), 1);
    assert_eq!(store.matches(bob, 5).await.unwrap(), []);
    assert!(!store.remove_watch(bob, first.id).await.unwrap());
    assert!(store.remove_watch(ada, first.id).await.unwrap());
    assert_eq!(store.matches(ada, 5).await.unwrap(), []);
}

pub async fn notifications_are_counted_since_the_last_look(backend: &TestBackend) {
    let store = &backend.store;
    let unseen = async |user| store.user(user).await.unwrap().unwrap().visits.unseen;
    let (ada, collection) = backend.person("ada").await;
    let bob = backend.user("bob").await;
    backend.clock.forward_ms(1);
    let mut done = backend.an_investigation(ada, collection);
    done.progress.status = Status::Completed;
    done.completed_at = Some(backend.now());
    engine::investigations::Investigations::add(store, &done).await.unwrap();
    let stored = stored_assessment(backend, done.id, &[collection], "Known.");
    let assessment = store.put(&stored).await.unwrap();
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

pub async fn tags_and_notes_stand_beside_an_assessment_or_a_document(backend: &TestBackend) {
    let store = &backend.store;
    let (ada, scope, assessment) = assessed(backend, "ada").await;
    let bob = backend.user("bob").await;
    let tag = |text: &str| Tag::parse(text).unwrap();
    let files = ["a.txt", "b.txt"].map(|path| capture(scope.collections()[0], path, path));
    let (documents, _) = store.add_documents(&files).await.unwrap();
    assert_eq!([Tag::parse(" "), Tag::parse("a,b"), Tag::parse(&"x".repeat(41))], [None, None, None]);
    let subjects: [AnnotationSubject; 2] = [assessment.into(), documents[0].id.into()];
    for subject in subjects {
        for text in ["Harbour", "  HARBOUR ", "grain  store"] {
            store.tag(subject, &tag(text), ada, backend.now()).await.unwrap();
        }
        let make = |by, text: &str| Note { id: NoteId(id()), text: text.into(), by, name: String::new(), at: backend.now() };
        let (first, second) = (make(ada, "ask the harbour office"), make(bob, "done"));
        for note in [&first, &second] {
            store.note(subject, note).await.unwrap();
        }
        let seen = store.annotations(subject, bob, LIMIT).await.unwrap();
        assert_eq!(seen.tags, [tag("grain store"), tag("harbour")]);
        assert_eq!(seen.own_tags, []);
        let newest = store.annotations(subject, bob, 1).await.unwrap();
        assert_eq!((newest.notes.len(), newest.tags), (1, seen.tags.clone()));
        assert_eq!(store.annotations(subject, ada, LIMIT).await.unwrap().own_tags, seen.tags);
        let counts = AnnotationCounts { remarks: 2, own_remarks: 1, tags: 2 };
        assert_eq!(store.count(subject, bob).await.unwrap(), counts);
        let texts: BTreeSet<_> = seen.notes.iter().map(|note| (note.name.as_str(), note.text.as_str())).collect();
        assert_eq!(texts, BTreeSet::from([("ada", "ask the harbour office"), ("bob", "done")]));
        assert!(!store.untag(subject, &tag("harbour"), Some(bob)).await.unwrap(), "only its author");
        for was_there in [true, false] {
            assert_eq!(store.untag(subject, &tag("harbour"), None).await.unwrap(), was_there);
        }
        assert!(!store.remove_note(subject, first.id, Some(bob)).await.unwrap(), "another's");
        assert!(store.remove_note(subject, first.id, Some(ada)).await.unwrap());
        assert!(store.remove_note(subject, second.id, None).await.unwrap(), "by an administrator");
        for note in [make(bob, "a"), make(bob, "b"), make(ada, "c")] {
            store.note(subject, &note).await.unwrap();
        }
        store.tag(subject, &tag("spam"), bob, backend.now()).await.unwrap();
        assert_eq!(store.remove_all_of(subject, bob).await.unwrap(), 3);
        let [kept] = &store.annotations(subject, ada, LIMIT).await.unwrap().notes[..] else { panic!("the note of ada") };
        assert!(store.remove_note(subject, kept.id, None).await.unwrap());
        let left = store.annotations(subject, ada, LIMIT).await.unwrap();
        assert_eq!((left.tags, left.notes), (vec![tag("grain store")], vec![]));
    }
    store.tag(subjects[1], &tag("wire"), ada, backend.now()).await.unwrap();
    let asked = [subjects[0], subjects[1], documents[1].id.into(), AssessmentId(id()).into()];
    let grain = tag("grain store");
    let found: BTreeSet<_> = store.tags_of(&asked).await.unwrap().into_iter().collect();
    assert_eq!(found, BTreeSet::from([(subjects[0], grain.clone()), (subjects[1], grain.clone()), (subjects[1], tag("wire"))]));
    let tagged = DocumentQuery { tag: Some(grain), limit: 9, ..DocumentQuery::default() };
    assert_eq!(Documents::list(store, &scope, &tagged).await.unwrap().documents, &documents[..1]);
}

pub async fn a_view_is_saved_under_one_name_within_the_limit(backend: &TestBackend) {
    let store = &backend.store;
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
