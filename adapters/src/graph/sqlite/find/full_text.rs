//! Full-text search: the terms of a query in the index of one collection.

use crate::{
    graph::{
        GraphConfig,
        bm25::{score_expression, term_weights},
        sqlite::write::{term_counts, terms_table},
    },
    sql::{fault::Fault, types::text_list},
};
use engine::graph::terms::query_terms;
use sqlx::{AssertSqlSafe, QueryBuilder, Sqlite, SqliteConnection};
use std::collections::BTreeMap;

/// The kinds of items in an index; their row numbers interleave.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::graph::sqlite) enum Kind {
    Claim,
    View,
    Relationship,
}

/// Multiplier of index rows: the row is `KINDS * n + kind`.
const KINDS: i64 = 4;

impl Kind {
    /// Returns the index row of an item.
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

/// The weighted terms of a query in one collection's index. Weights and common words depend on that collection alone, so private
/// collections never affect other users' results.
pub(super) struct TermQuery {
    table: String,
    kind: Kind,
    words: Vec<(String, f64)>,
}

impl TermQuery {
    /// Returns one query per collection in which anything can match, all read by one statement.
    pub async fn of_collections(
        conn: &mut SqliteConnection,
        config: &GraphConfig,
        kind: Kind,
        collections: &[i64],
        text: &str,
    ) -> Result<Vec<Self>, Fault> {
        let terms = query_terms(text);
        if terms.is_empty() || collections.is_empty() {
            return Ok(Vec::new());
        }
        let common = config.common_word_texts;
        let mut counted: BTreeMap<i64, Vec<(u32, String)>> = BTreeMap::new();
        for (collection, texts, term) in count_texts(conn, collections, kind, &terms, common).await? {
            counted.entry(collection).or_default().push((texts, term));
        }
        let query = |(collection, counts)| {
            let words = term_weights(counts, common);
            (!words.is_empty()).then(|| Self { table: terms_table(collection), kind, words })
        };
        Ok(counted.into_iter().filter_map(query).collect())
    }

    /// Returns the SQL expression for the item's row number.
    pub fn n(&self) -> String {
        format!("{}.rowid / {KINDS}", self.table)
    }

    /// Returns the index table, for queries without ranking.
    pub fn table(&self) -> &str {
        &self.table
    }

    /// Appends the `where` clause of a query without ranking; more conditions may follow.
    pub fn push_match(&self, sql: &mut QueryBuilder<Sqlite>) {
        let expression = self.words.iter().map(|(word, _)| phrase(word)).collect::<Vec<_>>().join(" OR ");
        sql.push("where ").push(&self.table).push(" match ").push_bind(expression);
        sql.push(format!(" and {}", self.kind_condition()));
    }

    /// Appends the common table expressions up to an open `found (n, signal)` over items (`RANKED_ITEM`); joins and conditions follow.
    fn push_ranked(&self, sql: &mut QueryBuilder<Sqlite>) {
        sql.push("with hit(row, weight) as materialized (");
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
    }

    fn kind_condition(&self) -> String {
        format!("{}.rowid % {KINDS} = {}", self.table, self.kind.offset())
    }
}

/// SQL expression for the item in a ranked query.
pub(super) const RANKED_ITEM: &str = "(scored.row / 4)";

/// SQL expression for the number of terms in a row, decoded from fts5's one- or two-byte varint. Longer texts count as the two-byte
/// maximum.
const LENGTH: &str = "(case length(size.sz) when 1 then unicode(cast(size.sz as text)) when 2 then
    ((instr('123456789ABCDEF', substr(hex(size.sz), 1, 1)) - 8) * 16 + instr('123456789ABCDEF', substr(hex(size.sz), 2, 1))) * 128
    + instr('123456789ABCDEF', substr(hex(size.sz), 3, 1)) * 16 + instr('123456789ABCDEF', substr(hex(size.sz), 4, 1))
    else 16383 end)";

fn phrase(word: &str) -> String {
    format!("\"{word}\"")
}

/// Counts the rows of that kind per collection and term, up to one above `common`.
async fn count_texts(
    conn: &mut SqliteConnection,
    collections: &[i64],
    kind: Kind,
    terms: &[String],
    common: u32,
) -> Result<Vec<(i64, u32, String)>, Fault> {
    let count = |collection: &i64| {
        let (table, counts) = (terms_table(*collection), term_counts(*collection));
        format!(
            "select {collection}, (select count(*) from (select 1 from {table} where {table} match '\"' || t.term || '\"'
                 and {table}.rowid % {KINDS} = {} limit $2)), t.term
             from {counts} t where t.term in (select value from json_each($1))",
            kind.offset()
        )
    };
    let sql = collections.iter().map(count).collect::<Vec<_>>().join(" union all ");
    let list = text_list(terms.iter().map(String::as_str));
    Ok(sqlx::query_as(AssertSqlSafe(sql)).bind(list).bind(i64::from(common) + 1).fetch_all(conn).await?)
}

/// Returns the best rows of each query, including ties with its last, so that row numbers never cut a tie. `push_filter` appends joins
/// and the `where` clause.
pub(super) async fn best(
    conn: &mut SqliteConnection,
    queries: &[TermQuery],
    limit: u32,
    push_filter: impl Fn(&mut QueryBuilder<Sqlite>),
) -> Result<Vec<(i64, f64)>, Fault> {
    if queries.is_empty() {
        return Ok(Vec::new());
    }
    let mut sql = QueryBuilder::new("");
    for (place, query) in queries.iter().enumerate() {
        sql.push(if place == 0 { "select n, signal from (" } else { " union all select n, signal from (" });
        query.push_ranked(&mut sql);
        push_filter(&mut sql);
        sql.push(")");
        select_best(&mut sql, limit);
        sql.push(")");
    }
    Ok(sql.build_query_as().fetch_all(conn).await?)
}

/// Appends the selection of the best of `found (n, signal)`, ties included.
pub(super) fn select_best(sql: &mut QueryBuilder<Sqlite>, limit: u32) {
    sql.push(
        " select n, signal from found where signal >= coalesce((select signal from found order by signal desc limit 1 offset ",
    );
    sql.push_bind(i64::from(limit.max(1)) - 1).push("), -1e9)");
}
