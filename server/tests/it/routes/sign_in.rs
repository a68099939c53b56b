//! Tests of `/sign-in` and `/sign-out`.

use crate::prelude::*;
use engine::{
    accounts::{AuditEntry, WebSession, hash_token},
    limits::Pauses,
};

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
async fn a_redirect_leads_to_no_other_server() {
    let (app, mut ada) = spawn_for("ada", Role::Reader).await;
    for next in ["/%09/evil.example", "//evil.example", "/%5Cevil.example", "/%0A/evil.example", "https://evil.example"] {
        assert_eq!(ada.get(&format!("/sign-in?next={next}")).await.location(), "/", "{next}");
    }
    assert_eq!(ada.get("/sign-in?next=/documents%3Fpage%3D2").await.location(), "/documents?page=2");
    for next in ["/\t/evil.example", "//evil.example", "/\\evil.example"] {
        let form = [("username", "ada"), ("password", PASSWORD), ("next", next)];
        assert_eq!(app.browser().post("/sign-in", &form).await.location(), "/", "{next:?}");
        let form = [("password", PASSWORD), ("next", next)];
        assert_eq!(ada.post("/account/confirm", &form).await.location(), "/", "{next:?}");
    }
}

#[tokio::test]
async fn the_cookie_is_out_of_reach_of_scripts_and_new_at_sign_in() {
    let (_app, mut browser) = spawn_for("ada", Role::Reader).await;
    let first = browser.cookie.clone();
    let again = browser.post("/sign-in", &[("username", "ada"), ("password", PASSWORD)]).await;
    assert_ne!(browser.cookie, first);
    let attributes = again.cookie_attributes("autosint").unwrap();
    insta::assert_snapshot!(attributes, @"HttpOnly; SameSite=Lax; Path=/; Max-Age=259200");
    let attributes = again.cookie_attributes("autosint-device").unwrap();
    insta::assert_snapshot!(attributes, @"HttpOnly; SameSite=Lax; Path=/; Max-Age=34560000");

    let app = spawn_with(|config| config.auth.secure_cookies = true).await;
    let mut browser = app.signed_in("ada", Role::Reader).await;
    let again = browser.post("/sign-in", &[("username", "ada"), ("password", PASSWORD)]).await;
    for name in ["__Host-autosint", "__Host-autosint-device"] {
        let attributes = again.cookie_attributes(name).unwrap();
        assert!(
            attributes.contains("Secure") && attributes.contains("Path=/") && !attributes.contains("Domain"),
            "{attributes}"
        );
    }
}

#[tokio::test]
async fn behind_a_trusted_proxy_with_tls_cookies_are_secure() {
    let secure = |answer: &Answer| {
        let cookie = answer.cookie_attributes("__Host-autosint").is_some_and(|attributes| attributes.contains("Secure"));
        assert_eq!(cookie, answer.header("strict-transport-security").is_some());
        cookie
    };
    let form = [("username", "ada"), ("password", PASSWORD)];
    for (proxies, scheme, is_secure) in
        [(&["127.0.0.1"][..], "https", true), (&["127.0.0.1"], "http", false), (&["10.0.0.1"], "https", false)]
    {
        let app = spawn_with(|config| {
            config.server.trusted_proxies = proxies.iter().map(|proxy| proxy.parse().unwrap()).collect();
        })
        .await;
        app.signed_in("ada", Role::Reader).await;
        let mut browser = app.browser();
        browser.headers = vec![("X-Forwarded-Proto", scheme.to_owned())];
        let answer = browser.post("/sign-in", &form).await;
        assert_eq!(secure(&answer), is_secure, "{proxies:?} {scheme}");
        assert_eq!(browser.get("/account").await.status, 200, "the cookie is known again");
        if is_secure {
            browser.cookie = browser.cookie.map(|cookie| cookie.replace("__Host-", ""));
            assert_eq!(browser.get("/account").await.status, 303, "a cookie that http could have planted does not count");
        }
    }
}

#[tokio::test]
async fn signing_out_ends_the_session_itself() {
    let (_app, mut browser) = spawn_for("ada", Role::Reader).await;
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
        let mut browser = app.browser();
        let answer = browser.post("/sign-in", &[("username", name), ("password", "wrong password")]).await;
        assert_eq!(answer.location(), "/sign-in?error=wrong_password", "no name in an address");
        let page = browser.get("/sign-in?error=wrong_password").await.text();
        assert!(page.contains(&format!("value=\"{name}\"")), "it is typed once: {page}");
    }
    let log = app.program.engine.accounts.audit_log(3).await.unwrap();
    assert!(log.iter().all(|entry| entry.act == "sign_in_refused" && entry.address.is_some()));
    assert!(log[1].object.starts_with("unknown name #") && log[2].object == "ada", "{log:?}");
}

