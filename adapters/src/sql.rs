//! The state store on SQLite and PostgreSQL: the ports of `engine`, with one text of each statement for both databases.
//!
//! Invariant: every write is one transaction. SQLite has one writer connection per process, whose transactions begin immediate, so that
//! no statement fails with a lock that a later one would have got.

/// Opens a connection or transaction, retrying while the database is unavailable (`reliability.store`). Later statements are never
/// repeated: an unanswered commit may have happened.
#[macro_export]
macro_rules! retry_while_unavailable {
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
pub use crate::retry_while_unavailable;

/// Runs a block of read statements on a connection of either database; `?` accepts driver and store errors.
#[macro_export]
macro_rules! read {
    ($store:expr, $conn:ident => $body:expr) => {{
        let _timer = $crate::StoreTimer::state(module_path!(), "read");
        match $store.db() {
            $crate::sql::Db::Sqlite(pools) => $crate::sql::read!(@on $store, pools.reader, $conn => $body),
            $crate::sql::Db::Postgres(pool) => $crate::sql::read!(@on $store, pool, $conn => $body),
        }
        .map_err(engine::StoreError::from)
    }};
    (@on $store:expr, $pool:expr, $conn:ident => $body:expr) => {
        async {
            let mut held = $crate::sql::retry_while_unavailable!($store, $pool.acquire());
            let $conn = &mut *held;
            Ok::<_, $crate::sql::fault::Fault>($body)
        }
        .await
    };
}
pub use crate::read;

/// Runs a block of statements as one transaction, rolled back when the block fails.
#[macro_export]
macro_rules! write {
    ($store:expr, $conn:ident => $body:expr) => {{
        let _timer = $crate::StoreTimer::state(module_path!(), "write");
        match $store.db() {
            $crate::sql::Db::Sqlite(pools) => {
                $crate::sql::write!(@in $store, pools.writer.begin_with("begin immediate"), $conn => $body)
            }
            $crate::sql::Db::Postgres(pool) => $crate::sql::write!(@in $store, pool.begin(), $conn => $body),
        }
        .map_err(engine::StoreError::from)
    }};
    (@in $store:expr, $begin:expr, $conn:ident => $body:expr) => {
        async {
            let mut transaction = $crate::sql::retry_while_unavailable!($store, $begin);
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
pub use crate::write;

/// Executes a statement with its parameters, `$1` first: `execute!(conn, "…"; first, second)`.
#[macro_export]
macro_rules! execute {
    ($conn:expr, $sql:expr $(; $($parameter:expr),+)?) => {
        sqlx::query($sql)$($(.bind($parameter))+)?.execute(&mut *$conn).await?
    };
}
pub use crate::execute;

/// Reads rows of a statement with its parameters: `rows!(conn.fetch_all, "…"; first, second)`, or `fetch_one`, `fetch_optional`.
#[macro_export]
macro_rules! rows {
    ($conn:ident.$fetch:ident, $sql:expr $(; $($parameter:expr),+)?) => {
        sqlx::query_as($sql)$($(.bind($parameter))+)?.$fetch(&mut *$conn).await?
    };
}
pub use crate::rows;

/// Reads the first column of each row, as `rows!` reads rows.
#[macro_export]
macro_rules! values {
    ($conn:ident.$fetch:ident, $sql:expr $(; $($parameter:expr),+)?) => {
        sqlx::query_scalar($sql)$($(.bind($parameter))+)?.$fetch(&mut *$conn).await?
    };
}
pub use crate::values;

mod accounts;
mod annotations;
pub mod archive;
mod assessments;
mod budget;
mod cache;
mod captures;
mod circuits;
mod config;
mod documents;
mod events;
pub mod fault;
mod investigations;
mod model_choices;
pub(crate) mod notify;
mod open;
mod pool_usage;
mod queue;
mod schema;
pub(crate) mod search;
mod secrets;
mod sessions;
mod sources;
mod teams;
pub mod types;
mod web_sessions;
mod work_orders;

pub use config::{SqlConfig, Synchronous};
pub use pool_usage::PoolUsage;
pub use schema::Schema;
pub use secrets::{BadMasterKey, MasterKey, SealedSecrets, random_bytes};

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
    schemas: &'static [&'static Schema],
    clock: Arc<dyn Clock>,
    jitter: ClockJitter,
    notifier: notify::ChangeNotifier,
    /// Carries change notifications between processes on PostgreSQL.
    _transport: Option<notify::Transport>,
    /// Changes to investigations that no caller has received yet.
    news: Mutex<watch::Receiver<u64>>,
}

/// Random-looking ids from the clock, good enough to spread the retries of several processes.
pub(crate) struct ClockJitter(pub(crate) Arc<dyn Clock>);

impl Ids for ClockJitter {
    fn next(&self) -> Uuid {
        const SPREAD: u64 = 0x9e37_79b9_7f4a_7c15;
        let spread = self.0.now().as_micros().cast_unsigned().wrapping_mul(SPREAD);
        Uuid::from_u128(u128::from(spread >> 32))
    }
}

/// The database behind the store.
pub enum Db {
    Sqlite(SqlitePools),
    Postgres(PgPool),
}

/// A pool of readers and a single writer.
pub struct SqlitePools {
    pub reader: SqlitePool,
    pub writer: SqlitePool,
}

impl Store {
    /// Returns the pools of connections.
    pub fn db(&self) -> &Db {
        &self.inner.db
    }

    /// Returns the statement that locks the row of the person `$1` on PostgreSQL, so that writes within a limit of theirs wait for one
    /// another. SQLite has one writer at a time.
    pub fn lock_of_person(&self) -> &'static str {
        match self.db() {
            Db::Sqlite(_) => "select id from users where id = $1",
            Db::Postgres(_) => "select id from users where id = $1 for no key update",
        }
    }

    /// Returns the backoff for one attempt to reach the database.
    pub fn backoff(&self) -> Backoff<'_> {
        Backoff::new(&self.inner.config.retry, &self.inner.jitter)
    }

    /// Returns the SQLite pools; `None` on PostgreSQL, where the graph lives in Neo4j.
    pub(crate) fn sqlite(&self) -> Option<&SqlitePools> {
        match self.db() {
            Db::Sqlite(pools) => Some(pools),
            Db::Postgres(_) => None,
        }
    }

    /// Checks that the database answers.
    pub async fn ping(&self) -> StoreResult<()> {
        read!(self, conn => {
            execute!(conn, "select 1");
        })
    }

    /// Returns by how many milliseconds the clock of this process is at least ahead of the database's; negative when behind. SQLite has
    /// no clock of its own.
    pub async fn clock_ahead_ms(&self) -> StoreResult<i64> {
        if let Db::Sqlite(_) = self.db() {
            return Ok(0);
        }
        let before = self.inner.clock.now();
        let there: types::Moment = read!(self, conn => values!(conn.fetch_one, "select clock_timestamp()"))?;
        let after = self.inner.clock.now();
        // In between is the way there and back.
        Ok(before.ms_since(there.0).max(0) + after.ms_since(there.0).min(0))
    }

    /// Returns the database and the version of its schema, as text.
    pub async fn describe(&self) -> StoreResult<String> {
        let (name, version) = match self.db() {
            Db::Sqlite(_) => ("SQLite", "select sqlite_version()"),
            Db::Postgres(_) => ("PostgreSQL", "show server_version"),
        };
        read!(self, conn => {
            let version: String = values!(conn.fetch_one, version);
            let schema: i64 = values!(conn.fetch_one, "select max(version) from _sqlx_migrations");
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

#[cfg(test)]
pub(crate) struct StoppedClock;

#[cfg(test)]
impl engine::Clock for StoppedClock {
    fn now(&self) -> domain::Timestamp {
        domain::Timestamp::from_micros(0)
    }
}

/// A store with a new SQLite file in `folder`, for the tests of this crate; its clock stands still.
#[cfg(test)]
pub(crate) async fn test_store(folder: &std::path::Path) -> Store {
    Store::open_sqlite(&folder.join("test.db"), SqlConfig::default(), std::sync::Arc::new(StoppedClock)).await.unwrap()
}
