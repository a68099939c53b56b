//! Finding rows by words: the terms of a query in the full-text index of one collection.

use crate::{
    graph::{
        GraphConfig,
        sqlite::write::{term_counts, terms_table},
    },
    sql::{fault::Fault, types::word_list},
};
use engine::graph::terms::query_terms;
use sqlx::{AssertSqlSafe, QueryBuilder, Sqlite, SqliteConnection};

/// What an index has rows of; their numbers interleave.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::graph::sqlite) enum Kind {
    Claim,
    View,
    Relationship,
}

/// Row numbers of an index are `KINDS * n + kind`.
const KINDS: i64 = 4;

impl Kind {
    /// The row of an item in an index.
    pub const fn row(self, n: i64) -> i64 {
        KINDS * n + self.offset()
    }

    const fn offset(self) -> i64 {
        match self {
            Self::Claim => 0,
            Self::View => 1,
            Self::Relationship => 2,
        }
    }
}

/// The words of a query in the index of one collection. Which words count as common, and what a row is worth, depends on that
/// collection alone: what others keep private moves nothing.
pub(super) struct Matching {
    table: String,
    kind: Kind,
    expression: String,
}

impl Matching {
    /// None when nothing can match.
    pub async fn new(
        conn: &mut SqliteConnection,
        config: &GraphConfig,
        kind: Kind,
        collection: i64,
        text: &str,
    ) -> Result<Option<Self>, Fault> {
        let terms = telling(conn, config, collection, query_terms(text)).await?;
        if terms.is_empty() {
            return Ok(None);
        }
        let expression = terms.iter().map(|word| format!("\"{word}\"")).collect::<Vec<_>>().join(" OR ");
        Ok(Some(Self { table: terms_table(collection), kind, expression }))
    }

    /// The row number of the item that an index row is of.
    pub fn n(&self) -> String {
        format!("{}.rowid / {KINDS}", self.table)
    }

    /// The index, for queries that do not rank.
    pub fn table(&self) -> &str {
        &self.table
    }

    /// Begins a query that finds items by full text; goes on with joins, then `matches`, ends with `best`.
    pub fn found(&self) -> QueryBuilder<Sqlite> {
        let (n, table) = (self.n(), &self.table);
        QueryBuilder::new(format!("with found(n, signal) as materialized (select {n}, -bm25({table}) from {table} "))
    }

    /// The `where` of it; more conditions may follow.
    pub fn matches(&self, sql: &mut QueryBuilder<Sqlite>) {
        sql.push("where ").push(&self.table).push(" match ").push_bind(self.expression.clone());
        sql.push(format!(" and {}.rowid % {KINDS} = {}", self.table, self.kind.offset()));
    }
}

/// The terms that are in the index at all, without the common ones as long as a rarer one is left.
async fn telling(
    conn: &mut SqliteConnection,
    config: &GraphConfig,
    collection: i64,
    terms: Vec<String>,
) -> Result<Vec<String>, Fault> {
    if terms.is_empty() {
        return Ok(terms);
    }
    let counts = term_counts(collection);
    let sql = format!("select term, doc from {counts} where term in (select value from json_each($1)) order by doc, term");
    let list = word_list(terms.iter().map(String::as_str));
    let counted: Vec<(String, i64)> = sqlx::query_as(AssertSqlSafe(sql)).bind(list).fetch_all(conn).await?;
    let rare = counted.iter().take_while(|(_, texts)| *texts <= i64::from(config.common_word_texts)).count();
    Ok(counted.into_iter().take(rare.max(1)).map(|(term, _)| term).collect())
}

/// Ends a query of `found`: the best rows, and whatever is as good as the last of them, so that no tie is cut by row number.
pub(super) async fn best(
    mut sql: QueryBuilder<Sqlite>,
    conn: &mut SqliteConnection,
    limit: u32,
) -> Result<Vec<(i64, f64)>, Fault> {
    sql.push(")");
    cut(&mut sql, limit);
    Ok(sql.build_query_as().fetch_all(conn).await?)
}

/// Selects the best of `found (n, signal)`, ties included.
pub(super) fn cut(sql: &mut QueryBuilder<Sqlite>, limit: u32) {
    sql.push(
        " select n, signal from found where signal >= coalesce((select signal from found order by signal desc limit 1 offset ",
    );
    sql.push_bind(i64::from(limit.max(1)) - 1).push("), -1e9)");
}
