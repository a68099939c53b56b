//! Manners in the browser: the rules of a site and the pace of its host hold for every page, and nobody takes all the places.

use super::{Desk, config, desk, fine, process::tree, until};
use crate::web::world::{page, serve};
use axum::{
    Router,
    extract::{Request, State},
    http::StatusCode,
    middleware::{Next, from_fn_with_state},
    response::{Html, Redirect, Response},
    routing::get,
};
use domain::fetch::{BrowseCommand, FetchFailure};
use std::{
    fs,
    sync::{Arc, Mutex},
    time::{Duration, Instant},
};
use tokio::time::timeout;

/// What was asked for, and when.
type Asked = Arc<Mutex<Vec<(String, Instant)>>>;

async fn note(State(asked): State<Asked>, request: Request, next: Next) -> Response {
    asked.lock().unwrap().push((request.uri().path().to_owned(), Instant::now()));
    next.run(request).await
}

/// A site that wants a second between two pages, and one of them left alone.
async fn slow_site() -> (u16, Asked) {
    let asked = Asked::default();
    let links = "<a id=on href=/hop>On</a><a id=secret href=/private>Secret</a><button id=script onclick=\"location.href='/private'\">Go</button>\
                 <img src=/one.png><img src=/two.png><img src=/three.png><p>A page with pictures, which belong to it and wait for nobody.</p>";
    let router = Router::new()
        .route("/robots.txt", get(|| async { "User-agent: *\nCrawl-delay: 1\nDisallow: /private\n" }))
        .route("/", get(move || async move { Html(links) }))
        .route("/hop", get(|| async { Redirect::temporary("/end") }))
        .route("/end", get(|| async { page("The end") }))
        .route("/private", get(|| async { page("Private") }))
        .fallback(|| async { StatusCode::NOT_FOUND })
        .layer(from_fn_with_state(asked.clone(), note));
    (serve(router).await, asked)
}

fn click(selector: &str) -> BrowseCommand {
    BrowseCommand::Click { selector: selector.into() }
}

#[tokio::test]
async fn every_page_of_the_browser_waits_its_turn_and_what_is_forbidden_is_never_asked_for() {
    let (port, asked) = slow_site().await;
    let mut config = config(&[("127.0.0.1", port)]);
    // Shorter than what the steps are held for: that does not count.
    config.browser.settle_ms = 700;
    let Some(desk) = desk(config) else { return };
    let address = format!("http://127.0.0.1:{port}/");
    let (session, _) = desk.browser.open("me", &address, &[]).await.unwrap();
    let end = desk.browser.step("me", &session, &click("#on")).await.unwrap();
    assert_eq!(end.page.page.documents[0].title, "The end", "a click is read when its page has had its turn");
    for selector in ["#secret", "#script"] {
        desk.browser.step("me", &session, &BrowseCommand::Navigate { url: address.clone() }).await.unwrap();
        let error = desk.browser.step("me", &session, &click(selector)).await.unwrap_err();
        assert_eq!(error.reason, FetchFailure::Robots, "{selector}: {error}");
    }
    let asked = asked.lock().unwrap().clone();
    assert!(asked.iter().all(|(path, _)| path != "/private"), "what the site forbids was asked for: {asked:?}");
    assert!(asked.iter().any(|(path, _)| path == "/three.png"), "the page was loaded without what belongs to it");
    let pages: Vec<_> = asked.iter().filter(|(path, _)| matches!(path.as_str(), "/" | "/hop" | "/end")).collect();
    assert_eq!(pages.len(), 5, "{pages:?}");
    for pair in pages.windows(2) {
        let apart = pair[1].1 - pair[0].1;
        assert!(apart >= Duration::from_millis(900), "{} came {apart:?} after {}", pair[1].0, pair[0].0);
    }
}

