//! Tests of `/account`: passwords, devices, and the password asked for again.

use crate::prelude::*;
use engine::accounts::PasswordConfig;

const NEW: &str = "a heron over the weir";

fn form<'a>(old: &'a str, new: &'a str, again: &'a str) -> [(&'a str, &'a str); 3] {
    [("old_password", old), ("password", new), ("password_again", again)]
}

async fn hash_of(app: &App, name: &str) -> String {
    app.program.engine.accounts.user_by_name(name).await.unwrap().unwrap().1.unwrap()
}

#[tokio::test]
async fn a_new_password_ends_the_other_sessions() {
    let (app, mut here) = spawn_for("ada", Role::Reader).await;
    let mut there = app.browser();
    there.headers = vec![("User-Agent", "Mozilla/5.0 (iPhone; CPU iPhone OS 18_5) Safari/604.1".to_owned())];
    let right = [("username", "ada"), ("password", PASSWORD)];
    assert_eq!(there.post("/sign-in", &right).await.location(), "/");
    let page = here.get("/account").await.text();
    assert!(page.contains("Safari on iPhone") && page.matches("This device").count() == 1, "{page}");
    assert!(here.get("/").await.text().contains("href=\"/account\""));

    for (old, new, again, code) in [
        ("wrong password", NEW, NEW, "wrong_old_password"),
        (PASSWORD, NEW, PASSWORD, "passwords_differ"),
        (PASSWORD, "elevenchars", "elevenchars", "password_short"),
        (PASSWORD, "qwertyuiop123", "qwertyuiop123", "password_common"),
        (PASSWORD, PASSWORD, PASSWORD, "password_same"),
    ] {
        let answer = here.post("/account/password", &form(old, new, again)).await;
        assert_eq!(answer.location(), format!("/account?error={code}"));
    }
    assert_eq!(there.get("/").await.status, 200);
    assert_eq!(here.post("/account/password", &form(PASSWORD, NEW, NEW)).await.location(), "/account?changed=1");
    assert!(here.get("/account?changed=1").await.text().contains("Password changed."));
    assert!(there.get("/").await.location().starts_with("/sign-in"));
    assert!(there.post("/sign-in", &right).await.location().starts_with("/sign-in?error=wrong_password"));
    assert_eq!(there.post("/sign-in", &[("username", "ada"), ("password", NEW)]).await.location(), "/");
    let acts = app.acts().await;
    assert!(acts.contains(&"change_password".to_owned()) && acts.contains(&"password_refused".to_owned()), "{acts:?}");
}

#[tokio::test]
async fn signing_out_everywhere_ends_every_session_and_says_so_in_the_log() {
    let (app, mut here) = spawn_for("ada", Role::Reader).await;
    let mut there = app.browser();
    there.post("/sign-in", &[("username", "ada"), ("password", PASSWORD)]).await;
    let mut bea = app.signed_in("bea", Role::Reader).await;
    assert_eq!(here.post("/account/sign-out-everywhere", &[]).await.location(), "/sign-in");
    for browser in [&mut here, &mut there] {
        assert!(browser.get("/").await.location().starts_with("/sign-in"));
    }
    assert_eq!(bea.get("/").await.status, 200);
    bea.post("/sign-out", &[]).await;
    let acts = app.acts().await;
    assert_eq!(acts[acts.len() - 2..], ["sign_out_everywhere", "sign_out"]);
}

#[tokio::test]
async fn a_password_of_an_administrator_is_changed_before_anything_else() {
    let (app, mut boss) = spawn_for("boss", Role::Admin).await;
    let added = boss.post("/people", &[("username", "bea"), ("role", "analyst"), ("password", PASSWORD)]).await;
    assert_eq!(added.location(), "/people");
    assert!(boss.get("/people").await.text().contains("Must change password"));
    let mut bea = app.browser();
    assert_eq!(bea.post("/sign-in", &[("username", "bea"), ("password", PASSWORD)]).await.location(), "/");
    let account = "/account?error=must_change_password";
    assert_eq!(bea.get("/").await.location(), account);
    for page in ["/documents", "/investigations/new", "/settings"] {
        assert_eq!(bea.get(page).await.location(), format!("{account}&next={page}"));
    }
    assert_eq!(bea.ask("Who did it?", &[("a.txt", "They did.")]).await.location(), account);
    let refused = bea.get("/api/v1/investigations").await;
    assert_eq!((refused.status, refused.json()["error"]["code"].as_str()), (403, Some("must_change_password")));
    assert!(bea.get(account).await.text().contains("Choose your own to continue"));
    assert!(bea.get(&format!("{account}&next=/documents")).await.text().contains("value=\"/documents\""));
    let changed = [("old_password", PASSWORD), ("password", NEW), ("password_again", NEW), ("next", "/documents")];
    assert_eq!(bea.post("/account/password", &changed).await.location(), "/documents");
    assert_eq!(bea.get("/investigations/new").await.status, 200);
    assert!(!boss.get("/people").await.text().contains("Must change password"));
}

