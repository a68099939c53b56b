//! Objects of features that are laid over the graph.

use serde::{Deserialize, Serialize};

/// Object that a feature lays over the picture of the graph, which does not know it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct AddedNode {
    /// Unlike the ids of entities and of other objects.
    pub id: String,
    pub name: String,
    /// Word in the legend and in the table, such as `tension`.
    pub kind: String,
    /// Address of its page.
    pub href: String,
    pub links: Vec<NodeLink>,
}

/// Link from an object to an entity that its evidence is about, or to another object.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct NodeLink {
    /// Id of the other end.
    pub to: String,
    pub text: String,
}
