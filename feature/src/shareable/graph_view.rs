//! Saved graph views as shared objects: their picture, and its relationships as a table.

use super::{ShareableKind, SharedGraph, SharedNode, SharedObject, SharedTable, SharedTitle};
use crate::{PublicGraphView, SavedGraphView, Web};
use app::{Slot, format};
use domain::{
    EntityId, ObjectId,
    subgraph::{GraphEdge, Subgraph},
    user::User,
};
use engine::{StoreResult, graph::layout};
use std::collections::HashMap;

pub const KIND: ShareableKind = ShareableKind {
    key: Slot::GRAPH_VIEW,
    name: "graph view",
    load: |web, viewer, reference| Box::pin(async move { load(&web, &viewer, &reference).await }),
    titles: |web, viewer, references| Box::pin(async move { titles(&web, &viewer, references).await }),
};

/// Strongest relationships on a page, which keep it below its size.
const MAX_ROWS: usize = 60;
/// Length of names and descriptions, in characters.
const MAX_NAME_CHARS: usize = 60;
const MAX_DESCRIPTION_CHARS: usize = 120;

async fn titles(web: &Web, viewer: &User, references: Vec<String>) -> StoreResult<HashMap<String, SharedTitle>> {
    let Some(port) = web.graph_views else { return Ok(HashMap::new()) };
    let ids: HashMap<ObjectId, String> =
        references.into_iter().filter_map(|reference| Some((reference.parse().ok()?, reference))).collect();
    let found = (port.find)(web.clone(), viewer.clone(), ids.keys().copied().collect()).await?;
    let title = |view: SavedGraphView| {
        let href = view.href();
        Some((ids.get(&view.id)?.clone(), SharedTitle { title: view.name, href }))
    };
    Ok(found.into_iter().filter_map(title).collect())
}

async fn load(web: &Web, viewer: &User, reference: &str) -> StoreResult<Option<SharedObject>> {
    let Ok(id) = reference.parse::<ObjectId>() else { return Ok(None) };
    let Some(public) = SavedGraphView::load_public(web, viewer, id).await? else { return Ok(None) };
    let PublicGraphView { view, mut graph, communities, hidden } = public;
    let total = graph.edges.len();
    graph.edges.truncate(MAX_ROWS);
    keep_joined(&mut graph);
    Ok(Some(shared(view, &graph, &communities, total).without_names(&hidden)))
}

/// Leaves out entities that no relationship joins.
fn keep_joined(graph: &mut Subgraph) {
    let joined = graph.joined();
    graph.nodes.retain(|node| joined.contains(&node.id));
}

/// Returns the object of a graph. `total` is the number of relationships before those that the page has no room for were left out.
fn shared(view: SavedGraphView, graph: &Subgraph, communities: &HashMap<EntityId, u32>, total: usize) -> SharedObject {
    let labels: HashMap<EntityId, String> =
        graph.nodes.iter().map(|node| (node.id, format::abridged(&node.name, MAX_NAME_CHARS))).collect();
    let rows: Vec<Vec<String>> = graph.edges.iter().map(|edge| cells(edge, &labels)).collect();
    let relationships = format::count(total as u64, "relationship", "relationships");
    let mut facts = vec![
        format::count(graph.nodes.len() as u64, "entity", "entities"),
        format!("saved on {}", format::day(view.created_at)),
    ];
    if rows.len() < total {
        facts.push(format!("the {} strongest of {relationships}", rows.len()));
    } else {
        facts.insert(1, relationships);
    }
    SharedObject {
        href: view.href(),
        title: view.name,
        facts,
        finding: view.notes,
        graph: Some(picture(graph, communities, &labels)),
        table: (!rows.is_empty()).then(|| SharedTable {
            caption: "Relationships",
            heads: vec!["From", "Relationship", "To", "Claims"],
            rows,
        }),
        method: "Taken from documents by a program: each relationship rests on claims that documents state.".to_owned(),
        ..SharedObject::default()
    }
}

