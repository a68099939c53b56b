//! Sample of the feature, from its reports to the pages.

use super::{SCHEMAS, limits};
use crate::{
    finder::find_once,
    nodes::SOURCE,
    sample::{add_reports, add_responses, open_together, without_sample},
    search,
    settings::TensionSettings,
    snapshots::record_once,
    store::TensionStore,
    tension::day_number,
    upkeep::refresh,
};
use domain::{CollectionKind, Scope, user::User};
use engine::accounts::Accounts;
use feature::{Web, region::Regions, testing::TestSite};
use std::collections::BTreeSet;

/// Runs what the job runs in a round.
async fn run_round(web: &Web) {
    add_reports(web).await.unwrap();
    while find_once(web).await.unwrap() > 0 {}
    refresh(web).await.unwrap();
    add_responses(web).await.unwrap();
    while record_once(web).await.unwrap() > 0 {}
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_sample_has_tensions_of_many_regions_and_themes_with_responses() {
    let backend = testkit::sqlite_with(&SCHEMAS).await.expect("SQLite needs no server");
    let site = TestSite::new(crate::feature(), &backend);
    let (web, settings) = (&site.web, TensionSettings::default());
    let (store, ada) = (TensionStore::new(web), backend.user("ada").await);
    run_round(web).await;
    assert_eq!(backend.store.collections().await.unwrap(), [], "without the sample investigation there are no reports");

    backend.collection(ada, CollectionKind::Sample).await;
    run_round(web).await;
    run_round(web).await;
    let mut viewer: User = backend.store.user(ada).await.unwrap().unwrap();
    let scope = web.engine.listed_scope(&viewer).await.unwrap();
    let tensions = store.tensions(&scope, limits(&backend)).await.unwrap();
    assert_eq!((tensions.len(), store.searched(&scope).await.unwrap().0), (18, 33), "a second round stores nothing twice");
    assert_eq!(store.responses(&scope, 0, 1).await.unwrap().1, 11);
    let themes: BTreeSet<&str> = tensions.iter().map(|one| one.tension.theme.as_str()).collect();
    let rows: BTreeSet<&str> = tensions.iter().map(|one| Regions::shared().row(&one.tension.region.code)).collect();
    assert_eq!((themes.len(), rows.len()), (10, 12), "{themes:?} {rows:?}");

    let mali = tensions.iter().find(|one| one.tension.title == "Shortage in Mali").expect("a tension in Mali");
    let (evidence, _) = store.evidence(&scope, mali.tension.id, 0, 25).await.unwrap();
    assert_eq!(evidence.iter().filter(|one| one.is_against).count(), 1);
    let eased = store.eased(&scope, &mali.tension, settings.eased_from, settings.eased_to, 5).await.unwrap();
    assert_eq!(eased.iter().map(|one| one.title.as_str()).collect::<Vec<_>>(), ["Shortage in Ghana"]);
    assert_eq!(store.responses_to(&scope, &[eased[0].id]).await.unwrap().len(), 1);

    let apart = without_sample(&web.engine, scope.clone()).await.unwrap();
    assert_eq!(store.tensions(&apart, limits(&backend)).await.unwrap(), [], "a cycle reads nothing of the sample");
    let (invented, real) = (mali.tension.collection, backend.collection(ada, CollectionKind::Shared).await);
    assert_eq!(open_together(&web.engine, invented).await.unwrap(), Scope::from(invented));
    assert_eq!(open_together(&web.engine, real).await.unwrap(), Scope::from(real));
    let hits = (search::SOURCE.find)(web.clone(), viewer.clone(), "shortage mali".to_owned(), 5).await.unwrap();
    assert!(!hits.is_empty() && hits.iter().all(|hit| hit.note == "Sample"), "{hits:?}");

    let since = day_number(backend.now()) - 7;
    let rising = store.rising(&viewer, since, settings.trend, settings.rising).await.unwrap();
    assert!(rising.len() == 5 && rising.iter().all(|one| one.is_sample), "{rising:?}");

    let browser = site.signed_in(ada).await;
    let list = browser.get("/tensions").await.text();
    assert!(list.contains("Tensions marked Sample are invented") && list.contains("badge-sample"), "{list}");
    let answer = browser.get(&format!("/api/v1/tensions/{}", mali.tension.id)).await.json();
    assert_eq!(answer["tension"]["is_sample"].as_bool(), Some(true));
    let page = browser.get(&format!("/tensions/{}", mali.tension.id)).await.text();
    for text in ["badge-sample", "Dioro Grain Bank", "Invented, as the report is.", "Shortage in Ghana"] {
        assert!(page.contains(text), "{text}: {page}");
    }
    let fear = tensions.iter().find(|one| one.tension.title == "Fear of raids in Brask").expect("the example");
    let payment = tensions.iter().find(|one| one.tension.title.starts_with("Brask pays")).expect("what it led to");
    let parents = store.parents(&scope, payment.tension.id).await.unwrap();
    assert_eq!(parents, [(fear.tension.id, fear.tension.title.clone())]);
    let entities = web.engine.entities_view(&viewer, "Halden Guards", "").await.unwrap().entities;
    let firm = entities.iter().find(|line| line.name == "Halden Guards").expect("an entity of the example").id;
    let laid = (SOURCE.find)(web.clone(), viewer.clone(), vec![firm]).await.unwrap();
    let kinds: Vec<&str> = laid.iter().map(|node| node.kind.as_str()).collect();
    assert_eq!(kinds, ["tension", "response"], "{laid:?}");
    assert!(laid.iter().all(|node| node.name.ends_with(" (sample)")), "{laid:?}");
    assert_eq!((laid[0].links[0].to.clone(), laid[1].links[0].to.clone()), (firm.to_string(), laid[0].id.clone()));
    let runs = browser.get("/tensions/runs").await.text();
    assert!(runs.contains("Written by hand over invented pages") && runs.contains("boycott Halden Guards"), "{runs}");
    viewer.preferences.hides_sample = true;
    backend.store.set_preferences(ada, viewer.preferences).await.unwrap();
    assert!(browser.get("/tensions").await.text().contains("No strain recorded"), "a person may hide the sample");
    backend.close().await;
}
