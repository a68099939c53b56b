//! Wakes whoever waits for the store to change: at once inside this process, and soon across processes.
//!
//! Invariant on SQLite: all writes of a process go through its one writer connection, on which `pragma data_version` changes only
//! when another process has committed; that is looked at every `sql.recheck_ms`. On PostgreSQL the processes tell each other what has
//! changed, after it is committed: through its notices (`notices`), or where there is Redis through that (`redis::news`). Should a word be
//! lost, because whoever had it to tell was killed, one look every `sql.lease_check_ms` finds the events that nobody was told of. Of a wire
//! nobody can say whether it is silent or gone: after `sql.silence_ms` everybody looks, and whoever listens connects anew.

mod carrier;
mod message;
pub(super) mod notices;

pub(crate) use carrier::{Carrier, Pauses, sender, tell_forever};
use message::understood;

use super::{Db, Inner, SqlitePools, Store, events::Tail, types::id_list};
use domain::InvestigationId;
use engine::StoreResult;
use std::{
    collections::{BTreeSet, HashMap},
    sync::{Arc, Mutex, MutexGuard, PoisonError, Weak},
    time::Duration,
};
use tokio::sync::watch;
use uuid::Uuid;

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
    followed: Arc<Mutex<HashMap<InvestigationId, Followed>>>,
    /// None: nobody carries it.
    said: watch::Sender<Option<Said>>,
}

/// An investigation whose events somebody follows.
#[derive(Debug)]
struct Followed {
    sender: watch::Sender<u64>,
    tail: Arc<tokio::sync::Mutex<Tail>>,
    /// How many events it had at the last look for missed ones.
    had: Option<i64>,
}

impl Default for Followed {
    fn default() -> Self {
        // The first news, for whoever begins to follow, is what is there already.
        Self { sender: watch::Sender::new(1), tail: Arc::default(), had: None }
    }
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

    /// Together with what was said later.
    fn join(&mut self, later: Self) {
        self.topics.extend(later.topics);
        self.events_of.extend(later.events_of);
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
        self.followed().get(&investigation).into_iter().for_each(|followed| again(&followed.sender));
    }

    /// What somebody has carried here; `me` has heard itself already.
    pub(crate) fn hear_message(&self, me: &str, text: &str) {
        let Some((_, said)) = understood(text).filter(|(sender, _)| *sender != me) else { return };
        said.topics.iter().for_each(|topic| self.hear(*topic));
        said.events_of.iter().for_each(|investigation| self.hear_events_of(*investigation));
    }

