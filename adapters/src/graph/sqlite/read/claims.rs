//! Claims with their outlet and the entities that they are about.

use crate::{
    graph::{
        claim_columns::StoredClaim,
        sqlite::{SqliteGraph, claim_rows, json},
    },
    sql::{fault::Fault, types::id_list},
};
use domain::{ClaimId, Scope, claim::Claim};
use sqlx::{AssertSqlSafe, SqliteConnection};
use std::collections::HashMap;

pub(in crate::graph::sqlite) async fn claims(graph: &SqliteGraph, scope: &Scope, ids: &[ClaimId]) -> Result<Vec<Claim>, Fault> {
    let sql = format!(
        "{} from json_each($1) w cross join claims c on c.id = unhex(w.value)
        cross join graph_documents d on d.n = c.document cross join graph_collections k on k.n = c.collection
        where k.removed = 0 and k.id in (select unhex(value) from json_each($2))",
        claim_rows::select("root")
    );
    let collections = id_list(scope.collections().iter().map(|id| id.0));
    let query = sqlx::query_as(AssertSqlSafe(sql)).bind(id_list(ids.iter().map(|id| id.0))).bind(collections);
    let rows: Vec<StoredClaim> = query.fetch_all(&graph.reader).await?;
    let mut found: HashMap<ClaimId, Claim> = HashMap::new();
    for row in rows {
        let claim = row.claim()?;
        found.insert(claim.id, claim);
    }
    Ok(ids.iter().filter_map(|id| found.remove(id)).collect())
}

/// Loads the claims in these rows that the scope (a JSON list of collection rows) sees, in document order.
pub(in crate::graph::sqlite) async fn load(
    conn: &mut SqliteConnection,
    scope: &str,
    rows: &[i64],
) -> Result<Vec<(i64, Claim)>, Fault> {
    if rows.is_empty() {
        return Ok(Vec::new());
    }
    let sql = format!("{} order by d.document_order, c.span_start, c.content_hash, c.id", in_rows("", "$2"));
    let rows: Vec<StoredClaim> =
        sqlx::query_as(AssertSqlSafe(sql)).bind(json::list(rows.iter().copied())).bind(scope).fetch_all(conn).await?;
    rows.into_iter().map(|row| Ok((row.n, row.claim()?))).collect()
}

/// Returns the statement that reads the claims listed in `$1`; `scope` is the parameter with the visible collections.
pub(super) fn in_rows(more_columns: &str, scope: &str) -> String {
    format!(
        "{}{more_columns} from json_each($1) w cross join claims c on c.n = w.value
        cross join graph_documents d on d.n = c.document cross join graph_collections k on k.n = c.collection
        where c.collection in (select value from json_each({scope}))",
        claim_rows::select("root")
    )
}
