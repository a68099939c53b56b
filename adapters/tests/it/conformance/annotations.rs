//! Suite of annotations.

use super::prelude::*;
use domain::{
    ConfidenceLevel, ContestId, NoteId,
    annotation::{AnnotationSubject, Annotations, Contest, ContestedItem, ContestedValue, Exclusion, Note, Tag},
};
use engine::{
    annotations::{AnnotationStore, AnnotationsConfig},
    assessments::Assessments,
    library::Documents,
};

/// Maximum number of notes and contests that are read.
const LIMIT: u64 = 200;

/// A person with an assessment of their own.
async fn assessed(backend: &TestBackend, name: &str) -> (UserId, Scope, AssessmentId) {
    let (person, collection) = backend.person(name).await;
    let investigation = backend.investigation(person, collection).await;
    let stored = stored_assessment(backend, investigation, &[collection], "Not known.");
    (person, Scope::from(collection), backend.store.put(&stored).await.unwrap())
}

pub async fn annotations_of_an_assessment_are_withdrawn_by_their_authors(backend: &TestBackend) {
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
    let limits = AnnotationsConfig::default();
    assert!(store.contest(assessment, &hers, &limits).await.unwrap());
    backend.clock.forward_ms(1);
    let his = contest(bob, "bob", "c2", ContestedValue::Level(ConfidenceLevel::Low));
    assert!(store.contest(assessment, &his, &limits).await.unwrap());
    let expected = Annotations { exclusions: vec![again], contests: vec![hers.clone(), his.clone()], ..Annotations::default() };
    assert_eq!(store.annotations(assessment.into(), ada, LIMIT).await.unwrap(), expected);
    assert_eq!(store.annotations(assessment.into(), bob, LIMIT).await.unwrap(), expected);
    assert_eq!(store.annotations(other.into(), bob, LIMIT).await.unwrap(), Annotations::default());

    assert!(!store.withdraw(assessment, hers.id, bob).await.unwrap(), "a contest is withdrawn by its author only");
    assert!(!store.withdraw(other, hers.id, ada).await.unwrap());
    assert!(store.withdraw(assessment, hers.id, ada).await.unwrap());
    assert!(store.include(assessment, 2).await.unwrap() && !store.include(assessment, 2).await.unwrap());
    let left = store.annotations(assessment.into(), bob, LIMIT).await.unwrap();
    assert_eq!(left, Annotations { contests: vec![his], ..Annotations::default() });
}

pub async fn tags_and_notes_belong_to_an_assessment_or_a_document(backend: &TestBackend) {
    let store = &backend.store;
    let (ada, scope, assessment) = assessed(backend, "ada").await;
    let bob = backend.user("bob").await;
    let tag = |text: &str| Tag::parse(text).unwrap();
    let files = ["a.txt", "b.txt"].map(|path| capture(scope.collections()[0], path, path));
    let (documents, _) = store.add_documents(&files).await.unwrap();
    assert_eq!([Tag::parse(" "), Tag::parse("a,b"), Tag::parse(&"x".repeat(41))], [None, None, None]);
    let subjects: [AnnotationSubject; 2] = [assessment.into(), documents[0].id.into()];
    let limits = AnnotationsConfig::default();
    for subject in subjects {
        for text in ["Harbour", "  HARBOUR ", "grain  store"] {
            assert!(store.tag(subject, &tag(text), ada, backend.now(), &limits).await.unwrap());
        }
        let make = |by, text: &str| Note { id: NoteId(id()), text: text.into(), by, name: String::new(), at: backend.now() };
        let (first, second) = (make(ada, "ask the harbour office"), make(bob, "done"));
        for note in [&first, &second] {
            assert!(store.note(subject, note, &limits).await.unwrap());
        }
        let seen = store.annotations(subject, bob, LIMIT).await.unwrap();
        assert_eq!(seen.tags, [tag("grain store"), tag("harbour")]);
        assert_eq!(seen.own_tags, []);
        let newest = store.annotations(subject, bob, 1).await.unwrap();
        assert_eq!((newest.notes.len(), newest.tags), (1, seen.tags.clone()));
        assert_eq!(store.annotations(subject, ada, LIMIT).await.unwrap().own_tags, seen.tags);
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
            assert!(store.note(subject, &note, &limits).await.unwrap());
        }
        store.tag(subject, &tag("spam"), bob, backend.now(), &limits).await.unwrap();
        assert_eq!(store.remove_all_of(subject, bob).await.unwrap(), 3);
        let [kept] = &store.annotations(subject, ada, LIMIT).await.unwrap().notes[..] else { panic!("the note of ada") };
        assert!(store.remove_note(subject, kept.id, None).await.unwrap());
        let left = store.annotations(subject, ada, LIMIT).await.unwrap();
        assert_eq!((left.tags, left.notes), (vec![tag("grain store")], vec![]));
    }
    store.tag(subjects[1], &tag("wire"), ada, backend.now(), &limits).await.unwrap();
    let asked = [subjects[0], subjects[1], documents[1].id.into(), AssessmentId(id()).into()];
    let grain = tag("grain store");
    let found: BTreeSet<_> = store.tags_of(&asked).await.unwrap().into_iter().collect();
    assert_eq!(found, BTreeSet::from([(subjects[0], grain.clone()), (subjects[1], grain.clone()), (subjects[1], tag("wire"))]));
    let tagged = DocumentQuery { tag: Some(grain), limit: 9, ..DocumentQuery::default() };
    assert_eq!(Documents::list(store, &scope, &tagged).await.unwrap().documents, &documents[..1]);
}

pub async fn annotations_added_at_once_stay_within_the_limits(backend: &TestBackend) {
    let store = &backend.store;
    let (ada, scope, assessment) = assessed(backend, "ada").await;
    let (bob, eve) = (backend.user("bob").await, backend.user("eve").await);
    let (documents, _) = store.add_documents(&[capture(scope.collections()[0], "a.txt", "a.txt")]).await.unwrap();
    let limits = &AnnotationsConfig { per_person: 2, per_subject: 3, tags: 2 };
    let count = |added: Vec<bool>| added.into_iter().filter(|is_added| *is_added).count();
    for subject in [AnnotationSubject::from(assessment), AnnotationSubject::from(documents[0].id)] {
        let add = |by| {
            let note = Note { id: NoteId(id()), text: "done".into(), by, name: String::new(), at: backend.now() };
            async move { store.note(subject, &note, limits).await.unwrap() }
        };
        assert_eq!(count(join_all((0..6).map(|_| add(ada))).await), 2, "of one person");
        assert_eq!(count(join_all([bob, bob, eve, eve].map(add)).await), 1, "of everybody");
        let tags = ["a", "b", "c", "d"].map(|text| Tag::parse(text).unwrap());
        let tagged = tags.iter().map(|tag| store.tag(subject, tag, ada, backend.now(), limits));
        assert_eq!(count(join_all(tagged).await.into_iter().map(Result::unwrap).collect()), 2);
    }
    let contest = Contest {
        id: ContestId(id()),
        item: ContestedItem::parse("J1").unwrap(),
        value: ContestedValue::Percent(35),
        reason: "the log was seen".into(),
        by: eve,
        name: "eve".into(),
        at: backend.now(),
    };
    assert!(!store.contest(assessment, &contest, limits).await.unwrap(), "notes and contests share a limit");
    let more = AnnotationsConfig { per_subject: 4, ..*limits };
    assert!(store.contest(assessment, &contest, &more).await.unwrap());
}
