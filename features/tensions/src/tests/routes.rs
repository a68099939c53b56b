//! Routes of the feature, from extracted claims to the pages.

use super::{SCHEMAS, limits};
use crate::{
    api::TENSIONS, finder::find_once, search::SOURCE, snapshots::record_once, store::TensionStore, tension::TensionState,
};
use domain::{ClaimId, CollectionId, CollectionKind, Precision, PublicationDate, PublishedBasis, Scope, claim::Mode};
use engine::{
    Engine,
    accounts::Accounts,
    graph::{GraphWrite, NewClaim},
    library::Documents,
};
use feature::{Web, testing::TestSite};
use testkit::{TestBackend, capture, id};

async fn backend() -> TestBackend {
    testkit::sqlite_with(&SCHEMAS).await.expect("SQLite needs no server")
}

/// State of the handlers, with the default settings.
fn web(backend: &TestBackend) -> Web {
    TestSite::new(crate::feature(), backend).web
}

/// Stores a document with claims as a Processor extracts them.
async fn extract(engine: &Engine, backend: &TestBackend, collection: CollectionId, name: &str, claims: &[(&str, Mode)]) {
    let document = backend.store.add_documents(&[capture(collection, name, name)]).await.unwrap().0.remove(0);
    let published = PublicationDate {
        value: backend.now().plus_ms(-2 * 86_400_000),
        precision: Precision::Day,
        basis: PublishedBasis::Stated,
    };
    let claim = |(content, mode): &(&str, Mode)| NewClaim {
        published: Some(published),
        mode: *mode,
        ..NewClaim::quoted(ClaimId(id()), content, 0, vec![])
    };
    let write = GraphWrite {
        claims: claims.iter().map(claim).collect(),
        completes_document: true,
        ..GraphWrite::new(document.id, collection, name.to_owned(), backend.now())
    };
    engine.graph.write(&[write], &*engine.resolve).await.unwrap();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn stated_strain_is_found_once_and_shown_to_those_who_read_it() {
    let backend = backend().await;
    let web = web(&backend);
    let (ada, collection) = backend.person("ada").await;
    let asserted = Mode::Asserted;
    let claims = [
        ("Dockers in Romania walked out over unpaid wages.", asserted),
        ("A strike by dockers may end soon, a union in Romania said.", Mode::Forecast),
        ("The mayor opened a library.", asserted),
    ];
    extract(&web.engine, &backend, collection, "one", &claims).await;
    extract(&web.engine, &backend, collection, "two", &[("Dock workers in Romania went on strike.", asserted)]).await;
    extract(&web.engine, &backend, collection, "three", &[("There is no strike by dockers in Romania.", Mode::Denied)]).await;
    assert_eq!(find_once(&web).await.unwrap(), 3);
    assert_eq!(find_once(&web).await.unwrap(), 0, "documents are searched once");
    assert_eq!(record_once(&web).await.unwrap(), 1);
    let store = TensionStore::new(&web);
    let scope = Scope::from(collection);
    let tension = store.tensions(&scope, limits(&backend)).await.unwrap().remove(0).tension.id;
    let evidence = store.evidence(&scope, tension, 0, 25).await.unwrap().0;
    assert_eq!((evidence.len(), evidence.iter().filter(|one| one.is_against).count()), (3, 1));

    let reader = backend.store.user(ada).await.unwrap().expect("ada");
    let found = async |words: &str| (SOURCE.find)(web.clone(), reader.clone(), words.to_owned(), 5).await.unwrap().len();
    assert_eq!((found("romania strike").await, found("france").await), (1, 0));

    let site = TestSite::new(crate::feature(), &backend);
    let ada = site.signed_in(ada).await;
    let list = ada.get("/tensions").await.text();
    assert!(list.contains("1 tension, 0 rising, 1 that nothing answers.") || list.contains("1 tension, 1 rising"), "{list}");
    assert!(list.contains("Strike in Romania") && list.contains("2 origins, latest 2 days ago"), "{list}");
    assert!(list.contains(&format!("href=\"/tensions/{tension}#why\"")), "{list}");
    let cell = ada.get("/tensions?region=151&theme=work").await.text();
    for text in [
        "Eastern Europe, Work</h2>",
        "Only 3 documents are about strain in this region.",
        "aria-label=\"Scout now: Strike in Romania\"",
        "Words of it go to the sources",
        ">Open",
    ] {
        assert!(cell.contains(text), "{text}: {cell}");
    }
    assert!(!list.contains("Scout now") && !list.contains("Only 3 documents"), "no cell is chosen: {list}");
    let elsewhere = ada.get("/tensions?region=202&theme=work").await.text();
    assert!(elsewhere.contains("No document is about strain in this region."), "{elsewhere}");
    let page = ada.get(&format!("/tensions/{tension}")).await;
    assert_eq!(page.status, 200);
    let page = page.text();
    for text in [
        "Why .",
        "href=\"#why\"",
        "walked out over unpaid wages",
        "Against",
        "Nothing answers this yet",
        "No like case that something answered",
        "href=\"/investigations/new?draft=What",
        "Scout now",
        "Dismiss",
    ] {
        assert!(page.contains(text), "{text}: {page}");
    }

    let answer = ada.get(TENSIONS).await.json();
    assert_eq!((answer["total"].as_u64(), answer["tensions"][0]["origins"].as_u64()), (Some(1), Some(2)));
    let answer = ada.get(&format!("/api/v1/tensions/{tension}")).await.json();
    assert_eq!(answer["evidence"].as_array().map(Vec::len), Some(3));
    assert_eq!(answer["tension"]["region_label"].as_str(), Some("Romania"));

    let bob = site.signed_in(backend.user("bob").await).await;
    assert_eq!(bob.get(TENSIONS).await.json()["total"].as_u64(), Some(0));
    assert_eq!(bob.get(&format!("/api/v1/tensions/{tension}")).await.status, 404);
    assert!(bob.get("/tensions").await.text().contains("No strain recorded"));
    assert_eq!(bob.get(&format!("/tensions/{tension}")).await.status, 404);
    for path in [
        format!("/tensions/{tension}/dismiss"),
        format!("/tensions/{tension}/restore"),
        format!("/tensions/{tension}/merge"),
        format!("/tensions/{tension}/responses"),
        format!("/tensions/{tension}/scout"),
        format!("/tensions/{tension}/responses/{tension}/remove"),
    ] {
        assert_eq!(bob.post(&path, &[("reason", "x")]).await.location(), "/tensions?error=not_found", "{path}");
    }
    backend.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_person_answers_dismisses_and_restores_a_tension() {
    let backend = backend().await;
    let web = web(&backend);
    let (ada, collection) = backend.person("ada").await;
    let claims = [("Dockers in Romania walked out over unpaid wages.", Mode::Asserted)];
    extract(&web.engine, &backend, collection, "one", &claims).await;
    find_once(&web).await.unwrap();
    let tension =
        TensionStore::new(&web).tensions(&Scope::from(collection), limits(&backend)).await.unwrap().remove(0).tension.id;
    let (page, ada) = (format!("/tensions/{tension}"), TestSite::new(crate::feature(), &backend).signed_in(ada).await);

    let response = [("kind", "give"), ("title", "Strike fund"), ("url", "https://fund.example/"), ("mechanism", "mutual aid")];
    assert_eq!(ada.post(&format!("{page}/responses"), &response).await.location(), format!("{page}#answers"));
    let refused = ada.post(&format!("{page}/responses"), &[("title", "x"), ("url", "javascript:x")]).await;
    assert_eq!(refused.location(), format!("{page}?error=bad_response&kept=1"));
    assert!(ada.get(&page).await.text().contains("mutual aid"));
    let placed = [("title", "Talks"), ("url", "https://talks.example/"), ("region", "250")];
    assert_eq!(ada.post(&format!("{page}/responses"), &placed).await.location(), format!("{page}#answers"));
    let nowhere = [("title", "Talks"), ("url", "https://talks.example/"), ("region", "999")];
    assert_eq!(ada.post(&format!("{page}/responses"), &nowhere).await.location(), format!("{page}?error=bad_response&kept=1"));
    let answer = ada.get(&format!("/api/v1{page}")).await.json();
    let places = answer["responses"].as_array().unwrap().iter();
    let mut places: Vec<_> = places.map(|one| (one["region_label"].as_str(), one["geo_precision"].as_str())).collect();
    places.sort_unstable();
    assert_eq!(places, [(Some("France"), Some("region")), (Some("No country named"), None)]);
    assert!(ada.get("/tensions/responses").await.text().contains("Strike fund"));
    assert!(!ada.get("/tensions?unanswered=1").await.text().contains("Strike in Romania</a>"));

    let backwards = [("title", "x"), ("url", "https://x.example/"), ("starts_at", "2026-11-28"), ("ends_at", "2026-11-27")];
    let refused = ada.post(&format!("{page}/responses"), &backwards).await;
    assert_eq!(refused.location(), format!("{page}?error=bad_response&kept=1"));
    let answered = TensionStore::new(&web).responses_to(&Scope::from(collection), &[tension]).await.unwrap();
    assert_eq!(answered.len(), 2);
    for one in answered {
        let removal = format!("{page}/responses/{}/remove", one.response.id);
        assert_eq!(ada.post(&removal, &[]).await.location(), format!("{page}#answers"));
    }
    let empty = ada.get("/tensions/responses").await.text();
    assert!(!empty.contains("Strike fund") && empty.contains(&format!("action=\"{page}/scout\"")), "{empty}");
    assert!(ada.get("/tensions?page=99").await.text().contains("Strike in Romania</a>"), "a page behind the last is the last");
    assert!(ada.get("/tensions?list=cooled").await.text().contains("No tension has cooled."));

    assert_eq!(ada.post(&format!("{page}/merge"), &[("into", "")]).await.location(), format!("{page}?error=bad_merge&kept=1"));
    let unexplained = ada.post(&format!("{page}/dismiss"), &[("reason", " ")]).await;
    assert_eq!(unexplained.location(), format!("{page}?error=reason_missing&kept=1"));
    assert_eq!(ada.post(&format!("{page}/dismiss"), &[("reason", "A film.")]).await.location(), page);
    assert!(ada.get("/tensions?list=dismissed").await.text().contains("Strike in Romania"));
    assert!(ada.get(&page).await.text().contains("Dismissed: A film."));
    assert_eq!(ada.post(&format!("{page}/restore"), &[]).await.location(), page);
    assert!(ada.get("/tensions").await.text().contains("Strike in Romania"));
    backend.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_tension_that_everybody_reads_is_not_merged_into_a_private_one() {
    let backend = backend().await;
    let web = web(&backend);
    let (ada, private) = backend.person("ada").await;
    let shared = backend.collection(ada, CollectionKind::Shared).await;
    let asserted = Mode::Asserted;
    extract(&web.engine, &backend, shared, "one", &[("Dockers in Romania walked out over unpaid wages.", asserted)]).await;
    extract(&web.engine, &backend, private, "two", &[("Dock workers in France went on strike.", asserted)]).await;
    find_once(&web).await.unwrap();
    let store = TensionStore::new(&web);
    let only = async |collection: CollectionId| {
        store.tensions(&Scope::from(collection), limits(&backend)).await.unwrap().remove(0).tension.id
    };
    let (open, own) = (only(shared).await, only(private).await);
    let ada = TestSite::new(crate::feature(), &backend).signed_in(ada).await;
    let page = format!("/tensions/{open}");
    assert!(!ada.get(&page).await.text().contains(&format!("value=\"{own}\"")), "it is not offered");
    let refused = ada.post(&format!("{page}/merge"), &[("into", own.to_string().as_str())]).await;
    assert_eq!(refused.location(), format!("{page}?error=bad_merge&kept=1"));
    let merged = ada.post(&format!("/tensions/{own}/merge"), &[("into", open.to_string().as_str())]).await;
    assert_eq!(merged.location(), page);
    backend.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn another_document_begins_a_new_tension_beside_a_dismissed_one() {
    let backend = backend().await;
    let web = web(&backend);
    let (_, collection) = backend.person("ada").await;
    extract(&web.engine, &backend, collection, "one", &[("Dockers in Romania walked out.", Mode::Asserted)]).await;
    find_once(&web).await.unwrap();
    let (store, scope) = (TensionStore::new(&web), Scope::from(collection));
    let dismissed = store.tensions(&scope, limits(&backend)).await.unwrap().remove(0).tension.id;
    assert!(store.set_state(dismissed, &TensionState::Dismissed("A film.".into())).await.unwrap());
    extract(&web.engine, &backend, collection, "two", &[("Dock workers in Romania went on strike.", Mode::Asserted)]).await;
    extract(&web.engine, &backend, collection, "three", &[("Teachers in Mali were on strike in 1984.", Mode::Asserted)]).await;
    find_once(&web).await.unwrap();
    let tensions = store.tensions(&scope, limits(&backend)).await.unwrap();
    let active: Vec<&str> = tensions
        .iter()
        .filter(|one| one.tension.state == TensionState::Active)
        .map(|one| one.tension.statement.as_str())
        .collect();
    assert_eq!((tensions.len(), active), (2, vec!["Dock workers in Romania went on strike."]));
    assert_eq!(store.evidence(&scope, dismissed, 0, 5).await.unwrap().1, 1);
    backend.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn strangers_are_sent_to_sign_in() {
    let backend = backend().await;
    backend.user("ada").await;
    let stranger = TestSite::new(crate::feature(), &backend).stranger();
    assert_eq!(stranger.get("/tensions").await.location(), "/sign-in?next=/tensions");
    let page = format!("/tensions/{}", id());
    assert_eq!(stranger.post(&format!("{page}/merge"), &[]).await.location(), "/sign-in");
    backend.close().await;
}
