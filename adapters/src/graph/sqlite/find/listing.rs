//! Claims sorted by time or by their place in their documents, with or without matching words.

use super::{claims::ClaimSearch, full_text::TermQuery};
use crate::{
    graph::{claim_columns::StoredClaim, projection::has_period, sqlite::claim_rows},
    sql::fault::Fault,
};
use domain::claim::Claim;
use engine::graph::{ClaimOrder, ClaimTime};
use sqlx::{QueryBuilder, Sqlite, SqliteConnection};

/// Sort order of claims without a time.
const IN_DOCUMENTS: &str = "d.document_order, c.span_start, c.content_hash, c.id";

/// Sort order of claims with equal time.
const AT_ONE_TIME: &str = "c.content_hash, c.id";

/// Selects the claims that a narrow filter leaves; conditions follow.
const NARROW: &str = "select c.n from claims c join graph_documents d on d.n = c.document where true";

/// Lists matching claims, sorted.
pub(super) async fn list_matching(
    conn: &mut SqliteConnection,
    search: &ClaimSearch<'_>,
    term_query: &TermQuery,
) -> Result<Vec<i64>, Fault> {
    let mut sql = QueryBuilder::new("select c.n from ");
    sql.push(term_query.table()).push(" cross join claims c on c.n = ").push(term_query.n());
    sql.push(" join graph_documents d on d.n = c.document ");
    term_query.push_match(&mut sql);
    fetch_sorted(conn, search, sql, 0).await
}

/// Lists the claims that the filters leave. Without a narrow filter the indexes are walked collection by collection, so that the cost
/// depends on the number of claims asked for, not on the size of the graph.
pub(super) async fn list_all(conn: &mut SqliteConnection, search: &ClaimSearch<'_>) -> Result<Vec<i64>, Fault> {
    if search.is_narrow() {
        return fetch_sorted(conn, search, QueryBuilder::new(NARROW), search.query.skip).await;
    }
    let mut rows = Vec::new();
    for collection in &search.collections {
        rows.extend(walk_collection(conn, search, *collection).await?);
    }
    Ok(rows)
}

/// Loads the claims that a narrow filter leaves, in document order, in one statement.
pub(super) async fn load_narrow(conn: &mut SqliteConnection, search: &ClaimSearch<'_>) -> Result<Vec<(i64, Claim)>, Fault> {
    let mut sql = QueryBuilder::new(claim_rows::select("root"));
    sql.push(" from (").push(NARROW);
    push_sorted(search, &mut sql, search.query.skip);
    sql.push(") w cross join claims c on c.n = w.n cross join graph_documents d on d.n = c.document");
    sql.push(" cross join graph_collections k on k.n = c.collection order by ").push(IN_DOCUMENTS);
    let rows: Vec<StoredClaim> = sql.build_query_as().fetch_all(conn).await?;
    rows.into_iter().map(|row| Ok((row.n, row.claim()?))).collect()
}

/// Returns the column of a time.
const fn column(time: ClaimTime) -> &'static str {
    match time {
        ClaimTime::Published => "c.published_value",
        ClaimTime::Occurred => "c.occurred_from",
    }
}

/// Returns the time that claims are sorted by and whether the newest come first; `None` for document order.
const fn time_of(order: ClaimOrder) -> Option<(ClaimTime, bool)> {
    match order {
        ClaimOrder::Relevance => ClaimOrder::NewestFirst.time(),
        order => order.time(),
    }
}

const fn direction(is_newest_first: bool) -> &'static str {
    if is_newest_first { " desc" } else { " asc" }
}

async fn fetch_sorted(
    conn: &mut SqliteConnection,
    search: &ClaimSearch<'_>,
    mut sql: QueryBuilder<Sqlite>,
    skip: u64,
) -> Result<Vec<i64>, Fault> {
    push_sorted(search, &mut sql, skip);
    Ok(sql.build_query_scalar().fetch_all(conn).await?)
}

/// Appends the filters, the order and the limit of a search.
fn push_sorted(search: &ClaimSearch<'_>, sql: &mut QueryBuilder<Sqlite>, skip: u64) {
    search.filter(sql);
    search.within(sql, "c");
    sql.push(" order by ");
    if let Some((time, is_newest_first)) = time_of(search.query.order) {
        sql.push(column(time)).push(direction(is_newest_first)).push(" nulls last, ");
        for order in ["d.document_order", "c.span_start"] {
            sql.push(format!("case when {} is null then {order} end, ", column(time)));
        }
        sql.push(AT_ONE_TIME);
    } else {
        sql.push(IN_DOCUMENTS);
    }
    sql.push(" limit ").push_bind(search.query.candidates).push(" offset ").push_bind(skip.cast_signed());
}

