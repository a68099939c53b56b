//! The projection of a subgraph from its visible rows.

use super::{EntityProjection, FactEvidence, RankedValue};
use crate::graph::enum_text::partial_date;
use domain::{
    EntityId, RelationshipId, Timestamp,
    subgraph::{GraphEdge, GraphNode, Subgraph},
};
use engine::{StoreResult, names::NameMatcher};
use serde::Deserialize;
use sqlx::FromRow;
use std::collections::{HashMap, HashSet};
use uuid::Uuid;

/// A visible relationship between two root rows.
#[derive(FromRow, Deserialize)]
pub(in crate::graph) struct EdgeRow {
    id: Uuid,
    source: i64,
    target: i64,
    description: String,
    weight: Option<f64>,
    bidirectional: bool,
    since: Option<String>,
    until: Option<String>,
    claims: i64,
    asserted: i64,
    first_published: Option<i64>,
    last_published: Option<i64>,
}

impl EdgeRow {
    /// Returns the rows at both ends.
    pub const fn ends(&self) -> [i64; 2] {
        [self.source, self.target]
    }

    fn into_edge(self, source: EntityId, target: EntityId) -> StoreResult<GraphEdge> {
        Ok(GraphEdge {
            id: RelationshipId(self.id),
            source,
            target,
            description: self.description,
            weight: self.weight,
            bidirectional: self.bidirectional,
            since: partial_date(self.since.as_deref())?,
            until: partial_date(self.until.as_deref())?,
            claims: number(self.claims),
            asserted: number(self.asserted),
            first_published: self.first_published.map(Timestamp::from_micros),
            last_published: self.last_published.map(Timestamp::from_micros),
        })
    }
}

/// Returns a count of the database, which is never negative.
fn number(count: i64) -> u32 {
    u32::try_from(count).unwrap_or_default()
}

/// A visible name or kind of an entity.
#[derive(FromRow, Deserialize)]
pub(in crate::graph) struct NodeRow {
    root: i64,
    id: Uuid,
    facet: String,
    key: String,
    value: String,
    claims: i64,
    oldest: Option<i64>,
    is_seed: bool,
    /// Number of visible claims about the entity, where it was asked for.
    about: Option<i64>,
}

/// Returns the nodes that have a visible name, and the edges between them.
pub(in crate::graph) fn subgraph(edges: Vec<EdgeRow>, nodes: Vec<NodeRow>, names: &NameMatcher) -> StoreResult<Subgraph> {
    let mut projections: HashMap<i64, EntityProjection> = HashMap::new();
    let (mut seeds, mut abouts) = (HashSet::new(), HashMap::new());
    for NodeRow { root, id, facet, key, value, claims, oldest, is_seed, about } in nodes {
        let projection = projections.entry(root).or_insert_with(|| EntityProjection::new(id));
        projection.add(&facet, key, RankedValue { value, claims, newest: None, oldest, facts: vec![] }, 0);
        abouts.insert(root, about.map(number));
        if is_seed {
            seeds.insert(EntityId(id));
        }
    }
    let mut known: HashMap<i64, GraphNode> = HashMap::with_capacity(projections.len());
    for (root, projection) in projections {
        if let Some(entity) = projection.entity(names, &FactEvidence::new(), false)? {
            known.insert(root, {
                let claims = abouts.get(&root).copied().flatten();
                GraphNode { id: entity.id, name: entity.canonical_name, kind: entity.kind, claims }
            });
        }
    }
    let mut found: Vec<GraphEdge> = Vec::with_capacity(edges.len());
    let mut places: HashMap<(EntityId, EntityId, String), usize> = HashMap::new();
    for row in edges {
        let (Some(source), Some(target)) = (known.get(&row.source), known.get(&row.target)) else { continue };
        let edge = row.into_edge(source.id, target.id)?;
        let place = *places.entry((edge.source, edge.target, edge.description.clone())).or_insert(found.len());
        match found.get_mut(place) {
            Some(twin) => join(twin, &edge),
            None => found.push(edge),
        }
    }
    let mut nodes: Vec<GraphNode> = known.into_values().collect();
    nodes.sort_by(|a, b| {
        let key = |node: &GraphNode| (!seeds.contains(&node.id), node.name.clone(), node.id);
        key(a).cmp(&key(b))
    });
    Ok(Subgraph { nodes, edges: found })
}

/// Adds the evidence of a twin: after a merge two rows may state the same of the same pair.
fn join(into: &mut GraphEdge, twin: &GraphEdge) {
    into.claims += twin.claims;
    into.asserted += twin.asserted;
    into.bidirectional |= twin.bidirectional;
    into.since = into.since.or(twin.since);
    into.until = into.until.or(twin.until);
    into.first_published = into.first_published.into_iter().chain(twin.first_published).min();
    into.last_published = into.last_published.max(twin.last_published);
}
