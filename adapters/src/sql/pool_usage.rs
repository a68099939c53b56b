//! Store metrics: rows per status, and use of the connection pools.

use super::{
    Db, Store,
    types::{count, word},
};
use engine::StoreResult;
use sqlx::{Database, Pool};

/// Use of one connection pool.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PoolUsage {
    /// `reader` and `writer` on SQLite, `all` on PostgreSQL.
    pub pool: &'static str,
    pub used: u32,
    /// Open and unused.
    pub idle: u32,
    /// Maximum number of open connections.
    pub max: u32,
}

impl PoolUsage {
    fn new<D: Database>(name: &'static str, pool: &Pool<D>) -> Self {
        let idle = u32::try_from(pool.num_idle()).unwrap_or(u32::MAX);
        Self { pool: name, used: pool.size().saturating_sub(idle), idle, max: pool.options().get_max_connections() }
    }
}

impl Store {
    /// Returns the current use of each pool.
    pub fn pool_usage(&self) -> Vec<PoolUsage> {
        match self.db() {
            Db::Sqlite(pools) => vec![PoolUsage::new("reader", &pools.reader), PoolUsage::new("writer", &pools.writer)],
            Db::Postgres(pool) => vec![PoolUsage::new("all", pool)],
        }
    }

    /// Runs a statement that returns enum values with a count each.
    pub(super) async fn count_of_each<T>(
        &self,
        statement: &'static str,
        parse: impl Fn(&str) -> Option<T>,
    ) -> StoreResult<Vec<(T, u64)>> {
        read!(self, conn => {
            let rows: Vec<(String, i64)> = rows!(conn.fetch_all, statement);
            let mut counted = vec![];
            for (status, many) in rows {
                counted.push((word("status", &status, &parse)?, count(many)?));
            }
            counted
        })
    }
}
