//! Pages in a real Chromium, against servers on loopback. Without Chromium these tests print that they were skipped.

mod escape;
mod exceptions;
mod failures;
mod limits;
mod politeness;
mod print;
mod process;
mod service;
mod session;

use crate::{
    prelude::*,
    web::local_web::{self, FakeResolver, WebFixture, page},
};
use domain::fetch::{BrowseRequest, FetchError};
use fetch::{Browser, BrowserPage, Resolve, find_browser};

/// Browser with its own web access.
struct BrowserFixture {
    browser: Browser,
    network: WebFixture,
    /// Profile folders.
    _folder: tempfile::TempDir,
}

impl BrowserFixture {
    async fn render(&self, url: impl Into<String>) -> Result<BrowserPage, FetchError> {
        self.browser.render(&BrowseRequest::page(url)).await
    }

    async fn refused(&self, url: impl Into<String>) -> FetchFailure {
        self.render(url).await.expect_err("nothing is to be rendered").reason
    }
}

/// `None` without Chromium, which is an error if backends are required.
fn browser_fixture(config: FetchConfig) -> Option<BrowserFixture> {
    fixture_with(config, Arc::new(FakeResolver::default()))
}

/// The same with another resolver.
#[expect(clippy::disallowed_methods, reason = "only tests look whether backends are required")]
fn fixture_with(config: FetchConfig, resolver: Arc<dyn Resolve>) -> Option<BrowserFixture> {
    fixture_on(local_web::web_with(config.clone(), resolver), config).filter(|_| {
        match find_browser(&fetch::BrowserConfig { allow_root: true, ..fetch::BrowserConfig::default() }) {
            Ok(_) => true,
            Err(why) if std::env::var_os("REQUIRE_BACKENDS").is_some() => panic!("{why}"),
            Err(why) => {
                println!("skipped: {why}");
                false
            }
        }
    })
}

fn fixture_on(network: WebFixture, config: FetchConfig) -> Option<BrowserFixture> {
    let folder = tempfile::tempdir().unwrap();
    let browser = Browser::new(config.browser, &config.contact, network.web.clone(), folder.path().join("browser"));
    Some(BrowserFixture { browser, network, _folder: folder })
}

/// Time limits for a machine that runs many tests at once.
fn config(hosts: &[(&str, u16)]) -> FetchConfig {
    let mut config = local_web::config(hosts);
    config.browser.launch_timeout_ms = 120_000;
    config.browser.load_timeout_ms = 60_000;
    config.browser.step_timeout_ms = 60_000;
    config
}

/// Starts a site of one page and returns its port.
async fn fine() -> u16 {
    serve(Router::new().route("/", get(|| async { page("Fine") }))).await
}

/// Polls a condition outside this process, such as Chromium's processes, until it holds. It holds the only sleep of these tests.
async fn until(what: &str, mut holds: impl AsyncFnMut() -> bool) {
    let waiting = async {
        while !holds().await {
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    };
    tokio::time::timeout(Duration::from_secs(90), waiting).await.unwrap_or_else(|_| panic!("never came: {what}"));
}

/// Advances the clock of this process while nothing else runs.
async fn advance(time: Duration) {
    tokio::time::pause();
    tokio::time::advance(time).await;
    tokio::time::resume();
}

fn text(browsed: &BrowserPage) -> &str {
    browsed.page.page.documents.first().map_or("", |document| &document.text)
}

#[tokio::test]
async fn without_chromium_the_reason_is_reported() {
    let mut config = config(&[("web.test", 80)]);
    config.browser.program = "/nowhere/chromium".into();
    let fixture = fixture_on(local_web::web_fixture(config.clone()), config).unwrap();
    assert!(fixture.browser.unavailable().unwrap().contains("/nowhere/chromium"));
    let error = fixture.render("http://web.test/").await.unwrap_err();
    assert_eq!(error.reason, FetchFailure::Unavailable, "{error}");
    assert!(error.message.contains("fetch.browser.program"), "{error}");
}
