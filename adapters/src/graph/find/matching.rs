//! Finding rows by words: the terms of a query in the full-text index.

use crate::{
    graph::{GraphConfig, write::Indexed},
    sql::{fault::Fault, types::word_list},
};
use engine::graph::terms::query_terms;
use sqlx::{QueryBuilder, Sqlite, SqliteConnection};

/// The full-text expression for the words of a query within some collections; none when nothing can match.
pub(super) async fn expression(
    conn: &mut SqliteConnection,
    config: &GraphConfig,
    kind: i64,
    collections: &[i64],
    text: &str,
) -> Result<Option<String>, Fault> {
    let terms = telling(conn, config, query_terms(text)).await?;
    if terms.is_empty() || collections.is_empty() {
        return Ok(None);
    }
    let any = |words: Vec<String>| words.iter().map(|word| format!("\"{word}\"")).collect::<Vec<_>>().join(" OR ");
    let scope = any(collections.iter().map(|collection| Indexed::scope_word(kind, *collection)).collect());
    Ok(Some(format!("terms : ({}) AND scope : ({scope})", any(terms))))
}

/// The terms that are in the index at all, without the common ones as long as a rarer one is left.
async fn telling(conn: &mut SqliteConnection, config: &GraphConfig, terms: Vec<String>) -> Result<Vec<String>, Fault> {
    if terms.is_empty() {
        return Ok(terms);
    }
    let sql = "select term, doc from graph_term_counts where term in (select value from json_each($1)) order by doc, term";
    let list = word_list(terms.iter().map(String::as_str));
    let counted: Vec<(String, i64)> = sqlx::query_as(sql).bind(list).fetch_all(conn).await?;
    let rare = counted.iter().take_while(|(_, texts)| *texts <= i64::from(config.common_word_texts)).count();
    Ok(counted.into_iter().take(rare.max(1)).map(|(term, _)| term).collect())
}

/// Begins a query that finds index rows by full text: `graph_terms.rowid`; goes on with joins, then `matches`, ends with `best`.
pub(super) fn found() -> QueryBuilder<Sqlite> {
    QueryBuilder::new(
        "with found(n, signal) as materialized (select graph_terms.rowid / 4, -bm25(graph_terms, 1.0, 0.0) from graph_terms ",
    )
}

pub(super) fn matches(sql: &mut QueryBuilder<Sqlite>, expression: &str) {
    sql.push("where graph_terms match ").push_bind(expression.to_owned());
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
