//! Transport of change notifications over Redis publish/subscribe.
//!
//! Invariant: notifications only wake waiting readers; the facts are read from the database. What is missed while Redis is down is found
//! by polling every `sql.recheck_ms`.

use super::Redis;
use crate::sql::notify::{ChangeNotifier, Transport, TransportTimings, publish_forever, sender_id};
use engine::StoreResult;
use futures::StreamExt;
use redis::RedisResult;
use std::time::Duration;
use tokio::time::timeout;

const CHANNEL: &str = "news";

pub(crate) fn start(redis: &Redis, notifier: &ChangeNotifier, timings: TransportTimings) -> Transport {
    let own_id = sender_id(&redis.inner.jitter);
    let server = redis.clone();
    let publish_message = move |message: String| {
        let server = server.clone();
        async move {
            let sent: StoreResult<()> = server.command(redis::cmd("PUBLISH").arg(server.key(CHANNEL)).arg(message)).await;
            sent
        }
    };
    let publish_message = publish_forever(notifier.clone(), own_id.clone(), timings, publish_message);
    Transport::new(publish_message, receive_forever(redis.clone(), notifier.clone(), own_id, timings))
}

async fn receive_forever(redis: Redis, notifier: ChangeNotifier, own_id: String, timings: TransportTimings) {
    let mut was_down = false;
    loop {
        match receive_until_lost(&redis, &notifier, &own_id, timings.max_silence).await {
            Ok(()) => was_down = false,
            Err(error) => {
                if !std::mem::replace(&mut was_down, true) {
                    tracing::warn!(%error, "redis subscription lost, polling for changes");
                }
                notifier.notify_all();
            }
        }
        tokio::time::sleep(timings.after_error).await;
    }
}

/// Receives until the connection is lost or silent for too long.
async fn receive_until_lost(redis: &Redis, notifier: &ChangeNotifier, own_id: &str, silence: Duration) -> RedisResult<()> {
    let mut listening = redis.subscription(CHANNEL).await?;
    // What was said before.
    notifier.notify_all();
    let mut messages = listening.on_message();
    while let Ok(Some(message)) = timeout(silence, messages.next()).await {
        let text: String = message.get_payload()?;
        notifier.receive(own_id, &text);
    }
    Ok(())
}
