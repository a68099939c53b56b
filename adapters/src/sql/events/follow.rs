//! Live streams of an investigation's events: one read per notification serves all followers in this process.

use crate::sql::{
    Store,
    fault::defect,
    types::{Moment, count},
};
use domain::{
    InvestigationId,
    event::{Event, EventKind},
    investigation::Status,
};
use engine::StoreResult;
use futures::{
    StreamExt,
    stream::{self, BoxStream},
};
use sqlx::types::Json;
use std::{collections::VecDeque, sync::Arc, time::Duration};
use tokio::{
    sync::{Mutex, mpsc, watch},
    task::JoinHandle,
    time::Instant,
};

pub(super) fn follow(store: &Store, investigation: InvestigationId, after: u64) -> BoxStream<'static, StoreResult<Event>> {
    let (news, tail) = store.inner.notifier.subscribe_events(investigation);
    let follower = EventFollower { store: store.clone(), news, tail, investigation, after };
    let (sender, receiver) = mpsc::channel(store.inner.config.event_page.max(1) as usize);
    let task = AbortOnDrop(tokio::spawn(follower.run(sender)));
    stream::unfold((receiver, task), |(mut receiver, task)| async move {
        let event = receiver.recv().await?;
        Some((event, (receiver, task)))
    })
    .boxed()
}

/// Aborts the reading task when its stream is dropped.
struct AbortOnDrop(JoinHandle<()>);

impl Drop for AbortOnDrop {
    fn drop(&mut self) {
        self.0.abort();
    }
}

/// The newest events of an investigation, shared by its followers.
#[derive(Debug, Default)]
pub(in crate::sql) struct EventTail {
    /// The notification number after which the events were read to the end; zero: never.
    seen: u64,
    /// Whether the investigation had ended by then.
    is_over: bool,
    /// Sequence number before the first event held; the events are contiguous.
    begin: u64,
    events: VecDeque<Event>,
    /// Earliest time of the next read.
    look: Option<Instant>,
}

impl EventTail {
    fn end(&self) -> u64 {
        self.begin + self.events.len() as u64
    }

    /// Whether the tail continues from this sequence number.
    fn continues(&self, after: u64) -> bool {
        self.seen > 0 && (self.begin..=self.end()).contains(&after)
    }

    fn after(&self, after: u64) -> Vec<Event> {
        self.events.iter().filter(|event| event.sequence > after).cloned().collect()
    }

    /// Drops the oldest events.
    fn keep(&mut self, most: usize) {
        let too_many = self.events.len().saturating_sub(most);
        self.events.drain(..too_many);
        self.begin += too_many as u64;
    }
}

/// A follower that reads pages and waits for notifications. Notifications close together are read together, since parallel work writes
/// several events per millisecond.
///
/// Invariant: it reads in a task of its own, never inside the stream. A stream may stay unpolled for any time, and a pool connection
/// assigned to it would never be used or released.
struct EventFollower {
    store: Store,
    news: watch::Receiver<u64>,
    tail: Arc<Mutex<EventTail>>,
    investigation: InvestigationId,
    /// Sequence number of the last event sent.
    after: u64,
}

impl EventFollower {
    /// Sends events until the investigation ends, an error occurs, or the receiver is gone.
    async fn run(mut self, to: mpsc::Sender<StoreResult<Event>>) {
        loop {
            let (is_over, page) = match self.look().await {
                Ok(seen) => seen,
                Err(error) => {
                    let _ = to.send(Err(error)).await;
                    return;
                }
            };
            if page.is_empty() && (is_over || self.news.changed().await.is_err()) {
                return;
            }
            for event in page {
                self.after = event.sequence;
                let is_last = matches!(event.kind, EventKind::StatusChanged { status, .. } if status.is_terminal());
                if to.send(Ok(event)).await.is_err() || is_last {
                    return;
                }
            }
        }
    }

    /// Returns whether the investigation has ended, and the next events: from the shared tail if it is current, else read for all
    /// followers.
    async fn look(&mut self) -> StoreResult<(bool, Vec<Event>)> {
        let (pause, most) = {
            let config = &self.store.inner.config;
            (Duration::from_millis(config.follow_pause_ms), config.event_page.max(1) as usize)
        };
        let tail = self.tail.clone();
        let mut tail = tail.lock().await;
        let continues = tail.continues(self.after);
        if continues && tail.seen >= *self.news.borrow_and_update() {
            return Ok((tail.is_over, tail.after(self.after)));
        }
        if let (true, Some(look)) = (continues, tail.look) {
            tokio::time::sleep_until(look).await;
        }
        let news = *self.news.borrow_and_update();
        let from = if continues { tail.end() } else { self.after };
        let (is_over, page) = self.store.page(self.investigation, from).await?;
        if page.len() == most {
            // There may be more: the others look for themselves.
            return Ok((false, if continues { [tail.after(self.after), page].concat() } else { page }));
        }
        if !continues {
            *tail = EventTail { begin: from, ..EventTail::default() };
        }
        tail.events.extend(page);
        (tail.seen, tail.is_over, tail.look) = (news, is_over, Some(Instant::now() + pause));
        let next = tail.after(self.after);
        tail.keep(most);
        Ok((is_over, next))
    }
}

impl Store {
    /// Reads, in one statement, whether an investigation has ended or is gone, and its next events. So the terminal event is always in
    /// this page or an earlier one.
    async fn page(&self, investigation: InvestigationId, after: u64) -> StoreResult<(bool, Vec<Event>)> {
        type Row = (String, Option<i64>, Option<Moment>, Option<Json<EventKind>>);
        let (after, limit) = (i64::try_from(after).unwrap_or(i64::MAX), i64::from(self.inner.config.event_page.max(1)));
        read!(self, conn => {
            let rows: Vec<Row> = rows!(conn.fetch_all, "select i.status, e.sequence, e.at, e.what from investigations i
                 left join events e on e.investigation_id = i.id and e.sequence > $2
                 where i.id = $1 order by e.sequence limit $3"; investigation.0, after, limit);
            let is_over = match rows.first() {
                Some((status, ..)) => Status::parse(status).ok_or_else(|| defect("status", status))?.is_terminal(),
                None => true,
            };
            let mut page = vec![];
            for row in rows {
                if let (_, Some(sequence), Some(at), Some(Json(what))) = row {
                    page.push(Event { investigation_id: investigation, sequence: count(sequence)?, at: at.0, kind: what });
                }
            }
            (is_over, page)
        })
    }
}
