//! Scene of the picture, from the graph of the server: its nodes and edges, the meaning of its colours, and its layout.

use super::months::month_number;
use serde::Serialize;
use serde_json::{Value, json};
use std::collections::{HashMap, HashSet};
use views::graph::{AddedNode, NodeColour, PictureGraph, PictureNode, Position};

/// Hues of the communities or kinds, in degrees.
const HUES: [u16; 10] = [205, 28, 140, 330, 265, 50, 180, 0, 95, 230];
/// Distance of an object of a feature from its entity, where the server has placed the entities.
const BESIDE: f64 = 40.0;

/// Colours and font of the page, which the picture takes over.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Palette {
    pub ink: String,
    pub muted: String,
    pub note: String,
    pub sheet: String,
    pub font: String,
    pub is_dark: bool,
}

impl Palette {
    /// Returns the colour of a community or kind, with enough contrast on the canvas.
    pub fn hue(&self, place: usize) -> String {
        let hue = HUES[place % HUES.len()];
        format!("hsl({hue}, 55%, {}%)", if self.is_dark { 62 } else { 40 })
    }
}

/// Entity, or object of a feature.
#[derive(Debug, Clone, PartialEq)]
pub struct SceneNode {
    pub id: String,
    pub name: String,
    pub kind: String,
    /// Address of its page.
    pub href: String,
    /// Whether a feature lays it over the graph.
    pub is_added: bool,
    pub is_seed: bool,
    pub is_on_path: bool,
    /// Number of its colour.
    pub place: usize,
    /// Number of its relationships and links, loops aside.
    pub degree: u32,
    pub position: Option<Position>,
}

/// Relationship, or link of an object of a feature.
#[derive(Debug, Clone, PartialEq)]
pub struct SceneEdge {
    pub id: String,
    pub source: String,
    pub target: String,
    pub description: String,
    pub width: f64,
    pub is_bidirectional: bool,
    pub is_on_path: bool,
    /// Number of claims, and of those that assert it; none for a link of a feature.
    pub support: Option<(u32, u32)>,
    /// Month in which it was first stated.
    pub month: Option<i32>,
}

/// Meaning of a colour.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LegendEntry {
    pub name: String,
    pub count: usize,
    /// Number of the colour; none for objects of features.
    pub place: Option<usize>,
}

/// Nodes and edges of the picture.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Scene {
    pub nodes: Vec<SceneNode>,
    pub edges: Vec<SceneEdge>,
    pub legend: Vec<LegendEntry>,
}

/// Element as Cytoscape.js takes it.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct SceneElement {
    group: &'static str,
    data: Value,
}

impl Scene {
    pub fn new(graph: &PictureGraph, colour: NodeColour) -> Self {
        let seeds: HashSet<_> = graph.seeds.iter().collect();
        let colours = colours(&graph.nodes, colour);
        let nodes = graph.nodes.iter().map(|node| SceneNode {
            id: node.node.id.to_string(),
            name: node.node.name.clone(),
            kind: node.node.kind.clone(),
            href: format!("/entities/{}", node.node.id),
            is_added: false,
            is_seed: seeds.contains(&node.node.id),
            is_on_path: node.is_on_path,
            place: colours
                .iter()
                .find(|entry| entry.name == colour_name(node, colour))
                .and_then(|entry| entry.place)
                .unwrap_or(0),
            degree: 0,
            position: node.position,
        });
        let mut nodes: Vec<SceneNode> = nodes.collect();
        nodes.extend(added_nodes(&graph.added, &nodes));
        let edges = edges(graph);
        let mut degrees: HashMap<&str, u32> = HashMap::new();
        for edge in edges.iter().filter(|edge| edge.source != edge.target) {
            *degrees.entry(&edge.source).or_default() += 1;
            *degrees.entry(&edge.target).or_default() += 1;
        }
        for node in &mut nodes {
            node.degree = degrees.get(node.id.as_str()).copied().unwrap_or_default();
        }
        let legend = colours.into_iter().take(HUES.len()).chain(added_kinds(&graph.added)).collect();
        Self { nodes, edges, legend }
    }

    pub fn node(&self, id: &str) -> Option<&SceneNode> {
        self.nodes.iter().find(|node| node.id == id)
    }

