//! Wakes whoever waits for the store to change: at once inside this process, and within `sql.recheck_ms` across processes.
//!
//! Invariant: all writes of a process go through its one writer connection, on which `pragma data_version` changes only
//! when another process has committed.

use super::{Db, Inner};
use std::{
    sync::{Arc, Weak},
    time::Duration,
};
use tokio::sync::watch;

/// What somebody may wait for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Topic {
    Investigations,
    Queue,
    Events,
}

/// One channel per topic; the number only grows.
#[derive(Debug, Default)]
pub(crate) struct Wake {
    investigations: watch::Sender<u64>,
    queue: watch::Sender<u64>,
    events: watch::Sender<u64>,
}

impl Wake {
    fn channel(&self, topic: Topic) -> &watch::Sender<u64> {
        match topic {
            Topic::Investigations => &self.investigations,
            Topic::Queue => &self.queue,
            Topic::Events => &self.events,
        }
    }

    pub(crate) fn tell(&self, topic: Topic) {
        self.channel(topic).send_modify(|times| *times += 1);
    }

    /// Subscribe before looking, so that nothing is missed between the look and the wait.
    pub(crate) fn listen(&self, topic: Topic) -> watch::Receiver<u64> {
        self.channel(topic).subscribe()
    }

    fn tell_all(&self) {
        for topic in [Topic::Investigations, Topic::Queue, Topic::Events] {
            self.tell(topic);
        }
    }
}

/// Looks for commits of other processes until the store is dropped.
pub(crate) fn watch_other_processes(store: &Arc<Inner>) {
    let pause = Duration::from_millis(store.config.recheck_ms.max(1));
    let store = Arc::downgrade(store);
    tokio::spawn(async move {
        let mut seen = None;
        loop {
            tokio::time::sleep(pause).await;
            let Some(store) = Weak::upgrade(&store) else { return };
            match version(&store.db).await {
                Some(version) if seen == Some(version) => {}
                Some(version) => {
                    // The first look tells nothing new unless somebody wrote before it, which a spurious wake covers.
                    seen = Some(version);
                    store.wake.tell_all();
                }
                None => {}
            }
        }
    });
}

/// A number that changes when another process commits; none when it cannot be said now.
async fn version(db: &Db) -> Option<i64> {
    match db {
        Db::Sqlite(pools) => {
            let mut writer = pools.writer.try_acquire()?;
            sqlx::query_scalar("pragma data_version").fetch_one(&mut *writer).await.ok()
        }
        Db::Postgres(pool) => {
            sqlx::query_scalar("select (pg_current_wal_lsn() - '0/0'::pg_lsn)::bigint").fetch_one(pool).await.ok()
        }
    }
}
