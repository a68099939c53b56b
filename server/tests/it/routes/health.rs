//! Test of `/readyz` and `/metrics` of a server whose store is closed.

use crate::{app::METRICS_LOCK, prelude::*};

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
