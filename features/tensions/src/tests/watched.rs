//! Tensions as watched objects.

use super::{SCHEMAS, add, documents, response, store, tension, undated_evidence};
use crate::{store::StrainBatch, tension::day_number, watched::KIND};
use domain::{CollectionKind, ObjectId, user::User};
use engine::accounts::Accounts;
use feature::{SignValue, WatchedObject, testing::TestSite};
use testkit::{TestBackend, id};

async fn signs(site: &TestSite, viewer: &User, object: ObjectId) -> Vec<(&'static str, SignValue)> {
    let found = (KIND.signs)(site.web.clone(), viewer.clone(), vec![object]).await.unwrap();
    found.into_iter().flat_map(|one| one.signs).map(|sign| (sign.name, sign.value)).collect()
}

async fn account(backend: &TestBackend, name: &str) -> User {
    let id = backend.user(name).await;
    backend.store.user(id).await.unwrap().expect("an account")
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_watcher_sees_heat_responses_and_the_survivor_of_a_merge_and_others_see_nothing() {
    let backend = testkit::sqlite_with(&SCHEMAS).await.expect("SQLite needs no server");
    let site = TestSite::new(crate::feature(), &backend);
    let (ada, bob) = (account(&backend, "ada").await, account(&backend, "bob").await);
    let collection = backend.collection(ada.id, CollectionKind::Private).await;
    let texts = documents(&backend, collection, &["one", "two", "three"]).await;
    let (first, second) = (tension(&backend, collection, "First"), tension(&backend, collection, "Second"));
    add(&backend, &first, &[(&texts[0], 0)]).await;
    add(&backend, &second, &[(&texts[1], 0), (&texts[2], 0)]).await;
    let object = ObjectId(first.id.0);
    let cold = signs(&site, &ada, object).await;
    assert_eq!(cold, [("heat", SignValue::State(0)), ("trend", SignValue::State(1))]);
    assert_eq!(signs(&site, &bob, object).await, []);
    let today = day_number(backend.now());
    let undated = texts[1..].iter().map(|text| (first.id, undated_evidence(text, today))).collect();
    store(&backend).record(&StrainBatch { evidence: undated, ..StrainBatch::default() }, backend.now()).await.unwrap();
    assert_eq!(signs(&site, &ada, object).await, cold, "old pages without a date that are read today are no news");

    let (answer, link) = response(&backend, &first, "Mediation");
    store(&backend).add_response(&answer, &link).await.unwrap();
    assert_eq!(signs(&site, &ada, object).await[2..], [("response", SignValue::Latest(link.first_seen))]);
    store(&backend).merge(second.id, first.id, backend.now()).await.unwrap();
    assert_eq!(signs(&site, &ada, object).await[0], ("heat", SignValue::State(1)), "more origins made it hot");
    let found = (KIND.find)(site.web.clone(), ada.clone(), vec![object]).await.unwrap();
    let href = format!("/tensions/{}", second.id);
    assert_eq!(found, [WatchedObject { id: object, title: "Second".into(), href }]);
    assert_eq!((KIND.find)(site.web.clone(), bob.clone(), vec![object]).await.unwrap(), []);
    let existing = (KIND.existing)(site.web.clone(), vec![object, ObjectId(id())]).await.unwrap();
    assert_eq!(existing, [(object, ObjectId(second.id.0))]);
    backend.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn only_readers_share_a_tension_and_its_page_names_no_private_file() {
    let backend = testkit::sqlite_with(&SCHEMAS).await.expect("SQLite needs no server");
    let site = TestSite::new(crate::feature(), &backend);
    let (ada, bob) = (account(&backend, "ada").await, account(&backend, "bob").await);
    let collection = backend.collection(ada.id, CollectionKind::Private).await;
    let text = documents(&backend, collection, &["inbox/dock-memo.txt"]).await;
    let mut tension = tension(&backend, collection, "Strike at the docks");
    tension.statement = "Dockers walked out, says dock-memo.txt.".into();
    add(&backend, &tension, &[(&text[0], 0)]).await;
    let load = async |viewer: &User| {
        let kind = crate::shared::KIND;
        (kind.load)(site.web.clone(), viewer.clone(), tension.id.to_string()).await.unwrap()
    };
    let shared = load(&ada).await.expect("her tension");
    assert_eq!(shared.finding, "Dockers walked out, says a private document.");
    assert_eq!((shared.title.as_str(), shared.bars.len()), ("Strike at the docks", 1));
    assert_eq!(load(&bob).await, None);
    let (talks, link) = response(&backend, &tension, "Talks");
    store(&backend).add_response(&talks, &link).await.unwrap();
    let answers = async || {
        let (shared, browser) = (load(&ada).await.expect("her tension"), site.signed_in(ada.id).await);
        let answer = browser.get(&format!("/api/v1/tensions/{}", tension.id)).await.json();
        let is_shared = shared.sections.iter().any(|section| section.heading == "What answers it");
        (is_shared, answer["tension"]["responses"].as_u64(), answer["responses"][0]["is_over"].as_bool())
    };
    assert_eq!(answers().await, (true, Some(1), Some(false)));
    backend.clock.forward_ms(86_400_000);
    assert_eq!(answers().await, (false, Some(0), Some(true)), "an event that is over answers nothing");
    let (reference, missing) = (tension.id.to_string(), id().to_string());
    let titles = async |viewer: &User| {
        let references = vec![reference.clone(), missing.clone(), "none".to_owned()];
        (crate::shared::KIND.titles)(site.web.clone(), viewer.clone(), references).await.unwrap()
    };
    let hers = titles(&ada).await;
    assert_eq!((hers.len(), hers[&reference].title.as_str()), (1, "Strike at the docks"));
    assert!(titles(&bob).await.is_empty());
    backend.close().await;
}
