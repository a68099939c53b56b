//! Reports of the picture: what was selected and opened, and where everything stands.

use serde::Deserialize;
use views::graph::Position;

/// Purpose for which positions are reported.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Purpose {
    Labels,
    Outline,
    Svg,
}

impl Purpose {
    pub const fn name(self) -> &'static str {
        match self {
            Self::Labels => "labels",
            Self::Outline => "outline",
            Self::Svg => "svg",
        }
    }
}

/// Event of the picture.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(tag = "event", rename_all = "snake_case")]
pub enum PictureEvent {
    Selected {
        ids: Vec<String>,
    },
    /// A double click on a node.
    Opened {
        id: String,
    },
    /// The page has other colours.
    Recoloured,
    Placed(PlacedPicture),
}

/// Positions of what is visible.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct PlacedPicture {
    pub purpose: Purpose,
    pub zoom: f64,
    /// Distance of the origin from the corner of the canvas, in pixels.
    pub pan: Position,
    pub area: PlacedArea,
    pub nodes: Vec<PlacedNode>,
    /// Middles of the edges; for a drawing alone.
    pub bends: Vec<PlacedBend>,
}

/// Area of everything with its labels.
#[derive(Debug, Clone, Copy, PartialEq, Deserialize)]
pub struct PlacedArea {
    pub x: f64,
    pub y: f64,
    pub width: f64,
    pub height: f64,
}

/// Node in its position.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct PlacedNode {
    pub id: String,
    pub x: f64,
    pub y: f64,
    pub width: f64,
    pub height: f64,
}

/// Middle of an edge.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct PlacedBend {
    pub id: String,
    pub x: f64,
    pub y: f64,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn events_are_read_as_the_script_writes_them() {
        let read = |text: &str| serde_json::from_str::<PictureEvent>(text).unwrap();
        assert_eq!(read(r#"{"event":"selected","ids":["a"]}"#), PictureEvent::Selected { ids: vec!["a".to_owned()] });
        assert_eq!(read(r#"{"event":"recoloured"}"#), PictureEvent::Recoloured);
        let placed = r#"{"event":"placed","purpose":"svg","zoom":1,"pan":{"x":0,"y":2.5},"area":{"x":0,"y":0,"width":9,"height":9},
            "nodes":[{"id":"a","x":1,"y":2,"width":3,"height":4}],"bends":[{"id":"e","x":1,"y":1}]}"#;
        let PictureEvent::Placed(placed) = read(placed) else { panic!("not read as positions") };
        assert_eq!((placed.purpose.name(), placed.pan.y, placed.nodes.len()), ("svg", 2.5, 1));
    }
}
