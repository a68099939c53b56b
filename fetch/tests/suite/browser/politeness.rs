//! Politeness of the browser: robots.txt and rate limits apply to every navigation, and slots are shared fairly.

use super::{BrowserFixture, advance, browser_fixture, config, fine, process::tree, until};
use crate::{prelude::*, web::local_web::page};
use axum::{
    extract::Request,
    middleware::{Next, from_fn_with_state},
    response::{Redirect, Response},
};
use std::{future::poll_fn, pin::pin, task::Poll};

/// Paths of the requests.
type Requests = Arc<Mutex<Vec<String>>>;

async fn record(State(requests): State<Requests>, request: Request, next: Next) -> Response {
    requests.lock().unwrap().push(request.uri().path().to_owned());
    next.run(request).await
}

/// Site with a crawl delay of one second and a forbidden page.
async fn slow_site() -> (u16, Requests) {
    let requests = Requests::default();
    let links = "<a id=on href=/hop>On</a><a id=secret href=/private>Secret</a><button id=script onclick=\"location.href='/private'\">Go</button>\
                 <img src=/one.png><img src=/two.png><img src=/three.png><p>A page with pictures, which belong to it and wait for nobody.</p>";
    let router = Router::new()
        .route("/robots.txt", get(|| async { "User-agent: *\nCrawl-delay: 1\nDisallow: /private\n" }))
        .route("/", get(move || async move { Html(links) }))
        .route("/hop", get(|| async { Redirect::temporary("/end") }))
        .route("/end", get(|| async { page("The end") }))
        .route("/private", get(|| async { page("Private") }))
        .fallback(|| async { StatusCode::NOT_FOUND })
        .layer(from_fn_with_state(requests.clone(), record));
    (serve(router).await, requests)
}

fn click(selector: &str) -> BrowseCommand {
    BrowseCommand::Click { selector: selector.into() }
}

#[tokio::test]
async fn every_navigation_needs_a_host_permit_and_forbidden_pages_are_never_requested() {
    let (port, requests) = slow_site().await;
    let Some(fixture) = browser_fixture(config(&[("127.0.0.1", port)])) else { return };
    let address = format!("http://127.0.0.1:{port}/");
    let (session, _) = fixture.browser.open("me", &address, &[]).await.unwrap();

    let limiter = &fixture.network.limiter;
    let reserved = limiter.reserved.borrow().len();
    limiter.is_blocked.send_replace(true);
    let link = click("#on");
    let click_on = fixture.browser.step("me", &session, &link);
    let hold = async {
        limiter.reserved.subscribe().wait_for(|all| all.len() > reserved).await.unwrap();
        // More than `settle_ms` and `load_timeout_ms`: time on hold does not count.
        advance(Duration::from_secs(100)).await;
        limiter.is_blocked.send_replace(false);
    };
    let (end, ()) = tokio::join!(click_on, hold);
    assert_eq!(end.unwrap().page.page.documents[0].title, "The end", "the step waits for the held navigation");

    for selector in ["#secret", "#script"] {
        fixture.browser.step("me", &session, &BrowseCommand::Navigate { url: address.clone() }).await.unwrap();
        let error = fixture.browser.step("me", &session, &click(selector)).await.unwrap_err();
        assert_eq!(error.reason, FetchFailure::Robots, "{selector}: {error}");
    }
    let requests = requests.lock().unwrap().clone();
    assert!(!requests.contains(&"/private".to_owned()), "a forbidden page was requested: {requests:?}");
    assert!(requests.contains(&"/three.png".to_owned()), "subresources load without a permit");
    let pages: Vec<_> = requests.iter().filter(|path| matches!(path.as_str(), "/" | "/hop" | "/end")).collect();
    assert_eq!(pages, ["/", "/hop", "/end", "/", "/"]);
    let intervals = limiter.intervals("127.0.0.1");
    assert!(intervals.len() == pages.len() && intervals.iter().all(|interval| interval.as_secs() == 1), "{intervals:?}");
}

