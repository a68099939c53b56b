//! Traversal: filtering and ordering the relationships of one entity.

use super::merge_duplicates;
use domain::{EntityId, entity::Entity, relationship::Relationship};
use engine::graph::{Direction, Neighbour, Traversal, terms::terms};
use std::collections::{HashMap, HashSet};

/// A visible relationship of the entity in a row.
#[derive(serde::Deserialize, sqlx::FromRow)]
pub(in crate::graph) struct Edge {
    pub n: i64,
    pub source: i64,
    pub target: i64,
    pub description: String,
    pub weight: Option<f64>,
    pub bidirectional: bool,
    /// The alphabetically first visible name at the other end.
    pub name: String,
}

impl Edge {
    pub const fn other(&self, root: i64) -> i64 {
        if self.source == root { self.target } else { self.source }
    }

    fn fits(&self, root: i64, traversal: &Traversal, wanted: &HashSet<String>) -> bool {
        let both = self.bidirectional || traversal.direction == Direction::Both;
        let direction = match traversal.direction {
            Direction::Outgoing if !both => self.source == root,
            Direction::Incoming if !both => self.target == root,
            _ => true,
        };
        direction
            && self.source != self.target
            && traversal.min_weight.is_none_or(|least| self.weight.is_some_and(|weight| weight >= least))
            && (wanted.is_empty() || terms(&self.description).iter().any(|term| wanted.contains(term)))
    }
}

/// Returns the edges that the traversal selects: strongest first (no weight last), then by description, then by the name at the other
/// end.
pub(in crate::graph) fn strongest_first(edges: Vec<Edge>, root: i64, traversal: &Traversal) -> Vec<Edge> {
    let wanted: HashSet<String> = traversal.description.as_deref().map(terms).unwrap_or_default().into_iter().collect();
    let mut edges: Vec<Edge> = edges.into_iter().filter(|edge| edge.fits(root, traversal, &wanted)).collect();
    let weight = |edge: &Edge| edge.weight.unwrap_or(f64::NEG_INFINITY);
    edges.sort_by(|a, b| {
        weight(b).total_cmp(&weight(a)).then_with(|| (&a.description, &a.name, a.n).cmp(&(&b.description, &b.name, b.n)))
    });
    edges.truncate(traversal.limit as usize);
    edges
}

/// Returns each edge with the entity at its other end and its direction as seen from `root`, whose id is `root_id`.
pub(in crate::graph) fn neighbours(
    edges: Vec<Edge>,
    (root, root_id): (i64, EntityId),
    mut relationships: HashMap<i64, Relationship>,
    entities: &HashMap<i64, Entity>,
) -> Vec<Neighbour> {
    let found = edges.iter().filter_map(|edge| {
        let (relationship, entity) = (relationships.remove(&edge.n)?, entities.get(&edge.other(root))?.clone());
        Some(Neighbour { relationship, entity, direction: Direction::Both })
    });
    let mut neighbours = merge_duplicates(found, |neighbour| &mut neighbour.relationship);
    // Twins that were joined may hold both ways together.
    for Neighbour { relationship, direction, .. } in &mut neighbours {
        *direction = match relationship.bidirectional {
            true => Direction::Both,
            false if relationship.source_id == root_id => Direction::Outgoing,
            false => Direction::Incoming,
        };
    }
    neighbours
}
