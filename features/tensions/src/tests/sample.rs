//! Sample of the feature, from its reports to the pages.

use super::{SCHEMAS, limits};
use crate::{
    cycle::order::{CycleOrder, CycleTask, CycleTaskId, OrderKind, Stage},
    example::{ORDER, played, steps},
    finder::find_once,
    nodes::SOURCE,
    sample::{DOCUMENTS, add_reports, add_responses, is_own, open_together, sample_collections, without_sample},
    search,
    settings::TensionSettings,
    snapshots::record_once,
    store::TensionStore,
    tension::day_number,
    upkeep::refresh,
};
use domain::{CollectionKind, Scope, user::User};
use engine::{accounts::Accounts, library::DocumentQuery};
use feature::{Web, region::Regions, testing::TestSite};
use std::collections::BTreeSet;
use testkit::id;

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
    assert_eq!((laid.len(), laid[0].kind.as_str(), laid[0].links[0].to.clone()), (1, "tension", firm.to_string()), "{laid:?}");
    let entities = web.engine.entities_view(&viewer, "Brask", "").await.unwrap().entities;
    let town = entities.iter().find(|line| line.name == "Brask").expect("an entity of the example").id;
    let laid = (SOURCE.find)(web.clone(), viewer.clone(), vec![town]).await.unwrap();
    let kinds: Vec<&str> = laid.iter().map(|node| node.kind.as_str()).collect();
    assert_eq!(kinds, ["tension", "tension", "response", "response", "response"], "{laid:?}");
    assert!(laid.iter().all(|node| node.name.ends_with(" (sample)")), "{laid:?}");
    let feared = laid.iter().find(|node| node.name.starts_with("Fear of raids")).expect("the tension that was scouted");
    assert_eq!(feared.links[0].to, town.to_string());
    assert!(laid[2..].iter().all(|node| node.links.len() == 1 && node.links[0].to == feared.id), "{laid:?}");
    let runs = browser.get("/tensions/runs").await.text();
    let links = tensions.iter().filter(|one| runs.contains(&format!("/tensions/{}\"", one.tension.id)));
    assert_eq!(links.count(), 3, "{runs}");
    for text in ["Played over invented pages", "Scripted", "boycott Halden Guards", "what would end it?", "3 responses new"] {
        assert!(runs.contains(text), "{text}: {runs}");
    }
    viewer.preferences.hides_sample = true;
    backend.store.set_preferences(ada, viewer.preferences).await.unwrap();
    assert!(browser.get("/tensions").await.text().contains("No strain recorded"), "a person may hide the sample");
    backend.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_example_is_played_once_and_stores_what_the_checks_accept() {
    let backend = testkit::sqlite_with(&SCHEMAS).await.expect("SQLite needs no server");
    let (site, ada) = (TestSite::new(crate::feature(), &backend), backend.user("ada").await);
    let (web, store) = (&site.web, TensionStore::new(&site.web));
    backend.collection(ada, CollectionKind::Sample).await;
    add_reports(web).await.unwrap();
    // A play that was interrupted while the scout worked.
    let own = sample_collections(&web.engine).await.unwrap().into_iter().find(is_own).expect("the reports").id;
    let order = CycleOrder { ended_at: Some(backend.now()), ..CycleOrder::new(ORDER, OrderKind::Scout, ada, backend.now()) };
    store.add_order(&order).await.unwrap();
    let open = CycleTask::new(CycleTaskId(id()), ORDER, Stage::Scout, own, None);
    store.add_tasks(std::slice::from_ref(&open), &[]).await.unwrap();

    run_round(web).await;
    let scouted = played(&store).await.unwrap().expect("the example");
    assert_ne!(scouted.id, open.id, "it was played anew");
    run_round(web).await;
    assert_eq!(played(&store).await.unwrap(), Some(scouted.clone()), "and once");
    for (name, number) in [
        ("responses_new", 3),
        ("links", 3),
        ("escalating_refused", 1),
        ("unvisited_refused", 1),
        ("tensions_new", 2),
        ("tensions_refused", 1),
        ("queries", 1),
    ] {
        assert_eq!(scouted.counts.get(name), Some(&number), "{name}: {:?}", scouted.counts);
    }
    let (scope, fear) = (Scope::from(own), scouted.tension.expect("a tension"));
    let responses = store.responses_to(&scope, &[fear]).await.unwrap();
    let titles: Vec<&str> = responses.iter().map(|one| one.response.title.as_str()).collect();
    assert_eq!(titles, ["Boycott of shops that hire Halden Guards", "Law clinic of Brask", "Vigil on the quay of Brask"]);
    let children: Vec<String> = store.children(&scope, fear).await.unwrap().into_iter().map(|(_, title)| title).collect();
    assert_eq!(children, ["Brask pays a firm for every door it opens", "Notes at the doors of organisers"]);
    let steps = steps(&web.engine, &scouted).await.unwrap();
    let tools: Vec<&str> = steps.iter().map(|step| step.tool.as_str()).collect();
    assert_eq!(tools, ["web_search", "read_page"].repeat(3), "three hops");
    let every = DocumentQuery { limit: DOCUMENTS, ..DocumentQuery::default() };
    for document in web.engine.documents.list(&scope, &every).await.unwrap().documents {
        let capture = web.engine.captures.provenance(&scope, document.id).await.unwrap().capture;
        assert_eq!(capture, None, "an invented page was not fetched: {}", document.path);
    }
    assert_eq!(store.orders(ada, 5).await.unwrap(), [], "it is no run of a person");
    assert!(store.calls_since(backend.now().plus_ms(-86_400_000)).await.unwrap().is_empty(), "no searches of the day");
    backend.close().await;
}
