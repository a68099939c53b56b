//! Subgraph as the picture of the explorer draws it, and as its export in JSON holds it.

use super::AddedNode;
use domain::{
    EntityId,
    subgraph::{GraphEdge, GraphNode},
};
use serde::{Deserialize, Serialize};

/// Subgraph with the community of each node.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct PictureGraph {
    pub nodes: Vec<PictureNode>,
    pub edges: Vec<PictureEdge>,
    pub is_cut: bool,
    /// Entities that are expanded, also where a search led to them.
    pub seeds: Vec<EntityId>,
    /// Sentences about what is left out.
    pub notices: Vec<String>,
    /// Objects of features over the graph; in the picture alone.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub added: Vec<AddedNode>,
}

/// Entity in the picture.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct PictureNode {
    #[serde(flatten)]
    pub node: GraphNode,
    /// From 0, the largest first.
    pub community: u32,
    pub is_on_path: bool,
    /// Position in the picture, for graphs too large to be laid out in the browser.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub position: Option<Position>,
}

/// Relationship in the picture.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct PictureEdge {
    #[serde(flatten)]
    pub edge: GraphEdge,
    pub is_on_path: bool,
}

/// Point of the picture.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
pub struct Position {
    pub x: f64,
    pub y: f64,
}
