//! Relationships from the rows of a backend.

use crate::graph::enum_text::partial_date;
use domain::{ClaimId, Confidence, EntityId, RelationshipId, Timestamp, relationship::Relationship};
use engine::StoreResult;
use serde::Deserialize;
use sqlx::FromRow;
use std::collections::HashMap;
use uuid::Uuid;

/// A relationship with its visible evidence.
#[derive(FromRow, Deserialize)]
pub(in crate::graph) struct StoredRelationship {
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
    #[sqlx(json)]
    claim_ids: Vec<Uuid>,
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

/// Returns the relationships in the order of `ids`.
pub(in crate::graph) fn relationships_by_id(
    ids: &[RelationshipId],
    rows: Vec<StoredRelationship>,
) -> StoreResult<Vec<Relationship>> {
    let found = rows.into_iter().map(StoredRelationship::relationship);
    let mut found: HashMap<RelationshipId, Relationship> =
        found.map(|found| found.map(|relationship| (relationship.id, relationship))).collect::<StoreResult<_>>()?;
    Ok(ids.iter().filter_map(|id| found.remove(id)).collect())
}
