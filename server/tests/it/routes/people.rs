//! Tests of `/people`: adding, roles, disabling.

use crate::prelude::*;
use tokio::{io::AsyncReadExt, net::TcpListener};

async fn id_of(app: &App, name: &str) -> String {
    app.program.engine.accounts.user_by_name(name).await.unwrap().unwrap().0.id.to_string()
}

#[tokio::test]
async fn an_administrator_adds_a_user_who_signs_in() {
    let (app, mut boss) = spawn_for("boss", Role::Admin).await;
    let form = [("username", "bea"), ("role", "analyst"), ("password", PASSWORD)];
    assert_eq!(boss.post("/people", &form).await.location(), "/people");
    let page = boss.get("/people").await.text();
    assert!(page.contains("bea") && page.contains("2 people"), "{page}");
    assert!(!page.contains("system"), "{page}");
    let mut bea = app.browser();
    assert_eq!(bea.post("/sign-in", &[("username", "bea"), ("password", PASSWORD)]).await.location(), "/");
    let own = [("old_password", PASSWORD), ("password", "a heron over the weir"), ("password_again", "a heron over the weir")];
    bea.post("/account/password", &own).await;
    assert_eq!(bea.get("/investigations/new").await.status, 200);
    for (name, password, code) in [
        ("BEA", PASSWORD, "name_taken"),
        (" ", PASSWORD, "bad_name"),
        ("ad\u{200b}a", PASSWORD, "bad_name"),
        ("carl", "short", "password_short"),
    ] {
        let refused = boss.post("/people", &[("username", name), ("role", "reader"), ("password", password)]).await;
        assert_eq!(refused.location(), format!("/people?error={code}&role=reader"), "no name in an address");
    }
    let again = boss.get("/people?error=password_short&role=reader").await.text();
    assert!(again.contains("value=\"carl\""));
    let chosen = again.split("id=\"role\"").nth(1).unwrap().split("</select>").next().unwrap().to_owned();
    let chosen = chosen.split("<option").find(|option| option.contains("selected")).unwrap().to_owned();
    assert!(chosen.contains("reader"), "the chosen role stays: {chosen}");
    let acts = app.program.engine.accounts.audit_log(10).await.unwrap();
    let made = acts.iter().find(|entry| entry.object == "bea as analyst").unwrap();
    assert_eq!((made.act.as_str(), made.user.unwrap().to_string()), ("create_account", id_of(&app, "boss").await));
}

