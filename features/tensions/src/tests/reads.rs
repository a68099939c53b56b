//! Suite of the reads for the search and the terms of the heat, on every backend.

use super::{add, documents, evidence, store, tension};
use crate::{
    settings::TensionSettings,
    store::StrainBatch,
    tension::{Evidence, Severity, TensionState, day_number},
};
use domain::Scope;
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