#[tokio::test]
async fn a_page_that_leads_on_for_ever_is_stopped() {
    let router = Router::new().fallback(|request: Request| async move {
        let number: u32 = request.uri().path().trim_start_matches('/').parse().unwrap_or(0);
        Html(format!("<p>on<script>location.replace('/{}')</script>", number + 1))
    });
    let port = serve(router).await;
    let Some(desk) = desk(config(&[("127.0.0.1", port)])) else { return };
    assert_eq!(desk.refused(format!("http://127.0.0.1:{port}/1")).await, FetchFailure::TooLarge);
}

#[tokio::test]
async fn one_owner_has_no_more_pages_open_than_allowed() {
    let port = fine().await;
    let mut config = config(&[("127.0.0.1", port)]);
    config.browser.max_sessions_per_owner = 1;
    let Some(desk) = desk(config) else { return };
    let address = format!("http://127.0.0.1:{port}/");
    let (session, _) = desk.browser.open("me", &address, &[]).await.unwrap();
    let more = desk.browser.open("me", &address, &[]).await.unwrap_err();
    assert!(more.reason == FetchFailure::Busy && more.message.contains("max_sessions_per_owner"), "{more}");
    desk.browser.open("you", &address, &[]).await.unwrap();
    desk.browser.close("me", &session).await.unwrap();
    assert!(desk.browser.open("me", &format!("{address}missing"), &[]).await.is_err());
    desk.browser.open("me", &address, &[]).await.expect("what came to nothing counts for nothing");
}

#[tokio::test]
async fn what_a_server_says_instead_of_a_page_is_no_page() {
    let words = "Access denied. You do not have permission to read this page on this server, whoever you may be.";
    let denied =
        move || async move { (StatusCode::FORBIDDEN, Html(format!("<article><h1>Denied</h1><p>{words}</p></article>"))) };
    let port = serve(Router::new().route("/denied", get(denied)).route("/", get(|| async { page("Fine") }))).await;
    let Some(desk) = desk(config(&[("127.0.0.1", port)])) else { return };
    let at = |path: &str| format!("http://127.0.0.1:{port}/{path}");
    let rendered = desk.render(at("denied")).await.unwrap_err();
    assert_eq!((rendered.reason, rendered.status), (FetchFailure::Status, Some(403)), "{rendered}");
    let opened = desk.browser.open("me", &at("denied"), &[]).await.unwrap_err();
    assert_eq!(opened.status, Some(403), "{opened}");
    let (session, _) = desk.browser.open("me", &at(""), &[]).await.unwrap();
    let shown = desk.browser.step("me", &session, &BrowseCommand::Navigate { url: at("denied") }).await.unwrap();
    assert_eq!(shown.page.page.status, 403, "a step shows what there is, with its status");
}

/// Processes that show pages.
fn renderers(root: u32) -> usize {
    let is_one = |id: &u32| {
        fs::read(format!("/proc/{id}/cmdline")).is_ok_and(|line| String::from_utf8_lossy(&line).contains("--type=renderer"))
    };
    tree(root).iter().filter(|id| is_one(id)).count()
}

async fn root(desk: &Desk) -> u32 {
    desk.browser.process_id().await.expect("a browser runs")
}

#[tokio::test]
async fn who_goes_away_while_a_page_is_opened_leaves_nothing_behind() {
    let port = fine().await;
    let mut config = config(&[("127.0.0.1", port)]);
    config.browser.max_contexts = 2;
    let Some(desk) = desk(config) else { return };
    let address = format!("http://127.0.0.1:{port}/");
    desk.render(&address).await.unwrap();
    let first = root(&desk).await;
    for patience_ms in [0, 1, 2, 5, 10, 20, 40, 60, 80, 100, 150, 200, 300, 400] {
        let _ = timeout(Duration::from_millis(patience_ms), desk.browser.open("me", &address, &[])).await;
        desk.browser.close_all("me").await;
    }
    desk.render(&address).await.expect("all places are free again");
    // One that shows nothing yet is kept in reserve by Chromium itself.
    until("pages that belong to nobody are closed", async || renderers(first) <= 2).await;
    assert_eq!(root(&desk).await, first, "the browser was not ended for it");
}
