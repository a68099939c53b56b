//! Tests of `autosint module fetch`: same results as Fetch in process.

use super::{autosint, run};
use crate::{prelude::*, routes::sources::site, service::free_port};
use domain::{
    SessionId,
    fetch::{BrowseCommand, BrowseRequest, FeedEntry, FetchFailure, FetchRequest, ScrollDirection, SourceQuery},
};
use engine::{
    browse::Browse,
    fetch::{Fetch, sources::Catalogue},
    reliability::CircuitState,
};
use std::os::unix::fs::PermissionsExt;
use uuid::Uuid;

const TOKEN: &str = "token-of-a-test";

/// Running service. Dropping it stops it.
pub struct Service {
    pub url: String,
    pub(super) child: Child,
    pub(super) folder: TempDir,
}

impl Service {
    pub fn kill(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Drop for Service {
    fn drop(&mut self) {
        self.kill();
    }
}

/// Starts the service with access to the site, optionally with a token.
pub async fn service(site: u16, token: Option<&str>) -> Service {
    service_with(site, token, &[]).await
}

/// The same with more settings in the environment.
pub async fn service_with(site: u16, token: Option<&str>, settings: &[(&str, &str)]) -> Service {
    let folder = tempfile::tempdir().unwrap();
    let free = free_port();
    let exception = |source: &str| format!("{{ source = \"{source}\", host = \"127.0.0.1\", port = {site} }}");
    let config = format!(
        "[fetch.http]\nexceptions = [{}, {}]\n[fetch.sources]\nfeeds = []\n[fetch.sources.addresses]\ngdelt = \"http://127.0.0.1:1/\"\n\
         [fetch.browser]\nallow_root = true\nlaunch_timeout_ms = 120000\nload_timeout_ms = 60000\nstep_timeout_ms = 60000\n",
        exception("web"),
        exception("feeds")
    );
    std::fs::write(folder.path().join("service.toml"), config).unwrap();
    let listen = format!("127.0.0.1:{free}");
    let mut command = autosint(folder.path());
    command.args(["module", "fetch", "--listen", &listen, "--config", "service.toml"]);
    command.envs(settings.iter().copied());
    command.envs(token.map(|token| ("AUTOSINT_FETCH_TOKEN", token)));
    let child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    let service = Service { url: format!("http://{listen}"), child, folder };
    let listens = eventually(async || tokio::net::TcpStream::connect(&listen).await.is_ok()).await;
    assert!(listens, "the service does not listen");
    service
}

pub(super) fn remote(service: &Service, token: Option<&str>) -> server::RemoteFetch {
    let address = service.url.clone().try_into().unwrap();
    server::RemoteFetch::new(&address, token.map(Into::into), Duration::from_secs(120)).unwrap()
}

/// Returns whether Chromium exists; fails if it is required.
#[expect(clippy::disallowed_methods, reason = "the environment tells tests whether backends are required")]
pub fn can_render() -> bool {
    match fetch::find_browser(&fetch::BrowserConfig { allow_root: true, ..fetch::BrowserConfig::default() }) {
        Ok(_) => true,
        Err(why) if std::env::var_os("REQUIRE_BACKENDS").is_some() => panic!("{why}"),
        Err(why) => {
            println!("skipped: {why}");
            false
        }
    }
}

/// Returns the ports of Fetch in process.
async fn in_process(site: u16) -> App {
    spawn_with(|config| {
        config.fetch.sources.feeds.clear();
        config.fetch.sources.addresses.insert("gdelt".into(), "http://127.0.0.1:1/".into());
        let exception = |source: &str| Exception { source: source.into(), host: "127.0.0.1".into(), port: site };
        config.fetch.http.exceptions = vec![exception("feeds"), exception("web")];
        // Same timeout as for the service, because the machine may be busy.
        config.fetch.browser.launch_timeout_ms = 120_000;
        config.fetch.browser.load_timeout_ms = 60_000;
        config.fetch.browser.step_timeout_ms = 60_000;
    })
    .await
}

/// Checks that both implementations pass.
async fn suite(fetch: Arc<dyn Fetch>, catalogue: Arc<dyn Catalogue>, site: u16) {
    let at = |path: &str| format!("http://127.0.0.1:{site}{path}");
    let page = fetch.page(&FetchRequest::page(at("/fire"))).await.unwrap();
    assert!(page.page.documents[0].text.contains("Red Tide"), "{:?}", page.page);
    assert_eq!(page.bytes.len(), 1);
    assert_eq!(engine::evidence::sha256_hex(&page.bytes[0]), page.page.documents[0].sha256);
    let missing = fetch.page(&FetchRequest::page(at("/missing"))).await.unwrap_err();
    assert_eq!((missing.reason, missing.status), (FetchFailure::Status, Some(404)));
    let refused = fetch.page(&FetchRequest::page("http://169.254.169.254/latest")).await.unwrap_err();
    assert_eq!(refused.reason, FetchFailure::Refused);

    let entries = catalogue.entries().await.unwrap();
    assert!(["gdelt", "feeds", "brave"].iter().all(|id| entries.iter().any(|entry| entry.id == *id)), "{entries:?}");
    let found = catalogue.feeds_at(&at("/")).await.unwrap();
    assert_eq!((found.len(), found[0].address.clone()), (1, at("/feed.xml")));
    let feeds = [FeedEntry { address: at("/feed.xml"), ..FeedEntry::default() }];
    let query = SourceQuery { words: "fire grain store".into(), limit: 5, ..SourceQuery::default() };
    let page = catalogue.query("feeds", &query, &feeds).await.unwrap();
    assert_eq!(page.hits.iter().map(|hit| hit.address.clone()).collect::<Vec<_>>(), [at("/fire")]);
    let away = catalogue.query("gdelt", &query, &[]).await.unwrap_err();
    assert!(!away.is_of_query && away.message.contains("could not be reached"), "{away:?}");
    let wordless = SourceQuery { words: "a".into(), ..query.clone() };
    assert!(catalogue.query("gdelt", &wordless, &[]).await.unwrap_err().is_of_query);
    assert!(catalogue.query("oracle", &query, &[]).await.unwrap_err().is_of_query);
    let without_key = catalogue.query("brave", &query, &[]).await.unwrap_err();
    assert!(without_key.message.contains("needs a key"), "{without_key:?}");
}

#[tokio::test]
async fn fetching_is_the_same_in_the_process_and_from_the_service() {
    let site = site().await;
    let app = in_process(site).await;
    let engine = &app.program.engine;
    suite(engine.fetch.clone().unwrap(), engine.catalogue.clone().unwrap(), site).await;

    let mut service = service(site, Some(TOKEN)).await;
    let remote = remote(&service, Some(TOKEN));
    let sources = server::KeyringCatalogue { sources: Arc::new(remote.clone()), keys: app.program.keys.clone() };
    suite(Arc::new(remote.clone()), Arc::new(sources), site).await;

    let stranger = self::remote(&service, None);
    let fire = FetchRequest::page(format!("http://127.0.0.1:{site}/fire"));
    let refused = stranger.page(&fire).await.unwrap_err();
    assert!(refused.message.contains("AUTOSINT_FETCH_TOKEN"), "{refused}");
    assert!(remote.describe().await.unwrap().contains("works"));
    service.kill();
    for error in [remote.page(&fire).await.unwrap_err(), remote.describe().await.unwrap_err()] {
        assert_eq!(error.reason, FetchFailure::Unreachable);
        assert!(error.message.contains("`fetch.url`") && error.message.contains(&service.url), "{error}");
    }
}

/// Checks that both browsers pass.
async fn browser_suite(browser: &dyn Browse, site: u16) {
    let (owner, other) = (SessionId(Uuid::from_u128(1)), SessionId(Uuid::from_u128(2)));
    let at = |path: &str| format!("http://127.0.0.1:{site}{path}");
    let rendered = browser.render(&BrowseRequest::page(at("/fire"))).await.unwrap();
    let document = &rendered.page.page.documents[0];
    assert!(document.text.contains("Red Tide"), "{document:?}");
    assert_eq!(engine::evidence::sha256_hex(&rendered.bytes[0]), document.sha256);
    let refused = browser.render(&BrowseRequest::page("http://169.254.169.254/latest")).await.unwrap_err();
    assert_eq!(refused.reason, FetchFailure::Refused);

    let (id, opened) = browser.open(owner, &at("/desk"), &["127.0.0.1".into()]).await.unwrap();
    assert!(opened.page.controls.iter().any(|control| control.selector == "#go"), "{opened:?}");
    let fill = BrowseCommand::Fill { selector: "#q".into(), value: "grain store".into() };
    let not_theirs = browser.step(other, &id, &fill).await.unwrap_err();
    assert_eq!(not_theirs.reason, FetchFailure::NotPossible);
    browser.step(owner, &id, &fill).await.unwrap();
    let found = browser.step(owner, &id, &BrowseCommand::Click { selector: "#go".into() }).await.unwrap();
    assert!(found.page.page.documents[0].text.contains("You asked for grain store"), "{found:?}");
    assert_eq!(engine::evidence::sha256_hex(&found.bytes[0]), found.page.page.documents[0].sha256);
    browser.step(owner, &id, &BrowseCommand::Scroll { direction: ScrollDirection::Bottom }).await.unwrap();
    let missing = browser.step(owner, &id, &BrowseCommand::Click { selector: "#none".into() }).await.unwrap_err();
    assert_eq!(missing.reason, FetchFailure::NotPossible, "and the session goes on");
    browser.step(owner, &id, &BrowseCommand::Navigate { url: at("/fire") }).await.unwrap();
    browser.close(owner, &id).await.unwrap();
    let closed = browser.step(owner, &id, &fill).await.unwrap_err();
    assert!(closed.message.contains("open the page again"), "{closed}");

    let (bound, _) = browser.open(owner, &at("/desk"), &[]).await.unwrap();
    let unnamed = browser.step(owner, &bound, &fill).await.unwrap_err();
    assert_eq!(unnamed.reason, FetchFailure::Refused, "nobody named the site");
    browser.close_all(owner).await;
    assert_eq!(browser.step(owner, &bound, &fill).await.unwrap_err().reason, FetchFailure::NotPossible);
}

#[tokio::test]
async fn browsing_is_the_same_in_the_process_and_from_the_service() {
    if !can_render() {
        return;
    }
    let site = site().await;
    let app = in_process(site).await;
    browser_suite(app.program.engine.browse.as_deref().unwrap(), site).await;

    let mut service = service(site, Some(TOKEN)).await;
    let remote = remote(&service, Some(TOKEN));
    browser_suite(&remote, site).await;
    let (owner, desk) = (SessionId(Uuid::from_u128(3)), format!("http://127.0.0.1:{site}/desk"));
    let stranger = self::remote(&service, Some("another"));
    let refused =
        [stranger.render(&BrowseRequest::page(&desk)).await.unwrap_err(), stranger.open(owner, &desk, &[]).await.unwrap_err()];
    assert!(refused.iter().all(|error| error.message.contains("AUTOSINT_FETCH_TOKEN")), "{refused:?}");

    let (id, _) = remote.open(owner, &desk, &[]).await.unwrap();
    service.kill();
    let scroll = BrowseCommand::Scroll { direction: ScrollDirection::Down };
    let lost = [
        remote.step(owner, &id, &scroll).await.unwrap_err(),
        remote.render(&BrowseRequest::page(&desk)).await.unwrap_err(),
        remote.open(owner, &desk, &[]).await.unwrap_err(),
    ];
    for error in lost {
        assert_eq!(error.reason, FetchFailure::Unreachable);
        assert!(error.message.contains("`fetch.url`") && error.message.contains(&service.url), "{error}");
    }
    assert_eq!(remote.step(owner, &id, &scroll).await.unwrap_err().reason, FetchFailure::NotPossible);
}

#[tokio::test]
async fn the_service_describes_itself_and_refuses_foreign_pages() {
    let service = service(1, Some(TOKEN)).await;
    let mut browser = crate::client::Browser::new(service.url.strip_prefix("http://").unwrap().parse().unwrap());
    let health = browser.get("/health").await;
    assert_eq!((health.status, health.json()["status"].clone()), (200, "ok".into()));
    let document = browser.get("/openapi.json").await.json();
    for path in ["/health", "/sources", "/sources/{id}/query", "/fetch", "/browse", "/browse/session", "/metrics"] {
        assert!(document["paths"][path].is_object(), "{path}");
    }
    for guarded in ["/sources", "/metrics"] {
        assert_eq!(browser.get(guarded).await.status, 401, "{guarded}");
    }
}

#[test]
fn beyond_loopback_a_token_is_needed() {
    let folder = tempfile::tempdir().unwrap();
    let ended = run(autosint(folder.path()).args(["module", "fetch", "--listen", "0.0.0.0:0"]), "");
    assert_ne!(ended.code, Some(0));
    assert!(ended.stderr.contains("AUTOSINT_FETCH_TOKEN"), "{}", ended.stderr);
}

#[tokio::test]
async fn the_service_has_metrics_of_its_own() {
    let site = site().await;
    let service = service(site, None).await;
    remote(&service, None).page(&FetchRequest::page(format!("http://127.0.0.1:{site}/fire"))).await.unwrap();
    let mut browser = crate::client::Browser::new(service.url.strip_prefix("http://").unwrap().parse().unwrap());
    let metrics = browser.get("/metrics").await.text();
    for name in ["autosint_parser_files_total{", "autosint_parser_children_started_total 1", "process_cpu_seconds_total"] {
        assert!(metrics.contains(name), "{name}: {metrics}");
    }
}

#[tokio::test]
async fn while_the_circuit_is_open_the_service_is_not_asked() {
    let app = spawn_with(|config| {
        config.fetch.url = Some(format!("http://127.0.0.1:{}", free_port()));
        config.reliability.breaker.failure_threshold = 2;
        config.reliability.module.max_attempts = 1;
    })
    .await;
    let fetch = app.program.engine.fetch.clone().unwrap();
    let request = FetchRequest::page("http://127.0.0.1:1/fire");
    for _ in 0..3 {
        let error = fetch.page(&request).await.unwrap_err();
        assert!(error.reason == FetchFailure::Unreachable && error.message.contains("`fetch.url`"), "{error}");
    }
    let circuit = app.program.engine.circuits.circuit("fetch service").await.unwrap();
    assert_eq!((circuit.state, circuit.failures), (CircuitState::Open, 2), "the third was not sent");
}

#[tokio::test]
async fn a_browser_that_does_not_start_is_left_alone_until_its_probe() {
    let folder = tempfile::tempdir().unwrap();
    let (program, starts) = (folder.path().join("chromium"), folder.path().join("starts"));
    std::fs::write(&program, format!("#!/bin/sh\necho started >> {}\nexit 1\n", starts.display())).unwrap();
    std::fs::set_permissions(&program, std::fs::Permissions::from_mode(0o755)).unwrap();
    let app = spawn_with(|config| config.fetch.browser.program.clone_from(&program)).await;
    let browse = app.program.engine.browse.clone().unwrap();
    let mut last = String::new();
    for _ in 0..4 {
        last = browse.render(&BrowseRequest::page("https://example.org/")).await.unwrap_err().message;
    }
    assert!(last.starts_with("The browser rests after repeated failures"), "{last}");
    assert_eq!(std::fs::read_to_string(&starts).unwrap().lines().count(), 3, "the fourth was not started");
    let circuits = app.program.engine.circuits.circuits().await.unwrap();
    let machine = std::fs::read_to_string("/proc/sys/kernel/hostname").unwrap();
    let own = circuits.iter().find(|circuit| circuit.dependency == format!("browser {}", machine.trim())).unwrap();
    assert_eq!(own.state, CircuitState::Open, "other machines have a circuit of their own");
    let mut grace = app.signed_in("grace", Role::Admin).await;
    assert!(grace.get("/settings").await.text().contains("browser"), "administrators see it");
}

#[tokio::test]
async fn a_page_whose_name_is_pointed_at_the_service_gets_nothing() {
    let service = service(1, None).await;
    let mut browser = crate::client::Browser::new(service.url.trim_start_matches("http://").parse().unwrap());
    assert_eq!(browser.get("/health").await.status, 200);
    browser.host = Some("evil.example".to_owned());
    for path in ["/health", "/openapi.json"] {
        assert_eq!(browser.get(path).await.status, 421, "{path}");
    }
}
