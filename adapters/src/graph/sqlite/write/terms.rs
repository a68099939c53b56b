//! Full-text indexes over the engine's terms, one index per collection.

use crate::{
    graph::sqlite::{find::Kind, json},
    sql::fault::Fault,
};
use serde_json::{Value, json};
use sqlx::{AssertSqlSafe, SqliteConnection};
use std::collections::BTreeMap;

/// One entry of a collection's index.
pub(in crate::graph::sqlite) struct IndexEntry {
    collection: i64,
    row: i64,
    terms: String,
    /// Whether it replaces an existing entry.
    replaces: bool,
}

impl IndexEntry {
    pub fn new(kind: Kind, n: i64, collection: i64, terms: &[String]) -> Self {
        Self { collection, row: kind.row(n), terms: terms.join(" "), replaces: false }
    }

    /// Marks the entry as a replacement.
    pub fn replacing(self, replaces: bool) -> Self {
        Self { replaces, ..self }
    }
}

/// Returns the name of a collection's index table.
pub(in crate::graph::sqlite) fn table(collection: i64) -> String {
    format!("terms_{collection}")
}

/// Returns the name of the table with the number of texts per term: columns `term` and `doc`.
pub(in crate::graph::sqlite) fn counts(collection: i64) -> String {
    format!("term_counts_{collection}")
}

/// Creates the index of a new collection.
pub(in crate::graph::sqlite) async fn create(conn: &mut SqliteConnection, collection: i64) -> Result<(), Fault> {
    let (table, counts) = (table(collection), counts(collection));
    let index = format!(
        "create virtual table {table} using fts5 (
            terms, content = '', contentless_delete = 1, tokenize = 'unicode61 remove_diacritics 0')"
    );
    sqlx::query(AssertSqlSafe(index)).execute(&mut *conn).await?;
    let counts = format!("create virtual table {counts} using fts5vocab ({table}, 'row')");
    sqlx::query(AssertSqlSafe(counts)).execute(conn).await?;
    Ok(())
}

pub(in crate::graph::sqlite) async fn index(conn: &mut SqliteConnection, entries: Vec<IndexEntry>) -> Result<(), Fault> {
    let mut of: BTreeMap<i64, Vec<IndexEntry>> = BTreeMap::new();
    for entry in entries {
        of.entry(entry.collection).or_default().push(entry);
    }
    for (collection, entries) in of {
        let table = table(collection);
        remove(conn, entries.iter().filter(|entry| entry.replaces).map(|entry| (entry.row, collection))).await?;
        let rows = Value::from_iter(entries.iter().map(|entry| json!([entry.row, entry.terms]))).to_string();
        let sql = format!("insert into {table} (rowid, terms) select value ->> 0, value ->> 1 from json_each($1)");
        sqlx::query(AssertSqlSafe(sql)).bind(rows).execute(&mut *conn).await?;
    }
    Ok(())
}

/// Removes entries, each named by its row and collection.
pub(in crate::graph::sqlite) async fn remove(
    conn: &mut SqliteConnection,
    rows: impl IntoIterator<Item = (i64, i64)>,
) -> Result<(), Fault> {
    let mut of: BTreeMap<i64, Vec<i64>> = BTreeMap::new();
    for (row, collection) in rows {
        of.entry(collection).or_default().push(row);
    }
    for (collection, rows) in of {
        let sql = format!("delete from {} where rowid in (select value from json_each($1))", table(collection));
        sqlx::query(AssertSqlSafe(sql)).bind(json::list(rows)).execute(&mut *conn).await?;
    }
    Ok(())
}

/// Empties the index of a collection.
pub(in crate::graph::sqlite) async fn forget(conn: &mut SqliteConnection, collection: i64) -> Result<(), Fault> {
    let table = table(collection);
    let sql = format!("insert into {table} ({table}) values ('delete-all')");
    sqlx::query(AssertSqlSafe(sql)).execute(conn).await?;
    Ok(())
}
