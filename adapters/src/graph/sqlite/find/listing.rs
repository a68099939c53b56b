//! Claims in the order of time or of their documents: the first of those that some words match, or of all.

use super::{claims::Asked, matching::Matching};
use crate::sql::fault::Fault;
use engine::graph::ClaimOrder;
use sqlx::{QueryBuilder, Sqlite, SqliteConnection};

/// How claims of equal time, or of none, stand.
const IN_DOCUMENTS: &str = "d.document_order, c.span_start, c.content_hash";

/// Of the claims that match, sorted.
pub(super) async fn matching(conn: &mut SqliteConnection, asked: &Asked<'_>, matching: &Matching) -> Result<Vec<i64>, Fault> {
    let mut sql = QueryBuilder::new("select c.n from ");
    sql.push(matching.table()).push(" cross join claims c on c.n = ").push(matching.n());
    sql.push(" join graph_documents d on d.n = c.document ");
    matching.matches(&mut sql);
    sorted(conn, asked, sql).await
}

/// Of all that the filters leave. Without a narrow filter the indexes are walked, collection by collection, so that the cost is that
/// of what is asked for and not of what there is.
pub(super) async fn all(conn: &mut SqliteConnection, asked: &Asked<'_>) -> Result<Vec<i64>, Fault> {
    if asked.is_narrow() {
        return sorted(
            conn,
            asked,
            QueryBuilder::new("select c.n from claims c join graph_documents d on d.n = c.document where true"),
        )
        .await;
    }
    let mut rows = Vec::new();
    for collection in &asked.collections {
        rows.extend(walked(conn, asked, *collection).await?);
    }
    Ok(rows)
}

async fn sorted(conn: &mut SqliteConnection, asked: &Asked<'_>, mut sql: QueryBuilder<Sqlite>) -> Result<Vec<i64>, Fault> {
    asked.filter(&mut sql);
    asked.within(&mut sql, "c");
    let time = match asked.query.order {
        ClaimOrder::Relevance | ClaimOrder::NewestFirst => "c.published_value desc nulls last, ",
        ClaimOrder::OldestFirst => "c.published_value asc nulls last, ",
        ClaimOrder::DocumentOrder => "",
    };
    sql.push(" order by ").push(time).push(IN_DOCUMENTS).push(" limit ").push_bind(asked.query.candidates);
    Ok(sql.build_query_scalar().fetch_all(conn).await?)
}

/// The first claims of one collection.
async fn walked(conn: &mut SqliteConnection, asked: &Asked<'_>, collection: i64) -> Result<Vec<i64>, Fault> {
    let limit = asked.query.candidates;
    let newest_first = match asked.query.order {
        ClaimOrder::DocumentOrder => {
            return Ok(in_documents(asked, collection, "", limit).build_query_scalar().fetch_all(conn).await?);
        }
        ClaimOrder::Relevance | ClaimOrder::NewestFirst => true,
        ClaimOrder::OldestFirst => false,
    };
    let mut rows: Vec<i64> = in_time(asked, collection, newest_first).build_query_scalar().fetch_all(&mut *conn).await?;
    let missing = limit.saturating_sub(u32::try_from(rows.len()).unwrap_or(u32::MAX));
    let has_period = asked.query.published_after.is_some() || asked.query.published_before.is_some();
    if missing > 0 && !has_period {
        let mut undated = in_documents(asked, collection, " and c.published_value is null", missing);
        let undated: Vec<i64> = undated.build_query_scalar().fetch_all(conn).await?;
        rows.extend(undated);
    }
    Ok(rows)
}

fn in_time(asked: &Asked<'_>, collection: i64, newest_first: bool) -> QueryBuilder<Sqlite> {
    let mut sql =
        QueryBuilder::new("select c.n from claims c cross join graph_documents d on d.n = c.document where c.collection = ");
    sql.push_bind(collection).push(" and c.published_value is not null");
    asked.filter(&mut sql);
    let direction = if newest_first { "desc" } else { "asc" };
    sql.push(" order by c.published_value ").push(direction).push(", ").push(IN_DOCUMENTS);
    sql.push(" limit ").push_bind(asked.query.candidates);
    sql
}

fn in_documents(asked: &Asked<'_>, collection: i64, only: &str, limit: u32) -> QueryBuilder<Sqlite> {
    let mut sql =
        QueryBuilder::new("select c.n from graph_documents d cross join claims c on c.document = d.n where d.collection = ");
    sql.push_bind(collection).push(only);
    asked.filter(&mut sql);
    sql.push(" order by ").push(IN_DOCUMENTS).push(" limit ").push_bind(limit);
    sql
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sql::{SqlConfig, Store};
    use domain::Timestamp;
    use engine::{Clock, graph::ClaimQuery};
    use sqlx::AssertSqlSafe;
    use std::sync::Arc;

    struct Noon;

    impl Clock for Noon {
        fn now(&self) -> Timestamp {
            Timestamp::from_micros(0)
        }
    }

    /// How SQLite goes about a query, step by step.
    async fn plan(conn: &mut SqliteConnection, sql: &QueryBuilder<Sqlite>) -> String {
        let explain = format!("explain query plan {}", sql.sql().as_str());
        let steps: Vec<(i64, i64, i64, String)> = sqlx::query_as(AssertSqlSafe(explain)).fetch_all(conn).await.unwrap();
        steps.into_iter().map(|(.., step)| step).collect::<Vec<_>>().join("; ")
    }

    #[tokio::test]
    async fn listing_a_collection_never_sorts_all_of_it() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("graph.db");
        let store = Store::open_sqlite(&path, SqlConfig::default(), Arc::new(Noon)).await.unwrap();
        let mut conn = store.sqlite().unwrap().reader.acquire().await.unwrap();
        let query = ClaimQuery { candidates: 9, ..ClaimQuery::default() };
        let asked = Asked { query: &query, collections: vec![1], entity: None, outlet: None };
        let undated = " and c.published_value is null";
        let walks = [
            in_time(&asked, 1, true),
            in_time(&asked, 1, false),
            in_documents(&asked, 1, "", 9),
            in_documents(&asked, 1, undated, 9),
        ];
        for sql in &walks {
            let plan = plan(&mut conn, sql).await;
            assert!(plan.contains("INDEX claims_") && !plan.contains("SCAN"), "{plan}");
            assert!(!plan.contains("TEMP B-TREE FOR ORDER BY"), "only what is equal in the index is sorted: {plan}");
        }
    }
}
