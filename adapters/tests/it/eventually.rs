//! Polling, for conditions without a notification.

use std::time::Duration;

/// Returns whether a condition holds within a minute. It holds the only sleep of these tests: no result depends on its length.
pub async fn eventually<F: Future<Output = bool>>(mut holds: impl FnMut() -> F) -> bool {
    let polling = async {
        while !holds().await {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    };
    tokio::time::timeout(Duration::from_secs(60), polling).await.is_ok()
}
