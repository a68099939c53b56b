//! Tells the other processes what has changed, by publish and subscribe, and hears what they say.
//!
//! Invariant: news only wake who waits; what has happened is read from the database. What is missed while Redis is down is made
//! up for by looking every `sql.recheck_ms`.

use super::Redis;
use crate::sql::wake::{Topic, Wake};
use engine::Ids;
use futures::StreamExt;
use redis::RedisResult;
use std::{
    sync::atomic::{AtomicU64, Ordering},
    time::Duration,
};
use tokio::task::JoinSet;

/// Carries news until it is dropped.
pub(crate) struct NewsCarrier {
    _tasks: JoinSet<()>,
}

impl NewsCarrier {
    pub(crate) fn new(redis: &Redis, wake: Wake, recheck: Duration) -> Self {
        static STORES: AtomicU64 = AtomicU64::new(0);
        let me = format!("{}.{}.{}", std::process::id(), STORES.fetch_add(1, Ordering::Relaxed), redis.inner.chance.next());
        let mut tasks = JoinSet::new();
        tasks.spawn(publish_forever(redis.clone(), wake.clone(), me.clone()));
        tasks.spawn(hear_forever(redis.clone(), wake, me, recheck));
        Self { _tasks: tasks }
    }
}

/// One message for all that was said since the last one.
async fn publish_forever(redis: Redis, wake: Wake, me: String) {
    let channel = redis.key("news");
    let (mut said, mut published) = (wake.said(), [0; 4]);
    while said.changed().await.is_ok() {
        let now = *said.borrow_and_update();
        let news = Topic::ALL.into_iter().filter(|topic| now[*topic as usize] != published[*topic as usize]);
        let names: Vec<&str> = news.map(name).collect();
        published = now;
        let message = format!("{me} {}", names.join(" "));
        let told: RedisResult<()> =
            redis::cmd("PUBLISH").arg(&channel).arg(message).query_async(&mut redis.inner.shared.clone()).await;
        if let Err(error) = told {
            tracing::debug!(%error, "other processes were not told; they look by themselves");
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
        let mut words = text.split(' ');
        if words.next() != Some(me) {
            let topics = words.filter_map(|word| Topic::ALL.into_iter().find(|topic| name(*topic) == word));
            topics.for_each(|topic| wake.hear(topic));
        }
    }
    Ok(())
}

const fn name(topic: Topic) -> &'static str {
    match topic {
        Topic::Investigations => "investigations",
        Topic::Queue => "queue",
        Topic::Events => "events",
        Topic::Circuits => "circuits",
    }
}
