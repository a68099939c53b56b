//! Change notifications: within this process at once, across processes soon after the commit.
//!
//! Invariant on SQLite: all writes of a process go through its one writer connection, on which `pragma data_version` changes only when
//! another process has committed; it is polled every `sql.recheck_ms`. On PostgreSQL the processes notify each other after the commit,
//! through Redis (`redis::pubsub`) or else through `postgres`. A lost notification is made up for by a check every `sql.lease_check_ms`.
//! A listener without messages for `sql.silence_ms` reconnects and notifies all subscribers, because its connection may be dead.

mod message;
pub(super) mod postgres;
mod transport;

use message::decode;
pub(crate) use transport::{Transport, TransportTimings, publish_forever, sender_id};

use super::{Db, Inner, SqlitePools, Store, events::EventTail, types::id_list};
use domain::InvestigationId;
use engine::StoreResult;
use std::{
    collections::{BTreeSet, HashMap},
    sync::{Arc, Mutex, MutexGuard, PoisonError, Weak},
    time::Duration,
};
use tokio::sync::watch;
use uuid::Uuid;

domain::words! {
    /// The subjects of notifications.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
    pub enum Topic {
        Investigations = "investigations",
        Queue = "queue",
        Events = "events",
        Circuits = "circuits",
        /// Work for jobs of features.
        Jobs = "jobs",
    }
}

/// The notifier: one channel per topic, and for events one per followed investigation, so that each wakes only its own followers. The
/// channel values only grow. Beside them it collects the notifications of this process for the others.
#[derive(Debug, Clone, Default)]
pub(crate) struct ChangeNotifier {
    channels: [watch::Sender<u64>; 5],
    channels_by_investigation: Arc<Mutex<HashMap<InvestigationId, EventChannel>>>,
    /// `None` without a transport.
    pending: watch::Sender<Option<UnpublishedChanges>>,
}

/// The channel of an investigation with followers.
#[derive(Debug)]
struct EventChannel {
    sender: watch::Sender<u64>,
    tail: Arc<tokio::sync::Mutex<EventTail>>,
    /// Its number of events at the last check for missed ones.
    last_count: Option<i64>,
}

impl Default for EventChannel {
    fn default() -> Self {
        // The initial value makes a new follower read the existing events.
        Self { sender: watch::Sender::new(1), tail: Arc::default(), last_count: None }
    }
}

/// Notifications that this process has not yet published to the others.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct UnpublishedChanges {
    pub topics: BTreeSet<Topic>,
    /// Investigations with new events.
    pub events_of: BTreeSet<InvestigationId>,
}

impl UnpublishedChanges {
    pub(crate) fn is_empty(&self) -> bool {
        self.topics.is_empty() && self.events_of.is_empty()
    }

    /// Adds later notifications.
    fn join(&mut self, later: Self) {
        self.topics.extend(later.topics);
        self.events_of.extend(later.events_of);
    }
}

impl ChangeNotifier {
    /// Notifies all processes of a change made by this one.
    pub(crate) fn publish(&self, topic: Topic) {
        self.notify(topic);
        self.add_pending(|pending| pending.topics.insert(topic));
    }

    /// Notifies all processes of events written by this one.
    pub(crate) fn publish_events(&self, investigation: InvestigationId) {
        self.notify_events(investigation);
        self.add_pending(|pending| pending.events_of.insert(investigation));
    }

    /// Notifies the followers of an investigation in this process.
    pub(crate) fn notify_events(&self, investigation: InvestigationId) {
        self.channels().get(&investigation).into_iter().for_each(|channel| bump(&channel.sender));
    }

    /// Handles a message from another process; messages from `own_id` are ignored.
    pub(crate) fn receive(&self, own_id: &str, text: &str) {
        let Some((_, pending)) = decode(text).filter(|(sender, _)| *sender != own_id) else { return };
        pending.topics.iter().for_each(|topic| self.notify(*topic));
        pending.events_of.iter().for_each(|investigation| self.notify_events(*investigation));
    }

    /// Notifies the subscribers in this process; for events, all followers.
    pub(crate) fn notify(&self, topic: Topic) {
        match topic {
            Topic::Events => self.channels().values().for_each(|channel| bump(&channel.sender)),
            other => bump(&self.channels[other as usize]),
        }
    }

    /// Notifies all subscribers, after notifications may have been missed.
    pub(crate) fn notify_all(&self) {
        Topic::ALL.into_iter().for_each(|topic| self.notify(topic));
    }

    /// Subscribes to a topic. Subscribe before reading, so that no change is missed in between; events have `subscribe_events`.
    pub(crate) fn subscribe(&self, topic: Topic) -> watch::Receiver<u64> {
        self.channels[topic as usize].subscribe()
    }

    /// Counts the notifications of a topic in this process. The number only grows.
    fn count(&self, topic: Topic) -> u64 {
        *self.channels[topic as usize].borrow()
    }

    /// Subscribes to the events of one investigation; also returns the shared tail of its events.
    pub(super) fn subscribe_events(
        &self,
        investigation: InvestigationId,
    ) -> (watch::Receiver<u64>, Arc<tokio::sync::Mutex<EventTail>>) {
        let mut channels = self.channels();
        channels.retain(|_, channel| channel.sender.receiver_count() > 0);
        let channel = channels.entry(investigation).or_default();
        (channel.sender.subscribe(), channel.tail.clone())
    }