#[tokio::test]
async fn an_unknown_name_at_sign_in_is_neither_logged_nor_stored() {
    let app = spawn_app().await;
    app.signed_in("ada", Role::Reader).await;
    let before = app.acts().await.len();
    for n in 0..40 {
        let name = format!("my secret password {n}");
        app.browser().post("/sign-in", &[("username", &name), ("password", "x")]).await;
    }
    let log = app.program.engine.accounts.audit_log(100).await.unwrap();
    assert!(log.len() - before <= 8, "{} entries", log.len() - before);
    assert!(log.iter().all(|entry| !entry.object.contains("secret")), "{log:?}");
}

/// Pauses that outlast a test.
fn long_pauses(after_failures: u32) -> Pauses {
    Pauses { after_failures, first_ms: 3_600_000, max_ms: 3_600_000, ..Pauses::default() }
}

#[tokio::test]
async fn guessing_is_stopped_and_recorded_once() {
    let app = spawn_with(|config| config.auth.pauses = long_pauses(3)).await;
    app.signed_in("ada", Role::Reader).await;
    for _ in 0..3 {
        let answer = app.browser().post("/sign-in", &[("username", "Ada"), ("password", "wrong password")]).await;
        assert_eq!(answer.location(), "/sign-in?error=wrong_password");
    }
    for _ in 0..3 {
        let answer = app.browser().post("/sign-in", &[("username", "ada"), ("password", PASSWORD)]).await;
        assert_eq!(answer.location(), "/sign-in?error=too_many_attempts");
    }
    let acts = app.acts().await;
    assert_eq!(acts.iter().filter(|act| *act == "sign_in_refused").count(), 3);
    assert_eq!(acts.iter().filter(|act| *act == "sign_in_locked").count(), 1);
}

#[tokio::test]
async fn a_stranger_does_not_lock_the_owner_out() {
    let app = spawn_with(|config| {
        config.auth.pauses = long_pauses(3);
        config.auth.attempts_per_minute_per_network = 10;
        config.server.trusted_proxies = vec!["127.0.0.0/8".parse().unwrap()];
    })
    .await;
    let from = |address: &str| vec![("X-Forwarded-For", address.to_owned())];
    let mut owner = app.browser();
    owner.headers = from("198.51.100.7");
    app.signed_in("ada", Role::Reader).await;
    let right = [("username", "ada"), ("password", PASSWORD)];
    assert_eq!(owner.post("/sign-in", &right).await.location(), "/");
    owner.post("/sign-out", &[]).await;
    // The stranger uses up pauses and rate of the owner's own network.
    let mut stranger = app.browser();
    stranger.headers = from("198.51.100.99");
    let mut last = String::new();
    for _ in 0..12 {
        last = stranger.post("/sign-in", &[("username", "ada"), ("password", "wrong")]).await.location().to_owned();
    }
    assert_eq!(last, "/sign-in?error=too_many_attempts");
    assert_eq!(stranger.post("/sign-in", &right).await.location(), "/sign-in?error=too_many_attempts");
    assert_eq!(owner.post("/sign-in", &right).await.location(), "/", "a device that signed in before");
    let mut elsewhere = app.browser();
    elsewhere.headers = from("203.0.113.5");
    assert_eq!(elsewhere.post("/sign-in", &right).await.location(), "/", "and any other network");
    // A device is one of its own account only.
    let mut other = app.browser();
    (other.headers, other.cookies) = (stranger.headers.clone(), owner.cookies.clone());
    app.signed_in("bea", Role::Reader).await;
    let answer = other.post("/sign-in", &[("username", "bea"), ("password", PASSWORD)]).await;
    assert_eq!(answer.location(), "/sign-in?error=too_many_attempts");
}

#[tokio::test]
async fn a_known_device_has_pauses_of_its_own() {
    let app = spawn_with(|config| config.auth.pauses = long_pauses(2)).await;
    let mut owner = app.signed_in("ada", Role::Reader).await;
    for _ in 0..2 {
        owner.post("/sign-in", &[("username", "ada"), ("password", "wrong")]).await;
    }
    let right = [("username", "ada"), ("password", PASSWORD)];
    assert_eq!(owner.post("/sign-in", &right).await.location(), "/sign-in?error=too_many_attempts");
    assert_eq!(app.browser().post("/sign-in", &right).await.location(), "/");
}

