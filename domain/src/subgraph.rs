//! Subgraphs: entities and the relationships between them, as pages and exports show them.

use crate::{EntityId, PartialDate, RelationshipId, Timestamp};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeSet, HashMap};

/// Part of the knowledge graph, as one scope sees it.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Subgraph {
    /// Seeds first, then by name.
    pub nodes: Vec<GraphNode>,
    /// Strongest first. Both ends are among the nodes.
    pub edges: Vec<GraphEdge>,
}

impl Subgraph {
    /// Returns the entities that a relationship joins.
    pub fn joined(&self) -> BTreeSet<EntityId> {
        self.edges.iter().flat_map(|edge| [edge.source, edge.target]).collect()
    }

    /// Returns the number of relationships of each entity that has one.
    pub fn degrees(&self) -> HashMap<EntityId, u32> {
        let mut degrees: HashMap<EntityId, u32> = HashMap::new();
        for end in self.edges.iter().flat_map(|edge| [edge.source, edge.target]) {
            *degrees.entry(end).or_default() += 1;
        }
        degrees
    }
}

/// Entity of a subgraph.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct GraphNode {
    pub id: EntityId,
    pub name: String,
    pub kind: String,
    /// Number of visible claims about it, where it was asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub claims: Option<u32>,
}

/// Relationship of a subgraph.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct GraphEdge {
    pub id: RelationshipId,
    pub source: EntityId,
    pub target: EntityId,
    pub description: String,
    /// 0 to 1, how strong the link is.
    pub weight: Option<f64>,
    pub bidirectional: bool,
    pub since: Option<PartialDate>,
    pub until: Option<PartialDate>,
    /// Number of visible claims that support it.
    pub claims: u32,
    /// Number of those that assert it, rather than allege, deny, promise or forecast it.
    pub asserted: u32,
    /// Publication of the earliest and the latest of them that is dated.
    pub first_published: Option<Timestamp>,
    pub last_published: Option<Timestamp>,
}

impl GraphEdge {
    /// Returns whether no visible claim asserts it.
    pub const fn is_unasserted(&self) -> bool {
        self.asserted == 0
    }

    /// Returns a description of it with its dates, if it has any: `guards (since 2031, until 2033-05)`.
    pub fn with_dates(&self, description: &str) -> String {
        let dates = [("since", self.since), ("until", self.until)];
        let dates: Vec<String> = dates.into_iter().filter_map(|(word, date)| Some(format!("{word} {}", date?))).collect();
        match dates.is_empty() {
            true => description.to_owned(),
            false => format!("{description} ({})", dates.join(", ")),
        }
    }

    /// Returns the end that is not `entity`.
    pub fn other(&self, entity: EntityId) -> EntityId {
        if self.source == entity { self.target } else { self.source }
    }

    /// Returns both ends, the lesser id first.
    pub fn pair(&self) -> (EntityId, EntityId) {
        (self.source.min(self.target), self.source.max(self.target))
    }
}
