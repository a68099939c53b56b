//! `/sign-in` and `/sign-out`.

use crate::app::{PASSWORD, spawn_app, spawn_with};
use domain::user::Role;

#[tokio::test]
async fn a_page_sends_a_stranger_to_sign_in_and_back() {
    let app = spawn_app().await;
    app.signed_in("ada", Role::Reader).await;
    let mut stranger = app.browser();
    let answer = stranger.get("/documents?page=2").await;
    assert_eq!(answer.location(), "/sign-in?next=/documents%3Fpage%3D2");
    let form = [("username", "ADA"), ("password", PASSWORD), ("next", "/documents?page=2")];
    assert_eq!(stranger.post("/sign-in", &form).await.location(), "/documents?page=2");
    let form = [("username", "ada"), ("password", PASSWORD), ("next", "https://b.example")];
    assert_eq!(stranger.post("/sign-in", &form).await.location(), "/");
}

#[tokio::test]
async fn the_cookie_is_out_of_reach_of_scripts_and_new_at_sign_in() {
    let app = spawn_app().await;
    let mut browser = app.signed_in("ada", Role::Reader).await;
    let first = browser.cookie.clone();
    let again = browser.post("/sign-in", &[("username", "ada"), ("password", PASSWORD)]).await;
    let cookie = again.header("set-cookie").unwrap();
    assert_ne!(browser.cookie, first);
    let attributes = cookie.split_once("; ").unwrap().1;
    insta::assert_snapshot!(attributes, @"HttpOnly; SameSite=Lax; Path=/; Max-Age=1209600");
}

#[tokio::test]
async fn signing_out_ends_the_session_itself() {
    let app = spawn_app().await;
    let mut browser = app.signed_in("ada", Role::Reader).await;
    let kept = browser.cookie.clone();
    assert_eq!(browser.post("/sign-out", &[]).await.location(), "/sign-in");
    browser.cookie = kept;
    assert_eq!(browser.get("/").await.location(), "/sign-in");
}

#[tokio::test]
async fn a_wrong_password_and_an_unknown_name_get_the_same_answer() {
    let app = spawn_app().await;
    app.signed_in("ada", Role::Reader).await;
    for name in ["ada", "eve", "system"] {
        let answer = app.browser().post("/sign-in", &[("username", name), ("password", "wrong password")]).await;
        assert_eq!(answer.location(), format!("/sign-in?error=wrong_password&username={name}"));
    }
    let acts = app.program.engine.accounts.audit_log(2).await.unwrap();
    assert!(acts.iter().all(|entry| entry.act == "sign_in_refused"));
}

#[tokio::test]
async fn guessing_is_stopped() {
    let app = spawn_with(|config| config.auth.attempts_per_minute_per_name = 3).await;
    app.signed_in("ada", Role::Reader).await;
    let mut last = String::new();
    for _ in 0..3 {
        let answer = app.browser().post("/sign-in", &[("username", "Ada"), ("password", "wrong password")]).await;
        last = answer.location().to_owned();
    }
    assert_eq!(last, "/sign-in?error=too_many_attempts&username=Ada");
    let answer = app.browser().post("/sign-in", &[("username", "ada"), ("password", PASSWORD)]).await;
    assert_eq!(answer.location(), "/sign-in?error=too_many_attempts&username=ada");
}

#[tokio::test]
async fn a_form_of_another_site_is_refused() {
    let app = spawn_app().await;
    let mut browser = app.signed_in("ada", Role::Admin).await;
    for header in [("Origin", "https://b.example"), ("Sec-Fetch-Site", "cross-site"), ("Origin", "null")] {
        browser.headers = vec![(header.0, header.1.to_owned())];
        for path in ["/sign-in", "/sign-out", "/investigations", "/sample/remove"] {
            assert_eq!(browser.post(path, &[]).await.status, 403, "{header:?} {path}");
        }
    }
    browser.headers = vec![("Origin", format!("http://{}", app.address))];
    assert_eq!(browser.post("/sign-out", &[]).await.location(), "/sign-in");
}
