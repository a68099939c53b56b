//! `/healthz`, `/readyz`, `/metrics`.

use crate::app::spawn_app;

#[tokio::test]
async fn it_says_that_it_lives_and_is_ready() {
    let app = spawn_app().await;
    let mut browser = app.browser();
    assert_eq!(browser.get("/healthz").await.text(), "ok\n");
    assert_eq!(browser.get("/readyz").await.text(), "ready\n");
}

#[tokio::test]
async fn figures_are_for_prometheus() {
    let app = spawn_app().await;
    let mut browser = app.browser();
    browser.get("/healthz").await;
    let figures = browser.get("/metrics").await.text();
    for family in [
        "autosint_http_requests_total",
        "autosint_http_request_seconds_bucket",
        "autosint_queue_depth",
        "autosint_database_up 1",
    ] {
        assert!(figures.contains(family), "{family} is missing in:\n{figures}");
    }
}
