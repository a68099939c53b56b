//! Drawing of the picture as SVG, and the outline that selects entities.

use super::{
    placed::{PlacedNode, PlacedPicture},
    scene::{Palette, Scene},
};
use std::{collections::HashMap, fmt::Write};
use views::graph::Position;

/// Space around the drawing.
const MARGIN: f64 = 20.0;

/// Returns the visible picture as SVG, in its positions and colours.
pub fn svg(scene: &Scene, placed: &PlacedPicture, palette: &Palette) -> String {
    let area = placed.area;
    let (x, y) = (area.x - MARGIN, area.y - MARGIN);
    let (width, height) = (area.width + 2.0 * MARGIN, area.height + 2.0 * MARGIN);
    let mut out = format!("<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"{x} {y} {width} {height}\">");
    let places: HashMap<&str, &PlacedNode> = placed.nodes.iter().map(|node| (node.id.as_str(), node)).collect();
    for bend in &placed.bends {
        let Some(edge) = scene.edge(&bend.id) else { continue };
        let ends = places.get(edge.source.as_str()).zip(places.get(edge.target.as_str()));
        let Some((a, b)) = ends else { continue };
        let dashes = if edge.support.is_some_and(|(_, asserted)| asserted == 0) { " stroke-dasharray=\"6 4\"" } else { "" };
        let path = format!("M {} {} Q {} {} {} {}", a.x, a.y, bend.x, bend.y, b.x, b.y);
        let _ = write!(out, "<path d=\"{path}\" fill=\"none\" stroke=\"#777\" stroke-width=\"{}\"{dashes}/>", edge.width);
    }
    for place in &placed.nodes {
        let Some(node) = scene.node(&place.id) else { continue };
        let PlacedNode { x, y, width, height, .. } = place;
        let fill = escape(&scene.colour(&place.id, palette));
        let _ = write!(out, "<circle cx=\"{x}\" cy=\"{y}\" r=\"{}\" fill=\"{fill}\"/>", width / 2.0);
        let (below, name) = (y + height / 2.0 + 14.0, escape(&node.name));
        let _ = write!(
            out,
            "<text x=\"{x}\" y=\"{below}\" text-anchor=\"middle\" font-family=\"sans-serif\" font-size=\"13\">{name}</text>"
        );
    }
    out.push_str("</svg>");
    out
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

/// Returns the nodes within an outline, whose corners are pixels of the canvas.
pub fn enclosed(placed: &PlacedPicture, corners: &[Position]) -> Vec<String> {
    let on_canvas =
        |node: &PlacedNode| Position { x: node.x * placed.zoom + placed.pan.x, y: node.y * placed.zoom + placed.pan.y };
    placed.nodes.iter().filter(|node| is_inside(on_canvas(node), corners)).map(|node| node.id.clone()).collect()
}

/// Returns whether a point lies in a polygon, by the number of its sides to the right of the point.
fn is_inside(point: Position, corners: &[Position]) -> bool {
    let before = corners.iter().cycle().skip(corners.len().saturating_sub(1));
    let crosses = corners
        .iter()
        .zip(before)
        .filter(|(a, b)| (a.y > point.y) != (b.y > point.y) && point.x < (b.x - a.x) * (point.y - a.y) / (b.y - a.y) + a.x);
    crosses.count() % 2 == 1
}

#[cfg(test)]
mod tests {
    use super::{
        super::{
            placed::{PlacedArea, PlacedBend, Purpose},
            scene::tests::scene,
        },
        *,
    };
    use views::graph::NodeColour;

    fn placed(scene: &Scene) -> PlacedPicture {
        let place = |at: usize, x: f64| PlacedNode { id: scene.nodes[at].id.clone(), x, y: 0.0, width: 20.0, height: 20.0 };
        PlacedPicture {
            purpose: Purpose::Svg,
            zoom: 2.0,
            pan: Position { x: 10.0, y: 0.0 },
            area: PlacedArea { x: 0.0, y: 0.0, width: 100.0, height: 50.0 },
            nodes: vec![place(0, 0.0), place(1, 60.0)],
            bends: vec![PlacedBend { id: scene.edges[0].id.clone(), x: 30.0, y: 5.0 }],
        }
    }

    #[test]
    fn a_drawing_has_the_visible_nodes_and_edges() {
        let mut scene = scene(NodeColour::Group);
        scene.nodes[0].name = "Alfa <&> Co".to_owned();
        let svg = svg(&scene, &placed(&scene), &Palette::default());
        assert!(svg.starts_with("<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"-20 -20 140 90\">"), "{svg}");
        assert!(svg.contains("d=\"M 0 0 Q 30 5 60 0\"") && svg.contains("stroke-dasharray"), "{svg}");
        assert!(svg.contains(">Alfa &lt;&amp;&gt; Co</text>") && svg.contains("r=\"10\" fill=\"hsl(205, 55%, 40%)\""), "{svg}");
    }

    #[test]
    fn an_outline_selects_what_it_encloses_on_the_canvas() {
        let scene = scene(NodeColour::Group);
        let placed = placed(&scene);
        let corners = [(-50.0, -50.0), (50.0, -50.0), (50.0, 50.0), (-50.0, 50.0)].map(|(x, y)| Position { x, y });
        assert_eq!(enclosed(&placed, &corners), [scene.nodes[0].id.clone()]);
        assert!(enclosed(&placed, &corners[..1]).is_empty() && enclosed(&placed, &[]).is_empty());
    }
}
