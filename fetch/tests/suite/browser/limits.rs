//! Limits on endless, huge and hanging pages: each costs one clear error.

use super::{advance, browser_fixture, config, fine, text, until};
use crate::{
    prelude::*,
    web::local_web::{page, serve_raw},
};
use axum::http::header::{CONTENT_DISPOSITION, CONTENT_TYPE};
use domain::fetch::BrowseRequest;
use tokio::io::AsyncWriteExt;

#[tokio::test]
async fn a_page_that_never_ends_is_read_as_far_as_it_came() {
    let port = serve_raw(|mut stream| async move {
        let start = "HTTP/1.1 200 OK\r\ncontent-type: text/html\r\nconnection: close\r\n\r\n<title>Endless</title><article><h1>Endless</h1>\
                     <p>The harbour master said that the gates would stay shut until the inquiry has ended.</p>\n";
        stream.write_all(start.as_bytes()).await?;
        std::future::pending().await
    })
    .await;
    let mut config = config(&[("127.0.0.1", port)]);
    config.browser.load_timeout_ms = 3_000;
    config.browser.settle_ms = 500;
    let Some(fixture) = browser_fixture(config) else { return };
    let read = fixture.render(format!("http://127.0.0.1:{port}/")).await.unwrap();
    assert!(!read.page.is_complete);
    assert!(text(&read).contains("harbour master"), "{}", text(&read));
}

#[tokio::test]
async fn bytes_html_and_time_of_a_page_are_limited() {
    let many = "<p>The gates of the harbour stay shut.</p>".repeat(40_000);
    let router = Router::new()
        .route("/", get(|| async { page("Fine") }))
        .route("/hang", get(|| async { Html("<p>before<script>while (true) {}</script>") }))
        .route("/alert", get(|| async { Html("<script>alert('stop'); confirm('really'); prompt('who');</script><p>The page went on after three dialogues that nobody answered.</p>") }))
        .route("/huge", get(|| async { ([(CONTENT_TYPE, "text/html")], "x".repeat(50 * 1024 * 1024)).into_response() }))
        .route("/grown", get(|| async { Html("<p id=p>A paragraph that grows.</p><script>p.textContent = 'gates '.repeat(400000)</script>") }))
        .route("/many", get(move || async move { Html(many) }))
        .route("/file", get(|| async { ([(CONTENT_TYPE, "application/octet-stream"), (CONTENT_DISPOSITION, "attachment; filename=a.bin")], "bytes").into_response() }))
        .route("/gone", get(|| async { (axum::http::StatusCode::NOT_FOUND, Html("<h1>Gone</h1><p>There is no such page on this server any more.</p>")) }))
        .route("/robots.txt", get(|| async { "User-agent: *\nDisallow: /private\n" }))
        .route("/private", get(|| async { page("Private") }))
        .route("/to-private", get(|| async { Html("<p>on<script>location.href = '/private'</script>") }));
    let port = serve(router).await;
    let mut config = config(&[("127.0.0.1", port)]);
    config.browser.max_page_bytes = 4 * 1024 * 1024;
    config.browser.max_html_bytes = 2_000_000;
    config.browser.load_timeout_ms = 10_000;
    config.browser.step_timeout_ms = 10_000;
    let Some(fixture) = browser_fixture(config) else { return };
    let at = |path: &str| format!("http://127.0.0.1:{port}/{path}");

    assert_eq!(fixture.refused(at("hang")).await, FetchFailure::TimedOut);
    assert_eq!(fixture.refused(at("huge")).await, FetchFailure::TooLarge);
    assert_eq!(fixture.refused(at("grown")).await, FetchFailure::TooLarge);
    assert!(fixture.render(at("many")).await.is_ok());
    assert_eq!(fixture.refused(at("file")).await, FetchFailure::Unreadable);
    assert_eq!(fixture.refused(at("private")).await, FetchFailure::Robots);
    assert_eq!(fixture.refused(at("to-private")).await, FetchFailure::Robots, "a script led where no program may go");
    let alert = fixture.render(at("alert")).await.unwrap();
    assert!(text(&alert).contains("went on after three dialogues"), "{}", text(&alert));
    assert_eq!(fixture.refused(at("gone")).await, FetchFailure::Status);
    assert!(fixture.render(at("")).await.is_ok(), "the browser still serves");

    let waited = BrowseRequest { wait_for: Some("#never".into()), timeout_ms: Some(1_000), ..BrowseRequest::page(at("")) };
    let reason = fixture.browser.render(&waited).await.map(|_| ()).map_err(|error| error.reason);
    assert_eq!(reason, Err(FetchFailure::TimedOut));
}

