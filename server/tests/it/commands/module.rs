//! `autosint module fetch`: the same answers whether Fetch is a service of its own or part of the program.

use super::{autosint, run};
use crate::{
    app::{App, spawn_with},
    routes::sources::site,
};
use domain::fetch::{FeedEntry, FetchFailure, FetchRequest, SourceQuery};
use engine::fetch::{Fetch, sources::Catalogue};
use fetch::Exception;
use std::{
    process::{Child, Stdio},
    sync::Arc,
    time::Duration,
};
use tempfile::TempDir;

const TOKEN: &str = "token-of-a-test";

/// A running service. Dropping it ends it.
struct Service {
    url: String,
    child: Child,
    _folder: TempDir,
}

impl Drop for Service {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The service, allowed to reach the site.
async fn service(site: u16) -> Service {
    let folder = tempfile::tempdir().unwrap();
    let free = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let exception = |source: &str| format!("{{ source = \"{source}\", host = \"127.0.0.1\", port = {site} }}");
    let config = format!(
        "[fetch.http]\nexceptions = [{}, {}]\n[fetch.sources]\nfeeds = []\n[fetch.sources.addresses]\ngdelt = \"http://127.0.0.1:1/\"\n",
        exception("web"),
        exception("feeds")
    );
    std::fs::write(folder.path().join("service.toml"), config).unwrap();
    let listen = format!("127.0.0.1:{free}");
    let mut command = autosint(folder.path());
    command.args(["module", "fetch", "--listen", &listen, "--config", "service.toml"]).env("AUTOSINT_FETCH_TOKEN", TOKEN);
    let child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    let service = Service { url: format!("http://{listen}"), child, _folder: folder };
    for _ in 0..200 {
        if tokio::net::TcpStream::connect(&listen).await.is_ok() {
            return service;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    panic!("the service does not listen");
}

/// The ports of a program that fetches itself.
async fn in_process(site: u16) -> App {
    spawn_with(|config| {
        config.fetch.sources.feeds.clear();
        config.fetch.sources.addresses.insert("gdelt".into(), "http://127.0.0.1:1/".into());
        let exception = |source: &str| Exception { source: source.into(), host: "127.0.0.1".into(), port: site };
        config.fetch.http.exceptions = vec![exception("feeds"), exception("web")];
    })
    .await
}

/// What both must do.
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

    let service = service(site).await;
    let remote =
        server::Remote::new(&service.url.clone().try_into().unwrap(), Some(TOKEN.into()), Duration::from_secs(60)).unwrap();
    let sources = server::OwnCatalogue { sources: Arc::new(remote.clone()), keys: app.program.keys.clone() };
    suite(Arc::new(remote), Arc::new(sources), site).await;

    let stranger = server::Remote::new(&service.url.clone().try_into().unwrap(), None, Duration::from_secs(5)).unwrap();
    let refused = stranger.page(&FetchRequest::page(format!("http://127.0.0.1:{site}/fire"))).await.unwrap_err();
    assert!(refused.message.contains("AUTOSINT_FETCH_TOKEN"), "{refused}");
}

#[tokio::test]
async fn the_service_says_what_it_is_and_answers_no_page_of_the_web() {
    let service = service(1).await;
    let mut browser = crate::client::Browser::new(service.url.strip_prefix("http://").unwrap().parse().unwrap());
    let health = browser.get("/health").await;
    assert_eq!((health.status, health.json()["status"].clone()), (200, "ok".into()));
    let document = browser.get("/openapi.json").await.json();
    for path in ["/health", "/sources", "/sources/{id}/query", "/fetch", "/browse", "/browse/session"] {
        assert!(document["paths"][path].is_object(), "{path}");
    }
    assert_eq!(browser.get("/sources").await.status, 401);
}

#[test]
fn beyond_loopback_a_token_is_needed() {
    let folder = tempfile::tempdir().unwrap();
    let ended = run(autosint(folder.path()).args(["module", "fetch", "--listen", "0.0.0.0:0"]), "");
    assert_ne!(ended.code, Some(0));
    assert!(ended.stderr.contains("AUTOSINT_FETCH_TOKEN"), "{}", ended.stderr);
}
