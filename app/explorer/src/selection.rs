//! Lines about what is selected in the picture.

use super::scene::Scene;

/// Most selected entities, and most relationships, with a line.
const MOST_LINES: usize = 12;

/// Line about a selected element.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SelectionLine {
    Node {
        href: String,
        name: String,
        kind: String,
    },
    Edge {
        before: String,
        href: String,
        description: String,
        after: String,
    },
    /// Link of an object of a feature, which has no page.
    Link {
        text: String,
    },
}

/// A number with its noun.
pub fn count(number: usize, one: &str, many: &str) -> String {
    format!("{number} {}", if number == 1 { one } else { many })
}

/// Returns the lines about selected elements: first entities, then relationships.
pub fn selection_lines(scene: &Scene, selected: &[String]) -> Vec<SelectionLine> {
    let nodes = selected.iter().filter_map(|id| scene.node(id)).take(MOST_LINES).map(|node| SelectionLine::Node {
        href: node.href.clone(),
        name: node.name.clone(),
        kind: node.kind.clone(),
    });
    let name = |id: &str| scene.node(id).map(|node| node.name.clone()).unwrap_or_default();
    let edges = selected.iter().filter_map(|id| scene.edge(id)).take(MOST_LINES).map(|edge| {
        let (from, to, description) = (name(&edge.source), name(&edge.target), edge.description.clone());
        match edge.support {
            None => SelectionLine::Link { text: format!("{from}: {description} → {to}") },
            Some((claims, asserted)) => SelectionLine::Edge {
                before: format!("{from}:"),
                href: format!("/relationships/{}", edge.id),
                description,
                after: format!("→ {to} ({}, {asserted} asserted)", count(claims as usize, "claim", "claims")),
            },
        }
    });
    nodes.chain(edges).collect()
}

#[cfg(test)]
mod tests {
    use super::{super::scene::tests::scene, *};
    use views::graph::NodeColour;

    #[test]
    fn selected_entities_come_before_relationships() {
        let scene = scene(NodeColour::Group);
        let (edge, link, alfa) = (scene.edges[0].id.clone(), scene.edges[2].id.clone(), scene.nodes[0].id.clone());
        let lines = selection_lines(&scene, &[edge.clone(), link, alfa.clone(), "gone".to_owned()]);
        let expected = [
            SelectionLine::Node { href: format!("/entities/{alfa}"), name: "Alfa".into(), kind: "company".into() },
            SelectionLine::Edge {
                before: "Alfa:".into(),
                href: format!("/relationships/{edge}"),
                description: "owns".into(),
                after: "→ bravo (2 claims, 0 asserted)".into(),
            },
            SelectionLine::Link { text: "Strike: about → bravo".into() },
        ];
        assert_eq!(lines, expected);
    }
}
