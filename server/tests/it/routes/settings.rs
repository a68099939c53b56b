//! Tests of `/settings`.

use crate::prelude::*;
use domain::budget::OwnCap;
use engine::models::Keys;
use secrecy::ExposeSecret;

const KEY: &str = "sk-marker-7f3a91c4";

async fn acts(app: &App) -> Vec<(String, String)> {
    let log = app.program.engine.accounts.audit_log(20).await.unwrap();
    log.into_iter()
        .filter(|entry| entry.act.contains("key") || entry.act.contains("probe"))
        .map(|entry| (entry.act, entry.object))
        .collect()
}

/// Returns a server with a custom provider whose key is not in the environment.
async fn with_house() -> App {
    spawn_with(|config| {
        let house = ProviderConfig {
            base_url: Some("http://ada:pass@127.0.0.1:1/v1".into()),
            key_env: Some("HOUSE_KEY_OF_A_TEST".into()),
            ..ProviderConfig::new(ApiKind::Openai)
        };
        config.models.providers.insert("house".into(), house);
    })
    .await
}

#[tokio::test]
async fn an_administrator_stores_and_removes_a_key_that_is_never_shown() {
    let app = with_house().await;
    let mut boss = app.signed_in("boss", Role::Admin).await;
    let page = boss.get("/settings").await.text();
    assert!(page.contains("href=\"/settings?provider=house#key-title\"") && !page.contains("/settings/keys"), "{page}");
    for text in
        ["extractive", "house", "http://127.0.0.1:1/v1", "No key: store one, or set HOUSE_KEY_OF_A_TEST", "configuration file"]
    {
        assert!(page.contains(text), "{text}: {page}");
    }
    assert!(!page.contains("ada:pass"));
    assert!(app.program.keys.key("house").await.is_none());

    assert_eq!(
        boss.post("/settings/keys", &[("provider", "house"), ("key", &format!(" {KEY}\n"))]).await.location(),
        "/settings?provider=house#key-title"
    );
    assert_eq!(app.program.keys.key("house").await.unwrap().expose_secret(), KEY, "it takes effect at once");
    let page = boss.get("/settings?provider=house").await.text();
    assert!(page.contains("Key stored") && page.contains("Replace") && !page.contains(KEY));

    let file = app.program.data_dir.secret_key();
    assert!(file.is_file());
    for path in files_below(app.program.data_dir.path()) {
        let bytes = std::fs::read(&path).unwrap();
        assert!(!bytes.windows(KEY.len()).any(|window| window == KEY.as_bytes()), "{}", path.display());
    }

    let removed = boss.post("/settings/keys/remove", &[("provider", "house")]).await;
    assert_eq!(removed.location(), "/settings?provider=house#key-title");
    assert!(app.program.keys.key("house").await.is_none());
    let named = |act: &str| (act.to_owned(), "house".to_owned());
    assert_eq!(acts(&app).await, [named("remove_key"), named("store_key")]);
}

#[tokio::test]
async fn invalid_keys_and_providers_are_refused() {
    let app = with_house().await;
    let mut boss = app.signed_in("boss", Role::Admin).await;
    for bad in ["", "   ", "two words", "line\nbreak", &"x".repeat(5_000)] {
        let answer = boss.post("/settings/keys", &[("provider", "house"), ("key", bad)]).await;
        assert_eq!(answer.location(), "/settings?error=bad_key&provider=house");
    }
    let answer = boss.post("/settings/keys", &[("provider", "nobody"), ("key", KEY)]).await;
    assert_eq!(answer.location(), "/settings?error=not_found");
    assert_eq!(boss.post("/settings/probe", &[("model", "nobody:m")]).await.location(), "/settings?error=bad_model");
    assert!(boss.get("/settings?error=bad_key").await.text().contains("Not a valid key"));
    assert_eq!(acts(&app).await, []);
}

#[tokio::test]
async fn settings_of_providers_are_hidden_from_other_roles() {
    let app = with_house().await;
    for (name, role) in [("ana", Role::Analyst), ("rea", Role::Reader)] {
        let mut browser = app.signed_in(name, role).await;
        let page = browser.get("/settings").await;
        assert_eq!(page.status, 200);
        assert!(!page.text().contains("house") && page.text().contains("set up by an administrator"));
        for (path, field) in [
            ("/settings/keys", "provider"),
            ("/settings/keys/remove", "provider"),
            ("/settings/list", "provider"),
            ("/settings/probe", "model"),
        ] {
            let answer = browser.post(path, &[(field, "house"), ("key", KEY)]).await;
            assert_eq!(answer.location(), "/settings?error=not_allowed", "{path}");
        }
    }
    assert!(app.browser().get("/settings").await.location().starts_with("/sign-in"));
    assert_eq!(acts(&app).await, []);
}

#[tokio::test]
async fn an_administrator_gives_one_person_caps_of_their_own() {
    let (app, mut boss) = spawn_for("boss", Role::Admin).await;
    let mut ana = app.signed_in("ana", Role::Analyst).await;
    let of_ana = async || app.program.engine.accounts.user_by_name("ana").await.unwrap().unwrap().0;
    let id = of_ana().await.id.to_string();
    let caps = |tokens: &'static str, money: &'static str| [("user", id.as_str()), ("tokens", tokens), ("money", money)];
    assert_eq!(boss.post("/settings/caps", &caps("2000000", "2.50")).await.location(), "/settings");
    assert_eq!(of_ana().await.cap, OwnCap { tokens: Some(2_000_000), cost_micros: Some(2_500_000) });
    assert!(boss.get("/settings").await.text().contains("value=\"2000000\""));
    let own = ana.get("/settings").await.text();
    assert!(own.contains("no cap<br>yours: 2,000,000 tokens"), "what is configured, and what holds for her: {own}");
    for bad in [caps("many", ""), caps("", "-1"), caps("", "NaN")] {
        assert_eq!(boss.post("/settings/caps", &bad).await.location(), "/settings?error=bad_cap");
    }
    assert_eq!(ana.post("/settings/caps", &caps("9", "")).await.location(), "/settings?error=not_allowed");
    assert_eq!(of_ana().await.cap.tokens, Some(2_000_000));
    assert_eq!(boss.post("/settings/caps", &caps("", "")).await.location(), "/settings");
    assert_eq!(of_ana().await.cap, OwnCap::default());
    let log = app.program.engine.accounts.audit_log(9).await.unwrap();
    let set: Vec<_> = log.into_iter().filter(|entry| entry.act == "change_cap").map(|entry| entry.object).collect();
    assert_eq!(set, ["ana to what is configured", "ana to 2000000 tokens and 2.50"]);
}

#[tokio::test]
async fn a_model_probe_reports_its_result() {
    let (app, mut boss) = spawn_for("boss", Role::Admin).await;
    assert!(boss.get("/settings").await.text().contains("Not tested yet"));
    let tested = boss.post("/settings/probe", &[("model", " extractive")]).await.location().to_owned();
    assert_eq!(tested, "/settings?tested=extractive#tested");
    let page = boss.get("/settings?tested=extractive").await.text();
    assert!(page.contains("id=\"tested\""), "{page}");
    assert!(page.contains("Usable") && page.contains("built in, no probe needed"), "{page}");
    assert_eq!(acts(&app).await, [("probe_model".to_owned(), "extractive".to_owned())]);
}
