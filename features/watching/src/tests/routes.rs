//! Routes of the feature.

use super::SCHEMAS;
use crate::{api::WATCHING, list, saved_view::ViewPage, store::WatchingStore};
use domain::{
    AssessmentId, Timestamp, UserId,
    assessment::{Indicator, Resolution},
    investigation::Status,
};
use engine::{accounts::Accounts, assessments::Assessments, investigations::Investigations};
use feature::testing::TestSite;
use testkit::{TestBackend, stored_assessment};

async fn backend() -> TestBackend {
    testkit::sqlite_with(&SCHEMAS).await.expect("SQLite needs no server")
}

/// A person with an assessment that has the indicator `I1`.
async fn person_with_indicator(backend: &TestBackend, name: &str) -> (UserId, AssessmentId) {
    let (person, collection) = backend.person(name).await;
    let investigation = backend.investigation(person, collection).await;
    let mut stored = stored_assessment(backend, investigation, &[collection], "Not known.");
    let resolution = Resolution { question: None, criteria: None, by: None, no_date_because: Some("not announced".into()) };
    stored.assessment.body.indicators.push(Indicator {
        id: "I1".into(),
        text: "The harbour office publishes the gate log.".into(),
        probability: None,
        hypotheses: vec![],
        judgements: vec![],
        direction: None,
        effects: vec![],
        resolution,
    });
    (person, backend.store.put(&stored).await.unwrap())
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_indicator_is_watched_listed_and_removed_by_its_person_alone() {
    let backend = backend().await;
    let site = TestSite::new(crate::feature(), &backend);
    let (ada, assessment) = person_with_indicator(&backend, "ada").await;
    let (ada, bob) = (site.signed_in(ada).await, site.signed_in(backend.user("bob").await).await);
    let watch = format!("/assessments/{assessment}/watch");
    assert_eq!(ada.post(&watch, &[("item", "I9")]).await.location(), "/assessments?error=not_found");
    assert_eq!(bob.post(&watch, &[("item", "I1")]).await.location(), "/assessments?error=not_found");
    let indicator = format!("/assessments/{assessment}/analysis#i1");
    assert_eq!(ada.post(&watch, &[("item", "I1")]).await.location(), indicator);
    let page = ada.get("/watching").await.text();
    assert!(page.contains("publishes the gate log") && page.contains("No new claim matches yet"), "{page}");
    assert!(bob.get("/watching").await.text().contains("You watch no indicator"));

    let list = ada.get(WATCHING).await.json();
    assert_eq!(list[0]["indicator"].as_str(), Some("I1"));
    assert_eq!(list[0]["assessment_id"].as_str(), Some(assessment.to_string().as_str()));
    assert_eq!(list[0]["matches"], serde_json::json!([]));
    assert_eq!(bob.get(WATCHING).await.json(), serde_json::json!([]));

    let id = list[0]["id"].as_str().unwrap();
    assert_eq!(bob.post("/watching/remove", &[("watch", id)]).await.location(), "/watching?error=not_found");
    assert_eq!(ada.post("/watching/remove", &[("watch", id)]).await.location(), "/watching");
    assert_eq!(ada.get(WATCHING).await.json(), serde_json::json!([]));
    backend.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn strangers_are_sent_to_sign_in() {
    let backend = backend().await;
    backend.user("ada").await;
    let stranger = TestSite::new(crate::feature(), &backend).stranger();
    assert_eq!(stranger.get("/watching?error=x").await.location(), "/sign-in?next=/watching%3Ferror%3Dx");
    assert_eq!(stranger.post("/watching/remove", &[("watch", "x")]).await.location(), "/sign-in");
    let refused = stranger.get(WATCHING).await;
    assert_eq!((refused.status, refused.json()["error"]["code"].as_str()), (401, Some("signed_out")));
    backend.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_unreadable_session_is_an_outage_for_pages_forms_and_the_api() {
    let backend = backend().await;
    let browser = TestSite::new(crate::feature(), &backend).unreadable();
    for answer in [browser.get("/watching").await, browser.post("/watching/remove", &[("watch", "x")]).await] {
        let text = answer.text();
        assert!(answer.status == 503 && text.contains("The database is unavailable"), "{} {text}", answer.status);
    }
    let answer = browser.get(WATCHING).await;
    assert_eq!((answer.status, answer.json()["error"]["code"].as_str()), (503, Some("unavailable")));
    backend.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_view_is_saved_with_a_name_and_a_filter_only() {
    let backend = backend().await;
    let site = TestSite::new(crate::feature(), &backend);
    let user = backend.user("ada").await;
    let (ada, bob) = (site.signed_in(user).await, site.signed_in(backend.user("bob").await).await);
    let long = "n".repeat(61);
    for (name, query, page) in [(long.as_str(), "q=x", "/assessments?q=x&"), ("x", "", "/assessments?")] {
        let refused = ada.post("/views", &[("name", name), ("query", query)]).await;
        assert_eq!(refused.location(), format!("{page}error=bad_view_name&kept=1"));
    }
    let saved = ada.post("/views", &[("name", "Grain & co"), ("query", "q=grain&owner=me")]).await;
    assert_eq!(saved.location(), "/assessments?q=grain&owner=me");
    let views = WatchingStore::from(backend.store.clone()).saved_views(user, ViewPage::Assessments).await.unwrap();
    let id = views[0].id.to_string();
    assert_eq!((views.len(), views[0].name.as_str()), (1, "Grain & co"));
    assert_eq!(bob.post("/views/remove", &[("id", &id)]).await.location(), "/assessments?error=not_found");
    assert_eq!(ada.post("/views/remove", &[("id", &id)]).await.location(), "/assessments");
    backend.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_list_has_the_notifications_of_a_person_with_the_answers_of_their_reports() {
    let backend = backend().await;
    let site = TestSite::new(crate::feature(), &backend);
    let ((ada, collection), bob) = (backend.person("ada").await, backend.user("bob").await);
    backend.clock.forward_ms(1);
    let mut done = backend.an_investigation(ada, collection);
    done.progress.status = Status::Completed;
    done.completed_at = Some(backend.now());
    Investigations::add(&backend.store, &done).await.unwrap();
    let stored = stored_assessment(&backend, done.id, &[collection], "The keeper did.");
    let assessment = backend.store.put(&stored).await.unwrap();
    let find = async |user: UserId, since: Timestamp| {
        let user = backend.store.user(user).await.unwrap().expect("the person");
        list::list(site.web.clone(), user, since, 5).await.unwrap()
    };
    let before = backend.now().plus_ms(-1);
    let found = find(ada, before).await;
    assert_eq!((found.len(), &found[0].title, found[0].at), (1, &done.question, backend.now()));
    assert_eq!(found[0].href, format!("/assessments/{assessment}"));
    assert_eq!(found[0].text, "Finished: The keeper did.");
    assert_eq!(find(ada, backend.now()).await, []);
    assert_eq!(find(bob, before).await, []);
    backend.close().await;
}
