//! The transport of notifications between processes: batching, retries and identity, for every medium.

use super::{ChangeNotifier, UnpublishedChanges, message::encode};
use engine::Ids;
use std::{
    fmt::Display,
    sync::atomic::{AtomicU64, Ordering},
    time::Duration,
};
use tokio::task::JoinSet;

/// A running transport; it stops when dropped.
pub(crate) struct Transport {
    _tasks: JoinSet<()>,
}

impl Transport {
    /// Runs both directions for ever: `publish` sends this process's notifications, `hear` receives those of others.
    pub(crate) fn new(
        publish: impl Future<Output = ()> + Send + 'static,
        hear: impl Future<Output = ()> + Send + 'static,
    ) -> Self {
        let mut tasks = JoinSet::new();
        tasks.spawn(publish);
        tasks.spawn(hear);
        Self { _tasks: tasks }
    }
}

/// Timings of a transport.
#[derive(Debug, Clone, Copy)]
pub(crate) struct TransportTimings {
    /// Pause after a message, during which notifications are batched.
    pub after_publish: Duration,
    /// Pause after an error.
    pub after_error: Duration,
    /// Silence after which a listening connection is renewed.
    pub max_silence: Duration,
}

/// Publishes this process's notifications with `publish`, for ever. Failed messages are sent again, since healthy listeners do not poll.
pub(crate) async fn publish_forever<E: Display, F: Future<Output = Result<(), E>>>(
    notifier: ChangeNotifier,
    own_id: String,
    timings: TransportTimings,
    publish: impl Fn(String) -> F,
) {
    let mut news = notifier.start_collecting();
    let mut unpublished = UnpublishedChanges::default();
    loop {
        if unpublished.is_empty() && news.changed().await.is_err() {
            return;
        }
        unpublished.join(notifier.take_pending());
        let mut sent = Ok(());
        for message in encode(&own_id, &unpublished) {
            sent = publish(message).await;
            if sent.is_err() {
                break;
            }
        }
        let pause = match sent {
            Ok(()) => {
                unpublished = UnpublishedChanges::default();
                timings.after_publish
            }
            Err(error) => {
                tracing::debug!(%error, "change notification failed, retrying");
                timings.after_error
            }
        };
        tokio::time::sleep(pause).await;
    }
}

/// Returns an id of this store, unique across processes.
pub(crate) fn sender_id(jitter: &dyn Ids) -> String {
    static STORES: AtomicU64 = AtomicU64::new(0);
    format!("{}.{}.{}", std::process::id(), STORES.fetch_add(1, Ordering::Relaxed), jitter.next())
}