#[tokio::test]
async fn requests_wait_for_a_free_slot() {
    let port = fine().await;
    let mut config = config(&[("127.0.0.1", port)]);
    config.browser.max_contexts = 1;
    config.browser.queue_timeout_ms = 300;
    let idle = Duration::from_millis(config.browser.session_idle_ms + 1);
    let Some(fixture) = browser_fixture(config) else { return };
    let address = format!("http://127.0.0.1:{port}/");
    let (session, _) = fixture.browser.open("me", &address, &[]).await.unwrap();
    assert_eq!(fixture.refused(&address).await, FetchFailure::Busy);
    fixture.browser.close("me", &session).await.unwrap();
    // The slot is free once the context is gone.
    until("a place is free", async || fixture.render(&address).await.is_ok()).await;
    fixture.browser.open("me", &address, &[]).await.unwrap();
    advance(idle).await;
    fixture.browser.open_sessions().wait_for(|count| *count == 0).await.unwrap();
}

#[tokio::test]
async fn a_killed_browser_costs_one_step_and_is_replaced() {
    let port = fine().await;
    let Some(fixture) = browser_fixture(config(&[("127.0.0.1", port)])) else { return };
    let address = format!("http://127.0.0.1:{port}/");
    let (session, _) = fixture.browser.open("me", &address, &[]).await.unwrap();
    let first = fixture.browser.process_id().await.unwrap();
    let killed = std::process::Command::new("kill").args(["-9", &first.to_string()]).status().unwrap();
    assert!(killed.success());
    let step = BrowseCommand::Navigate { url: address.clone() };
    let error = fixture.browser.step("me", &session, &step).await.unwrap_err();
    assert_eq!(error.reason, FetchFailure::Crashed, "{error}");
    assert!(fixture.render(&address).await.is_ok());
    assert_ne!(fixture.browser.process_id().await, Some(first));
    let gone = fixture.browser.step("me", &session, &step).await.unwrap_err();
    assert_eq!(gone.reason, FetchFailure::NotPossible, "{gone}");
}

#[tokio::test]
async fn a_browser_that_grows_too_large_is_ended() {
    let hungry = "<p>more<button id=more onclick=\"setInterval(() => { const b = new Uint8Array(64 << 20); b.fill(1); kept.push(b); }, 20)\">More</button><script>const kept = [];</script>";
    let router =
        Router::new().route("/", get(|| async { page("Fine") })).route("/hungry", get(move || async move { Html(hungry) }));
    let port = serve(router).await;
    let mut config = config(&[("127.0.0.1", port)]);
    config.browser.max_memory_bytes = 600 * 1024 * 1024;
    let Some(fixture) = browser_fixture(config) else { return };
    let (session, _) = fixture.browser.open("me", &format!("http://127.0.0.1:{port}/hungry"), &[]).await.unwrap();
    // The browser is killed during this step, or soon after.
    let _ = fixture.browser.step("me", &session, &BrowseCommand::Click { selector: "#more".into() }).await;
    fixture.browser.exited().await;
    let step = BrowseCommand::Navigate { url: format!("http://127.0.0.1:{port}/") };
    assert!(fixture.browser.step("me", &session, &step).await.is_err());
    assert!(fixture.render(format!("http://127.0.0.1:{port}/")).await.is_ok());
}
