//! Shapes of the countries, decoded from TopoJSON (<https://github.com/topojson/topojson-specification>) and projected.

use super::projection::{Point, area, cut_ring, project};
use serde::Deserialize;
use std::fmt::Write as _;

/// Space around the shapes, in units of the picture.
const MARGIN: f64 = 4.0;

#[derive(Deserialize)]
struct Topology {
    transform: Transform,
    /// Lines by steps between their points.
    arcs: Vec<Vec<[i32; 2]>>,
    objects: Objects,
}

#[derive(Deserialize)]
struct Transform {
    scale: Point,
    translate: Point,
}

#[derive(Deserialize)]
struct Objects {
    countries: Countries,
}

#[derive(Deserialize)]
struct Countries {
    geometries: Vec<Geometry>,
}

#[derive(Deserialize)]
struct Geometry {
    /// ISO 3166 numeric code; some disputed areas have none.
    #[serde(default)]
    id: String,
    arcs: Arcs,
}

/// Rings as numbers of arcs; `!n` is arc `n` in reverse.
#[derive(Deserialize)]
#[serde(untagged)]
enum Arcs {
    Polygon(Vec<Vec<i32>>),
    MultiPolygon(Vec<Vec<Vec<i32>>>),
}

impl Topology {
    /// Decodes a line: each point is a step from the one before.
    fn line(&self, number: i32) -> Option<Vec<Point>> {
        let is_reversed = number < 0;
        let steps = self.arcs.get(usize::try_from(if is_reversed { !number } else { number }).ok()?)?;
        let Transform { scale, translate } = &self.transform;
        let (mut x, mut y) = (0_i32, 0_i32);
        let points = steps.iter().map(|[right, up]| {
            (x, y) = (x + right, y + up);
            [f64::from(x) * scale[0] + translate[0], f64::from(y) * scale[1] + translate[1]]
        });
        let mut points: Vec<Point> = points.collect();
        if is_reversed {
            points.reverse();
        }
        Some(points)
    }

    /// Joins lines to a ring: each begins where the one before ends.
    fn ring(&self, numbers: &[i32]) -> Option<Vec<Point>> {
        let mut ring = vec![];
        for number in numbers {
            ring.pop();
            ring.extend(self.line(*number)?);
        }
        Some(ring)
    }
}

/// Rectangle of the picture.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Bounds {
    low: Point,
    high: Point,
}

impl Bounds {
    fn of_ring(ring: &[Point]) -> Option<Self> {
        let bounds = ring.iter().map(|point| Self { low: *point, high: *point });
        bounds.reduce(Self::join)
    }

    /// Returns the bounds of countries.
    pub fn around<'a>(countries: impl Iterator<Item = &'a CountryShape>) -> Option<Self> {
        countries.map(|country| country.bounds).reduce(Self::join)
    }

    fn join(self, other: Self) -> Self {
        let low = [self.low[0].min(other.low[0]), self.low[1].min(other.low[1])];
        let high = [self.high[0].max(other.high[0]), self.high[1].max(other.high[1])];
        Self { low, high }
    }

    /// Returns the attribute `viewBox`.
    pub fn view_box(self) -> String {
        let [x, y] = self.low.map(|edge| edge - MARGIN);
        let (width, height) = (self.high[0] + MARGIN - x, self.high[1] + MARGIN - y);
        format!("{x:.1} {y:.1} {width:.1} {height:.1}")
    }
}

/// Country as an SVG path.
#[derive(Debug, Clone, PartialEq)]
pub struct CountryShape {
    /// ISO 3166 numeric code; empty for some disputed areas.
    pub code: String,
    pub path: String,
    /// Bounds of its largest piece: islands and areas overseas would leave the rest too small.
    pub bounds: Bounds,
}

impl CountryShape {
    /// Projects the rings of a country; none for one around a pole.
    fn new(code: String, rings: &[Vec<Point>]) -> Option<Self> {
        let mut pieces = vec![];
        for ring in rings {
            pieces.extend(cut_ring(ring)?);
        }
        for piece in &mut pieces {
            for point in piece {
                *point = project(*point);
            }
        }
        let largest = pieces.iter().max_by(|one, other| area(one).total_cmp(&area(other)))?;
        Some(Self { code, path: path_of(&pieces), bounds: Bounds::of_ring(largest)? })
    }
}

