//! The state store on SQLite and PostgreSQL: one text of each statement for both, behind the ports of `engine`.
//!
//! Invariant: every write is one transaction. SQLite has one writer connection per process, whose transactions begin
//! immediate, so that no statement fails with a lock that a later one would have got.

/// Begins to talk to the database, again and again where that may help (`reliability.store`). What comes after is not repeated: of a
/// commit that was not answered nobody knows whether it was made.
macro_rules! patiently {
    ($store:expr, $begin:expr) => {{
        let mut backoff = $store.backoff();
        loop {
            match $begin.await {
                Ok(begun) => break begun,
                Err(error) => $crate::sql::fault::wait_out(error, &mut backoff).await?,
            }
        }
    }};
}
pub(crate) use patiently;

/// Runs a block of reading statements on a connection of either database; `?` takes driver and store errors.
macro_rules! read {
    ($store:expr, $conn:ident => $body:expr) => {
        match $store.db() {
            $crate::sql::Db::Sqlite(pools) => $crate::sql::read!(@on $store, pools.reader, $conn => $body),
            $crate::sql::Db::Postgres(pool) => $crate::sql::read!(@on $store, pool, $conn => $body),
        }
        .map_err(engine::StoreError::from)
    };
    (@on $store:expr, $pool:expr, $conn:ident => $body:expr) => {
        async {
            let mut held = $crate::sql::patiently!($store, $pool.acquire());
            let $conn = &mut *held;
            Ok::<_, $crate::sql::fault::Fault>($body)
        }
        .await
    };
}
pub(crate) use read;

/// Runs a block of statements as one transaction, rolled back when the block fails.
macro_rules! write {
    ($store:expr, $conn:ident => $body:expr) => {
        match $store.db() {
            $crate::sql::Db::Sqlite(pools) => {
                $crate::sql::write!(@in $store, pools.writer.begin_with("begin immediate"), $conn => $body)
            }
            $crate::sql::Db::Postgres(pool) => $crate::sql::write!(@in $store, pool.begin(), $conn => $body),
        }
        .map_err(engine::StoreError::from)
    };
    (@in $store:expr, $begin:expr, $conn:ident => $body:expr) => {
        async {
            let mut transaction = $crate::sql::patiently!($store, $begin);
            let done = {
                let $conn = &mut *transaction;
                $body
            };
            transaction.commit().await?;
            Ok::<_, $crate::sql::fault::Fault>(done)
        }
        .await
    };
}
pub(crate) use write;

mod accounts;
pub mod archive;
mod assessments;
mod budget;
mod cache;
mod captures;
mod circuits;
mod config;
mod documents;
mod events;
pub(crate) mod fault;
mod figures;
mod investigations;
mod open;
mod queue;
pub(crate) mod search;
mod secrets;
mod sessions;
mod sources;
pub(crate) mod types;
pub(crate) mod wake;
mod web_sessions;
mod work_orders;

pub use config::{SqlConfig, Synchronous};
pub use figures::Connections;
pub use secrets::{BadMasterKey, MasterKey, SealedSecrets};

use engine::{Clock, Ids, StoreResult, reliability::retry::Backoff};
use sqlx::{PgPool, SqlitePool};
use std::sync::Arc;
use tokio::sync::{Mutex, watch};
use uuid::Uuid;

/// The state store; a cheap clone.
#[derive(Clone)]
pub struct Store {
    inner: Arc<Inner>,
}

pub(crate) struct Inner {
    db: Db,
    config: SqlConfig,
    clock: Arc<dyn Clock>,
    chance: Moments,
    wake: wake::Wake,
    /// What carries news between the processes on PostgreSQL.
    _carrier: Option<wake::Carrier>,
    /// News about investigations that nobody has waited for yet.
    news: Mutex<watch::Receiver<u64>>,
}

/// Draws by the clock: good enough to keep those apart who wait for one database.
pub(crate) struct Moments(pub(crate) Arc<dyn Clock>);

impl Ids for Moments {
    fn next(&self) -> Uuid {
        const SPREAD: u64 = 0x9e37_79b9_7f4a_7c15;
        let spread = self.0.now().as_micros().cast_unsigned().wrapping_mul(SPREAD);
        Uuid::from_u128(u128::from(spread >> 32))
    }
}

/// The database behind the store.
pub(crate) enum Db {
    Sqlite(SqlitePools),
    Postgres(PgPool),
}

/// Many readers, one writer.
pub(crate) struct SqlitePools {
    pub(crate) reader: SqlitePool,
    pub(crate) writer: SqlitePool,
}

impl Store {
    pub(crate) fn db(&self) -> &Db {
        &self.inner.db
    }

    /// The waits of one attempt to reach the database.
    pub(crate) fn backoff(&self) -> Backoff<'_> {
        Backoff::new(&self.inner.config.retry, &self.inner.chance)
    }

    /// The SQLite pools; none on PostgreSQL, where the graph lives elsewhere.
    pub(crate) fn sqlite(&self) -> Option<&SqlitePools> {
        match self.db() {
            Db::Sqlite(pools) => Some(pools),
            Db::Postgres(_) => None,
        }
    }

    /// Whether the database answers.
    pub async fn ping(&self) -> StoreResult<()> {
        read!(self, conn => {
            sqlx::query("select 1").execute(&mut *conn).await?;
        })
    }

    /// How far the clock of this process is at least ahead of the database's, in milliseconds; below zero: behind. A file has no clock.
    pub async fn clock_ahead_ms(&self) -> StoreResult<i64> {
        if let Db::Sqlite(_) = self.db() {
            return Ok(0);
        }
        let before = self.inner.clock.now();
        let there: types::Moment =
            read!(self, conn => sqlx::query_scalar("select clock_timestamp()").fetch_one(&mut *conn).await?)?;
        let after = self.inner.clock.now();
        // In between is the way there and back.
        Ok(before.ms_since(there.0).max(0) + after.ms_since(there.0).min(0))
    }

    /// The database and the version of its schema, for people.
    pub async fn describe(&self) -> StoreResult<String> {
        let (name, version) = match self.db() {
            Db::Sqlite(_) => ("SQLite", "select sqlite_version()"),
            Db::Postgres(_) => ("PostgreSQL", "show server_version"),
        };
        read!(self, conn => {
            let version: String = sqlx::query_scalar(version).fetch_one(&mut *conn).await?;
            let schema: i64 = sqlx::query_scalar("select max(version) from _sqlx_migrations").fetch_one(&mut *conn).await?;
            format!("{name} {version}, schema {schema}")
        })
    }

    /// Closes every connection; on SQLite this also folds the write-ahead log into the file.
    pub async fn close(&self) {
        match self.db() {
            Db::Sqlite(pools) => {
                pools.reader.close().await;
                pools.writer.close().await;
            }
            Db::Postgres(pool) => pool.close().await,
        }
    }
}
