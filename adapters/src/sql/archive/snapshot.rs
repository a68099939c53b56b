//! A consistent snapshot of the state: a read-only transaction.

use super::{
    lines::line,
    tables::{ColumnType, Table},
};
use crate::sql::{
    Db, Store,
    fault::{Fault, defect},
    open::lift_read_limit,
    types::count,
};
use async_trait::async_trait;
use engine::{
    StoreResult,
    archive::{ArchiveRecord, PageSize, RecordKind, Snapshot},
};
use serde_json::Value;
use sqlx::{AssertSqlSafe, PgConnection, Postgres, Sqlite, SqliteConnection, Transaction};

/// The SQL dialect of a database.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Dialect {
    Sqlite,
    Postgres,
}

/// A transaction that sees the state at its beginning; it ends when dropped.
pub(crate) struct StateSnapshot {
    store: Store,
    transaction: ReadTransaction,
}

enum ReadTransaction {
    Sqlite(Transaction<'static, Sqlite>),
    Postgres(Transaction<'static, Postgres>),
}

impl StateSnapshot {
    pub(crate) async fn begin(store: &Store) -> StoreResult<Self> {
        let transaction = match store.db() {
            Db::Sqlite(pools) => {
                let mut transaction = pools.reader.begin().await.map_err(Fault::from)?;
                lift_read_limit(&mut transaction).await.map_err(Fault::from)?;
                // It begins with the first read.
                sqlx::query("select count(*) from users").execute(&mut *transaction).await.map_err(Fault::from)?;
                ReadTransaction::Sqlite(transaction)
            }
            Db::Postgres(pool) => {
                let begin = "begin isolation level repeatable read, read only";
                let mut transaction = pool.begin_with(begin).await.map_err(Fault::from)?;
                sqlx::query("select count(*) from users").execute(&mut *transaction).await.map_err(Fault::from)?;
                ReadTransaction::Postgres(transaction)
            }
        };
        Ok(Self { store: store.clone(), transaction })
    }

    /// Returns the connection for the graph in the same file; `None` on PostgreSQL.
    pub(crate) fn sqlite(&mut self) -> Option<&mut SqliteConnection> {
        match &mut self.transaction {
            ReadTransaction::Sqlite(transaction) => Some(&mut *transaction),
            ReadTransaction::Postgres(_) => None,
        }
    }
}

#[async_trait]
impl Snapshot for StateSnapshot {
    async fn count(&mut self, kind: RecordKind) -> StoreResult<u64> {
        let sql = format!("select count(*) from {}", self.store.archived_table(kind)?.name);
        let rows: Result<i64, sqlx::Error> = match &mut self.transaction {
            ReadTransaction::Sqlite(transaction) => sqlx::query_scalar(AssertSqlSafe(sql)).fetch_one(&mut **transaction).await,
            ReadTransaction::Postgres(transaction) => {
                sqlx::query_scalar(AssertSqlSafe(sql)).fetch_one(&mut **transaction).await
            }
        };
        Ok(count(rows.map_err(Fault::from)?)?)
    }

    async fn page(&mut self, kind: RecordKind, after: Option<&str>, size: PageSize) -> StoreResult<Vec<ArchiveRecord>> {
        let table = self.store.archived_table(kind)?;
        let rows = match &mut self.transaction {
            ReadTransaction::Sqlite(transaction) => of_sqlite(transaction, table, after, size).await,
            ReadTransaction::Postgres(transaction) => of_postgres(transaction, table, after, size).await,
        };
        let rows = rows.map_err(Fault::from)?;
        Ok(rows.into_iter().map(|row| record(table, row)).collect::<Result<Vec<ArchiveRecord>, Fault>>()?)
    }
}

/// The columns as a JSON array, and the bytes.
type Row = (String, Option<Vec<u8>>);

fn record(table: &Table, (values, blob): Row) -> Result<ArchiveRecord, Fault> {
    let values: Vec<Value> = serde_json::from_str(&values).map_err(|_| defect("row of a table", &values))?;
    let place = Value::from_iter(values[..table.key].iter().cloned()).to_string();
    Ok(ArchiveRecord { place, line: line(table, values, blob.as_deref())?, blob: blob.map(Into::into) })
}

/// Reads the sizes of the next rows, then as many rows as fit in a page.
macro_rules! pages {
    ($name:ident, $connection:ty, $dialect:expr) => {
        async fn $name(
            conn: &mut $connection,
            table: &Table,
            after: Option<&str>,
            size: PageSize,
        ) -> Result<Vec<Row>, sqlx::Error> {
            let sizes = sizes_sql(table, $dialect, after.is_some());
            let sizes: Vec<i64> = values!(conn.fetch_all, AssertSqlSafe(sizes); i64::from(size.records), after);
            let rows = fitting(&sizes, size.bytes);
            let page = page_sql(table, $dialect, after.is_some());
            sqlx::query_as(AssertSqlSafe(page)).bind(rows).bind(after).fetch_all(&mut *conn).await
        }
    };
}

pages!(of_sqlite, SqliteConnection, Dialect::Sqlite);
pages!(of_postgres, PgConnection, Dialect::Postgres);

/// Returns how many rows of these sizes fit into so many bytes; at least one.
fn fitting(sizes: &[i64], bytes: usize) -> i64 {
    let most = i64::try_from(bytes).unwrap_or(i64::MAX);
    let mut sum = 0_i64;
    let fit = sizes.iter().take_while(|size| {
        sum = sum.saturating_add(**size);
        sum <= most
    });
    (fit.count() as i64).max(1)
}

fn sizes_sql(table: &Table, dialect: Dialect, has_after: bool) -> String {
    let large = table.columns.iter().filter_map(|(name, kind)| match (kind, dialect) {
        (ColumnType::Text | ColumnType::Blob, _) => Some(format!("coalesce(octet_length({name}), 0)")),
        (ColumnType::Json, Dialect::Sqlite) => Some(format!("coalesce(octet_length({name}), 0)")),
        (ColumnType::Json, Dialect::Postgres) => Some(format!("coalesce(pg_column_size({name}), 0)")),
        _ => None,
    });
    let sum = large.fold("64".to_owned(), |sum, size| sum + " + " + &size);
    format!("select cast({sum} as bigint) from {}", rest(table, dialect, has_after))
}

fn page_sql(table: &Table, dialect: Dialect, has_after: bool) -> String {
    let columns: Vec<String> = table.columns.iter().map(|(name, kind)| read(dialect, name, *kind)).collect();
    let array = match dialect {
        Dialect::Sqlite => format!("json_array({})", columns.join(", ")),
        Dialect::Postgres => format!("json_build_array({})::text", columns.join(", ")),
    };
    let blob = table.columns.iter().find(|(_, kind)| *kind == ColumnType::Blob).map(|(name, _)| *name);
    let blob = blob.unwrap_or(match dialect {
        Dialect::Sqlite => "null",
        Dialect::Postgres => "null::bytea",
    });
    format!("select {array}, {blob} from {}", rest(table, dialect, has_after))
}

/// Builds the query for the rows after a cursor in key order. `$1` is the limit, `$2` the cursor.
fn rest(table: &Table, dialect: Dialect, has_after: bool) -> String {
    let keys = &table.columns[..table.key];
    let names = keys.iter().map(|(name, _)| *name).collect::<Vec<_>>().join(", ");
    let place = keys.iter().enumerate().map(|(i, (_, kind))| value(dialect, "$2", i, *kind)).collect::<Vec<_>>().join(", ");
    let after = match (has_after, dialect) {
        (true, _) => format!("where ({names}) > ({place})"),
        (false, Dialect::Sqlite) => "where $2 is null".to_owned(),
        (false, Dialect::Postgres) => "where $2::text is null".to_owned(),
    };
    format!("{} {after} order by {names} limit $1", table.name)
}

/// Returns the expression that reads a column as JSON.
fn read(dialect: Dialect, name: &str, kind: ColumnType) -> String {
    match (kind, dialect) {
        (ColumnType::Blob, _) => "null".to_owned(),
        (ColumnType::Id | ColumnType::Hex, Dialect::Sqlite) => format!("nullif(hex({name}), '')"),
        (ColumnType::Json, Dialect::Sqlite) => format!("json({name})"),
        (ColumnType::Moment, Dialect::Postgres) => format!("(extract(epoch from {name}) * 1000000)::bigint"),
        (ColumnType::Hex, Dialect::Postgres) => format!("encode({name}, 'hex')"),
        _ => name.to_owned(),
    }
}

/// Returns the expression that converts an element of a JSON array to its stored type.
pub(super) fn value(dialect: Dialect, array: &str, index: usize, kind: ColumnType) -> String {
    match (dialect, kind) {
        (Dialect::Sqlite, ColumnType::Id | ColumnType::Hex) => format!("unhex({array} ->> {index}, '-')"),
        (Dialect::Sqlite, ColumnType::Json) => format!("nullif({array} -> {index}, 'null')"),
        (Dialect::Sqlite, _) => format!("{array} ->> {index}"),
        (Dialect::Postgres, kind) => {
            let text = format!("({array}::jsonb ->> {index})");
            match kind {
                ColumnType::Id => format!("{text}::uuid"),
                ColumnType::Text | ColumnType::Blob => text,
                ColumnType::Number => format!("{text}::bigint"),
                ColumnType::Flag => format!("{text}::boolean"),
                ColumnType::Moment => format!("timestamptz 'epoch' + {text}::bigint * interval '1 microsecond'"),
                ColumnType::Json => format!("nullif({array}::jsonb -> {index}, 'null'::jsonb)"),
                ColumnType::Hex => format!("decode({text}, 'hex')"),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_has_what_fits_and_one_at_least() {
        assert_eq!(fitting(&[10, 10, 10], 25), 2);
        assert_eq!(fitting(&[100, 1], 25), 1);
        assert_eq!(fitting(&[], 25), 1);
    }
}
