//! Tells the other processes what has changed, by publish and subscribe, and hears what they say.
//!
//! Invariant: news only wake who waits; what has happened is read from the database. What is missed while Redis is down is made
//! up for by looking every `sql.recheck_ms`.

use super::Redis;
use crate::sql::wake::{Carrier, Pauses, Wake, sender, tell_forever};
use engine::StoreResult;
use futures::StreamExt;
use redis::RedisResult;
use std::time::Duration;
use tokio::time::timeout;

const CHANNEL: &str = "news";

pub(crate) fn carry(redis: &Redis, wake: &Wake, pauses: Pauses) -> Carrier {
    let me = sender(&redis.inner.chance);
    let server = redis.clone();
    let tell = move |message: String| {
        let server = server.clone();
        async move {
            let told: StoreResult<()> = server.command(redis::cmd("PUBLISH").arg(server.key(CHANNEL)).arg(message)).await;
            told
        }
    };
    let publish = tell_forever(wake.clone(), me.clone(), pauses, tell);
    Carrier::new(publish, hear_forever(redis.clone(), wake.clone(), me, pauses))
}

async fn hear_forever(redis: Redis, wake: Wake, me: String, pauses: Pauses) {
    let mut was_down = false;
    loop {
        match hear(&redis, &wake, &me, pauses.silence).await {
            Ok(()) => was_down = false,
            Err(error) => {
                if !std::mem::replace(&mut was_down, true) {
                    tracing::warn!(%error, "Redis carries no news; changes are looked for instead");
                }
                wake.hear_all();
            }
        }
        tokio::time::sleep(pauses.lost).await;
    }
}

/// Until the connection is lost, or has been silent for too long to be trusted.
async fn hear(redis: &Redis, wake: &Wake, me: &str, silence: Duration) -> RedisResult<()> {
    let mut listening = redis.subscription(CHANNEL).await?;
    // What was said before.
    wake.hear_all();
    let mut messages = listening.on_message();
    while let Ok(Some(message)) = timeout(silence, messages.next()).await {
        let text: String = message.get_payload()?;
        wake.hear_message(me, &text);
    }
    Ok(())
}
