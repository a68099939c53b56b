//! Assessments: one per investigation, seen by who may see all that they were drawn from.

use super::prelude::*;
use domain::assessment::AssessmentState;
use engine::{
    assessments::{AssessmentOrder, Assessments, StoredAssessment, StoredSummary},
    investigations::Investigations,
};

async fn newest(store: &Store, scope: &Scope, limit: u32) -> Vec<StoredSummary> {
    store.latest(scope, &AssessmentQuery::newest(limit)).await.unwrap().assessments
}

pub async fn an_investigation_has_one_assessment(backend: &TestBackend) {
    let store = &backend.store;
    let (ada, collection) = backend.person("ada").await;
    let scope = Scope::from(collection);
    let investigation = backend.investigation(ada, collection).await;
    let first = stored_assessment(backend, investigation, &[collection], "Not known.");
    assert_eq!(store.put(&first).await.unwrap(), first.assessment.id);
    let second = stored_assessment(backend, investigation, &[collection], "Known.");
    assert_eq!(store.put(&second).await.unwrap(), first.assessment.id);
    assert_eq!(store.assessment(&scope, first.assessment.id).await.unwrap(), Some(first.clone()));
    assert_eq!(store.assessment(&scope, second.assessment.id).await.unwrap(), None);
    assert_eq!(store.of_investigation(&scope, investigation).await.unwrap(), Some(first.clone()));
    assert_eq!(newest(store, &scope, 5).await, [first.into()]);
}

pub async fn an_update_replaces_the_text_of_an_assessment(backend: &TestBackend) {
    let store = &backend.store;
    let (ada, collection) = backend.person("ada").await;
    let scope = Scope::from(collection);
    let investigation = backend.investigation(ada, collection).await;
    let mut stored = stored_assessment(backend, investigation, &[collection], "Not known.");
    store.put(&stored).await.unwrap();
    stored.assessment.cost.tokens_in = 7;
    store.update(&stored.assessment).await.unwrap();
    assert_eq!(store.of_investigation(&scope, investigation).await.unwrap(), Some(stored.clone()));
    assert_eq!(newest(store, &scope, 5).await, [stored.into()]);
}

pub async fn a_partial_assessment_coexists_with_a_complete_one(backend: &TestBackend) {
    let store = &backend.store;
    let (ada, collection) = backend.person("ada").await;
    let scope = Scope::from(collection);
    let investigation = backend.investigation(ada, collection).await;
    let partial = StoredAssessment { is_partial: true, ..stored_assessment(backend, investigation, &[collection], "So far.") };
    store.put(&partial).await.unwrap();
    assert_eq!(store.of_investigation(&scope, investigation).await.unwrap(), Some(partial.clone()));
    let other = backend.investigation(ada, collection).await;
    let ids = async || store.ids_of(&scope, &[other, investigation]).await.unwrap().into_iter().collect::<Vec<_>>();
    assert_eq!(ids().await, [(investigation, partial.assessment.id)]);
    backend.clock.forward_ms(1);
    let complete = stored_assessment(backend, investigation, &[collection], "In full.");
    store.put(&complete).await.unwrap();
    assert_eq!(store.of_investigation(&scope, investigation).await.unwrap(), Some(complete.clone()));
    assert_eq!(ids().await, [(investigation, complete.assessment.id)]);
    assert!(store.ids_of(&Scope::default(), &[investigation]).await.unwrap().is_empty());
    let both = [complete.assessment.id, partial.assessment.id];
    assert_eq!(store.assessments(&scope, &both).await.unwrap(), [partial.clone(), complete.clone()], "oldest first");
    assert!(store.assessments(&Scope::default(), &both).await.unwrap().is_empty());
    assert_eq!(newest(store, &scope, 5).await, [complete.clone().into(), partial.into()]);
    let beyond = AssessmentQuery { offset: 7, limit: 5, ..Default::default() };
    let page = store.latest(&scope, &beyond).await.unwrap();
    assert_eq!((page.assessments, page.total), (vec![], 2), "a page beyond the last still says how many there are");
    let empty = backend.investigation(ada, collection).await;
    let filter = InvestigationFilter { owner: Some(ada), without_assessment: true, limit: 5, ..Default::default() };
    let without: Vec<_> = store.list(&filter).await.unwrap().into_iter().map(|found| found.id).collect();
    assert_eq!(without, [empty, other]);
    let narrow = InvestigationFilter { limit: 1, ..filter };
    assert_eq!(store.list(&narrow).await.unwrap().len(), 1);
    let counted = store.count_filtered(&narrow).await.unwrap();
    assert_eq!(counted, [(Status::Pending, 2)], "a count has no limit");
    assert_eq!(newest(store, &scope, 1).await, [complete.into()]);
}