#[tokio::test]
async fn role_changes_and_disabling_take_effect_at_once() {
    let (app, mut boss) = spawn_for("boss", Role::Admin).await;
    let mut bea = app.signed_in("bea", Role::Reader).await;
    let id = id_of(&app, "bea").await;
    assert_eq!(bea.get("/investigations/new").await.status, 403);
    assert_eq!(boss.post(&format!("/people/{id}/role"), &[("role", "analyst")]).await.location(), "/people");
    assert_eq!(bea.get("/investigations/new").await.status, 200);
    assert_eq!(boss.post(&format!("/people/{id}/disable"), &[]).await.location(), "/people");
    assert!(boss.get("/people").await.text().contains("Disabled"));
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

/// Returns a server whose model never answers, so that investigations never end.
async fn spawn_waiting() -> App {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let base_url = Some(format!("http://{}/v1", listener.local_addr().unwrap()));
    tokio::spawn(async move {
        while let Ok((mut stream, _)) = listener.accept().await {
            tokio::spawn(async move { while stream.read(&mut [0; 4096]).await.is_ok_and(|read| read > 0) {} });
        }
    });
    spawn_with(|config| {
        config.models.providers.insert("mute".into(), ProviderConfig { base_url, ..ProviderConfig::new(ApiKind::Openai) });
        config.models.analyst = serde_json::from_value("mute:m".into()).unwrap();
        config.server.stream_check_ms = 50;
    })
    .await
}

#[tokio::test]
async fn a_live_stream_ends_with_the_session_or_the_access_of_its_person() {
    let app = spawn_waiting().await;
    let mut boss = app.signed_in("boss", Role::Admin).await;
    let mut bea = app.signed_in("bea", Role::Analyst).await;
    let address = bea.ask("Who did it?", &[("a.txt", "The Red Tide group set the fire.")]).await.location().to_owned();
    let stream = format!("/api/v1{address}/events");
    let id = id_of(&app, "bea").await;
    for kept_out in [false, true] {
        let mut follower = app.browser();
        follower.cookie = bea.cookie.clone();
        let mut following = tokio::spawn(follower.follow(&stream).await);
        let ends_by_itself = tokio::time::timeout(Duration::from_millis(300), &mut following).await.is_ok();
        assert!(!ends_by_itself, "nothing has changed");
        let asked = Instant::now();
        match kept_out {
            true => assert_eq!(boss.post(&format!("/people/{id}/disable"), &[]).await.location(), "/people"),
            false => assert_eq!(bea.post("/sign-out", &[]).await.status, 303),
        }
        let seen = following.await.unwrap();
        assert!(asked.elapsed() < Duration::from_secs(5), "{:?}", asked.elapsed());
        assert!(!seen.events().is_empty());
        assert_eq!(bea.get(&stream).await.status, 401, "it does not begin again");
        if !kept_out {
            bea.post("/sign-in", &[("username", "bea"), ("password", PASSWORD)]).await;
        }
    }
}

#[tokio::test]
async fn one_administrator_always_remains() {
    let (app, mut boss) = spawn_for("boss", Role::Admin).await;
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
async fn only_administrators_manage_people() {
    let (app, mut boss) = spawn_for("boss", Role::Admin).await;
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

#[tokio::test]
async fn administrators_read_the_audit_log() {
    let app = spawn_with(|config| config.engine.pages.audit_per_page = 3).await;
    let mut boss = app.signed_in("boss", Role::Admin).await;
    let mut ada = app.signed_in("ada", Role::Analyst).await;
    assert!(boss.get("/people").await.text().contains("href=\"/people/log\""));
    let form = [("username", "eve"), ("role", "admin"), ("password", PASSWORD)];
    ada.post("/people", &form).await;
    ada.post("/sign-out", &[]).await;
    let page = boss.get("/people/log").await.text();
    for text in ["Sign out", "Administration refused", "127.0.0.1", "ada", "6 entries"] {
        assert!(page.contains(text), "{text}: {page}");
    }
    assert!(!page.contains("Create account"), "three of six");
    assert!(boss.get("/people/log?page=2").await.text().contains("Create account"));
    ada.post("/sign-in", &[("username", "ada"), ("password", PASSWORD)]).await;
    assert_eq!(ada.get("/people/log").await.status, 403);
    assert!(app.browser().get("/people/log").await.location().starts_with("/sign-in"));
}

#[tokio::test]
async fn an_administrator_resets_a_password_and_its_owner_chooses_another() {
    let (app, mut boss) = spawn_for("boss", Role::Admin).await;
    let mut bea = app.signed_in("bea", Role::Analyst).await;
    let (id, own) = (id_of(&app, "bea").await, id_of(&app, "boss").await);
    let address = format!("/people/{id}/password");
    let given = "a temporary heron";
    assert_eq!(bea.post(&address, &[("password", given)]).await.location(), "/?error=not_allowed");
    let short = boss.post(&address, &[("password", "short")]).await.location().to_owned();
    assert_eq!(short, format!("/people?error=password_short&person={id}"));
    let page = boss.get(&short).await.text();
    assert!(page.contains("too short") && page.contains("<details open class=\"confirm person-password\""), "{page}");
    assert_eq!(bea.get("/").await.status, 200, "nothing has changed");
    assert_eq!(
        boss.post(&format!("/people/{own}/password"), &[("password", given)]).await.location(),
        "/people?error=not_found",
        "one's own is changed on the account page"
    );
    let done = boss.post(&address, &[("password", given)]).await.location().to_owned();
    assert_eq!(done, format!("/people?reset={id}"));
    assert!(boss.get(&done).await.text().contains("reset. They choose another"));
    assert!(bea.get("/").await.location().starts_with("/sign-in"), "their sessions have ended");
    let old = [("username", "bea"), ("password", PASSWORD)];
    assert!(bea.post("/sign-in", &old).await.location().starts_with("/sign-in?error=wrong_password"));
    assert_eq!(bea.post("/sign-in", &[("username", "bea"), ("password", given)]).await.location(), "/");
    assert_eq!(bea.get("/documents").await.location(), "/account?error=must_change_password&next=/documents");
    let acts = app.program.engine.accounts.audit_log(20).await.unwrap();
    let reset = acts.iter().find(|entry| entry.act == "reset_password").unwrap();
    assert_eq!((reset.object.as_str(), reset.user.unwrap().to_string()), ("bea", own));
}
