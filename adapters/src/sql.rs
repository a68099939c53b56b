//! The state store on SQLite and PostgreSQL: one text of each statement for both, behind the ports of `engine`.
//!
//! Invariant: every write is one transaction. SQLite has one writer connection per process, whose transactions begin
//! immediate, so that no statement fails with a lock that a later one would have got.

/// Runs a block of reading statements on a connection of either database; `?` takes driver and store errors.
macro_rules! read {
    ($store:expr, $conn:ident => $body:expr) => {
        match $store.db() {
            $crate::sql::Db::Sqlite(pools) => $crate::sql::read!(@on pools.reader, $conn => $body),
            $crate::sql::Db::Postgres(pool) => $crate::sql::read!(@on pool, $conn => $body),
        }
        .map_err(engine::StoreError::from)
    };
    (@on $pool:expr, $conn:ident => $body:expr) => {
        async {
            let mut held = $pool.acquire().await?;
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
                $crate::sql::write!(@in pools.writer.begin_with("begin immediate"), $conn => $body)
            }
            $crate::sql::Db::Postgres(pool) => $crate::sql::write!(@in pool.begin(), $conn => {
                let done = $body;
                $crate::sql::wake::notify(&mut *$conn).await?;
                done
            }),
        }
        .map_err(engine::StoreError::from)
    };
    (@in $begin:expr, $conn:ident => $body:expr) => {
        async {
            let mut transaction = $begin.await?;
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
mod assessments;
mod budget;
mod circuits;
mod config;
mod documents;
mod events;
pub(crate) mod fault;
mod investigations;
mod open;
mod queue;
pub(crate) mod search;
mod secrets;
mod sessions;
pub(crate) mod types;
mod wake;
mod web_sessions;
mod work_orders;

pub use config::{SqlConfig, Synchronous};
pub use secrets::{BadMasterKey, MasterKey, SealedSecrets};

use engine::{Clock, StoreResult};
use sqlx::{PgPool, SqlitePool};
use std::sync::Arc;
use tokio::sync::{Mutex, watch};

/// The state store; a cheap clone.
#[derive(Clone)]
pub struct Store {
    inner: Arc<Inner>,
}

pub(crate) struct Inner {
    db: Db,
    config: SqlConfig,
    clock: Arc<dyn Clock>,
    wake: wake::Wake,
    /// News about investigations that nobody has waited for yet.
    news: Mutex<watch::Receiver<u64>>,
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