/// Lists the first claims of one collection.
async fn walk_collection(conn: &mut SqliteConnection, search: &ClaimSearch<'_>, collection: i64) -> Result<Vec<i64>, Fault> {
    let (query, limit) = (search.query, search.query.candidates);
    let Some((time, is_newest_first)) = time_of(query.order) else {
        return Ok(document_order_query(search, collection, None, limit).build_query_scalar().fetch_all(conn).await?);
    };
    let mut dated = dated_query(search, collection, time, is_newest_first);
    let mut rows: Vec<i64> = dated.build_query_scalar().fetch_all(&mut *conn).await?;
    let missing = limit.saturating_sub(u32::try_from(rows.len()).unwrap_or(u32::MAX));
    if missing > 0 && !has_period(query, time) {
        let mut undated = document_order_query(search, collection, Some(time), missing);
        let undated: Vec<i64> = undated.build_query_scalar().fetch_all(conn).await?;
        rows.extend(undated);
    }
    Ok(rows)
}

/// Builds the query for the dated claims of one collection.
fn dated_query(search: &ClaimSearch<'_>, collection: i64, time: ClaimTime, is_newest_first: bool) -> QueryBuilder<Sqlite> {
    let mut sql = QueryBuilder::new("select c.n from claims c where c.collection = ");
    sql.push_bind(collection).push(" and ").push(column(time)).push(" is not null");
    search.filter(&mut sql);
    sql.push(" order by ").push(column(time)).push(direction(is_newest_first)).push(", ").push(AT_ONE_TIME);
    sql.push(" limit ").push_bind(search.query.candidates);
    sql
}

/// Builds the query for a collection's claims in document order; with `without`, only claims that lack that time.
fn document_order_query(
    search: &ClaimSearch<'_>,
    collection: i64,
    without: Option<ClaimTime>,
    limit: u32,
) -> QueryBuilder<Sqlite> {
    let mut sql =
        QueryBuilder::new("select c.n from graph_documents d cross join claims c on c.document = d.n where d.collection = ");
    sql.push_bind(collection);
    if let Some(time) = without {
        sql.push(" and ").push(column(time)).push(" is null");
    }
    search.filter(&mut sql);
    sql.push(" order by ").push(IN_DOCUMENTS).push(" limit ").push_bind(limit);
    sql
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sql::test_store;
    use engine::graph::ClaimQuery;
    use sqlx::AssertSqlSafe;

    /// Returns SQLite's query plan, step by step.
    async fn plan(conn: &mut SqliteConnection, sql: &QueryBuilder<Sqlite>) -> String {
        let explain = format!("explain query plan {}", sql.sql().as_str());
        let steps: Vec<(i64, i64, i64, String)> = sqlx::query_as(AssertSqlSafe(explain)).fetch_all(conn).await.unwrap();
        steps.into_iter().map(|(.., step)| step).collect::<Vec<_>>().join("; ")
    }

    #[tokio::test]
    async fn listing_a_collection_never_sorts_all_of_it() {
        let folder = tempfile::tempdir().unwrap();
        let store = test_store(folder.path()).await;
        let mut conn = store.sqlite().unwrap().reader.acquire().await.unwrap();
        let query = ClaimQuery { candidates: 9, ..ClaimQuery::default() };
        let search = ClaimSearch { query: &query, collections: vec![1], entity: None, outlet: None };
        let walks = [ClaimTime::Published, ClaimTime::Occurred].map(|time| {
            [
                dated_query(&search, 1, time, true),
                dated_query(&search, 1, time, false),
                document_order_query(&search, 1, None, 9),
                document_order_query(&search, 1, Some(time), 9),
            ]
        });
        for sql in walks.iter().flatten() {
            let plan = plan(&mut conn, sql).await;
            assert!(plan.contains("INDEX claims_") && !plan.contains("SCAN"), "{plan}");
            assert!(!plan.contains("TEMP B-TREE FOR ORDER BY"), "only what is equal in the index is sorted: {plan}");
        }
    }
}
