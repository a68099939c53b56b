//! The numbered events of an investigation, and following them live.

use super::{
    Store,
    fault::{Fault, defect},
    types::{Moment, count, id_list},
};
use async_trait::async_trait;
use domain::{
    InvestigationId, Timestamp,
    event::{Event, Happening},
    investigation::Status,
};
use engine::{StoreResult, events::Events};
use futures::{
    StreamExt,
    stream::{self, BoxStream},
};
use sqlx::types::Json;
use std::{collections::VecDeque, time::Duration};
use tokio::{
    sync::{mpsc, watch},
    task::JoinHandle,
    time::Instant,
};
use uuid::Uuid;

/// Appends an event inside a transaction and gives its number. Counting up in the row of the investigation makes other
/// writers wait until the commit, so that numbers appear in order and without a hole.
macro_rules! append_event {
    ($conn:expr, $investigation:expr, $at:expr, $what:expr) => {{
        let sequence: Option<i64> =
            sqlx::query_scalar("update investigations set event_count = event_count + 1 where id = $1 returning event_count")
                .bind($investigation.0)
                .fetch_optional(&mut *$conn)
                .await?;
        let Some(sequence) = sequence else {
            return Err($crate::sql::fault::Fault::Store(engine::StoreError::Invalid("there is no such investigation".into())));
        };
        sqlx::query("insert into events (investigation_id, sequence, at, what) values ($1, $2, $3, $4)")
            .bind($investigation.0)
            .bind(sequence)
            .bind($crate::sql::types::Moment($at))
            .bind(sqlx::types::Json($what))
            .execute(&mut *$conn)
            .await?;
        sequence
    }};
}
pub(super) use append_event;

#[async_trait]
impl Events for Store {
    async fn append(&self, investigation: InvestigationId, at: Timestamp, what: Happening) -> StoreResult<Event> {
        let sequence = write!(self, conn => count(append_event!(conn, investigation, at, &what))?)?;
        self.inner.wake.tell_followers(investigation);
        Ok(Event { investigation_id: investigation, sequence, at, what })
    }

    async fn append_all(&self, investigation: InvestigationId, at: Timestamp, what: Vec<Happening>) -> StoreResult<()> {
        if what.is_empty() {
            return Ok(());
        }
        write!(self, conn => {
            for what in &what {
                append_event!(conn, investigation, at, what);
            }
        })?;
        self.inner.wake.tell_followers(investigation);
        Ok(())
    }

    async fn after(&self, investigation: InvestigationId, after: u64, limit: u32) -> StoreResult<Vec<Event>> {
        let after = i64::try_from(after).unwrap_or(i64::MAX);
        read!(self, conn => {
            let rows: Vec<(i64, Moment, Json<Happening>)> = sqlx::query_as(
                "select sequence, at, what from events where investigation_id = $1 and sequence > $2 order by sequence limit $3",
            )
            .bind(investigation.0)
            .bind(after)
            .bind(i64::from(limit))
            .fetch_all(&mut *conn)
            .await?;
            rows.into_iter()
                .map(|(sequence, at, Json(what))| {
                    Ok(Event { investigation_id: investigation, sequence: count(sequence)?, at: at.0, what })
                })
                .collect::<Result<_, Fault>>()?
        })
    }

    async fn of_all(&self, investigations: &[InvestigationId]) -> StoreResult<Vec<Event>> {
        read!(self, conn => {
            let rows: Vec<(Uuid, i64, Moment, Json<Happening>)> = sqlx::query_as(
                "select investigation_id, sequence, at, what from events
                 where investigation_id in (select unhex(value) from json_each($1)) order by investigation_id, sequence",
            )
            .bind(id_list(investigations.iter().map(|id| id.0)))
            .fetch_all(&mut *conn)
            .await?;
            rows.into_iter()
                .map(|(id, sequence, at, Json(what))| {
                    Ok(Event { investigation_id: InvestigationId(id), sequence: count(sequence)?, at: at.0, what })
                })
                .collect::<Result<_, Fault>>()?
        })
    }

    async fn last(&self, investigation: InvestigationId) -> StoreResult<u64> {
        read!(self, conn => {
            let last: Option<i64> = sqlx::query_scalar("select event_count from investigations where id = $1")
                .bind(investigation.0)
                .fetch_optional(&mut *conn)
                .await?;
            count(last.unwrap_or(0))?
        })
    }