pub async fn an_assessment_needs_a_reader_of_all_its_collections(backend: &TestBackend) {
    let store = &backend.store;
    let (ada, hers) = backend.person("ada").await;
    let shared = backend.collection(ada, CollectionKind::Shared).await;
    let investigation = backend.investigation(ada, shared).await;
    let stored = stored_assessment(backend, investigation, &[hers, shared], "The keeper did.");
    store.put(&stored).await.unwrap();
    // Drawn from nothing at all, it is as private as what it would have written to.
    let empty = backend.investigation(ada, hers).await;
    let nothing = stored_assessment(backend, empty, &[], "Nothing was read.");
    store.put(&nothing).await.unwrap();
    for blind in [Scope::default(), Scope::from(shared), Scope::new(vec![shared, CollectionId(id())])] {
        assert_eq!(store.assessment(&blind, stored.assessment.id).await.unwrap(), None);
        assert_eq!(store.of_investigation(&blind, investigation).await.unwrap(), None);
        assert_eq!(store.of_investigation(&blind, empty).await.unwrap(), None);
        assert!(newest(store, &blind, 5).await.is_empty());
        assert!(store.search(&blind, &"keeper nothing".into(), 5).await.unwrap().is_empty());
    }
    let seeing = Scope::new(vec![shared, hers]);
    assert_eq!(store.search(&seeing, &"keeper".into(), 5).await.unwrap(), [stored]);
    assert_eq!(newest(store, &seeing, 5).await.len(), 2);
}

pub async fn a_list_goes_by_pages_and_by_every_word(backend: &TestBackend) {
    let store = &backend.store;
    let (ada, collection) = backend.person("ada").await;
    let scope = Scope::from(collection);
    let mut all = vec![];
    for bottom_line in ["The keeper did.", "Nobody did.", "The keeper's brother did."] {
        let investigation = backend.investigation(ada, collection).await;
        let stored = stored_assessment(backend, investigation, &[collection], bottom_line);
        store.put(&stored).await.unwrap();
        all.insert(0, StoredSummary::from(stored));
        backend.clock.forward_ms(1);
    }
    let page =
        |text: Option<&str>, offset| AssessmentQuery { text: text.map(Into::into), offset, limit: 2, ..Default::default() };
    let first = store.latest(&scope, &page(None, 0)).await.unwrap();
    assert_eq!((first.assessments.as_slice(), first.total), (&all[..2], 3));
    let second = store.latest(&scope, &page(None, 2)).await.unwrap();
    assert_eq!((second.assessments.as_slice(), second.total), (&all[2..], 3));
    let found = store.latest(&scope, &page(Some("keeper opened"), 1)).await.unwrap();
    assert_eq!((found.assessments.as_slice(), found.total), (&all[2..], 2), "question and bottom line count together");
    let (bob, _) = backend.person("bob").await;
    let owned = |owner| AssessmentQuery { owner: Some(owner), order: AssessmentOrder::OldestFirst, ..page(None, 0) };
    let oldest = store.latest(&scope, &owned(ada)).await.unwrap();
    let expected: Vec<_> = all.iter().rev().take(2).cloned().collect();
    assert_eq!((oldest.assessments, oldest.total), (expected, 3), "the oldest of one person");
    assert_eq!(store.latest(&scope, &owned(bob)).await.unwrap().total, 0, "nothing of somebody else");
    for nothing in ["keeper absent", "?!"] {
        assert_eq!(store.latest(&scope, &page(Some(nothing), 0)).await.unwrap().total, 0, "{nothing}");
    }
    assert_eq!(store.latest(&Scope::default(), &page(Some("keeper"), 0)).await.unwrap().total, 0);
}

