//! Claims by filters alone, sorted by time or by their place in their documents.

use super::{claims::ClaimSearch, rows};
use crate::graph::{
    neo4j::{
        Neo4jGraph,
        client::Statement,
        cypher::find::{self, From},
    },
    projection::has_period,
};
use domain::Timestamp;
use engine::{
    StoreResult,
    graph::{ClaimOrder, ClaimTime},
};

/// Moments before and after every date: the years 1 and 9999.
const FIRST: Timestamp = Timestamp::from_micros(-62_135_596_800_000_000);
const LAST: Timestamp = Timestamp::from_micros(253_402_300_799_000_000);

/// Lists the claims that the filters leave. Without a narrow filter the indexes are walked collection by collection, so that the cost
/// depends on the number of claims asked for, not on the size of the graph.
pub(super) async fn list_all(graph: &Neo4jGraph, search: &ClaimSearch<'_>) -> StoreResult<Vec<i64>> {
    let query = search.query;
    // The walks know no edges.
    if search.from() != From::Anywhere || query.is_without_outlet {
        let statement = search.filter(Statement::new(find::claims_from(search.from(), query.order)));
        return rows(graph, statement.with("limit", query.candidates).with("skip", query.skip)).await;
    }
    let mut found = Vec::new();
    for collection in &search.collections {
        found.extend(walk_collection(graph, search, *collection).await?);
    }
    Ok(found)
}

/// Lists the first claims of one collection.
async fn walk_collection(graph: &Neo4jGraph, search: &ClaimSearch<'_>, collection: i64) -> StoreResult<Vec<i64>> {
    let (query, limit) = (search.query, i64::from(search.query.candidates));
    let walk =
        |text: String, limit: i64| search.filter(Statement::new(text)).with("collection", collection).with("limit", limit);
    let order = if query.order == ClaimOrder::Relevance { ClaimOrder::NewestFirst } else { query.order };
    let Some((time, is_newest_first)) = order.time() else {
        return rows(graph, walk(find::claims_in_documents(None), limit)).await;
    };
    let (first, last) = match time {
        ClaimTime::Published => (query.published_after, query.published_before),
        // An event that began before the period may reach into it.
        ClaimTime::Occurred => (None, query.occurred_before),
    };
    let dated = walk(find::dated_claims(time, is_newest_first), limit)
        .with_moment("first", Some(first.unwrap_or(FIRST)))
        .with_moment("last", Some(last.unwrap_or(LAST)));
    let mut found = rows(graph, dated).await?;
    let missing = limit - found.len() as i64;
    if missing > 0 && !has_period(query, time) {
        let undated = match time {
            ClaimTime::Published => find::undated_claims(),
            ClaimTime::Occurred => find::claims_in_documents(Some(time)),
        };
        found.extend(rows(graph, walk(undated, missing)).await?);
    }
    Ok(found)
}
