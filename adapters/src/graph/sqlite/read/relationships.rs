//! Relationships with their visible evidence.

use crate::{
    graph::{
        projection::{StoredRelationship, relationships_by_id},
        sqlite::{SqliteGraph, json},
    },
    sql::{fault::Fault, types::id_list},
};
use domain::{RelationshipId, Scope, relationship::Relationship};
use sqlx::{AssertSqlSafe, SqliteConnection};

pub(in crate::graph::sqlite) async fn relationships(
    graph: &SqliteGraph,
    scope: &Scope,
    ids: &[RelationshipId],
) -> Result<Vec<Relationship>, Fault> {
    let seen = "select n from graph_collections where removed = 0 and id in (select unhex(value) from json_each($2))";
    let query =
        sqlx::query_as(AssertSqlSafe(select(seen, "$1", "r.id = unhex(w.value)"))).bind(id_list(ids.iter().map(|id| id.0)));
    let collections = id_list(scope.collections().iter().map(|id| id.0));
    let rows: Vec<StoredRelationship> = query.bind(collections).fetch_all(&graph.reader).await?;
    Ok(relationships_by_id(ids, rows)?)
}

/// Returns the statement that reads the relationships listed in the parameter `list`: `row` compares `r` with an entry `w`, and `seen`
/// selects the rows of the visible collections.
pub(super) fn select(seen: &str, list: &str, row: &str) -> String {
    format!(
        "with seen(n) as ({seen})
        select r.n, r.id, s.id as source_id, t.id as target_id, r.description, max(v.weight) as weight,
            max(v.confidence) as confidence, max(v.bidirectional) as bidirectional, max(v.timestamp) as timestamp,
            rtrim(min(v.since || '~'), '~') as since, max(v.until) as until,
            (select json_group_array(hex(c.id) order by d.document_order, c.span_start, c.content_hash)
                from relationship_claims x cross join claims c on c.n = x.claim cross join graph_documents d on d.n = c.document
                where x.relationship = r.n and c.collection in (select n from seen)) as claim_ids
        from json_each({list}) w cross join relationships r on {row}
        cross join entities a on a.n = r.source cross join entities s on s.n = a.root
        cross join entities b on b.n = r.target cross join entities t on t.n = b.root
        cross join relationship_views v on v.relationship = r.n
        where v.collection in (select n from seen)
        group by r.n order by r.description, r.n"
    )
}

/// Loads the relationships in these rows that the scope (a JSON list of collection rows) sees, by description.
pub(in crate::graph::sqlite) async fn load(
    conn: &mut SqliteConnection,
    scope: &str,
    rows: &[i64],
) -> Result<Vec<(i64, Relationship)>, Fault> {
    if rows.is_empty() {
        return Ok(Vec::new());
    }
    let sql = select("select value from json_each($2)", "$1", "r.n = w.value");
    let query = sqlx::query_as(AssertSqlSafe(sql)).bind(json::list(rows.iter().copied())).bind(scope);
    let rows: Vec<StoredRelationship> = query.fetch_all(conn).await?;
    rows.into_iter().map(|row| Ok((row.n, row.relationship()?))).collect()
}