#[tokio::test]
async fn a_password_is_asked_for_again_before_changes_of_people_and_keys() {
    let app = spawn_with(|config| config.auth.confirm_minutes = 0).await;
    let mut boss = app.signed_in("boss", Role::Admin).await;
    let new = [("username", "bea"), ("role", "reader"), ("password", PASSWORD)];
    for (path, page) in [
        ("/people", "people%3Frole%3Dreader"),
        ("/people/x/role", "people"),
        ("/people/x/disable", "people"),
        ("/people/x/password", "people"),
        ("/settings/keys", "settings"),
        ("/settings/keys/remove", "settings"),
        ("/settings/caps", "settings"),
        ("/sources/keys", "sources"),
        ("/sources/keys/remove", "sources"),
        ("/delivery/server", "delivery"),
    ] {
        assert_eq!(boss.post(path, &new).await.location(), format!("/account/confirm?next=/{page}"), "{path}");
    }
    assert!(app.program.engine.accounts.user_by_name("bea").await.unwrap().is_none());
    assert!(boss.get("/account/confirm?next=/people").await.text().contains("value=\"/people\""));
    let wrong = boss.post("/account/confirm", &[("password", "wrong"), ("next", "/people")]).await;
    assert_eq!(wrong.location(), "/account/confirm?error=wrong_old_password&next=/people");
    let right = boss.post("/account/confirm", &[("password", PASSWORD), ("next", "/people")]).await;
    assert_eq!(right.location(), "/people");

    let (_app, mut boss) = spawn_for("boss", Role::Admin).await;
    assert_eq!(boss.post("/people", &new).await.location(), "/people", "typed just now");
}

#[tokio::test]
async fn guessing_the_password_of_an_open_browser_is_stopped_too() {
    let (_app, mut ada) = spawn_for("ada", Role::Admin).await;
    let mut last = String::new();
    for _ in 0..6 {
        last = ada.post("/account/confirm", &[("password", "wrong")]).await.location().to_owned();
    }
    assert!(last.starts_with("/account/confirm?error=too_many_attempts"), "{last}");
}

#[tokio::test]
async fn a_hash_of_other_costs_is_renewed_at_sign_in() {
    let app = spawn_app().await;
    app.signed_in("ada", Role::Reader).await;
    let costs = PasswordConfig { memory_kib: 16, passes: 2, ..PasswordConfig::default() };
    let old = engine::accounts::Passwords::new(costs).unwrap().hash(PASSWORD).await.unwrap();
    let id = app.program.engine.accounts.user_by_name("ada").await.unwrap().unwrap().0.id;
    app.program.engine.accounts.set_password_hash(id, &old).await.unwrap();
    let sign_in = async |password| {
        let mut browser = app.browser();
        browser.post("/sign-in", &[("username", "ada"), ("password", password)]).await.location().to_owned()
    };
    assert_ne!(sign_in("wrong password").await, "/");
    assert_eq!(hash_of(&app, "ada").await, old);
    assert_eq!(sign_in(PASSWORD).await, "/");
    assert!(hash_of(&app, "ada").await.starts_with("$argon2id$v=19$m=8,t=1,"));
    assert_eq!(sign_in(PASSWORD).await, "/");
}

#[tokio::test]
async fn one_device_is_signed_out_and_the_others_stay() {
    let (app, mut here) = spawn_for("ada", Role::Reader).await;
    let mut there = app.browser();
    let mut third = app.browser();
    for browser in [&mut there, &mut third] {
        browser.post("/sign-in", &[("username", "ada"), ("password", PASSWORD)]).await;
    }
    let mut bea = app.signed_in("bea", Role::Admin).await;
    let page = there.get("/account").await.text();
    let key_of = |html: &str| {
        html.split("name=\"session\" value=\"")
            .skip(1)
            .map(|rest| rest.split('"').next().unwrap().to_owned())
            .collect::<Vec<_>>()
    };
    assert_eq!(key_of(&page).len(), 2, "every other device, not this one: {page}");
    let both: Vec<String> = key_of(&page);
    let of_here = key_of(&third.get("/account").await.text()).into_iter().find(|key| both.contains(key)).unwrap();
    assert_eq!(bea.post("/account/sessions/end", &[("session", &of_here)]).await.location(), "/account?error=not_found");
    assert_eq!(here.get("/").await.status, 200);
    assert_eq!(there.post("/account/sessions/end", &[("session", &of_here)]).await.location(), "/account?ended=1");
    assert!(there.get("/account?ended=1").await.text().contains("That device is signed out."));
    assert!(here.get("/").await.location().starts_with("/sign-in"));
    assert_eq!([there.get("/").await.status, third.get("/").await.status], [200, 200]);
    assert!(app.acts().await.contains(&"end_session".to_owned()));
}