    pub fn edge(&self, id: &str) -> Option<&SceneEdge> {
        self.edges.iter().find(|edge| edge.id == id)
    }

    /// Returns the colour of a node.
    pub fn colour(&self, id: &str, palette: &Palette) -> String {
        match self.node(id) {
            Some(node) if !node.is_added => palette.hue(node.place),
            _ => palette.sheet.clone(),
        }
    }

    /// Returns the nodes and edges as Cytoscape.js takes them.
    pub fn elements(&self, palette: &Palette) -> Vec<SceneElement> {
        let nodes = self.nodes.iter().map(|node| {
            let (size, colour) = (14.0 + 4.0 * f64::from(node.degree).sqrt(), palette.hue(node.place));
            let SceneNode { id, name, kind, is_added, is_seed, is_on_path, .. } = node;
            let data = json!({
                "id": id, "name": name, "kind": kind, "added": is_added, "seed": is_seed, "is_on_path": is_on_path,
                "size": size, "colour": colour,
            });
            SceneElement { group: "nodes", data }
        });
        let edges = self.edges.iter().map(|edge| {
            let arrow = if edge.is_bidirectional { "triangle" } else { "none" };
            let SceneEdge { id, source, target, description, width, is_on_path, support, .. } = edge;
            let data = json!({
                "id": id, "source": source, "target": target, "description": description, "width": width, "arrow": arrow,
                "is_on_path": is_on_path, "added": support.is_none(), "asserted": support.map(|(_, asserted)| asserted),
            });
            SceneElement { group: "edges", data }
        });
        nodes.chain(edges).collect()
    }

    /// Returns the ids of what is not shown until a month. Seeds stay, others go with their last relationship.
    pub fn hidden(&self, until: Option<i32>) -> HashSet<String> {
        let Some(until) = until else { return HashSet::new() };
        let (shown, hidden): (Vec<_>, Vec<_>) =
            self.edges.iter().partition(|edge| edge.month.is_some_and(|month| month <= until));
        let linked: HashSet<&str> = shown.iter().flat_map(|edge| [edge.source.as_str(), edge.target.as_str()]).collect();
        let nodes = self.nodes.iter().filter(|node| !node.is_seed && !linked.contains(node.id.as_str()));
        nodes.map(|node| node.id.clone()).chain(hidden.into_iter().map(|edge| edge.id.clone())).collect()
    }

    /// Returns the layout: positions of the server for a large graph, else the one that the browser computes. `is_first` begins at random.
    pub fn layout(&self, is_first: bool) -> Value {
        let positions: Option<HashMap<&str, Position>> =
            self.nodes.iter().map(|node| Some((node.id.as_str(), node.position?))).collect();
        match positions {
            Some(positions) => json!({ "name": "preset", "animate": false, "positions": positions }),
            None => json!({
                "name": "fcose", "animate": false, "randomize": is_first, "quality": "default", "nodeSeparation": 150,
                "idealEdgeLength": 150,
            }),
        }
    }

    /// Returns the visible entity after or before the selected one, by name.
    pub fn neighbour(&self, selected: &[String], hidden: &HashSet<String>, is_forward: bool) -> Option<String> {
        let mut nodes: Vec<_> = self.nodes.iter().filter(|node| !hidden.contains(&node.id)).collect();
        nodes.sort_by_cached_key(|node| node.name.to_lowercase());
        let last = nodes.len().checked_sub(1)?;
        let next = match (nodes.iter().position(|node| selected.contains(&node.id)), is_forward) {
            (None, true) => 0,
            (None, false) | (Some(0), false) => last,
            (Some(at), true) => (at + 1) % nodes.len(),
            (Some(at), false) => at - 1,
        };
        Some(nodes[next].id.clone())
    }
}

/// Returns the name of the community or kind of an entity.
fn colour_name(node: &PictureNode, colour: NodeColour) -> String {
    match colour {
        NodeColour::Kind => node.node.kind.clone(),
        NodeColour::Group => format!("Group {}", node.community + 1),
    }
}

