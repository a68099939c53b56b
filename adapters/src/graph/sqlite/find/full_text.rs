//! Finding rows by words: the terms of a query in the full-text index of one collection.

use crate::{
    graph::{
        GraphConfig,
        bm25::{score_expression, term_weights},
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
pub(super) struct TermQuery {
    table: String,
    kind: Kind,
    words: Vec<(String, f64)>,
}

impl TermQuery {
    /// None when nothing can match.
    pub async fn new(
        conn: &mut SqliteConnection,
        config: &GraphConfig,
        kind: Kind,
        collection: i64,
        text: &str,
    ) -> Result<Option<Self>, Fault> {
        let terms = query_terms(text);
        if terms.is_empty() {
            return Ok(None);
        }
        let (table, common) = (terms_table(collection), config.common_word_texts);
        let counts = count_texts(conn, &table, &term_counts(collection), kind, &terms, common).await?;
        let words = term_weights(counts, common);
        Ok((!words.is_empty()).then_some(Self { table, kind, words }))
    }

    /// The row number of the item that an index row is of.
    pub fn n(&self) -> String {
        format!("{}.rowid / {KINDS}", self.table)
    }

    /// The index, for queries that do not rank.
    pub fn table(&self) -> &str {
        &self.table
    }

    /// The `where` of a query that does not rank; more conditions may follow.
    pub fn push_match(&self, sql: &mut QueryBuilder<Sqlite>) {
        let expression = self.words.iter().map(|(word, _)| phrase(word)).collect::<Vec<_>>().join(" OR ");
        sql.push("where ").push(&self.table).push(" match ").push_bind(expression);
        sql.push(format!(" and {}", self.kind_condition()));
    }

    /// Begins a query that finds items by full text, whose row numbers are `FOUND`; goes on with joins, `where true` and conditions,
    /// ends with `best`.
    pub fn ranked_query(&self) -> QueryBuilder<Sqlite> {
        let mut sql = QueryBuilder::new("with hit(row, weight) as materialized (");
        for (place, (word, weight)) in self.words.iter().enumerate() {
            sql.push(if place == 0 { "select rowid, " } else { " union all select rowid, " }).push_bind(*weight);
            sql.push(format!(" from {table} where {table} match ", table = self.table)).push_bind(phrase(word));
            sql.push(format!(" and {}", self.kind_condition()));
        }
        // A row has each word once.
        let scored =
            if self.words.len() == 1 { "select row, weight from hit" } else { "select row, sum(weight) from hit group by row" };
        sql.push(format!(
            "), scored(row, weight) as ({scored}), found(n, signal) as materialized (
                select {RANKED_ITEM}, {} from scored join {}_docsize size on size.id = scored.row ",
            score_expression("scored.weight", LENGTH),
            self.table
        ));
        sql
    }

    fn kind_condition(&self) -> String {
        format!("{}.rowid % {KINDS} = {}", self.table, self.kind.offset())
    }
}

/// The item, in a query that `Matching::found` begins.
pub(super) const RANKED_ITEM: &str = "(scored.row / 4)";

/// How many terms a row has, as fts5 keeps it: an integer of one byte, or of two whose first is marked. Longer ones count as the
/// longest of two bytes.
const LENGTH: &str = "(case length(size.sz) when 1 then unicode(cast(size.sz as text)) when 2 then
    ((instr('123456789ABCDEF', substr(hex(size.sz), 1, 1)) - 8) * 16 + instr('123456789ABCDEF', substr(hex(size.sz), 2, 1))) * 128
    + instr('123456789ABCDEF', substr(hex(size.sz), 3, 1)) * 16 + instr('123456789ABCDEF', substr(hex(size.sz), 4, 1))
    else 16383 end)";

fn phrase(word: &str) -> String {
    format!("\"{word}\"")
}

/// In how many rows of that kind each term stands, counted no further than one above `common`.
async fn count_texts(
    conn: &mut SqliteConnection,
    table: &str,
    counts: &str,
    kind: Kind,
    terms: &[String],
    common: u32,
) -> Result<Vec<(u32, String)>, Fault> {
    let sql = format!(
        "select (select count(*) from (select 1 from {table} where {table} match '\"' || t.term || '\"'
             and {table}.rowid % {KINDS} = {} limit $2)), t.term
         from {counts} t where t.term in (select value from json_each($1))",
        kind.offset()
    );
    let list = word_list(terms.iter().map(String::as_str));
    Ok(sqlx::query_as(AssertSqlSafe(sql)).bind(list).bind(i64::from(common) + 1).fetch_all(conn).await?)
}

/// Ends a query of `found`: the best rows, and whatever is as good as the last of them, so that no tie is cut by row number.
pub(super) async fn best(
    mut sql: QueryBuilder<Sqlite>,
    conn: &mut SqliteConnection,
    limit: u32,
) -> Result<Vec<(i64, f64)>, Fault> {
    sql.push(")");
    select_best(&mut sql, limit);
    Ok(sql.build_query_as().fetch_all(conn).await?)
}

/// Selects the best of `found (n, signal)`, ties included.
pub(super) fn select_best(sql: &mut QueryBuilder<Sqlite>, limit: u32) {
    sql.push(
        " select n, signal from found where signal >= coalesce((select signal from found order by signal desc limit 1 offset ",
    );
    sql.push_bind(i64::from(limit.max(1)) - 1).push("), -1e9)");
}
