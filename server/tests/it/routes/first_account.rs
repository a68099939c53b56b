//! Tests of `/first-account`.

use crate::app::{PASSWORD, spawn_app};

#[tokio::test]
async fn the_first_visitor_makes_the_first_account_and_is_signed_in() {
    let app = spawn_app().await;
    let mut browser = app.browser();
    assert_eq!(browser.get("/").await.location(), "/first-account");
    assert_eq!(browser.get("/first-account").await.status, 200);
    let form = [("username", "ada"), ("password", PASSWORD), ("password_again", PASSWORD)];
    assert_eq!(browser.post("/first-account", &form).await.location(), "/");
    let dashboard = browser.get("/").await;
    assert_eq!(dashboard.status, 200);
    assert!(dashboard.text().contains("ada"));

    let acts = app.program.engine.accounts.audit_log(10).await.unwrap();
    assert_eq!(acts.iter().map(|entry| entry.act.as_str()).collect::<Vec<_>>(), ["create_first_account"]);
}

#[tokio::test]
async fn there_is_only_one_first_account() {
    let app = spawn_app().await;
    let form = |name| [("username", name), ("password", PASSWORD), ("password_again", PASSWORD)];
    app.browser().post("/first-account", &form("ada")).await;
    let answer = app.browser().post("/first-account", &form("eve")).await;
    assert_eq!(answer.location(), "/sign-in?error=already_set_up");
    assert!(answer.header("set-cookie").is_none());
}

#[tokio::test]
async fn errors_are_reported() {
    let app = spawn_app().await;
    let refused = [
        ("ada", "too short", "too short", "password_short"),
        ("ada", PASSWORD, "another password", "passwords_differ"),
        (" ada", PASSWORD, PASSWORD, "bad_name"),
        ("", PASSWORD, PASSWORD, "bad_name"),
        ("System", PASSWORD, PASSWORD, "name_taken"),
    ];
    for (name, password, again, code) in refused {
        let form = [("username", name), ("password", password), ("password_again", again)];
        let answer = app.browser().post("/first-account", &form).await;
        assert!(answer.location().starts_with(&format!("/first-account?error={code}")), "{}", answer.location());
        assert!(!answer.location().contains("password="));
    }
    assert!(!app.program.engine.accounts.has_people().await.unwrap());
}