#[tokio::test]
async fn a_page_that_leads_on_for_ever_is_stopped() {
    let router = Router::new().fallback(|request: Request| async move {
        let number: u32 = request.uri().path().trim_start_matches('/').parse().unwrap_or(0);
        Html(format!("<p>on<script>location.replace('/{}')</script>", number + 1))
    });
    let port = serve(router).await;
    let Some(fixture) = browser_fixture(config(&[("127.0.0.1", port)])) else { return };
    assert_eq!(fixture.refused(format!("http://127.0.0.1:{port}/1")).await, FetchFailure::TooLarge);
}

#[tokio::test]
async fn one_owner_has_no_more_pages_open_than_allowed() {
    let port = fine().await;
    let mut config = config(&[("127.0.0.1", port)]);
    config.browser.max_sessions_per_owner = 1;
    let Some(fixture) = browser_fixture(config) else { return };
    let address = format!("http://127.0.0.1:{port}/");
    let (session, _) = fixture.browser.open("me", &address, &[]).await.unwrap();
    let more = fixture.browser.open("me", &address, &[]).await.unwrap_err();
    assert!(more.reason == FetchFailure::Busy && more.message.contains("max_sessions_per_owner"), "{more}");
    fixture.browser.open("you", &address, &[]).await.unwrap();
    fixture.browser.close("me", &session).await.unwrap();
    assert!(fixture.browser.open("me", &format!("{address}missing"), &[]).await.is_err());
    fixture.browser.open("me", &address, &[]).await.expect("what came to nothing counts for nothing");
}

#[tokio::test]
async fn an_error_status_is_not_a_page() {
    let words = "Access denied. You do not have permission to read this page on this server, whoever you may be.";
    let denied =
        move || async move { (StatusCode::FORBIDDEN, Html(format!("<article><h1>Denied</h1><p>{words}</p></article>"))) };
    let port = serve(Router::new().route("/denied", get(denied)).route("/", get(|| async { page("Fine") }))).await;
    let Some(fixture) = browser_fixture(config(&[("127.0.0.1", port)])) else { return };
    let at = |path: &str| format!("http://127.0.0.1:{port}/{path}");
    let rendered = fixture.render(at("denied")).await.unwrap_err();
    assert_eq!((rendered.reason, rendered.status), (FetchFailure::Status, Some(403)), "{rendered}");
    let opened = fixture.browser.open("me", &at("denied"), &[]).await.unwrap_err();
    assert_eq!(opened.status, Some(403), "{opened}");
    let (session, _) = fixture.browser.open("me", &at(""), &[]).await.unwrap();
    let shown = fixture.browser.step("me", &session, &BrowseCommand::Navigate { url: at("denied") }).await.unwrap();
    assert_eq!(shown.page.page.status, 403, "a step shows what there is, with its status");
}

/// Number of renderer processes.
fn renderers(root: u32) -> usize {
    let is_one = |id: &u32| {
        fs::read(format!("/proc/{id}/cmdline")).is_ok_and(|line| String::from_utf8_lossy(&line).contains("--type=renderer"))
    };
    tree(root).iter().filter(|id| is_one(id)).count()
}

async fn root(fixture: &BrowserFixture) -> u32 {
    fixture.browser.process_id().await.expect("a browser runs")
}

/// Polls a future up to `polls` times, then drops it.
async fn drop_after(mut polls: usize, future: impl Future) {
    let mut future = pin!(future);
    poll_fn(|context| match future.as_mut().poll(context) {
        Poll::Pending if polls > 1 => {
            polls -= 1;
            Poll::Pending
        }
        _ => Poll::Ready(()),
    })
    .await;
}

#[tokio::test]
async fn a_cancelled_open_leaves_no_page_behind() {
    let port = fine().await;
    let mut config = config(&[("127.0.0.1", port)]);
    config.browser.max_contexts = 2;
    let Some(fixture) = browser_fixture(config) else { return };
    let address = format!("http://127.0.0.1:{port}/");
    fixture.render(&address).await.unwrap();
    let first = root(&fixture).await;
    for polls in [1, 2, 3, 5, 8, 13, 21, 34, 55, 89] {
        drop_after(polls, fixture.browser.open("me", &address, &[])).await;
        fixture.browser.close_all("me").await;
    }
    fixture.render(&address).await.expect("all places are free again");
    // Chromium keeps one renderer in reserve.
    until("pages that belong to nobody are closed", async || renderers(first) <= 2).await;
    assert_eq!(root(&fixture).await, first, "the browser was not ended for it");
}
