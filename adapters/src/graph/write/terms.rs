//! The full-text index: terms that the engine made, and a word for each collection that may find them.

use crate::{graph::json, sql::fault::Fault};
use serde_json::{Value, json};
use sqlx::SqliteConnection;
use std::collections::BTreeSet;

/// One entry of the index.
pub(in crate::graph) struct Indexed {
    row: i64,
    terms: String,
    scope: String,
    /// Whether it has an entry already.
    replaces: bool,
}

impl Indexed {
    /// Row numbers of the kinds interleave: 4 * n + kind.
    pub const CLAIM: i64 = 0;
    pub const VIEW: i64 = 1;
    pub const RELATIONSHIP: i64 = 2;

    /// The row of an item in the index.
    pub const fn row(n: i64, kind: i64) -> i64 {
        4 * n + kind
    }

    /// The word under which a collection finds items of a kind.
    pub fn scope_word(kind: i64, collection: i64) -> String {
        let letter = ["c", "e", "r"][kind as usize];
        format!("{letter}{collection}")
    }

    pub fn claim(n: i64, terms: Vec<String>, collection: i64) -> Self {
        Self::new(n, Self::CLAIM, &terms, &BTreeSet::from([collection]), false)
    }

    pub fn view(n: i64, terms: Vec<String>, collection: i64, replaces: bool) -> Self {
        Self::new(n, Self::VIEW, &terms, &BTreeSet::from([collection]), replaces)
    }

    pub fn relationship(n: i64, terms: Vec<String>, collections: &BTreeSet<i64>, replaces: bool) -> Self {
        Self::new(n, Self::RELATIONSHIP, &terms, collections, replaces)
    }

    fn new(n: i64, kind: i64, terms: &[String], collections: &BTreeSet<i64>, replaces: bool) -> Self {
        let scope: Vec<String> = collections.iter().map(|collection| Self::scope_word(kind, *collection)).collect();
        Self { row: Self::row(n, kind), terms: terms.join(" "), scope: scope.join(" "), replaces }
    }
}

pub(in crate::graph) async fn index(conn: &mut SqliteConnection, entries: Vec<Indexed>) -> Result<(), Fault> {
    forget(conn, entries.iter().filter(|entry| entry.replaces).map(|entry| entry.row).collect()).await?;
    if entries.is_empty() {
        return Ok(());
    }
    let rows = Value::from_iter(entries.iter().map(|entry| json!([entry.row, entry.terms, entry.scope]))).to_string();
    let sql = "insert into graph_terms (rowid, terms, scope) select value ->> 0, value ->> 1, value ->> 2 from json_each($1)";
    sqlx::query(sql).bind(rows).execute(conn).await?;
    Ok(())
}

/// Takes rows out of the index.
pub(in crate::graph) async fn forget(conn: &mut SqliteConnection, rows: Vec<i64>) -> Result<(), Fault> {
    if !rows.is_empty() {
        let sql = "delete from graph_terms where rowid in (select value from json_each($1))";
        sqlx::query(sql).bind(json::list(rows)).execute(conn).await?;
    }
    Ok(())
}
