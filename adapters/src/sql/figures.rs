//! What an operator watches of the store: how many rows there are of each status, and how busy its connections are.

use super::{
    Db, Store,
    types::{count, word},
};
use engine::StoreResult;
use sqlx::{Database, Pool};

/// How much of one pool is in use.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Connections {
    /// `reader` and `writer` on SQLite, `all` on PostgreSQL.
    pub pool: &'static str,
    pub used: u32,
    /// Open, and nobody uses them.
    pub idle: u32,
    /// Most that may be open.
    pub max: u32,
}

impl Connections {
    fn of<D: Database>(name: &'static str, pool: &Pool<D>) -> Self {
        let idle = u32::try_from(pool.num_idle()).unwrap_or(u32::MAX);
        Self { pool: name, used: pool.size().saturating_sub(idle), idle, max: pool.options().get_max_connections() }
    }
}

impl Store {
    /// The pools as they are now.
    pub fn connections(&self) -> Vec<Connections> {
        match self.db() {
            Db::Sqlite(pools) => vec![Connections::of("reader", &pools.reader), Connections::of("writer", &pools.writer)],
            Db::Postgres(pool) => vec![Connections::of("all", pool)],
        }
    }

    /// Runs a statement that gives words of a closed list, each with a number.
    pub(super) async fn count_of_each<T>(
        &self,
        statement: &'static str,
        parse: impl Fn(&str) -> Option<T>,
    ) -> StoreResult<Vec<(T, u64)>> {
        read!(self, conn => {
            let rows: Vec<(String, i64)> = sqlx::query_as(statement).fetch_all(&mut *conn).await?;
            let mut counted = vec![];
            for (status, many) in rows {
                counted.push((word("status", &status, &parse)?, count(many)?));
            }
            counted
        })
    }
}
