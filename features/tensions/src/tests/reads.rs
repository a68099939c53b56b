//! Suite of the reads for the search and the terms of the heat, on every backend.

use super::{add, documents, evidence, remove, response, store, tension};
use crate::{
    heat_cache::HeatCache,
    settings::TensionSettings,
    store::StrainBatch,
    tension::{Evidence, Severity, TensionState, day_number},
    view::HeatOverview,
};
use domain::Scope;
use std::sync::Arc;
use tensions_islands::BoardState;
use testkit::TestBackend;

pub async fn the_search_finds_active_tensions_by_all_words(backend: &TestBackend) {
    let store = store(backend);
    let (_, collection) = backend.person("ada").await;
    let found = documents(backend, collection, &["one"]).await;
    let [strike, other, local] =
        ["Strike of 100% in Romania", "Shortage", "ÉMEUTE à Örebro"].map(|title| tension(backend, collection, title));
    add(backend, &strike, &[(&found[0], 1)]).await;
    add(backend, &other, &[(&found[0], 1)]).await;
    add(backend, &local, &[(&found[0], 1)]).await;
    store.set_state(other.id, &TensionState::Dismissed("A film.".into())).await.unwrap();
    let scope = Scope::from(collection);
    let number = async |words: &[&str]| {
        let words: Vec<String> = words.iter().map(|word| (*word).to_owned()).collect();
        store.search(&scope, &words, 5).await.unwrap().len()
    };
    assert_eq!((number(&["romania", "dockers"]).await, number(&["romania", "france"]).await), (1, 0));
    assert_eq!((number(&["100%"]).await, number(&["1%0"]).await, number(&["shortage"]).await), (1, 0, 0));
    assert_eq!(number(&["émeute", "örebro"]).await, 1, "small letters beyond ASCII");
    assert_eq!(store.search(&Scope::default(), &["romania".into()], 5).await.unwrap(), []);
}

pub async fn the_terms_of_the_heat_lead_to_the_statements_that_they_count(backend: &TestBackend) {
    let store = store(backend);
    let (_, collection) = backend.person("ada").await;
    let found = documents(backend, collection, &["one"]).await;
    let (strike, today, rule) =
        (tension(backend, collection, "Strike"), day_number(backend.now()), TensionSettings::default().heat_rule());
    add(backend, &strike, &[]).await;
    let rows = [(Severity::Severe, today - 60), (Severity::Serious, today)];
    let rows = rows.map(|(severity, day)| Evidence { severity, ..evidence(&found[0], day) });
    let both = rows.iter().map(|one| (strike.id, one.clone())).collect();
    store.record(&StrainBatch { evidence: both, ..StrainBatch::default() }, backend.now()).await.unwrap();
    let scope = Scope::from(collection);
    let counted = store.recent_evidence_of(&scope, strike.id, rule.first_counted_day(today)).await.unwrap();
    let heat = rule.heat_on(today, &counted);
    let opened = store.evidence_of_terms(&scope, strike.id, today, &heat.terms).await.unwrap();
    assert_eq!(opened, rows[1..], "not the more severe one of long ago");
}

pub async fn heat_in_memory_is_computed_again_after_each_change(backend: &TestBackend) {
    let (store, settings, cache) = (store(backend), TensionSettings::default(), HeatCache::default());
    let (_, collection) = backend.person("ada").await;
    let found = documents(backend, collection, &["one", "two"]).await;
    let [first, second] = ["First", "Second"].map(|title| tension(backend, collection, title));
    let (scope, today) = (Scope::from(collection), day_number(backend.now()));
    let held = async || cache.load(&store, &settings, &scope, 30, backend.now()).await.unwrap();
    // What lists show: tensions with their responses, the figures, and matrix and map.
    let shown = |overview: &HeatOverview| {
        let summaries: Vec<_> = overview.tensions.iter().map(|one| one.summary.clone()).collect();
        (summaries, overview.figures(&BoardState::default()), overview.board(&BoardState::default()))
    };
    let is_current = async || {
        let read = HeatOverview::load(&store, &settings, &scope, 30, backend.now()).await.unwrap();
        let held = held().await;
        shown(&held) == shown(&read)
    };
    add(backend, &first, &[(&found[0], 1)]).await;
    let before = held().await;
    assert!(Arc::ptr_eq(&before, &held().await), "without a change nothing is computed again");
    let searched = StrainBatch { documents: vec![found[1].id], ..StrainBatch::default() };
    store.record(&searched, backend.now()).await.unwrap();
    assert!(Arc::ptr_eq(&before, &held().await), "a document without strain changes nothing");

    add(backend, &second, &[(&found[1], 2)]).await;
    assert!(is_current().await, "a new tension");
    let more = StrainBatch { evidence: vec![(first.id, evidence(&found[1], today))], ..StrainBatch::default() };
    store.record(&more, backend.now()).await.unwrap();
    assert!(is_current().await, "more evidence");
    store.set_state(first.id, &TensionState::Dismissed("A film.".into())).await.unwrap();
    assert!(is_current().await, "a dismissal");
    store.set_state(second.id, &TensionState::Dismissed("A play.".into())).await.unwrap();
    store.set_state(first.id, &TensionState::Active).await.unwrap();
    assert!(is_current().await, "one dismissed, another restored");
    store.put_lead(first.id, "First", "Another statement.", found[0].id).await.unwrap();
    assert!(is_current().await, "another statement");
    let (talks, link) = response(backend, &first, "Talks");
    store.add_response(&talks, &link).await.unwrap();
    assert!(is_current().await, "a response");
    backend.clock.forward_ms(86_400_000);
    assert!(is_current().await, "the next day, on which the event is over");
    store.merge(first.id, second.id, backend.now()).await.unwrap();
    assert!(is_current().await, "a merge");
    remove(backend, found[0].id).await;
    assert!(is_current().await, "a document deleted");
    store.remove_response(talks.id, first.id).await.unwrap();
    assert!(is_current().await, "a response removed");

    let none = cache.load(&store, &settings, &Scope::default(), 30, backend.now()).await.unwrap();
    assert!(none.tensions.is_empty(), "another scope has its own");
}
