//! `/people`: administrators add people, give them roles and keep them out.

use crate::app::{App, PASSWORD, spawn_app};
use domain::user::Role;

async fn id_of(app: &App, name: &str) -> String {
    app.program.engine.accounts.user_by_name(name).await.unwrap().unwrap().0.id.to_string()
}

#[tokio::test]
async fn an_administrator_adds_somebody_who_then_signs_in() {
    let app = spawn_app().await;
    let mut boss = app.signed_in("boss", Role::Admin).await;
    let form = [("username", "bea"), ("role", "analyst"), ("password", PASSWORD)];
    assert_eq!(boss.post("/people", &form).await.location(), "/people");
    let page = boss.get("/people").await.text();
    assert!(page.contains("bea") && page.contains("2 people"), "{page}");
    assert!(!page.contains("system"), "{page}");
    let mut bea = app.browser();
    assert_eq!(bea.post("/sign-in", &[("username", "bea"), ("password", PASSWORD)]).await.location(), "/");
    assert_eq!(bea.get("/investigations/new").await.status, 200);
    for (name, password, code) in
        [("BEA", PASSWORD, "name_taken"), ("carl", "short", "password_short"), (" ", PASSWORD, "bad_name")]
    {
        let refused = boss.post("/people", &[("username", name), ("role", "reader"), ("password", password)]).await;
        assert!(refused.location().starts_with(&format!("/people?error={code}")), "{}", refused.location());
    }
    let acts = app.program.engine.accounts.audit_log(10).await.unwrap();
    let made = acts.iter().find(|entry| entry.object == "bea as analyst").unwrap();
    assert_eq!((made.act.as_str(), made.user.unwrap().to_string()), ("create_account", id_of(&app, "boss").await));
}

#[tokio::test]
async fn roles_change_and_who_is_kept_out_is_out_at_once() {
    let app = spawn_app().await;
    let mut boss = app.signed_in("boss", Role::Admin).await;
    let mut bea = app.signed_in("bea", Role::Reader).await;
    let id = id_of(&app, "bea").await;
    assert_eq!(bea.get("/investigations/new").await.status, 403);
    assert_eq!(boss.post(&format!("/people/{id}/role"), &[("role", "analyst")]).await.location(), "/people");
    assert_eq!(bea.get("/investigations/new").await.status, 200);
    assert_eq!(boss.post(&format!("/people/{id}/disable"), &[]).await.location(), "/people");
    assert!(boss.get("/people").await.text().contains("Kept out"));
    assert!(bea.get("/").await.location().starts_with("/sign-in"));
    assert_eq!(bea.get("/api/v1/investigations").await.status, 401);
    let form = [("username", "bea"), ("password", PASSWORD)];
    assert!(bea.post("/sign-in", &form).await.location().starts_with("/sign-in?error=wrong_password"));
    boss.post(&format!("/people/{id}/enable"), &[]).await;
    assert!(bea.get("/").await.location().starts_with("/sign-in"), "what was ended stays ended");
    assert_eq!(bea.post("/sign-in", &form).await.location(), "/");
    let acts = app.program.engine.accounts.audit_log(20).await.unwrap();
    for act in ["change_role", "disable_account", "enable_account"] {
        assert!(acts.iter().any(|entry| entry.act == act && entry.object.starts_with("bea")), "{act}");
    }
}

#[tokio::test]
async fn there_is_always_somebody_who_administers() {
    let app = spawn_app().await;
    let mut boss = app.signed_in("boss", Role::Admin).await;
    let id = id_of(&app, "boss").await;
    assert_eq!(boss.post(&format!("/people/{id}/disable"), &[]).await.location(), "/people?error=last_admin");
    let demoted = boss.post(&format!("/people/{id}/role"), &[("role", "reader")]).await;
    assert_eq!(demoted.location(), "/people?error=last_admin");
    app.signed_in("bea", Role::Admin).await;
    let demoted = boss.post(&format!("/people/{id}/role"), &[("role", "reader")]).await;
    assert_eq!(demoted.location(), "/people");
    assert_eq!(boss.get("/people").await.status, 403);
}

#[tokio::test]
async fn nobody_else_manages_people() {
    let app = spawn_app().await;
    let mut boss = app.signed_in("boss", Role::Admin).await;
    let mut ada = app.signed_in("ada", Role::Analyst).await;
    let id = id_of(&app, "boss").await;
    assert_eq!(ada.get("/people").await.status, 403);
    assert!(!ada.get("/").await.text().contains("\"/people\""));
    assert!(boss.get("/").await.text().contains("\"/people\""));
    let form = [("username", "eve"), ("role", "admin"), ("password", PASSWORD)];
    assert_eq!(ada.post("/people", &form).await.location(), "/?error=not_allowed");
    for path in [format!("/people/{id}/role"), format!("/people/{id}/disable")] {
        assert_eq!(ada.post(&path, &[("role", "reader")]).await.location(), "/?error=not_allowed");
        assert!(app.browser().post(&path, &[("role", "reader")]).await.location().starts_with("/sign-in"));
    }
    boss.headers = vec![("Origin", "https://b.example".to_owned())];
    assert_eq!(boss.post("/people", &form).await.status, 403);
    assert!(app.program.engine.accounts.user_by_name("eve").await.unwrap().is_none());
}