/// Returns the colours of the communities, each with its own number, or of the kinds, the most frequent first.
fn colours(nodes: &[PictureNode], colour: NodeColour) -> Vec<LegendEntry> {
    let mut found: HashMap<String, (usize, usize)> = HashMap::new();
    for node in nodes {
        found.entry(colour_name(node, colour)).or_insert((0, node.community as usize)).0 += 1;
    }
    let mut found: Vec<_> = found.into_iter().collect();
    found.sort_by(|(a, (a_count, _)), (b, (b_count, _))| b_count.cmp(a_count).then_with(|| a.cmp(b)));
    let entries = found.into_iter().enumerate().map(|(at, (name, (count, community)))| {
        let place = if colour == NodeColour::Kind { at } else { community };
        LegendEntry { name, count, place: Some(place) }
    });
    entries.collect()
}

/// Returns the kinds of the objects of features, in order.
fn added_kinds(added: &[AddedNode]) -> Vec<LegendEntry> {
    let mut kinds: Vec<LegendEntry> = vec![];
    for node in added {
        match kinds.iter_mut().find(|entry| entry.name == node.kind) {
            Some(entry) => entry.count += 1,
            None => kinds.push(LegendEntry { name: node.kind.clone(), count: 1, place: None }),
        }
    }
    kinds
}

/// Returns the objects of features. Where the server has placed the entities, each stands beside the first of its links.
fn added_nodes(added: &[AddedNode], entities: &[SceneNode]) -> Vec<SceneNode> {
    let mut positions: HashMap<&str, Position> =
        entities.iter().filter_map(|node| Some((node.id.as_str(), node.position?))).collect();
    let unplaced = (!positions.is_empty()).then(Position::default);
    let mut nodes = vec![];
    for node in added {
        let end = node.links.first().and_then(|link| positions.get(link.to.as_str()));
        let position = end.map(|end| Position { x: end.x + BESIDE, y: end.y - BESIDE }).or(unplaced);
        positions.extend(position.map(|position| (node.id.as_str(), position)));
        nodes.push(SceneNode {
            id: node.id.clone(),
            name: node.name.clone(),
            kind: node.kind.clone(),
            href: node.href.clone(),
            is_added: true,
            is_seed: false,
            is_on_path: false,
            place: 0,
            degree: 0,
            position,
        });
    }
    nodes
}

