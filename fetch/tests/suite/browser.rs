//! Pages in a real Chromium, against servers of this machine. Without a Chromium these tests print that they were skipped.

mod escape;
mod inner;
mod limits;
mod manners;
mod process;
mod service;
mod session;
mod trouble;

use crate::web::world::{self, Door, Names, page, serve};
use axum::{Router, routing::get};
use domain::fetch::{BrowseRequest, FetchError, FetchFailure};
use fetch::{Browsed, Browser, FetchConfig, Resolve, find_browser};
use std::{sync::Arc, time::Duration};

/// A browser on a door of its own.
struct Desk {
    browser: Browser,
    door: Door,
    /// Where the browser keeps its files.
    _folder: tempfile::TempDir,
}

impl Desk {
    async fn render(&self, url: impl Into<String>) -> Result<Browsed, FetchError> {
        self.browser.render(&BrowseRequest::page(url)).await
    }

    async fn refused(&self, url: impl Into<String>) -> FetchFailure {
        self.render(url).await.expect_err("nothing is to be rendered").reason
    }
}

/// None where this machine has no Chromium, which is an error where all of it must be tested.
fn desk(config: FetchConfig) -> Option<Desk> {
    desk_with(config, Arc::new(Names::default()))
}

/// The same with names that lead where a test says.
#[expect(clippy::disallowed_methods, reason = "tests alone are told so whether backends must be there")]
fn desk_with(config: FetchConfig, resolver: Arc<dyn Resolve>) -> Option<Desk> {
    desk_on(world::door_with(config.clone(), resolver), config).filter(|_| {
        match find_browser(&fetch::BrowserConfig::default()) {
            Ok(_) => true,
            Err(why) if std::env::var_os("REQUIRE_BACKENDS").is_some() => panic!("{why}"),
            Err(why) => {
                println!("skipped: {why}");
                false
            }
        }
    })
}

fn desk_on(door: Door, config: FetchConfig) -> Option<Desk> {
    let folder = tempfile::tempdir().unwrap();
    let browser = Browser::new(config.browser, &config.contact, door.web.clone(), folder.path().join("browser"));
    Some(Desk { browser, door, _folder: folder })
}

/// Limits that suit a machine that runs many tests at once.
fn config(hosts: &[(&str, u16)]) -> FetchConfig {
    let mut config = world::config(hosts);
    config.browser.launch_timeout_ms = 120_000;
    config.browser.load_timeout_ms = 60_000;
    config.browser.step_timeout_ms = 60_000;
    config
}

/// A site of one page; its port.
async fn fine() -> u16 {
    serve(Router::new().route("/", get(|| async { page("Fine") }))).await
}

/// Waits for what must become true, but not for ever.
async fn until(what: &str, mut holds: impl AsyncFnMut() -> bool) {
    let waiting = async {
        while !holds().await {
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    };
    tokio::time::timeout(Duration::from_secs(90), waiting).await.unwrap_or_else(|_| panic!("never came: {what}"));
}

fn text(browsed: &Browsed) -> &str {
    browsed.page.page.documents.first().map_or("", |document| &document.text)
}

#[tokio::test]
async fn without_chromium_the_reason_is_said() {
    let mut config = config(&[("web.test", 80)]);
    config.browser.program = "/nowhere/chromium".into();
    let desk = desk_on(world::door(config.clone()), config).unwrap();
    assert!(desk.browser.unavailable().unwrap().contains("/nowhere/chromium"));
    let error = desk.render("http://web.test/").await.unwrap_err();
    assert_eq!(error.reason, FetchFailure::Unavailable, "{error}");
    assert!(error.message.contains("fetch.browser.program"), "{error}");
}