    /// Some process has changed something; of events nobody says whose.
    pub(crate) fn hear(&self, topic: Topic) {
        match topic {
            Topic::Events => self.followed().values().for_each(|followed| again(&followed.sender)),
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

    /// The same for the events of one investigation, with those that were read last.
    pub(super) fn follow(&self, investigation: InvestigationId) -> (watch::Receiver<u64>, Arc<tokio::sync::Mutex<Tail>>) {
        let mut followed = self.followed();
        followed.retain(|_, followed| followed.sender.receiver_count() > 0);
        let followed = followed.entry(investigation).or_default();
        (followed.sender.subscribe(), followed.tail.clone())
    }

    /// Those that somebody follows.
    fn all_followed(&self) -> Vec<InvestigationId> {
        let followed = self.followed();
        followed.iter().filter(|(_, followed)| followed.sender.receiver_count() > 0).map(|(id, _)| *id).collect()
    }

    /// Wakes those who follow an investigation that has another number of events than at the last look.
    fn hear_of_events(&self, have: &HashMap<InvestigationId, i64>) {
        for (investigation, followed) in self.followed().iter_mut() {
            let has = have.get(investigation).copied();
            if has.is_none() || has != followed.had {
                followed.had = has;
                again(&followed.sender);
            }
        }
    }

    /// From now on what this process says is kept until it is taken: whoever begins this takes it, again and again.
    fn carry(&self) -> watch::Receiver<Option<Said>> {
        self.said.send_replace(Some(Said::default()));
        self.said.subscribe()
    }

    /// What was said since the last time.
    fn take_said(&self) -> Said {
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

    fn followed(&self) -> MutexGuard<'_, HashMap<InvestigationId, Followed>> {
        self.followed.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn again(sender: &watch::Sender<u64>) {
    sender.send_modify(|times| *times += 1);
}

/// Looks, until the store is dropped, for what other processes have committed without a word that has come here.
pub(crate) fn watch_other_processes(store: &Arc<Inner>) {
    let pause_ms = match store.db {
        Db::Sqlite(_) => store.config.recheck_ms,
        Db::Postgres(_) => store.config.lease_check_ms,
    };
    let store = Arc::downgrade(store);
    tokio::spawn(async move {
        let mut seen = None;
        loop {
            tokio::time::sleep(Duration::from_millis(pause_ms.max(1))).await;
            // Held no longer than a look.
            let Some(inner) = Weak::upgrade(&store) else { return };
            let mut version = None;
            if let Db::Sqlite(pools) = &inner.db {
                version = data_version(pools).await;
                if version.is_none() || seen == version {
                    continue;
                }
                // The first look tells nothing new unless somebody wrote before it, which a spurious wake covers.
                Topic::ALL.into_iter().filter(|topic| *topic != Topic::Events).for_each(|topic| inner.wake.hear(topic));
            }
            match (Store { inner }).look_for_missed_events().await {
                Ok(()) => seen = version,
                Err(error) => tracing::debug!(%error, "nobody knows whether events were missed; the next look tells"),
            }
        }
    });
}

impl Store {
    /// One statement, however many are followed.
    async fn look_for_missed_events(&self) -> StoreResult<()> {
        let followed = self.inner.wake.all_followed();
        if followed.is_empty() {
            return Ok(());
        }
        let have: Vec<(Uuid, i64)> = super::read!(self, conn => {
            sqlx::query_as("select id, event_count from investigations where id in (select unhex(value) from json_each($1))")
                .bind(id_list(followed.iter().map(|id| id.0)))
                .fetch_all(&mut *conn)
                .await?
        })?;
        self.inner.wake.hear_of_events(&have.into_iter().map(|(id, count)| (InvestigationId(id), count)).collect());
        Ok(())
    }
}

/// A number that changes when another process commits; none when it cannot be said now.
async fn data_version(pools: &SqlitePools) -> Option<i64> {
    let mut writer = pools.writer.try_acquire()?;
    sqlx::query_scalar("pragma data_version").fetch_one(&mut *writer).await.ok()
}

#[cfg(test)]
mod tests {
    use super::{Topic, Wake};
    use domain::InvestigationId;
    use std::collections::HashMap;
    use uuid::Uuid;

    #[test]
    fn events_of_one_wake_those_who_follow_it_alone() {
        let (wake, [one, other]) = (Wake::default(), [1, 2].map(|n| InvestigationId(Uuid::from_u128(n))));
        let ((mut of_one, _), (mut of_other, _), mut queue) = (wake.follow(one), wake.follow(other), wake.listen(Topic::Queue));
        let mut woken = || {
            [&mut of_one, &mut of_other, &mut queue].map(|news| {
                let is_woken = news.has_changed().unwrap();
                news.mark_unchanged();
                is_woken
            })
        };
        wake.tell_followers(one);
        assert_eq!(woken(), [true, false, false]);
        wake.tell(Topic::Queue);
        assert_eq!(woken(), [false, false, true]);
        // A look for missed ones: what is seen first may be new.
        wake.hear_of_events(&HashMap::from([(one, 4), (other, 7)]));
        assert_eq!(woken(), [true, true, false]);
        wake.hear_of_events(&HashMap::from([(one, 4), (other, 8)]));
        assert_eq!(woken(), [false, true, false]);
        // One that is gone has ended.
        wake.hear_of_events(&HashMap::from([(one, 4)]));
        assert_eq!(woken(), [false, true, false]);
    }
}
