//! Polling of other processes, for conditions without a notification.

use crate::prelude::*;

/// Returns whether a condition holds within two minutes.
pub async fn eventually(holds: impl AsyncFnMut() -> bool) -> bool {
    within(Duration::from_secs(120), holds).await
}

/// Returns whether a condition holds within so long.
pub async fn within(patience: Duration, mut holds: impl AsyncFnMut() -> bool) -> bool {
    let polling = async {
        while !holds().await {
            pause(Duration::from_millis(20)).await;
        }
    };
    tokio::time::timeout(patience, polling).await.is_ok()
}

/// Lets real time pass: between two looks, and in the schedules of faults. It holds the only sleep of these tests.
pub async fn pause(duration: Duration) {
    tokio::time::sleep(duration).await;
}
