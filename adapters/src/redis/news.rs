//! Tells the other processes what has changed, by publish and subscribe, and hears what they say.
//!
//! Invariant: news only wake who waits; what has happened is read from the database. What is missed while Redis is down is made
//! up for by looking every `sql.recheck_ms`.

use super::Redis;
use crate::sql::wake::{Said, Topic, Wake};
use domain::InvestigationId;
use engine::Ids;
use futures::StreamExt;
use redis::RedisResult;
use std::{
    sync::atomic::{AtomicU64, Ordering},
    time::Duration,
};
use tokio::task::JoinSet;
use uuid::Uuid;

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
    let mut news = wake.carry();
    while news.changed().await.is_ok() {
        let said = wake.take_said();
        if said.is_empty() {
            continue;
        }
        let told: RedisResult<()> =
            redis::cmd("PUBLISH").arg(&channel).arg(message(&me, &said)).query_async(&mut redis.inner.shared.clone()).await;
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
        if let Some((_, said)) = understood(&text).filter(|(sender, _)| *sender != me) {
            said.topics.into_iter().for_each(|topic| wake.hear(topic));
            said.events_of.into_iter().for_each(|investigation| wake.hear_events_of(investigation));
        }
    }
    Ok(())
}

/// Who says it, names of topics, and the ids of investigations that have new events, with blanks between them.
fn message(me: &str, said: &Said) -> String {
    let topics = said.topics.iter().map(|topic| name(*topic).to_owned());
    let investigations = said.events_of.iter().map(|investigation| investigation.0.to_string());
    [me.to_owned()].into_iter().chain(topics).chain(investigations).collect::<Vec<_>>().join(" ")
}

/// The sender and what it says; words that a newer version may say are passed over.
fn understood(text: &str) -> Option<(&str, Said)> {
    let mut words = text.split(' ');
    let sender = words.next()?;
    let mut said = Said::default();
    for word in words {
        if let Some(topic) = Topic::ALL.into_iter().find(|topic| name(*topic) == word) {
            said.topics.insert(topic);
        } else if let Ok(id) = word.parse::<Uuid>() {
            said.events_of.insert(InvestigationId(id));
        }
    }
    Some((sender, said))
}

const fn name(topic: Topic) -> &'static str {
    match topic {
        Topic::Investigations => "investigations",
        Topic::Queue => "queue",
        Topic::Events => "events",
        Topic::Circuits => "circuits",
    }
}

#[cfg(test)]
mod tests {
    use super::{Said, Topic, message, understood};
    use domain::InvestigationId;
    use std::collections::BTreeSet;
    use uuid::Uuid;

    #[test]
    fn what_is_said_is_understood() {
        let said = Said {
            topics: BTreeSet::from([Topic::Queue, Topic::Investigations]),
            events_of: [1, 2].map(|n| InvestigationId(Uuid::from_u128(n))).into(),
        };
        assert_eq!(understood(&message("me", &said)), Some(("me", said.clone())));
        assert_eq!(understood(&format!("{} later", message("me", &said))), Some(("me", said)));
    }
}