    /// Returns the investigations with followers.
    fn followed_investigations(&self) -> Vec<InvestigationId> {
        let channels = self.channels();
        channels.iter().filter(|(_, channel)| channel.sender.receiver_count() > 0).map(|(id, _)| *id).collect()
    }

    /// Notifies the followers of investigations whose number of events has changed since the last check.
    fn notify_missed_events(&self, have: &HashMap<InvestigationId, i64>) {
        for (investigation, channel) in self.channels().iter_mut() {
            let has = have.get(investigation).copied();
            if has.is_none() || has != channel.last_count {
                channel.last_count = has;
                bump(&channel.sender);
            }
        }
    }

    /// Starts collecting notifications for a transport, which takes them with `take_pending`.
    fn start_collecting(&self) -> watch::Receiver<Option<UnpublishedChanges>> {
        self.pending.send_replace(Some(UnpublishedChanges::default()));
        self.pending.subscribe()
    }

    /// Takes the notifications collected since the last call.
    fn take_pending(&self) -> UnpublishedChanges {
        let mut taken = UnpublishedChanges::default();
        self.pending.send_if_modified(|pending| {
            taken = pending.as_mut().map(std::mem::take).unwrap_or_default();
            false
        });
        taken
    }

    fn add_pending(&self, what: impl FnOnce(&mut UnpublishedChanges) -> bool) {
        self.pending.send_if_modified(|pending| pending.as_mut().is_some_and(what));
    }

    fn channels(&self) -> MutexGuard<'_, HashMap<InvestigationId, EventChannel>> {
        self.channels_by_investigation.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn bump(sender: &watch::Sender<u64>) {
    sender.send_modify(|times| *times += 1);
}

/// Polls for commits of other processes that were not notified, until the store is dropped.
pub(crate) fn poll_other_processes(store: &Arc<Inner>) {
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
                // A job finds the work of other processes after its pause.
                let topics = Topic::ALL.into_iter().filter(|topic| !matches!(topic, Topic::Events | Topic::Jobs));
                topics.for_each(|topic| inner.notifier.notify(topic));
            }
            match (Store { inner }).check_missed_events().await {
                Ok(()) => seen = version,
                Err(error) => tracing::debug!(%error, "missed-event check failed, retrying"),
            }
        }
    });
}

impl Store {
    /// Notifies the jobs of features of new work.
    pub fn notify_jobs(&self) {
        self.inner.notifier.publish(Topic::Jobs);
    }

    /// Counts the changes of investigations of which this process was notified. The number only grows.
    pub fn count_investigation_changes(&self) -> u64 {
        self.inner.notifier.count(Topic::Investigations)
    }

    /// Subscribes to new work for jobs.
    pub fn subscribe_jobs(&self) -> watch::Receiver<u64> {
        self.inner.notifier.subscribe(Topic::Jobs)
    }

    /// Checks all followed investigations for missed events, in one statement.
    async fn check_missed_events(&self) -> StoreResult<()> {
        let followed = self.inner.notifier.followed_investigations();
        if followed.is_empty() {
            return Ok(());
        }
        let have: Vec<(Uuid, i64)> = super::read!(self, conn => {
            rows!(conn.fetch_all,
                "select id, event_count from investigations where id in (select unhex(value) from json_each($1))";
                id_list(followed.iter().map(|id| id.0)))
        })?;
        self.inner.notifier.notify_missed_events(&have.into_iter().map(|(id, count)| (InvestigationId(id), count)).collect());
        Ok(())
    }
}

/// Returns a number that changes when another process commits; `None` when the writer is busy.
async fn data_version(pools: &SqlitePools) -> Option<i64> {
    let mut writer = pools.writer.try_acquire()?;
    sqlx::query_scalar("pragma data_version").fetch_one(&mut *writer).await.ok()
}

#[cfg(test)]
mod tests {
    use super::{ChangeNotifier, Topic};
    use domain::InvestigationId;
    use std::collections::HashMap;
    use uuid::Uuid;

    #[test]
    fn an_event_wakes_only_the_followers_of_its_investigation() {
        let (notifier, [one, other]) = (ChangeNotifier::default(), [1, 2].map(|n| InvestigationId(Uuid::from_u128(n))));
        let ((mut of_one, _), (mut of_other, _), mut queue) =
            (notifier.subscribe_events(one), notifier.subscribe_events(other), notifier.subscribe(Topic::Queue));
        let mut woken = || {
            [&mut of_one, &mut of_other, &mut queue].map(|news| {
                let is_woken = news.has_changed().unwrap();
                news.mark_unchanged();
                is_woken
            })
        };
        notifier.publish_events(one);
        assert_eq!(woken(), [true, false, false]);
        notifier.publish(Topic::Queue);
        assert_eq!(woken(), [false, false, true]);
        // A look for missed ones: what is seen first may be new.
        notifier.notify_missed_events(&HashMap::from([(one, 4), (other, 7)]));
        assert_eq!(woken(), [true, true, false]);
        notifier.notify_missed_events(&HashMap::from([(one, 4), (other, 8)]));
        assert_eq!(woken(), [false, true, false]);
        // One that is gone has ended.
        notifier.notify_missed_events(&HashMap::from([(one, 4)]));
        assert_eq!(woken(), [false, true, false]);
    }
}
