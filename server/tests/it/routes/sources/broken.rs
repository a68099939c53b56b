//! Tests of messages on the page for sources with invalid responses.

use super::line;
use crate::{app::serve, prelude::*};
use axum::{
    http::header::RETRY_AFTER,
    response::{Html, IntoResponse, Response},
    routing::get,
};
use fetch::JsonSearch;

const LARGE_BYTES: usize = 50 * 1024 * 1024;

/// Case: source, response, and expected message.
type Case = (&'static str, fn() -> Response, &'static [&'static str]);

const CASES: [Case; 14] = [
    (
        "page",
        || Html("<!doctype html><html><body>Please sign in</body></html>").into_response(),
        &["a web page instead of data", "fetch.sources"],
    ),
    ("unknown", || StatusCode::UNAUTHORIZED.into_response(), &["refused the request"]),
    ("forbidden", || StatusCode::FORBIDDEN.into_response(), &["refused the request", "fetch.contact"]),
    ("moved", || StatusCode::NOT_FOUND.into_response(), &["does not exist", "fetch.sources"]),
    ("busy", || StatusCode::TOO_MANY_REQUESTS.into_response(), &["asks to wait", "try again later"]),
    ("patient", || (StatusCode::TOO_MANY_REQUESTS, [(RETRY_AFTER, "4000")]).into_response(), &["asks to wait for 4000 s"]),
    ("broken", || StatusCode::INTERNAL_SERVER_ERROR.into_response(), &["server error", "500", "try again later"]),
    ("empty", || "".into_response(), &["an empty response", "try again later"]),
    ("large", || vec![b' '; LARGE_BYTES].into_response(), &["exceeds", "max_answer_bytes"]),
    ("cut", || r#"{"hits":[{"u":"https://a.exam"#.into_response(), &["unknown format", "fetch.sources.searches"]),
    ("words", || r#"{"hits":"none today"}"#.into_response(), &["unknown format", "fetch.sources.searches"]),
    ("numbers", || r#"{"hits":[{"u":7.5,"t":["x"]},3]}"#.into_response(), &["unknown format", "fetch.sources.searches"]),
    ("list", || "[1,2,3]".into_response(), &["no list at `hits`", "fetch.sources.searches"]),
    ("plain", || "Searching is closed until Monday".into_response(), &["rejected the query: Searching is closed until Monday"]),
];
/// Technical terms that belong in a log only.
const FOREIGN: [&str; 9] =
    ["serde", "line 1", "column", "expected", "invalid type", "SourceError", "panicked", "data.", "Err("];

/// Id that occurs nowhere else on the page.
fn with_id(id: &str) -> String {
    format!("odd_{id}")
}

fn search(id: &str, port: u16) -> JsonSearch {
    JsonSearch {
        id: with_id(id),
        name: format!("Search {id}"),
        address: format!("http://127.0.0.1:{port}/{id}?q={{words}}"),
        hits: "hits".into(),
        hit_address: "u".into(),
        hit_title: "t".into(),
        ..JsonSearch::default()
    }
}

#[tokio::test]
async fn invalid_source_responses_have_helpful_messages() {
    let router = CASES.iter().fold(Router::new(), |router, (id, answer, _)| {
        let answer = *answer;
        router.route(&format!("/{id}"), get(move || async move { answer() }))
    });
    let port = serve(router).await;
    let app = spawn_with(|config| {
        config.fetch.sources.feeds.clear();
        config.fetch.rate_limit.interval_ms = 0;
        config.fetch.sources.searches = CASES.iter().map(|(id, ..)| search(id, port)).collect();
        config.fetch.http.exceptions =
            CASES.iter().map(|(id, ..)| Exception { source: with_id(id), host: "127.0.0.1".into(), port }).collect();
    })
    .await;
    let mut boss = app.signed_in("boss", Role::Admin).await;
    // The source that requests a pause comes last.
    let (patient, others): (Vec<&Case>, Vec<&Case>) = CASES.iter().partition(|(id, ..)| *id == "patient");
    for (id, _, words) in others.into_iter().chain(patient) {
        let source = with_id(id);
        assert_eq!(boss.post("/sources/test", &[("source", &source)]).await.location(), format!("/sources#{source}"));
        let shown = line(&mut boss, &source).await;
        assert!(shown.contains("Failed "), "{id}: {shown}");
        for word in *words {
            assert!(shown.contains(word), "{id} lacks '{word}': {shown}");
        }
        for word in FOREIGN {
            assert!(!shown.contains(word), "{id} has '{word}': {shown}");
        }
        assert!(!shown.contains("..") && !shown.contains("Its interface"), "{id}: {shown}");
    }
}
