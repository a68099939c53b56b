//! Tests of `/healthz`, `/readyz` and `/metrics`.

use crate::app::{METRICS_LOCK, spawn_app, spawn_with};

#[tokio::test]
async fn a_server_is_alive_and_ready() {
    let app = spawn_app().await;
    let mut browser = app.browser();
    assert_eq!(browser.get("/healthz").await.text(), "ok\n");
    assert_eq!(browser.get("/readyz").await.text(), "ready\n");
    assert_eq!(browser.get("/metrics").await.status, 404, "strangers reach this address");
}

#[tokio::test]
async fn failed_dependencies_are_named_and_their_metrics_are_nan() {
    let _lock = METRICS_LOCK.lock().await;
    let app = spawn_with(|config| config.metrics.on_web = true).await;
    let mut browser = app.browser();
    browser.get("/metrics").await;
    app.program.store.close().await;
    let metrics = browser.get("/metrics").await.text();
    for line in [
        "autosint_dependency_up{dependency=\"store\"} 0",
        "autosint_dependency_up{dependency=\"queue\"} 0",
        "autosint_queue_depth{priority=\"high\"} NaN",
        "autosint_investigations{status=\"suspended\"} NaN",
    ] {
        assert!(metrics.contains(line), "{line} is missing in:\n{metrics}");
    }
    let ready = browser.get("/readyz").await;
    assert_eq!(ready.status, 503);
    assert_eq!(ready.text(), "the store does not answer\n");
}

#[tokio::test]
async fn metrics_are_exported_for_prometheus() {
    let _lock = METRICS_LOCK.lock().await;
    let app = spawn_with(|config| config.metrics.on_web = true).await;
    let mut browser = app.browser();
    browser.get("/healthz").await;
    let metrics = browser.get("/metrics").await.text();
    for family in [
        "autosint_http_requests_total",
        "autosint_http_request_seconds_bucket",
        "autosint_queue_depth",
        "autosint_dependency_up{dependency=\"store\"} 1\n",
    ] {
        assert!(metrics.contains(family), "{family} is missing in:\n{metrics}");
    }
}