pub async fn a_list_goes_by_relevance_and_keeps_to_its_period(backend: &TestBackend) {
    let store = &backend.store;
    let (ada, collection) = backend.person("ada").await;
    let scope = Scope::from(collection);
    let mut all = vec![];
    let rest = "The harbour was quiet and the town slept all night. ".repeat(5);
    for bottom_line in ["A minister, the minister and his minister.", &format!("{rest} The minister lied.")] {
        let stored = stored_assessment(backend, backend.investigation(ada, collection).await, &[collection], bottom_line);
        store.put(&stored).await.unwrap();
        all.push(StoredSummary::from(stored));
        backend.clock.forward_ms(1);
    }
    let query = AssessmentQuery { text: Some("minister".into()), limit: 5, ..Default::default() };
    let relevant = AssessmentQuery { order: AssessmentOrder::Relevance, ..query.clone() };
    assert_eq!(store.latest(&scope, &relevant).await.unwrap().assessments, all);
    let newest: Vec<_> = all.iter().rev().cloned().collect();
    assert_eq!(store.latest(&scope, &query).await.unwrap().assessments, newest);
    let day = all[0].created_at.to_datetime().format("%Y-%m-%d").to_string();
    for (from, until, expected) in [(day.as_str(), day.as_str(), 2), ("", "1990", 0), ("2199", "", 0)] {
        let period = Period::parse(from, until).unwrap();
        let page = store.latest(&scope, &AssessmentQuery { period, ..query.clone() }).await.unwrap();
        assert_eq!((page.assessments.len(), page.total), (expected, expected as u64), "{from} {until}");
    }
}

pub async fn a_list_keeps_to_states_a_collection_and_named_assessments(backend: &TestBackend) {
    let store = &backend.store;
    let (ada, collection) = backend.person("ada").await;
    let other = backend.collection(ada, CollectionKind::Shared).await;
    let scope = Scope::new(vec![collection, other]);
    let mut all = vec![];
    for drawn_on in [vec![collection], vec![collection, other]] {
        let stored = stored_assessment(backend, backend.investigation(ada, collection).await, &drawn_on, "The keeper did.");
        store.put(&stored).await.unwrap();
        all.push(StoredSummary::from(stored));
        backend.clock.forward_ms(1);
    }
    let all_of = AssessmentQuery { limit: 5, order: AssessmentOrder::OldestFirst, ..AssessmentQuery::default() };
    let found = async |query: AssessmentQuery| store.latest(&scope, &query).await.unwrap().assessments;
    let state = all[0].summary.state;
    let others = AssessmentState::ALL.into_iter().filter(|one| *one != state).collect();
    assert_eq!(found(AssessmentQuery { states: Some(vec![state]), ..all_of.clone() }).await, all);
    assert!(found(AssessmentQuery { states: Some(others), ..all_of.clone() }).await.is_empty());
    assert!(found(AssessmentQuery { states: Some(vec![]), ..all_of.clone() }).await.is_empty());
    assert_eq!(found(AssessmentQuery { collection: Some(other), ..all_of.clone() }).await, all[1..]);
    assert!(found(AssessmentQuery { collection: Some(CollectionId(id())), ..all_of.clone() }).await.is_empty());
    let named = Some(vec![all[1].summary.id]);
    assert_eq!(found(AssessmentQuery { only: named, ..all_of.clone() }).await, all[1..]);
    assert!(found(AssessmentQuery { only: Some(vec![]), ..all_of.clone() }).await.is_empty());
}

