//! Events, numbered per investigation.

mod follow;

pub(super) use follow::EventTail;

use super::{
    Store,
    fault::Fault,
    types::{Moment, count},
};
use async_trait::async_trait;
use domain::{
    InvestigationId, Timestamp,
    event::{Event, EventKind},
};
use engine::{StoreError, StoreResult, events::Events};
use futures::stream::BoxStream;
use sqlx::{QueryBuilder, types::Json};

/// Rows per insert statement, well under either database's limit of bound values.
const BATCH: usize = 256;

/// Appends an event inside a transaction and returns its number. Counting in the investigation's row makes other writers wait for the
/// commit, so that numbers appear in order and without gaps.
macro_rules! append_event {
    ($conn:expr, $investigation:expr, $at:expr, $what:expr) => {{
        let sequence: Option<i64> =
            sqlx::query_scalar("update investigations set event_count = event_count + 1 where id = $1 returning event_count")
                .bind($investigation.0)
                .fetch_optional(&mut *$conn)
                .await?;
        let Some(sequence) = sequence else {
            return Err($crate::sql::fault::Fault::Store(engine::StoreError::Invalid("no such investigation".into())));
        };
        execute!($conn, "insert into events (investigation_id, sequence, at, what) values ($1, $2, $3, $4)"; $investigation.0,
            sequence, $crate::sql::types::Moment($at), sqlx::types::Json($what));
        sequence
    }};
}
pub(super) use append_event;

#[async_trait]
impl Events for Store {
    async fn append(&self, investigation: InvestigationId, at: Timestamp, what: EventKind) -> StoreResult<Event> {
        let sequence = write!(self, conn => count(append_event!(conn, investigation, at, &what))?)?;
        self.inner.notifier.publish_events(investigation);
        Ok(Event { investigation_id: investigation, sequence, at, kind: what })
    }

    async fn append_all(&self, investigation: InvestigationId, at: Timestamp, what: Vec<EventKind>) -> StoreResult<()> {
        if what.is_empty() {
            return Ok(());
        }
        write!(self, conn => {
            let last: Option<i64> = values!(conn.fetch_optional,
                "update investigations set event_count = event_count + $2 where id = $1 returning event_count"; investigation.0,
                what.len() as i64);
            let last = last.ok_or_else(|| Fault::Store(StoreError::Invalid("no such investigation".into())))?;
            let numbered: Vec<(i64, &EventKind)> = (last + 1 - what.len() as i64..).zip(&what).collect();
            for batch in numbered.chunks(BATCH) {
                let mut insert = QueryBuilder::new("insert into events (investigation_id, sequence, at, what) ");
                insert.push_values(batch, |mut row, (sequence, what)| {
                    row.push_bind(investigation.0).push_bind(*sequence).push_bind(Moment(at)).push_bind(Json(*what));
                });
                insert.build().persistent(false).execute(&mut *conn).await?;
            }
        })?;
        self.inner.notifier.publish_events(investigation);
        Ok(())
    }

    async fn after(&self, investigation: InvestigationId, after: u64, limit: u32) -> StoreResult<Vec<Event>> {
        self.events_of(
            investigation,
            "select sequence, at, what from events where investigation_id = $1 and sequence > $2 order by sequence limit $3",
            after,
            limit,
        )
        .await
    }

    async fn before(&self, investigation: InvestigationId, before: u64, limit: u32) -> StoreResult<Vec<Event>> {
        self.events_of(
            investigation,
            "select sequence, at, what from events where investigation_id = $1 and sequence < $2 order by sequence desc limit $3",
            before,
            limit,
        )
        .await
    }

    async fn last(&self, investigation: InvestigationId) -> StoreResult<u64> {
        read!(self, conn => {
            let last: Option<i64> = values!(conn.fetch_optional, "select event_count from investigations where id = $1";
                investigation.0);
            count(last.unwrap_or(0))?
        })
    }

    fn follow(&self, investigation: InvestigationId, after: u64) -> BoxStream<'static, StoreResult<Event>> {
        follow::follow(self, investigation, after)
    }
}

impl Store {
    /// Runs a statement with an investigation, a sequence number and a limit, and returns its events.
    async fn events_of(
        &self,
        investigation: InvestigationId,
        statement: &'static str,
        sequence: u64,
        limit: u32,
    ) -> StoreResult<Vec<Event>> {
        let sequence = i64::try_from(sequence).unwrap_or(i64::MAX);
        read!(self, conn => {
            let rows: Vec<(i64, Moment, Json<EventKind>)> = rows!(conn.fetch_all, statement; investigation.0, sequence,
                i64::from(limit));
            rows.into_iter()
                .map(|(sequence, at, Json(what))| {
                    Ok(Event { investigation_id: investigation, sequence: count(sequence)?, at: at.0, kind: what })
                })
                .collect::<Result<_, Fault>>()?
        })
    }
}
