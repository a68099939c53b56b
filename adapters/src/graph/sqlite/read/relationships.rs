//! Relationships with their visible evidence.

use crate::{
    graph::{
        enum_text::partial_date,
        sqlite::{SqliteGraph, json},
    },
    sql::{fault::Fault, types::id_list},
};
use domain::{ClaimId, Confidence, EntityId, RelationshipId, Scope, Timestamp, relationship::Relationship};
use sqlx::{FromRow, SqliteConnection, types::Json};
use std::collections::HashMap;
use uuid::Uuid;

pub(in crate::graph::sqlite) async fn relationships(
    graph: &SqliteGraph,
    scope: &Scope,
    ids: &[RelationshipId],
) -> Result<Vec<Relationship>, Fault> {
    let mut conn = graph.reader.acquire().await?;
    let sql = "select (select json_group_array(n) from graph_collections where removed = 0
            and id in (select unhex(value) from json_each($2))),
        (select json_group_array(n) from relationships where id in (select unhex(value) from json_each($1)))";
    let query = sqlx::query_as(sql).bind(id_list(ids.iter().map(|id| id.0)));
    let collections = id_list(scope.collections().iter().map(|id| id.0));
    let (scope, rows): (String, Json<Vec<i64>>) = query.bind(collections).fetch_one(&mut *conn).await?;
    let mut found: HashMap<RelationshipId, Relationship> = HashMap::new();
    found.extend(load(&mut conn, &scope, &rows).await?.into_iter().map(|(_, relationship)| (relationship.id, relationship)));
    Ok(ids.iter().filter_map(|id| found.remove(id)).collect())
}

#[derive(FromRow)]
struct Row {
    n: i64,
    id: Uuid,
    source_id: Uuid,
    target_id: Uuid,
    description: String,
    weight: Option<f64>,
    confidence: Option<f64>,
    bidirectional: i64,
    timestamp: Option<i64>,
    since: Option<String>,
    until: Option<String>,
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
    let numbers = json::list(rows.iter().copied());
    let sql = "select r.n, r.id, s.id as source_id, t.id as target_id, r.description, max(v.weight) as weight,
            max(v.confidence) as confidence, max(v.bidirectional) as bidirectional, max(v.timestamp) as timestamp,
            rtrim(min(v.since || '~'), '~') as since, max(v.until) as until
        from json_each($1) w cross join relationships r on r.n = w.value
        cross join entities a on a.n = r.source cross join entities s on s.n = a.root
        cross join entities b on b.n = r.target cross join entities t on t.n = b.root
        cross join relationship_views v on v.relationship = r.n
        where v.collection in (select value from json_each($2))
        group by r.n order by r.description, r.n";
    let rows: Vec<Row> = sqlx::query_as(sql).bind(&numbers).bind(scope).fetch_all(&mut *conn).await?;
    let sql = "select x.relationship, c.id from json_each($1) w cross join relationship_claims x on x.relationship = w.value
        cross join claims c on c.n = x.claim cross join graph_documents d on d.n = c.document
        where c.collection in (select value from json_each($2))
        order by d.document_order, c.span_start, c.content_hash";
    let evidence: Vec<(i64, Uuid)> = sqlx::query_as(sql).bind(&numbers).bind(scope).fetch_all(&mut *conn).await?;
    let mut claims: HashMap<i64, Vec<ClaimId>> = HashMap::new();
    for (relationship, claim) in evidence {
        claims.entry(relationship).or_default().push(ClaimId(claim));
    }
    rows.into_iter().map(|row| Ok((row.n, row.relationship(&mut claims)?))).collect()
}

impl Row {
    fn relationship(self, claims: &mut HashMap<i64, Vec<ClaimId>>) -> Result<Relationship, Fault> {
        Ok(Relationship {
            id: RelationshipId(self.id),
            source_id: EntityId(self.source_id),
            target_id: EntityId(self.target_id),
            description: self.description,
            weight: self.weight,
            confidence: self.confidence.and_then(|value| Confidence::try_from(value).ok()),
            bidirectional: self.bidirectional != 0,
            timestamp: self.timestamp.map(Timestamp::from_micros),
            since: partial_date(self.since.as_deref())?,
            until: partial_date(self.until.as_deref())?,
            claim_ids: claims.remove(&self.n).unwrap_or_default(),
        })
    }
}
