//! Tests of `/sample`.

use crate::prelude::*;
use server::sample;
use views::settings::BUILT_IN_MODEL;

#[tokio::test]
async fn the_sample_is_investigated_for_everybody_and_removed_by_an_administrator() {
    let (app, mut ada) = spawn_for("ada", Role::Analyst).await;
    let mut rea = app.signed_in("rea", Role::Reader).await;
    assert_eq!(rea.post("/sample", &[]).await.location(), "/?error=not_allowed");
    let address = ada.post("/sample", &[]).await.location().to_owned();
    rea.get(&format!("/api/v1{address}/events")).await;
    let line = rea.get(&format!("/api/v1{address}")).await.json();
    assert_eq!(line["status"], "completed", "{line}");
    let page = rea.get("/").await.text();
    assert!(page.contains("Varrow Lock") && page.contains("Recorded with a language model"));

    assert_eq!(ada.post("/sample/remove", &[]).await.location(), "/?error=not_allowed");
    let mut boss = app.signed_in("boss", Role::Admin).await;
    assert_eq!(boss.post("/sample/remove", &[]).await.location(), "/");
    assert_eq!(rea.get(&address).await.status, 404);
    let page = rea.get("/").await.text();
    assert!(!page.contains("Varrow Lock"));
    assert_eq!(app.program.engine.accounts.collections().await.unwrap().len(), 0);
}

#[tokio::test]
async fn the_sample_is_billed_to_its_starter_and_once_per_day() {
    let (app, mut ada) = spawn_for("ada", Role::Analyst).await;
    let id = |name: &'static str| {
        let engine = app.program.engine.clone();
        async move { engine.accounts.user_by_name(name).await.unwrap().unwrap().0.id.to_string() }
    };
    let first = ada.post("/sample", &[]).await.location().to_owned();
    assert_eq!(ada.get(&format!("/api/v1{first}")).await.json()["owner"], id("ada").await);
    assert_eq!(ada.post("/sample", &[]).await.location(), "/?error=sample_once_per_day");
    assert!(ada.get("/?error=sample_once_per_day").await.text().contains("You investigated the sample today"));
    ada.get(&format!("/api/v1{first}/events")).await;
    let all = InvestigationFilter { limit: 10, ..InvestigationFilter::default() };
    sample::next_investigation(&app.program).await.unwrap();
    let launched = app.program.engine.investigations.list(&all).await.unwrap();
    assert!(launched.len() >= 2, "{launched:#?}");
    for one in launched {
        assert_eq!(one.owner.to_string(), id("ada").await, "so is what follows");
    }

    let mut bob = app.signed_in("bob", Role::Analyst).await;
    let again = bob.post("/sample", &[]).await.location().to_owned();
    assert_eq!(bob.get(&format!("/api/v1{again}")).await.json()["owner"], id("bob").await);
    assert_eq!(bob.post("/sample", &[]).await.location(), "/?error=sample_once_per_day");
    let mut boss = app.signed_in("boss", Role::Admin).await;
    for _ in 0..2 {
        assert!(boss.post("/sample", &[]).await.location().starts_with("/investigations/"));
    }
}

#[tokio::test]
async fn a_follow_up_of_a_recorded_question_drops_the_recording_and_keeps_an_offered_model() {
    let (app, mut ada) = spawn_for("ada", Role::Analyst).await;
    let model = async |address: &str| {
        let id = address.trim_start_matches("/investigations/").parse().unwrap();
        app.program.engine.investigations.investigation(id).await.unwrap().unwrap().model
    };
    let follow = async |ada: &mut Browser, before: &str| {
        ada.get(&format!("/api/v1{before}/events")).await;
        let form = [("follows", before.trim_start_matches("/investigations/")), ("question", "Who repaired the lock?")];
        ada.post("/investigations/follow-up", &form).await.location().to_owned()
    };
    let chosen = [("question", "Who repaired the lock?"), ("model", BUILT_IN_MODEL)];
    let own = [("own.txt", "Ilse Brandt repaired the lock on Monday, the clerk said.")];
    let chosen = ada.ask_with(&chosen, &own).await.location().to_owned();
    let next = follow(&mut ada, &chosen).await;
    assert_eq!(model(&next).await.as_deref(), Some(BUILT_IN_MODEL));

    // It reads the own document: the library leaves the sample out.
    let recorded = ada.post("/sample", &[]).await.location().to_owned();
    assert!(model(&recorded).await.is_some_and(|model| model.starts_with("replay:")));
    let next = follow(&mut ada, &recorded).await;
    assert!(next.starts_with("/investigations/0"), "{next}");
    assert_eq!(model(&next).await, None);
}