fn cells(edge: &GraphEdge, labels: &HashMap<EntityId, String>) -> Vec<String> {
    let label = |id: &EntityId| labels.get(id).cloned().unwrap_or_default();
    let description = edge.with_dates(&format::abridged(&edge.description, MAX_DESCRIPTION_CHARS));
    let claims = match edge.is_unasserted() {
        true => format!("{}, not asserted", edge.claims),
        false => edge.claims.to_string(),
    };
    vec![label(&edge.source), description, label(&edge.target), claims]
}

/// Lays the entities out in a square.
fn picture(graph: &Subgraph, communities: &HashMap<EntityId, u32>, labels: &HashMap<EntityId, String>) -> SharedGraph {
    let places: HashMap<EntityId, usize> = graph.nodes.iter().enumerate().map(|(place, node)| (node.id, place)).collect();
    let ends = |edge: &GraphEdge| Some((*places.get(&edge.source)?, *places.get(&edge.target)?));
    let edges: Vec<(usize, usize)> = graph.edges.iter().filter_map(ends).collect();
    let of_node: Vec<u32> = graph.nodes.iter().map(|node| communities.get(&node.id).copied().unwrap_or_default()).collect();
    let positions = layout::positions(graph, &of_node);
    let reach = positions.iter().flat_map(|(x, y)| [x.abs(), y.abs()]).fold(1.0_f64, f64::max);
    // From -reach..reach to 0..1000.
    let scaled = |value: f64| ((value / reach + 1.0) * 500.0).round().clamp(0.0, 1000.0) as u32;
    let node = |(node, (x, y)): (&domain::subgraph::GraphNode, &(f64, f64))| SharedNode {
        label: labels.get(&node.id).cloned().unwrap_or_default(),
        x: scaled(*x),
        y: scaled(*y),
    };
    SharedGraph { nodes: graph.nodes.iter().zip(&positions).map(node).collect(), edges }
}

#[cfg(test)]
mod tests {
    use super::*;
    use domain::{PartialDate, RelationshipId, Timestamp, subgraph::GraphNode};
    use uuid::Uuid;

    #[test]
    fn a_graph_is_a_picture_in_a_square_with_its_relationships_as_a_table() {
        let node = |number: u128, name: &str| GraphNode {
            id: EntityId(Uuid::from_u128(number)),
            name: name.to_owned(),
            kind: "organisation".to_owned(),
            claims: None,
        };
        let edge = GraphEdge {
            id: RelationshipId(Uuid::from_u128(9)),
            source: EntityId(Uuid::from_u128(1)),
            target: EntityId(Uuid::from_u128(2)),
            description: "guards".to_owned(),
            weight: Some(0.5),
            bidirectional: false,
            since: PartialDate::parse("2031"),
            until: None,
            claims: 3,
            asserted: 0,
            first_published: None,
            last_published: None,
        };
        let mut graph = Subgraph { nodes: vec![node(1, "Guards"), node(2, "Lock"), node(3, "Alone")], edges: vec![edge] };
        keep_joined(&mut graph);
        let view = SavedGraphView {
            id: ObjectId(Uuid::from_u128(4)),
            name: "Who guards".to_owned(),
            notes: "For Monday".to_owned(),
            query: "seed=x".to_owned(),
            created_at: Timestamp::from_micros(1_900_000_000_000_000),
        };
        let object = shared(view, &graph, &HashMap::new(), 1);
        assert_eq!((object.href.as_str(), object.finding.as_str()), ("/graph?seed=x", "For Monday"));
        assert_eq!(object.facts[..2], ["2 entities", "1 relationship"]);
        assert_eq!(object.table.unwrap().rows, [["Guards", "guards (since 2031)", "Lock", "3, not asserted"]]);
        let picture = object.graph.unwrap();
        assert_eq!(picture.edges, [(0, 1)]);
        let places: Vec<(u32, u32)> = picture.nodes.iter().map(|node| (node.x, node.y)).collect();
        assert!(places[0] != places[1] && places.iter().all(|(x, y)| *x <= 1000 && *y <= 1000), "{places:?}");
    }
}
