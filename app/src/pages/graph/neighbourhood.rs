//! Small picture of the relationships of an entity: the entity in the middle, its strongest neighbours around it.

use crate::prelude::*;
use domain::subgraph::GraphEdge;
use std::f64::consts::TAU;
use views::graph::RelationshipLine;

/// Neighbours drawn; the table beside the picture has all.
const MOST: usize = 12;
const WIDTH: f64 = 640.0;
const HEIGHT: f64 = 340.0;
/// Radii of the ellipse on which the neighbours stand.
const RADII: (f64, f64) = (230.0, 130.0);
/// Characters of a name before it is cut.
const NAME_CHARS: usize = 22;

/// A neighbour with its strongest relationship and its place.
#[derive(Debug, Clone, PartialEq)]
struct Neighbour {
    id: EntityId,
    name: String,
    edge: GraphEdge,
    /// A claim asserts one of its relationships.
    is_asserted: bool,
    x: f64,
    y: f64,
}

/// Returns the first neighbours of the list, each once, clockwise from the top.
fn neighbours(relationships: &[RelationshipLine]) -> Vec<Neighbour> {
    let mut found: Vec<Neighbour> = vec![];
    for RelationshipLine { edge, other } in relationships {
        let is_asserted = !edge.is_unasserted();
        if let Some(known) = found.iter_mut().find(|known| known.id == other.id) {
            known.is_asserted |= is_asserted;
        } else if found.len() < MOST {
            found.push(Neighbour { id: other.id, name: other.name.clone(), edge: edge.clone(), is_asserted, x: 0.0, y: 0.0 });
        }
    }
    let count = found.len() as f64;
    for (place, neighbour) in found.iter_mut().enumerate() {
        let angle = TAU * place as f64 / count - TAU / 4.0;
        neighbour.x = (WIDTH / 2.0 + RADII.0 * angle.cos()).round();
        neighbour.y = (HEIGHT / 2.0 + RADII.1 * angle.sin()).round();
    }
    found
}

fn short(name: &str) -> String {
    match name.char_indices().nth(NAME_CHARS) {
        Some((end, _)) => format!("{}…", name[..end].trim_end()),
        None => name.to_owned(),
    }
}

/// Width of a line, by the strength of the relationship.
fn width(edge: &GraphEdge) -> String {
    format!("{:.1}", 1.0 + 4.0 * edge.weight.unwrap_or(0.2))
}

/// The picture; nothing without relationships. No claim asserts dashed lines.
#[component]
pub(super) fn NeighbourhoodPicture(name: String, relationships: Vec<RelationshipLine>) -> impl IntoView {
    let found = neighbours(&relationships);
    (!found.is_empty()).then(|| {
        let (middle_x, middle_y) = (WIDTH / 2.0, HEIGHT / 2.0);
        let lines = found.iter().map(|Neighbour { edge, is_asserted, x, y, .. }| {
            let dashes = (!is_asserted).then_some("6 4");
            view! { <line class="hood-line" x1=middle_x y1=middle_y x2=*x y2=*y stroke-width=width(edge) stroke-dasharray=dashes /> }
        });
        let lines = lines.collect_view();
        let nodes = found.iter().map(|Neighbour { id, name, edge, x, y, .. }| {
            let label = format!("{name}: {}", edge.description);
            let below = *y >= middle_y;
            let text_y = if below { y + 24.0 } else { y - 14.0 };
            view! {
                <a href=format!("/entities/{id}") aria-label=label>
                    <rect class="hood-target" x=x - 16.0 y=y - 16.0 width="32" height="32" />
                    <circle class="hood-node" cx=*x cy=*y r="7" />
                    <text x=*x y=text_y text-anchor="middle">{short(name)}</text>
                </a>
            }
        });
        let nodes = nodes.collect_view();
        let label = format!("{name} and its {} strongest relationships; the table lists all", found.len());
        view! {
            <figure class="hood">
                <svg viewBox=format!("0 0 {WIDTH} {HEIGHT}") role="group" aria-label=label>
                    {lines}
                    {nodes}
                    <circle class="hood-middle" cx=middle_x cy=middle_y r="10" />
                    <text class="hood-name" x=middle_x y=middle_y + 28.0 text-anchor="middle">{short(&name)}</text>
                </svg>
                <figcaption class="muted">"Wider lines are stronger; no claim asserts dashed ones."</figcaption>
            </figure>
        }
        .into_any()
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pages::fixtures;

    fn line(other: u32, weight: f64) -> RelationshipLine {
        fixtures::relationship(other, "company", other, weight)
    }

    #[test]
    fn a_neighbour_is_drawn_once_within_the_picture_and_the_weakest_are_left_out() {
        let lines: Vec<_> = (1..=20).chain([1]).map(|other| line(other, 0.9)).collect();
        let found = neighbours(&lines);
        assert_eq!(found.len(), MOST);
        assert!(found.iter().all(|one| (0.0..=WIDTH).contains(&one.x) && (0.0..=HEIGHT).contains(&one.y)), "{found:?}");
        assert_eq!((found[0].x, found[0].y), (WIDTH / 2.0, HEIGHT / 2.0 - RADII.1), "the strongest at the top");
    }

    #[test]
    fn unasserted_relationships_are_dashed_and_each_node_is_a_link() {
        // The third is asserted by the weaker of two.
        let relationships = vec![line(1, 0.9), line(2, 0.3), line(3, 0.4), line(3, 0.6)];
        let html = Owner::new().with(|| view! { <NeighbourhoodPicture name="Fund".to_owned() relationships /> }.to_html());
        assert_eq!((html.matches("stroke-dasharray").count(), html.matches("<a href=\"/entities/").count()), (1, 3), "{html}");
        assert!(html.contains("aria-label=\"Firm 1: owns\""), "{html}");
    }
}