fn path_of(pieces: &[Vec<Point>]) -> String {
    let mut path = String::new();
    for piece in pieces {
        for (number, [x, y]) in piece.iter().enumerate() {
            let command = if number == 0 { 'M' } else { 'L' };
            // Writing to a string does not fail.
            let _ = write!(path, "{command}{x:.1} {y:.1}");
        }
        path.push('Z');
    }
    path
}

/// The countries of the world, without Antarctica.
#[derive(Debug, Clone, PartialEq)]
pub struct World {
    pub countries: Vec<CountryShape>,
    pub bounds: Bounds,
}

impl World {
    /// Decodes a topology with the object `countries`; none for any other text.
    pub fn decode(text: &str) -> Option<Self> {
        let topology: Topology = serde_json::from_str(text).ok()?;
        let country = |geometry: &Geometry| {
            let rings: Vec<&Vec<i32>> = match &geometry.arcs {
                Arcs::Polygon(rings) => rings.iter().collect(),
                Arcs::MultiPolygon(polygons) => polygons.iter().flatten().collect(),
            };
            let rings: Option<Vec<_>> = rings.into_iter().map(|ring| topology.ring(ring)).collect();
            CountryShape::new(geometry.id.clone(), &rings?)
        };
        let countries: Vec<CountryShape> = topology.objects.countries.geometries.iter().filter_map(country).collect();
        let bounds = Bounds::around(countries.iter())?;
        Some(Self { countries, bounds })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two squares of ten degrees that share the line between them, and a ring around the South Pole.
    const TOPOLOGY: &str = r#"{
        "type": "Topology", "transform": {"scale": [1, 1], "translate": [-180, -90]},
        "arcs": [
            [[190, 90], [0, 10]],
            [[190, 100], [-10, 0], [0, -10], [10, 0]],
            [[190, 100], [10, 0], [0, -10], [-10, 0]],
            [[0, 10], [120, 10], [120, 0], [120, -10], [-360, 0]]
        ],
        "objects": {"countries": {"type": "GeometryCollection", "geometries": [
            {"type": "Polygon", "id": "466", "properties": {"name": "West"}, "arcs": [[0, 1]]},
            {"type": "MultiPolygon", "properties": {"name": "East"}, "arcs": [[[2, 0]]]},
            {"type": "Polygon", "id": "010", "properties": {"name": "South"}, "arcs": [[3]]}
        ]}}
    }"#;

    #[test]
    fn arcs_are_joined_to_rings_in_both_directions() {
        let topology: Topology = serde_json::from_str(TOPOLOGY).unwrap();
        assert_eq!(topology.ring(&[0, 1]).unwrap(), [[10.0, 0.0], [10.0, 10.0], [0.0, 10.0], [0.0, 0.0], [10.0, 0.0]]);
        assert_eq!(topology.line(!0).unwrap(), [[10.0, 10.0], [10.0, 0.0]]);
        assert_eq!(topology.ring(&[9]), None);
    }

    #[test]
    fn countries_become_closed_paths_and_the_one_around_a_pole_is_left_out() {
        let world = World::decode(TOPOLOGY).unwrap();
        let codes: Vec<&str> = world.countries.iter().map(|country| country.code.as_str()).collect();
        assert_eq!(codes, ["466", ""]);
        let paths: Vec<&str> = world.countries.iter().map(|country| country.path.as_str()).collect();
        assert!(
            paths.iter().all(|path| path.starts_with('M') && path.ends_with('Z') && path.matches('M').count() == 1),
            "{paths:?}"
        );
        assert_eq!(World::decode("{}"), None);
    }

    #[test]
    fn a_view_box_holds_the_countries_with_a_margin() {
        let bounds = Bounds { low: [0.0, -20.0], high: [30.0, 5.0] };
        assert_eq!(bounds.view_box(), "-4.0 -24.0 38.0 33.0");
        let world = World::decode(TOPOLOGY).unwrap();
        assert_eq!(Bounds::around(world.countries.iter()), Some(world.bounds));
        assert!(world.countries[1].bounds.low[0] > world.countries[0].bounds.low[0]);
    }
}
