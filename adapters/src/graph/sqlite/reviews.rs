//! Pairs of entities that may be one and need review.

use super::{SqliteGraph, row_numbers};
use crate::{
    graph::projection::ReviewRow,
    sql::{fault::Fault, types::id_list},
};
use domain::{
    ReviewId, Scope, Timestamp, UserId,
    entity::{Review, ReviewDecision},
};
use sqlx::AssertSqlSafe;

/// Returns open pairs, best first, then by name; postponed ones last. A merged pair is not open.
pub(super) async fn open(graph: &SqliteGraph, scope: &Scope, skip: u64, limit: u32) -> Result<Vec<Review>, Fault> {
    list(graph, scope, select("v.closed = 0", "v.postponed_at is not null, v.score desc"), (skip, limit)).await
}

/// Returns the number of open pairs.
pub(super) async fn count_open(graph: &SqliteGraph, scope: &Scope) -> Result<u64, Fault> {
    let sql = format!("select count(*) from ({})", select("v.closed = 0", "v.id"));
    let scope = id_list(scope.collections().iter().map(|id| id.0));
    let count: i64 =
        sqlx::query_scalar(AssertSqlSafe(sql)).bind(scope).bind(-1_i64).bind(0_i64).fetch_one(&graph.reader).await?;
    Ok(count.unsigned_abs())
}

/// Returns closed pairs, the latest decision first, then by name.
pub(super) async fn kept_apart(graph: &SqliteGraph, scope: &Scope, limit: u32) -> Result<Vec<Review>, Fault> {
    list(graph, scope, select("v.closed = 1", "v.decided_at is null, v.decided_at desc"), (0, limit)).await
}

/// Returns the statement of visible pairs that are two entities, as their visible views have them: with the reason of the best one, and
/// the last decision. Without a decision the first view says whether the pair is open.
fn select(state: &str, order: &str) -> String {
    format!(
        "with visible as (select n from graph_collections where removed = 0 and id in (select unhex(value) from json_each($1))),
        seen as (
            select review, postponed_at, decided_by, decided_at, closed, first_value(score) over best as score,
                first_value(why) over best as why, min(created_at) over (partition by review) as created_at, row_number() over (
                    partition by review order by decided_at is null, decided_at desc, created_at, closed, score desc, why) as place
            from review_views
            where left_collection in (select n from visible) and right_collection in (select n from visible)
            window best as (partition by review order by closed, score desc, why)),
        pairs as (select p.id, p.left_entity, p.right_entity, s.* from seen s join reviews p on p.n = s.review where s.place = 1)
        select v.id as id, l.id as left_id, r.id as right_id, v.score as score, v.why as why, v.created_at as created_at,
            v.postponed_at as postponed_at, v.decided_by as decided_by, v.decided_at as decided_at,
            (select min(f.value) from entity_facts f where f.entity = a.n and f.facet = 'name'
                and f.collection in (select n from visible)) as left_name,
            (select min(f.value) from entity_facts f where f.entity = b.n and f.facet = 'name'
                and f.collection in (select n from visible)) as right_name
        from pairs v join entities a on a.n = v.left_entity join entities l on l.n = a.root
        join entities b on b.n = v.right_entity join entities r on r.n = b.root
        where {state} and l.n <> r.n and left_name is not null and right_name is not null
        order by {order}, left_name, right_name, v.id limit $2 offset $3"
    )
}

async fn list(graph: &SqliteGraph, scope: &Scope, sql: String, (skip, limit): (u64, u32)) -> Result<Vec<Review>, Fault> {
    let scope = id_list(scope.collections().iter().map(|id| id.0));
    let skip = i64::try_from(skip).unwrap_or(i64::MAX);
    let query = sqlx::query_as(AssertSqlSafe(sql)).bind(scope).bind(limit).bind(skip);
    let rows: Vec<ReviewRow> = query.fetch_all(&graph.reader).await?;
    Ok(rows.into_iter().map(Review::from).collect())
}

/// Stores a decision where it is visible; readers of other collections decide for themselves.
pub(super) async fn decide(
    graph: &SqliteGraph,
    scope: &Scope,
    id: ReviewId,
    decision: ReviewDecision,
    (by, at): (Option<UserId>, Timestamp),
) -> Result<bool, Fault> {
    let scope = row_numbers::collection_list(&mut *graph.reader.acquire().await?, scope).await?;
    let sql = "update review_views set closed = $3, postponed_at = $4, decided_by = $5, decided_at = $6
        where review = (select n from reviews where id = $1)
            and left_collection in (select value from json_each($2)) and right_collection in (select value from json_each($2))";
    let postponed_at = (decision == ReviewDecision::Later).then(|| at.as_micros());
    let done = sqlx::query(sql).bind(id.0).bind(scope).bind(decision == ReviewDecision::KeepApart).bind(postponed_at);
    let (by, at) = (by.map(|by| by.0), (decision != ReviewDecision::Reopen).then(|| at.as_micros()));
    let done = done.bind(by.filter(|_| at.is_some())).bind(at);
    Ok(done.execute(&graph.writer).await?.rows_affected() > 0)
}