fn edges(graph: &PictureGraph) -> Vec<SceneEdge> {
    let width = |weight: Option<f64>| 1.0 + 4.0 * weight.unwrap_or(0.2);
    let edges = graph.edges.iter().map(|edge| SceneEdge {
        id: edge.edge.id.to_string(),
        source: edge.edge.source.to_string(),
        target: edge.edge.target.to_string(),
        description: edge.edge.description.clone(),
        width: width(edge.edge.weight),
        is_bidirectional: edge.edge.bidirectional,
        is_on_path: edge.is_on_path,
        support: Some((edge.edge.claims, edge.edge.asserted)),
        month: edge.edge.first_published.and_then(|moment| month_number(&moment.to_string())),
    });
    let links = graph.added.iter().flat_map(|node| node.links.iter().map(move |link| (node, link)));
    let links = links.map(|(node, link)| SceneEdge {
        id: format!("{} {}", node.id, link.to),
        source: node.id.clone(),
        target: link.to.clone(),
        description: link.text.clone(),
        width: width(None),
        is_bidirectional: false,
        is_on_path: false,
        support: None,
        month: None,
    });
    edges.chain(links).collect()
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    /// Three entities, Alfa linked with both others, and a tension over Bravo. Charlie is of another kind and community.
    pub(crate) fn graph() -> PictureGraph {
        let id = |number: u8| format!("00000000-0000-0000-0000-00000000000{number}");
        let node = |number: u8, name: &str, kind: &str, community: u32| json!({ "id": id(number), "name": name, "kind": kind, "community": community, "is_on_path": false });
        let edge = |number: u8, target: u8, month: &str| {
            json!({
                "id": id(number), "source": id(1), "target": id(target), "description": "owns", "weight": 0.5, "bidirectional": false,
                "since": null, "until": null, "claims": 2, "asserted": 0, "first_published": format!("{month}-03T00:00:00Z"),
                "last_published": null, "is_on_path": true,
            })
        };
        let added = json!({
            "id": "tension", "name": "Strike", "kind": "tension", "href": "/tensions/1", "links": [{ "to": id(2), "text": "about" }],
        });
        serde_json::from_value(json!({
            "nodes": [node(1, "Alfa", "company", 0), node(2, "bravo", "company", 0), node(3, "Charlie", "person", 1)],
            "edges": [edge(7, 2, "2026-01"), edge(8, 3, "2026-03")],
            "is_cut": false, "seeds": [id(1)], "notices": [], "added": [added],
        }))
        .unwrap()
    }

    pub(crate) fn scene(colour: NodeColour) -> Scene {
        Scene::new(&graph(), colour)
    }

    fn names(legend: &[LegendEntry]) -> Vec<(&str, usize, Option<usize>)> {
        legend.iter().map(|entry| (entry.name.as_str(), entry.count, entry.place)).collect()
    }

    #[test]
    fn colours_are_those_of_groups_or_kinds_with_objects_of_features_last() {
        let groups = scene(NodeColour::Group);
        assert_eq!(names(&groups.legend), [("Group 1", 2, Some(0)), ("Group 2", 1, Some(1)), ("tension", 1, None)]);
        let kinds = scene(NodeColour::Kind);
        assert_eq!(names(&kinds.legend), [("company", 2, Some(0)), ("person", 1, Some(1)), ("tension", 1, None)]);
        let palette = Palette { sheet: "white".into(), ..Palette::default() };
        let person = kinds.nodes[2].id.clone();
        assert_eq!(
            (kinds.colour(&person, &palette), kinds.colour("tension", &palette)),
            ("hsl(28, 55%, 40%)".into(), "white".into())
        );
    }

    #[test]
    fn elements_have_the_size_and_the_support_of_what_they_show() {
        let elements = scene(NodeColour::Group).elements(&Palette::default());
        assert_eq!(elements.len(), 7);
        let bravo = &elements[1].data;
        assert_eq!((&bravo["seed"], &bravo["added"]), (&json!(false), &json!(false)));
        assert!((bravo["size"].as_f64().unwrap() - (14.0 + 4.0 * 2_f64.sqrt())).abs() < 1e-9, "{bravo}");
        assert_eq!((&elements[4].data["asserted"], &elements[4].data["width"]), (&json!(0), &json!(3.0)));
        let link = &elements[6].data;
        assert_eq!(
            (&link["asserted"], &link["added"], &link["id"].as_str().unwrap()[..8]),
            (&Value::Null, &json!(true), "tension ")
        );
    }

    #[test]
    fn later_relationships_and_the_entities_that_only_they_link_are_hidden() {
        let scene = scene(NodeColour::Group);
        assert!(scene.hidden(None).is_empty());
        let hidden = scene.hidden(month_number("2026-02"));
        let (charlie, later, link) = (scene.nodes[2].id.clone(), scene.edges[1].id.clone(), scene.edges[2].id.clone());
        assert_eq!(hidden, HashSet::from(["tension".to_owned(), charlie, later, link]));
        assert!(!scene.hidden(Some(0)).contains(&scene.nodes[0].id), "a seed stays");
    }

    #[test]
    fn large_graphs_have_the_positions_of_the_server() {
        assert_eq!(scene(NodeColour::Group).layout(true)["randomize"], json!(true));
        let mut graph = graph();
        for (at, node) in graph.nodes.iter_mut().enumerate() {
            node.position = Some(Position { x: 100.0 * at as f64, y: 50.0 });
        }
        let layout = Scene::new(&graph, NodeColour::Group).layout(false);
        assert_eq!((&layout["name"], &layout["positions"]["tension"]), (&json!("preset"), &json!({ "x": 140.0, "y": 10.0 })));
    }

    #[test]
    fn arrow_keys_go_round_the_visible_entities_by_name() {
        let scene = scene(NodeColour::Group);
        let hidden = HashSet::from(["tension".to_owned()]);
        let ids: Vec<_> = scene.nodes.iter().map(|node| node.id.clone()).collect();
        let go = |selected: &[String], is_forward| scene.neighbour(selected, &hidden, is_forward).unwrap();
        assert_eq!((go(&[], true), go(&[], false)), (ids[0].clone(), ids[2].clone()));
        assert_eq!((go(&ids[..1], true), go(&ids[2..3], true)), (ids[1].clone(), ids[0].clone()));
        assert_eq!((go(&ids[..1], false), go(&ids[1..2], false)), (ids[2].clone(), ids[0].clone()));
        assert_eq!(Scene::default().neighbour(&[], &hidden, true), None);
    }
}
