//! Tells the other processes what has changed, by publish and subscribe, and hears what they say.
//!
//! Invariant: news only wake who waits; what has happened is read from the database. What is missed while Redis is down is made
//! up for by looking every `sql.recheck_ms`.

use super::Redis;
use crate::sql::wake::{Carrier, Wake, messages, sender, understood};
use futures::StreamExt;
use redis::RedisResult;
use std::time::Duration;

pub(crate) fn carry(redis: &Redis, wake: &Wake, recheck: Duration) -> Carrier {
    let me = sender(&redis.inner.chance);
    let publish = publish_forever(redis.clone(), wake.clone(), me.clone());
    Carrier::new(publish, hear_forever(redis.clone(), wake.clone(), me, recheck))
}

/// One message for all that was said since the last one.
async fn publish_forever(redis: Redis, wake: Wake, me: String) {
    let channel = redis.key("news");
    let mut news = wake.carry();
    while news.changed().await.is_ok() {
        let said = wake.take_said();
        if said.is_empty() {
            continue;
        }
        for message in messages(&me, &said) {
            let told: RedisResult<()> =
                redis::cmd("PUBLISH").arg(&channel).arg(message).query_async(&mut redis.inner.shared.clone()).await;
            if let Err(error) = told {
                tracing::debug!(%error, "other processes were not told; they look by themselves");
            }
        }
    }
}

async fn hear_forever(redis: Redis, wake: Wake, me: String, recheck: Duration) {
    let mut was_down = false;
    loop {
        match hear(&redis, &wake, &me).await {
            Ok(()) => was_down = false,
            Err(error) if !was_down => {
                was_down = true;
                tracing::warn!(%error, "Redis carries no news; changes are looked for instead");
            }
            Err(_) => {}
        }
        wake.hear_all();
        tokio::time::sleep(recheck).await;
    }
}

async fn hear(redis: &Redis, wake: &Wake, me: &str) -> RedisResult<()> {
    let mut listening = redis.listening_connection().await?;
    listening.subscribe(redis.key("news")).await?;
    // What was said before.
    wake.hear_all();
    let mut messages = listening.on_message();
    while let Some(message) = messages.next().await {
        let text: String = message.get_payload()?;
        if let Some((_, said)) = understood(&text).filter(|(sender, _)| *sender != me) {
            wake.hear_from_others(&said);
        }
    }
    Ok(())
}