#[tokio::test]
async fn removed_while_it_is_investigated_the_sample_leaves_nothing() {
    let (app, mut boss) = spawn_for("boss", Role::Admin).await;
    for _ in 0..3 {
        let address = boss.post("/sample", &[]).await.location().to_owned();
        assert_eq!(boss.post("/sample/remove", &[]).await.location(), "/");
        assert_eq!(boss.get(&address).await.status, 404);
        // The live page ends too.
        assert_eq!(boss.get(&format!("/api/v1{address}/events")).await.status, 404);
    }
    let engine = &app.program.engine;
    assert_eq!(engine.accounts.collections().await.unwrap().len(), 0);
    assert_eq!(engine.queue.depth().await.unwrap(), [0, 0, 0]);
    let after = boss.post("/sample", &[]).await.location().to_owned();
    boss.get(&format!("/api/v1{after}/events")).await;
    assert_eq!(boss.get(&format!("/api/v1{after}")).await.json()["status"], "completed");
}

#[tokio::test]
async fn the_library_leaves_the_sample_out_beside_own_documents() {
    let (_app, mut ada) = spawn_for("ada", Role::Analyst).await;
    let address = ada.post("/sample", &[]).await.location().to_owned();
    ada.get(&format!("/api/v1{address}/events")).await;
    let rows = async |ada: &mut Browser, path: &str| {
        let page = ada.get(path).await.text();
        page.split_once("<tbody").unwrap().1.split_once("</tbody>").unwrap().0.to_owned()
    };
    assert!(rows(&mut ada, "/documents").await.contains("Lock"), "there is nothing else");
    let own = ada.ask("Who paid the ferry?", &[("own.txt", "Ilse Brandt paid the ferry on Monday, the clerk said.")]).await;
    ada.get(&format!("/api/v1{}/events", own.location())).await;
    let listed = rows(&mut ada, "/documents").await;
    assert!(!listed.contains("Lock"), "{listed}");
    assert!(ada.get("/documents").await.text().contains("without the sample"));
    assert!(rows(&mut ada, "/documents?sample=shown").await.contains("Lock"));
}

#[tokio::test]
async fn a_hidden_sample_is_missing_from_the_pages_of_one_person() {
    let (app, mut ada) = spawn_for("ada", Role::Analyst).await;
    let mut rea = app.signed_in("rea", Role::Reader).await;
    let address = ada.post("/sample", &[]).await.location().to_owned();
    rea.get(&format!("/api/v1{address}/events")).await;
    let pages = ["/", "/assessments", "/documents", "/search?q=lock", "/api/v1/search?q=lock"];
    for path in pages {
        assert!(rea.get(path).await.text().contains("Lock"), "{path}");
    }
    assert_eq!(rea.post("/account/sample", &[("sample", "hide")]).await.location(), "/?switched=hidden");
    for path in pages {
        assert!(!rea.get(path).await.text().contains("Lock"), "{path}");
        assert!(ada.get(path).await.text().contains("Lock"), "{path}");
    }
    assert_eq!(rea.get(&address).await.status, 200, "an address that is known still opens");
    let account = rea.get("/account").await.text();
    assert!(account.contains("data-shortcuts=\"on\"") && account.contains("Show the sample"), "{account}");
    // A box that is not ticked is not sent.
    assert_eq!(rea.post("/account/preferences", &[("sample", "on")]).await.location(), "/account?saved=1");
    assert!(rea.get("/").await.text().contains("data-shortcuts=\"off\""));
    assert!(rea.get("/assessments").await.text().contains("Varrow Lock"));
}
