//! Tests of models chosen on `/settings`, against a server that speaks the wire formats.

use crate::prelude::*;
use domain::model_choice::ModelRole;
use scripted::Server;

const REPORT: [(&str, &str); 1] = [(
    "one.txt",
    "PORT HALEN, March 3, 2031 (Harbour Wire) -- A fire destroyed the grain store of Port Halen on Monday night. \
     The fire was caused by a faulty generator, said fire chief Mara Lindqvist.",
)];
const QUESTION: &str = "What caused the fire at the grain store of Port Halen?";

/// Starts a server on which no role uses the provider `house`, which wants a key.
async fn app(models: &Server, kind: ApiKind) -> App {
    let base = if kind == ApiKind::Anthropic { models.url() } else { format!("{}/v1", models.url()) };
    spawn_with(move |config| {
        let house =
            ProviderConfig { base_url: Some(base), key_env: Some("HOUSE_KEY_OF_A_TEST".into()), ..ProviderConfig::new(kind) };
        config.models.providers.insert("house".into(), house);
    })
    .await
}

/// Asks, waits for the end, and returns provider and model of the assessment.
async fn producer(browser: &mut Browser) -> (String, String) {
    let address = browser.ask(QUESTION, &REPORT).await.location().to_owned();
    browser.get(&format!("/api/v1{address}/events")).await;
    let line = browser.get(&format!("/api/v1{address}")).await.json();
    let id = line["assessment_id"].as_str().unwrap_or_else(|| panic!("{line}")).to_owned();
    let producer = browser.get(&format!("/api/v1/assessments/{id}")).await.json()["producer"].clone();
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    (text(&producer["provider"]), text(&producer["model"]))
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_model_chosen_for_the_role_of_a_feature_is_not_offered_for_questions() {
    let models = Server::start(Options::default()).await.unwrap();
    let app = app(&models, ApiKind::Openai).await;
    let mut boss = app.signed_in("boss", Role::Admin).await;
    boss.post("/settings/keys", &[("provider", "house"), ("key", "sk-house")]).await;
    let (settings, accounts) = (&app.program.settings, &app.program.engine.accounts);
    let user = accounts.user_by_name("boss").await.unwrap().unwrap().0;
    for (role, is_offered) in [(ModelRole::feature("scout"), false), (ModelRole::Analyst, true)] {
        settings.choose_model(&user, role, "house:scripted").await.unwrap();
        assert_eq!(settings.offers("house:scripted").await.unwrap(), is_offered, "{}", role.as_str());
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_chosen_model_writes_the_next_assessment_without_a_restart() {
    for kind in [ApiKind::Openai, ApiKind::Anthropic] {
        let models = Server::start(Options::default()).await.unwrap();
        let app = app(&models, kind).await;
        let mut boss = app.signed_in("boss", Role::Admin).await;
        assert_eq!(producer(&mut boss).await.0, "extractive");
        let page = boss.get("/settings").await.text();
        assert!(page.contains("from the configuration file") && !page.contains("chosen here"), "{page}");

        boss.post("/settings/keys", &[("provider", "house"), ("key", "sk-house")]).await;
        for role in ["analyst", "processor"] {
            let chosen = boss.post("/settings/models", &[("role", role), ("model", " house:scripted ")]).await;
            assert_eq!(chosen.location(), "/settings");
        }
        // Leptos marks where two texts meet.
        let page = boss.get("/settings").await.text().replace("<!>", "");
        assert!(page.contains("house:scripted") && page.contains("chosen here; configuration file: extractive"), "{page}");
        assert_eq!(producer(&mut boss).await, ("house".to_owned(), "scripted".to_owned()));

        boss.post("/settings/models", &[("role", "analyst"), ("model", "")]).await;
        assert_eq!(producer(&mut boss).await.0, "extractive");
        let log = app.program.engine.accounts.audit_log(50).await.unwrap();
        let mut acts: Vec<&str> =
            log.iter().filter(|entry| entry.act == "choose_model").map(|entry| entry.object.as_str()).collect();
        acts.reverse();
        assert_eq!(acts, ["analyst: house:scripted", "processor: house:scripted", "analyst: as configured"]);
        assert!(log.iter().all(|entry| !entry.object.contains("sk-house")));
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_model_is_tried_before_it_is_chosen_and_says_how_long_it_took() {
    let models = Server::start(Options::default()).await.unwrap();
    let app = app(&models, ApiKind::Openai).await;
    let mut boss = app.signed_in("boss", Role::Admin).await;
    assert_eq!(
        boss.post("/settings/probe", &[("model", "house:scripted")]).await.location(),
        "/settings?tested=house%3Ascripted#tested"
    );
    let page = boss.get("/settings").await.text();
    assert!(page.contains("Not usable") && page.contains("(took "), "it wants a key: {page}");
    boss.post("/settings/keys", &[("provider", "house"), ("key", "sk-house")]).await;
    boss.post("/settings/probe", &[("model", "house:scripted")]).await;
    let page = boss.get("/settings").await.text();
    assert!(page.contains("Usable") && !page.contains("Not usable"), "{page}");
    assert_eq!(producer(&mut boss).await.0, "extractive", "a trial chooses nothing");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_set_up_step_of_a_model_is_done_once_its_test_is_passed() {
    let models = Server::start(Options::default()).await.unwrap();
    let app = app(&models, ApiKind::Openai).await;
    let mut boss = app.signed_in("boss", Role::Admin).await;
    let is_done = async |boss: &mut Browser| {
        let home = boss.get("/").await.text();
        let step = home.split_once("Connect a language model").unwrap().1.split_once("</span>").unwrap().0;
        assert!(step.contains("(Done)") || step.contains("(To do)"), "{step}");
        step.contains("(Done)")
    };
    boss.post("/settings/probe", &[("model", "house:scripted")]).await;
    boss.post("/settings/keys", &[("provider", "house"), ("key", "sk-house")]).await;
    assert_eq!(
        boss.post("/settings/models", &[("role", "analyst"), ("model", "house:scripted")]).await.location(),
        "/settings"
    );
    assert!(!is_done(&mut boss).await, "its only test was without a key");
    boss.post("/settings/probe", &[("model", "house:scripted")]).await;
    assert!(is_done(&mut boss).await);
}

#[tokio::test]
async fn a_provider_lists_its_models_once_it_has_its_key() {
    let models = Server::start(Options::default()).await.unwrap();
    for kind in [ApiKind::Openai, ApiKind::Anthropic] {
        let app = app(&models, kind).await;
        let mut boss = app.signed_in("boss", Role::Admin).await;
        let listed = boss.post("/settings/list", &[("provider", "house")]).await.location().to_owned();
        assert_eq!(listed, "/settings?provider=house#key-title");
        assert!(boss.get("/settings?provider=house").await.text().contains("has no key"));
        boss.post("/settings/keys", &[("provider", "house"), ("key", "sk-house")]).await;
        boss.post("/settings/list", &[("provider", "house")]).await;
        let page = boss.get("/settings?provider=house").await.text();
        assert!(page.contains("<option value=\"house:scripted\">") && !page.contains("sk-house"), "{page}");
        let unknown = boss.post("/settings/list", &[("provider", "nobody")]).await;
        assert_eq!(unknown.location(), "/settings?error=not_found");
    }
}

#[tokio::test]
async fn a_choice_needs_an_administrator_and_a_known_provider() {
    let models = Server::start(Options::default()).await.unwrap();
    let app = app(&models, ApiKind::Openai).await;
    let mut boss = app.signed_in("boss", Role::Admin).await;
    for bad in ["nobody:small", "house", "http://127.0.0.1:9/v1", "replay:varrow-lock/who"] {
        let refused = boss.post("/settings/models", &[("role", "analyst"), ("model", bad)]).await.location().to_owned();
        assert_eq!(refused, "/settings?error=bad_model&kept=1");
        let page = boss.get(&refused).await.text();
        assert!(page.contains("No such model") && page.contains(&format!("value=\"{bad}\"")), "{page}");
    }
    let refused = boss.post("/settings/models", &[("role", "all"), ("model", "house")]).await.location().to_owned();
    assert_eq!(refused, "/settings?error=bad_model&kept=1", "for all roles");
    assert!(boss.get(&refused).await.text().contains("aria-invalid=\"true\""), "{refused}");
    let unknown = boss.post("/settings/models", &[("role", "cook"), ("model", "house:m")]).await;
    assert_eq!(unknown.location(), "/settings?error=not_found");
    for role in [Role::Analyst, Role::Reader] {
        let mut other = app.signed_in(role.as_str(), role).await;
        let refused = other.post("/settings/models", &[("role", "analyst"), ("model", "house:m")]).await;
        assert_eq!(refused.location(), "/settings?error=not_allowed");
    }
    assert_eq!(app.program.engine.model_choices().await.unwrap(), Default::default());
    boss.post("/settings/models", &[("role", "all"), ("model", "house:m")]).await;
    let chosen = app.program.engine.model_choices().await.unwrap();
    assert!(ModelRole::ALL.into_iter().all(|role| chosen.get(role) == Some("house:m")), "{chosen:?}");
}
