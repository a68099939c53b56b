//! Relationships with their visible evidence.

use crate::graph::{
    enum_text::partial_date,
    neo4j::{Neo4jGraph, client::Statement, cypher, row_numbers},
};
use domain::{ClaimId, Confidence, EntityId, RelationshipId, Scope, Timestamp, relationship::Relationship};
use engine::StoreResult;
use serde::Deserialize;
use serde_json::json;
use std::collections::HashMap;
use uuid::Uuid;

pub(in crate::graph::neo4j) async fn relationships(
    graph: &Neo4jGraph,
    scope: &Scope,
    ids: &[RelationshipId],
) -> StoreResult<Vec<Relationship>> {
    if ids.is_empty() {
        return Ok(Vec::new());
    }
    let scope = row_numbers::collection_rows(graph, scope).await?;
    let statement = Statement::new(cypher::read::RELATIONSHIPS_BY_ID).with("ids", json!(ids)).with("scope", json!(scope));
    let rows: Vec<StoredRelationship> = graph.client.read(statement).await?;
    let mut found = HashMap::new();
    for row in rows {
        found.insert(RelationshipId(row.id), row.relationship()?);
    }
    Ok(ids.iter().filter_map(|id| found.remove(id)).collect())
}

/// A relationship as it is read.
#[derive(Deserialize)]
pub(super) struct StoredRelationship {
    pub n: i64,
    id: Uuid,
    source_id: Uuid,
    target_id: Uuid,
    description: String,
    weight: Option<f64>,
    confidence: Option<f64>,
    bidirectional: bool,
    timestamp: Option<i64>,
    since: Option<String>,
    until: Option<String>,
    claim_ids: Vec<Uuid>,
}

/// Loads the relationships in these rows that the scope sees, by description.
pub(in crate::graph::neo4j) async fn load(
    graph: &Neo4jGraph,
    scope: &[i64],
    rows: &[i64],
) -> StoreResult<Vec<(i64, Relationship)>> {
    if rows.is_empty() {
        return Ok(Vec::new());
    }
    let statement = Statement::new(cypher::read::RELATIONSHIPS_IN_ROWS).with("links", json!(rows)).with("scope", json!(scope));
    let rows: Vec<StoredRelationship> = graph.client.read(statement).await?;
    rows.into_iter().map(|row| Ok((row.n, row.relationship()?))).collect()
}

impl StoredRelationship {
    pub fn relationship(self) -> StoreResult<Relationship> {
        Ok(Relationship {
            id: RelationshipId(self.id),
            source_id: EntityId(self.source_id),
            target_id: EntityId(self.target_id),
            description: self.description,
            weight: self.weight,
            confidence: self.confidence.and_then(|value| Confidence::try_from(value).ok()),
            bidirectional: self.bidirectional,
            timestamp: self.timestamp.map(Timestamp::from_micros),
            since: partial_date(self.since.as_deref())?,
            until: partial_date(self.until.as_deref())?,
            claim_ids: self.claim_ids.into_iter().map(ClaimId).collect(),
        })
    }
}
