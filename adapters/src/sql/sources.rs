//! Sources: whether each is enabled, its health and its yield; and feeds added by users.

use super::{
    Store,
    accounts::log_audit,
    fault::Fault,
    types::{Moment, count, id_list, text_list, word},
};
use async_trait::async_trait;
use domain::{
    DocumentId, Timestamp,
    fetch::{FeedEntry, FeedGroup, SourceHealth},
};
use engine::{
    StoreResult,
    accounts::AuditEntry,
    fetch::sources::{SourceLog, SourceRecord},
};
use std::collections::{BTreeMap, BTreeSet};

const ALL: &str = "select s.*, coalesce(y.documents, 0) as documents, coalesce(y.claims, 0) as claims
     from sources s left join
         (select source_id, count(*) as documents, cast(sum(claims) as bigint) as claims from source_yields group by source_id) y
     on y.source_id = s.id";

const SWITCH: &str = "insert into sources (id, is_on) values ($1, $2) on conflict (id) do update set is_on = excluded.is_on";

const ANSWERED: &str = "insert into sources (id, answers, last_success_at) values ($1, 1, $2)
     on conflict (id) do update set answers = sources.answers + 1, last_error = null, last_success_at = excluded.last_success_at";

const FAILED: &str = "insert into sources (id, failures, last_failure_at, last_error) values ($1, 1, $2, $3)
     on conflict (id) do update set failures = sources.failures + 1, last_error = excluded.last_error,
         last_failure_at = excluded.last_failure_at";

const FOUND: &str = "insert into source_finds (source_id, address) select $1, a.value from json_each($2) a where 1 = 1
     on conflict (source_id, address) do nothing";

const LED_TO: &str = "insert into source_yields (source_id, document_id, claims)
     select f.source_id, unhex(a.value), 0 from source_finds f join json_each($2) a on 1 = 1 where f.address = $1
     on conflict (source_id, document_id) do nothing";

/// Adds claims to documents. Each item of the list is the 32 digits of an id, a space and a number.
const YIELDED: &str = "update source_yields set claims = source_yields.claims + y.claims
     from (select unhex(substr(value, 1, 32)) as document_id, cast(substr(value, 34) as bigint) as claims from json_each($1)) y
     where source_yields.document_id = y.document_id";

const ADD_FEED: &str =
    "insert into feeds (address, title, feed_group, region, language, added_at) values ($1, $2, $3, $4, $5, $6)
     on conflict (address) do nothing";

#[derive(sqlx::FromRow)]
struct SourceRow {
    id: String,
    is_on: Option<bool>,
    answers: i64,
    failures: i64,
    last_error: Option<String>,
    last_success_at: Option<Moment>,
    last_failure_at: Option<Moment>,
    documents: i64,
    claims: i64,
}

impl SourceRow {
    fn record(self) -> Result<(String, SourceRecord), Fault> {
        let health = SourceHealth {
            answers: count(self.answers)?,
            failures: count(self.failures)?,
            last_error: self.last_error,
            last_success: self.last_success_at.map(|at| at.0),
            last_failure: self.last_failure_at.map(|at| at.0),
        };
        let record = SourceRecord { is_on: self.is_on, health, documents: count(self.documents)?, claims: count(self.claims)? };
        Ok((self.id, record))
    }
}

#[derive(sqlx::FromRow)]
struct FeedRow {
    address: String,
    title: String,
    feed_group: String,
    region: String,
    language: String,
}

impl FeedRow {
    fn feed(self) -> Result<FeedEntry, Fault> {
        Ok(FeedEntry {
            group: word("feed group", &self.feed_group, FeedGroup::parse)?,
            address: self.address,
            title: self.title,
            region: self.region,
            language: self.language,
        })
    }
}

#[async_trait]
impl SourceLog for Store {
    async fn source_records(&self) -> StoreResult<BTreeMap<String, SourceRecord>> {
        read!(self, conn => {
            let rows: Vec<SourceRow> = rows!(conn.fetch_all, ALL);
            rows.into_iter().map(SourceRow::record).collect::<Result<BTreeMap<_, _>, Fault>>()?
        })
    }

    async fn switch_source(&self, source: &str, is_on: bool, entry: &AuditEntry) -> StoreResult<()> {
        write!(self, conn => {
            execute!(conn, SWITCH; source, is_on);
            log_audit!(conn, entry);
        })
    }

    async fn source_answered(&self, source: &str, at: Timestamp, addresses: &[String]) -> StoreResult<()> {
        let once: BTreeSet<&str> = addresses.iter().map(String::as_str).collect();
        write!(self, conn => {
            execute!(conn, ANSWERED; source, Moment(at));
            execute!(conn, FOUND; source, text_list(once));
        })
    }

    async fn source_failed(&self, source: &str, at: Timestamp, error: &str) -> StoreResult<()> {
        write!(self, conn => {
            execute!(conn, FAILED; source, Moment(at), error);
        })
    }

    async fn address_led_to(&self, address: &str, documents: &[DocumentId]) -> StoreResult<()> {
        write!(self, conn => {
            execute!(conn, LED_TO; address, id_list(documents.iter().map(|id| id.0)));
        })
    }

    async fn documents_yielded(&self, claims: &[(DocumentId, u64)]) -> StoreResult<()> {
        let some = claims.iter().filter(|(_, claims)| *claims > 0);
        let rows: Vec<String> = some.map(|(id, claims)| format!("{} {claims}", id.0.simple())).collect();
        if rows.is_empty() {
            return Ok(());
        }
        write!(self, conn => {
            execute!(conn, YIELDED; text_list(rows.iter().map(String::as_str)));
        })
    }

    async fn feeds(&self) -> StoreResult<Vec<FeedEntry>> {
        read!(self, conn => {
            let rows: Vec<FeedRow> = rows!(conn.fetch_all,
                "select address, title, feed_group, region, language from feeds order by address");
            rows.into_iter().map(FeedRow::feed).collect::<Result<Vec<_>, Fault>>()?
        })
    }

    async fn add_feeds(&self, feeds: &[FeedEntry], entry: &AuditEntry) -> StoreResult<u64> {
        write!(self, conn => {
            let mut added = 0;
            for feed in feeds {
                let done = execute!(conn, ADD_FEED; &feed.address, &feed.title, feed.group.as_str(), &feed.region,
                    &feed.language, Moment(entry.at));
                added += done.rows_affected();
            }
            if added > 0 {
                log_audit!(conn, entry);
            }
            added
        })
    }

    async fn remove_feed(&self, address: &str, entry: &AuditEntry) -> StoreResult<bool> {
        write!(self, conn => {
            let removed = execute!(conn, "delete from feeds where address = $1"; address);
            let was_there = removed.rows_affected() > 0;
            if was_there {
                log_audit!(conn, entry);
            }
            was_there
        })
    }
}
