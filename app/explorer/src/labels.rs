//! Labels of the picture: they keep one size on the screen, and those that would cover another one are left out.

use super::{placed::PlacedNode, scene::Scene};
use std::{cmp::Reverse, collections::HashSet};

/// Size of the letters of a name, its widest line, and its distance from the node, in pixels on the screen.
pub struct LabelSize {
    pub size: f64,
    pub width: f64,
    pub gap: f64,
}

pub const LABEL: LabelSize = LabelSize { size: 13.0, width: 120.0, gap: 4.0 };

/// Relationships from which an entity is named even if its label covers another entity.
const MINOR_BELOW: u32 = 4;

#[derive(Clone, Copy)]
struct LabelBox {
    left: f64,
    right: f64,
    top: f64,
    bottom: f64,
}

impl LabelBox {
    /// Box of a label, from the mean width of a letter. `scale` turns pixels into lengths of the picture.
    fn of_label(node: &PlacedNode, name: &str, scale: f64) -> Self {
        let lines = name.chars().count() as f64 * LABEL.size * 0.5 / LABEL.width;
        let width = lines.min(1.0) * LABEL.width * scale;
        let top = node.y + node.height / 2.0 + LABEL.gap * scale;
        let left = node.x - width / 2.0;
        Self { left, right: left + width, top, bottom: top + lines.ceil() * LABEL.size * 1.2 * scale }
    }

    /// Middle of a node without its label, which no label of a minor entity may cover.
    fn of_node(node: &PlacedNode) -> Self {
        let half = node.height / 3.0;
        Self { left: node.x - half, right: node.x + half, top: node.y - half, bottom: node.y + half }
    }

    fn overlaps(self, other: Self) -> bool {
        self.left <= other.right && self.right >= other.left && self.top <= other.bottom && self.bottom >= other.top
    }
}

/// Returns the visible entities that have no room for a label. The chosen and the best linked ones are named first.
pub fn unlabelled(scene: &Scene, placed: &[PlacedNode], zoom: f64, selected: &[String]) -> Vec<String> {
    let scale = 1.0 / zoom;
    let selected: HashSet<&str> = selected.iter().map(String::as_str).collect();
    let is_selected = |id: &str| selected.contains(id);
    let mut nodes: Vec<_> = placed.iter().filter_map(|place| Some((scene.node(&place.id)?, place))).collect();
    nodes.sort_by_cached_key(|(node, _)| {
        let is_chosen = is_selected(&node.id) || node.is_seed || node.is_on_path;
        (Reverse((is_chosen, node.degree)), node.name.clone())
    });
    let drawn: Vec<LabelBox> = nodes.iter().map(|(_, place)| LabelBox::of_node(place)).collect();
    let mut labels: Vec<LabelBox> = vec![];
    let mut left = vec![];
    for (at, (node, place)) in nodes.iter().enumerate() {
        let label = LabelBox::of_label(place, &node.name, scale);
        let is_minor = !(is_selected(&node.id) || node.is_seed || node.is_on_path) && node.degree < MINOR_BELOW;
        let covers = || drawn.iter().enumerate().any(|(other, middle)| other != at && label.overlaps(*middle));
        let is_free = !(labels.iter().any(|other| label.overlaps(*other)) || is_minor && covers());
        if is_selected(&node.id) || is_free {
            labels.push(label);
        } else {
            left.push(node.id.clone());
        }
    }
    left
}

#[cfg(test)]
mod tests {
    use super::{super::scene::tests::scene, *};
    use views::graph::NodeColour;

    #[test]
    fn the_best_linked_entities_are_named_where_labels_would_overlap() {
        let scene = scene(NodeColour::Group);
        let place = |at: usize, x: f64| PlacedNode { id: scene.nodes[at].id.clone(), x, y: 0.0, width: 20.0, height: 20.0 };
        let placed = [place(0, 0.0), place(1, 20.0), place(2, 900.0)];
        let bravo = scene.nodes[1].id.clone();
        assert_eq!(unlabelled(&scene, &placed, 1.0, &[]), std::slice::from_ref(&bravo));
        assert!(unlabelled(&scene, &placed, 1.0, &[bravo]).is_empty(), "a selected one is always named");
        assert!(unlabelled(&scene, &placed, 8.0, &[]).is_empty(), "zooming in makes room");
    }
}
