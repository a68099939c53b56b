//! Wakes whoever waits for the store to change: at once inside this process, and within `sql.recheck_ms` across processes.
//!
//! Invariant on SQLite: all writes of a process go through its one writer connection, on which `pragma data_version` changes only
//! when another process has committed. On PostgreSQL every write sends a notice, which its own process hears too; with Redis the
//! processes tell each other there (`redis::news`), as notices of PostgreSQL make commits wait for each other.

use super::{Db, Inner, SqlitePools};
use domain::InvestigationId;
use sqlx::{PgConnection, PgPool, postgres::PgListener};
use std::{
    collections::{BTreeSet, HashMap},
    sync::{Arc, Mutex, MutexGuard, PoisonError, Weak},
    time::Duration,
};
use tokio::sync::watch;

/// What somebody may wait for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Topic {
    Investigations,
    Queue,
    Events,
    Circuits,
}

impl Topic {
    pub(crate) const ALL: [Self; 4] = [Self::Investigations, Self::Queue, Self::Events, Self::Circuits];
}

/// One channel per topic, for events one for each investigation that is followed: of many that run, each wakes those who follow it
/// alone. The numbers only grow. Beside them, what this process has said itself and nobody has carried to the others yet.
#[derive(Debug, Clone, Default)]
pub(crate) struct Wake {
    channels: [watch::Sender<u64>; 4],
    followed: Arc<Mutex<HashMap<InvestigationId, watch::Sender<u64>>>>,
    /// None: nobody carries it.
    said: watch::Sender<Option<Said>>,
}

/// News of one process for the others, each once.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Said {
    pub topics: BTreeSet<Topic>,
    /// Investigations that have new events.
    pub events_of: BTreeSet<InvestigationId>,
}

impl Said {
    pub(crate) fn is_empty(&self) -> bool {
        self.topics.is_empty() && self.events_of.is_empty()
    }
}

impl Wake {
    /// This process has changed something.
    pub(crate) fn tell(&self, topic: Topic) {
        self.hear(topic);
        self.say(|said| said.topics.insert(topic));
    }

    /// An investigation has new events, written by this process.
    pub(crate) fn tell_followers(&self, investigation: InvestigationId) {
        self.hear_events_of(investigation);
        self.say(|said| said.events_of.insert(investigation));
    }

    /// An investigation has new events.
    pub(crate) fn hear_events_of(&self, investigation: InvestigationId) {
        self.followed().get(&investigation).into_iter().for_each(again);
    }

    /// Some process has changed something; of events nobody says whose.
    pub(crate) fn hear(&self, topic: Topic) {
        match topic {
            Topic::Events => self.followed().values().for_each(again),
            other => again(&self.channels[other as usize]),
        }
    }

    /// Something may have changed that nobody was told of.
    pub(crate) fn hear_all(&self) {
        Topic::ALL.into_iter().for_each(|topic| self.hear(topic));
    }

    /// Subscribe before looking, so that nothing is missed between the look and the wait. Events are listened to with `follow`.
    pub(crate) fn listen(&self, topic: Topic) -> watch::Receiver<u64> {
        self.channels[topic as usize].subscribe()
    }

    /// The same for the events of one investigation.
    pub(crate) fn follow(&self, investigation: InvestigationId) -> watch::Receiver<u64> {
        let mut followed = self.followed();
        followed.retain(|_, sender| sender.receiver_count() > 0);
        followed.entry(investigation).or_default().subscribe()
    }

    /// From now on what this process says is kept until it is taken: whoever begins this takes it, again and again.
    pub(crate) fn carry(&self) -> watch::Receiver<Option<Said>> {
        self.said.send_replace(Some(Said::default()));
        self.said.subscribe()
    }

    /// What was said since the last time.
    pub(crate) fn take_said(&self) -> Said {
        let mut taken = Said::default();
        self.said.send_if_modified(|said| {
            taken = said.as_mut().map(std::mem::take).unwrap_or_default();
            false
        });
        taken
    }

    fn say(&self, what: impl FnOnce(&mut Said) -> bool) {
        self.said.send_if_modified(|said| said.as_mut().is_some_and(what));
    }

    fn followed(&self) -> MutexGuard<'_, HashMap<InvestigationId, watch::Sender<u64>>> {
        self.followed.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn again(sender: &watch::Sender<u64>) {
    sender.send_modify(|times| *times += 1);
}

/// Looks for commits of other processes until the store is dropped; where Redis carries the news, it does that.
pub(crate) fn watch_other_processes(store: &Arc<Inner>) {
    if store.news_carrier.is_some() {
        return;
    }
    let pause = Duration::from_millis(store.config.recheck_ms.max(1));
    let store = Arc::downgrade(store);
    tokio::spawn(async move {
        let (mut seen, mut listener) = (None, None);
        loop {
            tokio::time::sleep(pause).await;
            let Some(store) = Weak::upgrade(&store) else { return };
            match &store.db {
                Db::Sqlite(pools) => {
                    let version = data_version(pools).await;
                    if version.is_some() && seen != version {
                        // The first look tells nothing new unless somebody wrote before it, which a spurious wake covers.
                        seen = version;
                        store.wake.hear_all();
                    }
                }
                Db::Postgres(pool) => {
                    let pool = pool.clone();
                    // Held no longer than a look: waiting for a notice must not keep the store open.
                    let wake = store.wake.clone();
                    drop(store);
                    if heard(&mut listener, &pool, pause).await {
                        wake.hear_all();
                    }
                }
            }
        }
    });
}

/// A number that changes when another process commits; none when it cannot be said now.
async fn data_version(pools: &SqlitePools) -> Option<i64> {
    let mut writer = pools.writer.try_acquire()?;
    sqlx::query_scalar("pragma data_version").fetch_one(&mut *writer).await.ok()
}

/// The channel on which writers of one PostgreSQL database tell each other that they have committed.
const CHANNEL: &str = "autosint_committed";

/// Tells every process on the database when the transaction commits; many in one transaction are one notice.
pub(crate) async fn notify(transaction: &mut PgConnection) -> Result<(), sqlx::Error> {
    sqlx::query("select pg_notify($1, '')").bind(CHANNEL).execute(transaction).await.map(drop)
}

/// Waits up to `patience` for a notice; several that have come by then count as one. A listener that has just been made, or made
/// anew after the connection was lost, may have missed some.
async fn heard(listener: &mut Option<PgListener>, pool: &PgPool, patience: Duration) -> bool {
    let Some(listening) = listener else {
        *listener = listen(pool).await.ok();
        return listener.is_some();
    };
    match tokio::time::timeout(patience, listening.try_recv()).await {
        Err(_) => false,
        Ok(Ok(Some(_))) => {
            while listening.next_buffered().is_some() {}
            true
        }
        Ok(Ok(None) | Err(_)) => {
            *listener = None;
            true
        }
    }
}

async fn listen(pool: &PgPool) -> Result<PgListener, sqlx::Error> {
    let mut listener = PgListener::connect_with(pool).await?;
    listener.listen(CHANNEL).await?;
    Ok(listener)
}
