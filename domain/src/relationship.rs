//! Relationships: free-text links between entities.

use crate::{ClaimId, Confidence, EntityId, PartialDate, RelationshipId, Timestamp};
use serde::{Deserialize, Serialize};

/// A link between two entities. Unique by source, target and hash of the description.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Relationship {
    pub id: RelationshipId,
    pub source_id: EntityId,
    pub target_id: EntityId,
    /// Natural language; there are no relationship types.
    pub description: String,
    /// 0 to 1, how strong the link is.
    pub weight: Option<f64>,
    pub confidence: Option<Confidence>,
    /// One edge that holds both ways.
    pub bidirectional: bool,
    /// When it was established or last confirmed: as a model said, else when the latest claim that states it was published.
    pub timestamp: Option<Timestamp>,
    /// When it began and ended, as exactly as documents say.
    pub since: Option<PartialDate>,
    pub until: Option<PartialDate>,
    /// The claims that support it and are visible; never empty.
    pub claim_ids: Vec<ClaimId>,
}