pub async fn search_finds_any_word_and_takes_any_input(backend: &TestBackend) {
    let store = &backend.store;
    let (ada, collection) = backend.person("ada").await;
    let scope = Scope::from(collection);
    for bottom_line in ["The keeper opened the gate.", "The minister lied.", "The minister lied."] {
        let investigation = backend.investigation(ada, collection).await;
        store.put(&stored_assessment(backend, investigation, &[collection], bottom_line)).await.unwrap();
        backend.clock.forward_ms(1);
    }
    let found = store.search(&scope, &"keeper OR unheard-of".into(), 5).await.unwrap();
    assert_eq!(found.len(), 1);
    let equals = store.search(&scope, &"MINISTER".into(), 5).await.unwrap();
    assert_eq!(equals.len(), 2);
    assert!(equals[0].created_at > equals[1].created_at, "newest first among equals");
    assert_eq!(store.search(&scope, &"varrow".into(), 2).await.unwrap().len(), 2);
    for odd in ["", "\"", "(", "NOT", "*", "'", "\\", "title:"] {
        assert!(store.search(&scope, &odd.into(), 5).await.unwrap().len() <= 3, "{odd}");
    }
}

pub async fn removing_a_collection_removes_its_assessments(backend: &TestBackend) {
    let store = &backend.store;
    let (ada, hers) = backend.person("ada").await;
    let sample = backend.collection(ada, CollectionKind::Sample).await;
    let scope = Scope::new(vec![hers, sample]);
    let kept = stored_assessment(backend, backend.investigation(ada, hers).await, &[hers], "kept");
    for stored in [
        &kept,
        &stored_assessment(backend, backend.investigation(ada, hers).await, &[hers, sample], "drawn from it"),
        &stored_assessment(backend, backend.investigation(ada, sample).await, &[], "written to it"),
    ] {
        store.put(stored).await.unwrap();
    }
    Assessments::remove_collection(store, sample).await.unwrap();
    assert_eq!(newest(store, &scope, 5).await, [kept.into()]);
    assert!(store.search(&scope, &"drawn written".into(), 5).await.unwrap().is_empty());
}

pub async fn the_nearest_are_found_by_vector_as_far_as_a_reader_may_see(backend: &TestBackend) {
    let store = &backend.store;
    let (ada, collection) = backend.person("ada").await;
    let (eve, hidden) = backend.person("eve").await;
    let scope = Scope::from(collection);
    let mut stored = vec![];
    for (owner, collection) in [(ada, collection), (ada, collection), (eve, hidden)] {
        let investigation = backend.investigation(owner, collection).await;
        let one = stored_assessment(backend, investigation, &[collection], "Not known.");
        store.put(&one).await.unwrap();
        stored.push(one);
    }
    assert_eq!(store.vector_progress("m").await.unwrap(), (3, 0));
    let waiting = store.without_vector("m", 2).await.unwrap();
    assert_eq!(waiting.len(), 2);
    assert_eq!(waiting[0].text, "The Varrow Lock\nNot known.");
    let vectors = [[1.0, 0.0, 0.0], [0.6, 0.8, 0.0], [0.9, 0.1, 0.0]].map(Vec::from);
    let waiting = store.without_vector("m", 9).await.unwrap();
    let with: Vec<_> = waiting.into_iter().map(|item| item.id).zip(vectors).collect();
    store.put_vectors("m", &with).await.unwrap();
    store.put_vectors("m", &with).await.unwrap();
    assert_eq!(store.vector_progress("m").await.unwrap(), (0, 3));
    assert_eq!(store.vector_progress("it's another").await.unwrap(), (3, 0));
    let near = store.near(&scope, "m", &[0.0, 1.0, 0.0], 5).await.unwrap();
    let (near, similarities): (Vec<_>, Vec<_>) = near.into_iter().map(|near| (near.stored, near.similarity)).unzip();
    assert_eq!(near, [stored[1].clone(), stored[0].clone()], "the nearest first, and nothing of another's");
    assert!((similarities[0] - 0.8).abs() < 1e-6 && similarities[1].abs() < 1e-6, "{similarities:?}");
    assert_eq!(store.near(&scope, "m", &[1.0, 0.0, 0.0], 1).await.unwrap()[0].stored, stored[0]);
    assert!(store.near(&scope, "it's another", &[1.0, 0.0, 0.0], 5).await.unwrap().is_empty());
    let odd = store.put_vectors("m", &[(with[0].0, vec![1.0])]).await;
    assert!(matches!(odd, Err(StoreError::Invalid(_))), "{odd:?}");
    store.remove_collection(collection).await.unwrap();
    assert_eq!(store.vector_progress("m").await.unwrap(), (0, 1));
}
