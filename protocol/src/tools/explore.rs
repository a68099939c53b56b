//! Arguments and results of the tools that explore the graph around entities.

use super::{EntityName, RelationshipFound};
use domain::{EntityId, Timestamp};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct FindPaths {
    pub source_entity_id: EntityId,
    pub target_entity_id: EntityId,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_hops: Option<u32>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description_query: Option<String>,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct PathsFound {
    /// Shortest first. The relationships of each follow one another, from the first entity to the last.
    pub paths: Vec<Vec<RelationshipFound>>,
    /// Entities on the paths, each once.
    pub entities: Vec<EntityName>,
}

#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct GetNeighbourhood {
    pub entity_id: EntityId,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub limit: Option<u32>,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Neighbourhood {
    /// Entities and relationships that were looked at: the strongest ones around the entity, up to two steps away.
    pub entities: u64,
    pub relationships: u64,
    /// Largest first.
    pub groups: Vec<NeighbourhoodGroup>,
}

/// Entities that are linked more closely among themselves than with others.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct NeighbourhoodGroup {
    /// Those with the most relationships.
    pub entities: Vec<EntityName>,
    /// Number of further entities.
    pub more: u64,
    /// Strongest relationships within the group.
    pub strongest: Vec<GroupLink>,
}

/// A relationship within a group.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct GroupLink {
    /// References of entities.
    pub source: String,
    pub target: String,
    pub description: String,
    /// Number of claims that state it.
    pub claims: u32,
}

/// Time by which claims are sorted into months.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum TimelineTime {
    #[default]
    Occurred,
    Published,
}

#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct GetEntityTimeline {
    pub entity_id: EntityId,
    #[serde(default)]
    pub by: TimelineTime,
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "super::partial_date")]
    pub published_after: Option<Timestamp>,
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "super::partial_date")]
    pub published_before: Option<Timestamp>,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct EntityTimeline {
    /// Oldest first.
    pub months: Vec<TimelineMonth>,
    /// Number of claims without that time.
    pub undated: u64,
    /// Whether there are more claims than were counted.
    pub is_cut: bool,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct TimelineMonth {
    /// `2031-03`; `2031` for claims that name no month.
    pub month: String,
    pub claims: u64,
    pub denied: u64,
    pub alleged: u64,
    /// Reference and content of its first claim.
    pub first_claim: String,
    pub first: String,
}
