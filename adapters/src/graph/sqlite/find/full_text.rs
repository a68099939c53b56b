//! Full-text search: the terms of a query in the index of one collection.

use crate::{
    graph::{
        GraphConfig,
        bm25::{score_expression, term_weights},
        sqlite::write::{term_counts, terms_table},
    },
    sql::{fault::Fault, types::text_list},
};
use domain::QueryText;
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

    pub const fn offset(self) -> i64 {
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
    /// The number of texts that are ranked for each word, the last written ones: a query of common words alone matches no end of them.
    most: u32,
}

impl TermQuery {
    /// Returns one query per kind and collection in which anything can match, all read by one statement.
    pub async fn of_kinds(
        conn: &mut SqliteConnection,
        config: &GraphConfig,
        collections: &[i64],
        texts: &[(Kind, &str)],
    ) -> Result<Vec<Self>, Fault> {
        let terms: Vec<(Kind, Vec<String>)> = texts.iter().map(|(kind, text)| (*kind, query_terms(text))).collect();
        if terms.iter().all(|(_, terms)| terms.is_empty()) || collections.is_empty() {
            return Ok(Vec::new());
        }
        let common = config.common_word_texts;
        let mut counted: BTreeMap<(i64, i64), Vec<(u32, String)>> = BTreeMap::new();
        for (collection, kind, texts, term) in count_texts(conn, collections, &terms, common).await? {
            counted.entry((collection, kind)).or_default().push((texts, term));
        }
        let query = |((collection, offset), counts)| {
            let kind = terms.iter().map(|(kind, _)| *kind).find(|kind| kind.offset() == offset)?;
            let words = term_weights(counts, common);
            (!words.is_empty()).then(|| Self { table: terms_table(collection), kind, words, most: common })
        };
        Ok(counted.into_iter().filter_map(query).collect())
    }

    pub const fn kind(&self) -> Kind {
        self.kind
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
    /// A filter may leave a few of the claims with a common word, so all are ranked then. Entities and relationships are few, and their
    /// rows are as old as their first mention.
    fn push_ranked(&self, sql: &mut QueryBuilder<Sqlite>, is_filtered: bool) {
        sql.push("with hit(row, weight) as materialized (");
        for (place, (word, weight)) in self.words.iter().enumerate() {
            sql.push(if place == 0 { "select * from (select rowid, " } else { " union all select * from (select rowid, " });
            sql.push_bind(*weight).push(format!(" from {table} where {table} match ", table = self.table));
            sql.push_bind(phrase(word)).push(format!(" and {}", self.kind_condition()));
            if !is_filtered && self.kind == Kind::Claim {
                sql.push(" order by rowid desc limit ").push_bind(self.most);
            }
            sql.push(")");
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

/// Returns the text of a query; none when it is blank.
pub(super) fn words(text: Option<&QueryText>) -> Option<&str> {
    text.map(|text| &**text).filter(|text| !text.is_empty())
}

fn phrase(word: &str) -> String {
    format!("\"{word}\"")
}

/// Counts the rows per collection, kind and term, up to one above `common`.
async fn count_texts(
    conn: &mut SqliteConnection,
    collections: &[i64],
    terms: &[(Kind, Vec<String>)],
    common: u32,
) -> Result<Vec<(i64, i64, u32, String)>, Fault> {
    let mut counted = vec![];
    for part in collections.chunks(QUERIES_PER_STATEMENT) {
        counted.extend(count_part(conn, part, terms, common).await?);
    }
    Ok(counted)
}

async fn count_part(
    conn: &mut SqliteConnection,
    collections: &[i64],
    terms: &[(Kind, Vec<String>)],
    common: u32,
) -> Result<Vec<(i64, i64, u32, String)>, Fault> {
    let count = |collection: i64, kind: Kind, place: usize| {
        let (table, counts, offset) = (terms_table(collection), term_counts(collection), kind.offset());
        format!(
            "select {collection}, {offset}, (select count(*) from (select 1 from {table} where {table} match '\"' || t.term || '\"'
                 and {table}.rowid % {KINDS} = {offset} limit $1)), t.term
             from {counts} t where t.term in (select value from json_each(${}))",
            place + 2
        )
    };
    let of_collection = |collection: &i64| {
        let counts: Vec<String> = terms.iter().enumerate().map(|(place, (kind, _))| count(*collection, *kind, place)).collect();
        format!("select * from ({})", counts.join(" union all "))
    };
    let sql = collections.iter().map(of_collection).collect::<Vec<_>>().join(" union all ");
    let mut query = sqlx::query_as(AssertSqlSafe(sql)).bind(i64::from(common) + 1);
    for (_, terms) in terms {
        query = query.bind(text_list(terms.iter().map(String::as_str)));
    }
    Ok(query.fetch_all(conn).await?)
}

/// Queries in one statement: with `bm25::MAX_WORDS` each, half of the variables and terms that SQLite takes. A scope has any number of
/// collections.
const QUERIES_PER_STATEMENT: usize = 100;

/// A found row with the offset of its kind, and its score.
pub(super) type RankedRow = (i64, i64, f64);

/// Returns the best rows of each query, including ties with its last, so that row numbers never cut a tie. A view represents its entity.
/// `push_filter` appends joins and the `where` clause for the kinds that `is_filtered` names, else an empty condition.
pub(super) async fn best(
    conn: &mut SqliteConnection,
    queries: &[TermQuery],
    limit: u32,
    is_filtered: impl Fn(Kind) -> bool,
    push_filter: impl Fn(&mut QueryBuilder<Sqlite>, Kind),
) -> Result<Vec<RankedRow>, Fault> {
    let mut found = Vec::new();
    for part in queries.chunks(QUERIES_PER_STATEMENT) {
        let mut sql = QueryBuilder::new("");
        for (place, query) in part.iter().enumerate() {
            let item = match query.kind {
                Kind::View => "(select e.root from entity_views v join entities e on e.n = v.entity where v.n = ranked.n)",
                Kind::Claim | Kind::Relationship => "n",
            };
            sql.push(if place == 0 { "" } else { " union all " });
            sql.push(format!("select {}, {item}, signal from (", query.kind.offset()));
            query.push_ranked(&mut sql, is_filtered(query.kind));
            push_filter(&mut sql, query.kind);
            sql.push(")");
            select_best(&mut sql, limit);
            sql.push(") ranked");
        }
        let rows: Vec<RankedRow> = sql.build_query_as().fetch_all(&mut *conn).await?;
        found.extend(rows);
    }
    Ok(found)
}

/// Appends the selection of the best of `found (n, signal)`, ties included.
pub(super) fn select_best(sql: &mut QueryBuilder<Sqlite>, limit: u32) {
    sql.push(
        " select n, signal from found where signal >= coalesce((select signal from found order by signal desc limit 1 offset ",
    );
    sql.push_bind(i64::from(limit.max(1)) - 1).push("), -1e9)");
}