#[tokio::test]
async fn a_form_of_another_site_is_refused() {
    let (app, mut browser) = spawn_for("ada", Role::Admin).await;
    for header in [("Origin", "https://b.example"), ("Sec-Fetch-Site", "cross-site"), ("Origin", "null")] {
        browser.headers = vec![(header.0, header.1.to_owned())];
        for path in
            ["/sign-in", "/sign-out", "/account/password", "/account/sign-out-everywhere", "/investigations", "/sample/remove"]
        {
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
    let end =
        async || app.program.web_sessions.load(&hash_token(&id), Timestamp::from_micros(0)).await.unwrap().unwrap().expires_at;
    let before = end().await;
    let answer = browser.get("/documents").await;
    assert!(answer.header("set-cookie").unwrap().contains(&id), "the browser is told too");
    assert!(
        app.program.web_sessions.load(&id, Timestamp::from_micros(0)).await.unwrap().is_none(),
        "the id itself is not stored"
    );
    assert!(end().await > before);
    assert!(browser.get("/pkg/nothing.js").await.header("set-cookie").is_none());

    let (app, mut browser) = spawn_for("ada", Role::Reader).await;
    browser.get("/documents").await;
    assert!(browser.get("/documents").await.header("set-cookie").is_none(), "not with every page");
    assert!(app.browser().get("/sign-in").await.header("set-cookie").is_none(), "a stranger has no session");
}

#[tokio::test]
async fn a_session_ends_some_time_after_sign_in_however_much_it_is_used() {
    let app = spawn_with(|config| {
        config.auth.session_extend_ms = 0;
        config.auth.session_hours = 500;
        config.auth.session_max_hours = 2;
    })
    .await;
    let mut browser = app.signed_in("ada", Role::Reader).await;
    browser.get("/documents").await;
    let id = browser.cookie.clone().unwrap().split_once('=').unwrap().1.to_owned();
    let session = app.program.web_sessions.load(&hash_token(&id), Timestamp::from_micros(0)).await.unwrap().unwrap();
    assert_eq!(session.expires_at.ms_since(session.started_at), 2 * 3_600_000);
    assert!(session.used_at > session.started_at);
}

#[tokio::test]
async fn old_entries_of_the_audit_log_are_dropped() {
    let app = spawn_with(|config| config.auth.session_sweep_ms = 10).await;
    let accounts = &app.program.engine.accounts;
    let entry = |days: i64, act: &str| AuditEntry {
        at: app.program.engine.clock.now().plus_ms(-days * 86_400_000),
        user: None,
        act: act.to_owned(),
        object: String::new(),
        address: None,
    };
    for entry in [entry(366, "old"), entry(364, "young")] {
        accounts.audit(&entry).await.unwrap();
    }
    assert!(eventually(async || app.acts().await.len() <= 1).await);
    assert_eq!(app.acts().await, ["young"]);
}

#[tokio::test]
async fn sessions_that_have_ended_are_swept() {
    let app = spawn_with(|config| config.auth.session_sweep_ms = 10).await;
    let long_ago = Timestamp::from_micros(1);
    let ended = WebSession {
        key: "ended".to_owned(),
        user: None,
        device: String::new(),
        data: "{}".to_owned(),
        started_at: long_ago,
        used_at: long_ago,
        expires_at: long_ago,
    };
    assert!(app.program.web_sessions.create(&ended).await.unwrap());
    // It can be created again after removal.
    assert!(eventually(async || app.program.web_sessions.create(&ended).await.unwrap()).await);
}

#[tokio::test]
async fn behind_a_trusted_proxy_each_visitor_has_attempts_of_his_own() {
    for (proxies, is_refused) in [(vec!["127.0.0.0/8".parse().unwrap()], false), (vec![], true)] {
        let app = spawn_with(|config| {
            config.auth.attempts_per_minute_per_network = 2;
            config.server.trusted_proxies = proxies;
        })
        .await;
        let mut last = String::new();
        for n in 0..4 {
            let mut browser = app.browser();
            browser.headers = vec![("X-Forwarded-For", format!("203.0.{n}.9"))];
            let form = [("username", format!("name{n}")), ("password", "wrong password".to_owned())];
            let form = form.each_ref().map(|(name, value)| (*name, value.as_str()));
            last = browser.post("/sign-in", &form).await.location().to_owned();
        }
        assert_eq!(last.contains("too_many_attempts"), is_refused, "{last}");
    }
}