    fn follow(&self, investigation: InvestigationId, after: u64) -> BoxStream<'static, StoreResult<Event>> {
        let news = self.inner.wake.follow(investigation);
        let follower =
            Follower { store: self.clone(), news, investigation, after, page: VecDeque::new(), look: None, ended: false };
        let (sender, receiver) = mpsc::channel(self.inner.config.event_page.max(1) as usize);
        let task = Reading(tokio::spawn(follower.tell(sender)));
        stream::unfold((receiver, task), |(mut receiver, task)| async move {
            let event = receiver.recv().await?;
            Some((event, (receiver, task)))
        })
        .boxed()
    }
}

/// Ends with the stream that it reads for.
struct Reading(JoinHandle<()>);

impl Drop for Reading {
    fn drop(&mut self) {
        self.0.abort();
    }
}

/// Reads page after page and waits for news when there is none. News that come close together are read together: work on many documents
/// tells several a millisecond, and each of those who follow would read once for each.
///
/// Invariant: it reads in a task of its own, never inside the stream. Whoever holds a stream may leave it unasked for as long as they
/// like, and what waits there for a connection of the pool would be given it and never use it, nor let go of it.
struct Follower {
    store: Store,
    news: watch::Receiver<u64>,
    investigation: InvestigationId,
    /// Sequence number of the last event handed out.
    after: u64,
    page: VecDeque<Event>,
    /// When it may read again; at once when it has not seen everything yet.
    look: Option<Instant>,
    ended: bool,
}

impl Follower {
    /// Hands out what comes until the end, an error, or until nobody listens.
    async fn tell(mut self, to: mpsc::Sender<StoreResult<Event>>) {
        while let Some(event) = self.next().await.transpose() {
            let is_failed = event.is_err();
            if to.send(event).await.is_err() || is_failed {
                return;
            }
        }
    }

    async fn next(&mut self) -> StoreResult<Option<Event>> {
        loop {
            if self.ended {
                return Ok(None);
            }
            if let Some(event) = self.page.pop_front() {
                self.after = event.sequence;
                self.ended = matches!(event.what, Happening::StatusChanged { status, .. } if status.is_terminal());
                return Ok(Some(event));
            }
            if let Some(look) = self.look {
                tokio::time::sleep_until(look).await;
            }
            self.news.borrow_and_update();
            let (is_over, page) = self.store.page(self.investigation, self.after).await?;
            let config = &self.store.inner.config;
            let is_last = page.len() < config.event_page as usize;
            self.look = is_last.then(|| Instant::now() + Duration::from_millis(config.follow_pause_ms));
            self.page = page;
            if self.page.is_empty() && (is_over || self.news.changed().await.is_err()) {
                return Ok(None);
            }
        }
    }
}

impl Store {
    /// Whether an investigation has ended, or is not there (any more), and its next events: one look at both, so that the terminal
    /// event, when there is one, is in the page or handed out already.
    async fn page(&self, investigation: InvestigationId, after: u64) -> StoreResult<(bool, VecDeque<Event>)> {
        type Row = (String, Option<i64>, Option<Moment>, Option<Json<Happening>>);
        let (after, limit) = (i64::try_from(after).unwrap_or(i64::MAX), i64::from(self.inner.config.event_page.max(1)));
        read!(self, conn => {
            let rows: Vec<Row> = sqlx::query_as(
                "select i.status, e.sequence, e.at, e.what from investigations i
                 left join events e on e.investigation_id = i.id and e.sequence > $2
                 where i.id = $1 order by e.sequence limit $3",
            )
            .bind(investigation.0)
            .bind(after)
            .bind(limit)
            .fetch_all(&mut *conn)
            .await?;
            let is_over = match rows.first() {
                Some((status, ..)) => Status::parse(status).ok_or_else(|| defect("status", status))?.is_terminal(),
                None => true,
            };
            let mut page = VecDeque::new();
            for row in rows {
                if let (_, Some(sequence), Some(at), Some(Json(what))) = row {
                    page.push_back(Event { investigation_id: investigation, sequence: count(sequence)?, at: at.0, what });
                }
            }
            (is_over, page)
        })
    }
}
