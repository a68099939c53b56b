//! Listener for additions to the queue, on a separate connection.
//!
//! Invariant: listening takes no order. It only wakes waiting workers; additions missed while the connection is down are found by polling
//! (`redis.recheck_ms`).

use crate::redis::Redis;
use redis::{RedisResult, Value, aio::MultiplexedConnection, streams::StreamReadReply};
use std::time::Duration;
use tokio::{sync::watch, task::JoinSet};

const STREAMS: [&str; 3] = ["workorders:high", "workorders:normal", "workorders:low"];

/// A running listener; it stops when dropped.
pub(super) struct QueueListener {
    news: watch::Sender<u64>,
    _listening: JoinSet<()>,
}

impl QueueListener {
    pub(super) fn new(redis: &Redis) -> Self {
        let news = watch::Sender::new(0);
        let mut listening = JoinSet::new();
        listening.spawn(listen_forever(redis.clone(), news.clone()));
        Self { news, _listening: listening }
    }

    /// Subscribes to additions. Subscribe before reading the queue.
    pub(super) fn subscribe(&self) -> watch::Receiver<u64> {
        self.news.subscribe()
    }
}

async fn listen_forever(redis: Redis, news: watch::Sender<u64>) {
    let recheck = Duration::from_millis(redis.config().recheck_ms.max(1));
    loop {
        if let Err(error) = listen(&redis, recheck, &news).await {
            tracing::debug!(%error, "redis queue listener failed, retrying");
        }
        // Waiting workers are woken and get the error from their own call.
        news.send_modify(|attempts| *attempts += 1);
        tokio::time::sleep(recheck).await;
    }
}

async fn listen(redis: &Redis, wait: Duration, news: &watch::Sender<u64>) -> RedisResult<()> {
    let keys = STREAMS.map(|name| redis.key(name));
    let mut connection = redis.waiting_connection(wait).await?;
    let mut seen = newest(&mut connection, &keys).await?;
    // Something may have come before the first look.
    news.send_modify(|attempts| *attempts += 1);
    loop {
        let mut command = redis::cmd("XREAD");
        command.arg("COUNT").arg(1000).arg("BLOCK").arg(wait.as_millis() as u64).arg("STREAMS").arg(&keys).arg(&seen);
        let read: Option<StreamReadReply> = command.query_async(&mut connection).await?;
        for stream in read.into_iter().flat_map(|read| read.keys) {
            let place = keys.iter().position(|key| *key == stream.key);
            if let (Some(place), Some(last)) = (place, stream.ids.last()) {
                seen[place].clone_from(&last.id);
                news.send_modify(|attempts| *attempts += 1);
            }
        }
    }
}

/// Returns the last entry id of each stream.
async fn newest(connection: &mut MultiplexedConnection, keys: &[String]) -> RedisResult<Vec<String>> {
    let mut ends = vec![];
    for key in keys {
        let newest: Vec<(String, Value)> =
            redis::cmd("XREVRANGE").arg(key).arg("+").arg("-").arg("COUNT").arg(1).query_async(connection).await?;
        ends.push(newest.into_iter().next().map_or_else(|| "0-0".to_owned(), |(id, _)| id));
    }
    Ok(ends)
}
