//! Tests of `/sign-in` and `/sign-out`.

use crate::app::{PASSWORD, spawn_app, spawn_with};
use domain::{Timestamp, user::Role};
use engine::accounts::WebSession;

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

#[tokio::test]
async fn a_session_in_use_is_extended_now_and_then() {
    let app = spawn_with(|config| config.auth.session_extend_ms = 0).await;
    let mut browser = app.signed_in("ada", Role::Reader).await;
    let id = browser.cookie.clone().unwrap().split_once('=').unwrap().1.to_owned();
    let end = async || app.program.web_sessions.load(&id, Timestamp::from_micros(0)).await.unwrap().unwrap().expires_at;
    let before = end().await;
    let answer = browser.get("/documents").await;
    assert!(answer.header("set-cookie").unwrap().contains(&id), "the browser is told too");
    assert!(end().await > before);
    assert!(browser.get("/pkg/nothing.js").await.header("set-cookie").is_none());

    let app = spawn_app().await;
    let mut browser = app.signed_in("ada", Role::Reader).await;
    browser.get("/documents").await;
    assert!(browser.get("/documents").await.header("set-cookie").is_none(), "not with every page");
    assert!(app.browser().get("/sign-in").await.header("set-cookie").is_none(), "a stranger has no session");
}

#[tokio::test]
async fn sessions_that_have_ended_are_swept() {
    let app = spawn_with(|config| config.auth.session_sweep_ms = 10).await;
    let ended = WebSession { id: "ended".to_owned(), data: "{}".to_owned(), expires_at: Timestamp::from_micros(1) };
    assert!(app.program.web_sessions.create(&ended).await.unwrap());
    // It can be created again after removal.
    let swept = async {
        while !app.program.web_sessions.create(&ended).await.unwrap() {
            tokio::task::yield_now().await;
        }
    };
    tokio::time::timeout(std::time::Duration::from_secs(10), swept).await.unwrap();
}

#[tokio::test]
async fn behind_a_trusted_proxy_each_visitor_has_attempts_of_his_own() {
    for (proxies, is_refused) in [(vec!["127.0.0.0/8".parse().unwrap()], false), (vec![], true)] {
        let app = spawn_with(|config| {
            config.auth.attempts_per_minute_per_address = 2;
            config.server.trusted_proxies = proxies;
        })
        .await;
        let mut last = String::new();
        for n in 0..4 {
            let mut browser = app.browser();
            browser.headers = vec![("X-Forwarded-For", format!("203.0.113.{n}"))];
            let form = [("username", format!("name{n}")), ("password", "wrong password".to_owned())];
            let form = form.each_ref().map(|(name, value)| (*name, value.as_str()));
            last = browser.post("/sign-in", &form).await.location().to_owned();
        }
        assert_eq!(last.contains("too_many_attempts"), is_refused, "{last}");
    }
}
