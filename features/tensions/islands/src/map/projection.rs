//! The Equal Earth projection, which keeps areas comparable, and the cut along the antimeridian.
//!
//! Formula: Šavrič, Patterson and Jenny, "The Equal Earth map projection", International Journal of Geographical Information
//! Science 33 (2019), <https://doi.org/10.1080/13658816.2018.1504949>.

/// Longitude and latitude in degrees, or x and y of the picture.
pub type Point = [f64; 2];

const A1: f64 = 1.340_264;
const A2: f64 = -0.081_106;
const A3: f64 = 0.000_893;
const A4: f64 = 0.003_796;

/// Units of the picture per unit of the projection: the world is about a thousand wide.
const SCALE: f64 = 185.0;

/// Area in square degrees of a ring that only touches the antimeridian.
const NO_AREA: f64 = 1e-6;

/// Projects longitude and latitude; y grows downwards.
pub fn project([longitude, latitude]: Point) -> Point {
    let half_root = 3.0_f64.sqrt() / 2.0;
    let angle = (half_root * latitude.to_radians().sin()).asin();
    let square = angle * angle;
    let sixth = square * square * square;
    let slope = A1 + 3.0 * A2 * square + sixth * (7.0 * A3 + 9.0 * A4 * square);
    let x = longitude.to_radians() * angle.cos() / (half_root * slope);
    let y = angle * (A1 + A2 * square + sixth * (A3 + A4 * square));
    [x * SCALE, -y * SCALE]
}

/// Cuts a ring along the antimeridian, so that no line crosses the picture; none for a ring around a pole.
pub fn cut_ring(ring: &[Point]) -> Option<Vec<Vec<Point>>> {
    let unrolled = unroll(ring);
    let (first, last) = (unrolled.first()?, unrolled.last()?);
    if (first[0] - last[0]).abs() > 180.0 {
        return None;
    }
    let pieces = [-360.0, 0.0, 360.0].map(|shift| {
        let eastern = clip(&unrolled, |longitude| longitude - (shift - 180.0));
        let strip = clip(&eastern, |longitude| (shift + 180.0) - longitude);
        strip.into_iter().map(|[longitude, latitude]| [longitude - shift, latitude]).collect::<Vec<_>>()
    });
    Some(pieces.into_iter().filter(|piece| area(piece) > NO_AREA).collect())
}

/// Area of a ring.
pub fn area(ring: &[Point]) -> f64 {
    let doubled: f64 = edges(ring).map(|([x1, y1], [x2, y2])| x1 * y2 - x2 * y1).sum();
    doubled.abs() / 2.0
}

/// Lets longitudes run on beyond 180 degrees where a ring crosses the antimeridian.
fn unroll(ring: &[Point]) -> Vec<Point> {
    let (mut shift, mut before) = (0.0, None);
    let next = |&[longitude, latitude]: &Point| {
        let step = longitude - before.unwrap_or(longitude);
        before = Some(longitude);
        if step.abs() > 180.0 {
            shift -= 360.0 * step.signum();
        }
        [longitude + shift, latitude]
    };
    ring.iter().map(next).collect()
}

/// Keeps the part of a ring where `inside` of the longitude is not negative (Sutherland and Hodgman).
fn clip(ring: &[Point], inside: impl Fn(f64) -> f64) -> Vec<Point> {
    let mut kept = vec![];
    for (from, to) in edges(ring) {
        let (start, end) = (inside(from[0]), inside(to[0]));
        if (start < 0.0) != (end < 0.0) {
            let share = start / (start - end);
            kept.push([from[0] + share * (to[0] - from[0]), from[1] + share * (to[1] - from[1])]);
        }
        if end >= 0.0 {
            kept.push(to);
        }
    }
    kept
}

/// Edges of a ring, with the one from its last point to its first.
fn edges(ring: &[Point]) -> impl Iterator<Item = (Point, Point)> {
    let ends = ring.iter().cycle().skip(1);
    ring.iter().zip(ends).map(|(from, to)| (*from, *to))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is_near(one: Point, other: Point) -> bool {
        one.iter().zip(other).all(|(one, other)| (one - other).abs() < 1e-3)
    }

    #[test]
    fn the_projection_has_the_published_extent() {
        assert!(is_near(project([0.0, 0.0]), [0.0, 0.0]));
        assert!(is_near(project([180.0, 0.0]), [2.706_629_98 * SCALE, 0.0]), "{:?}", project([180.0, 0.0]));
        assert!(is_near(project([0.0, 90.0]), [0.0, -1.317_362_76 * SCALE]), "{:?}", project([0.0, 90.0]));
    }

    #[test]
    fn the_projection_keeps_areas() {
        let box_at = |latitude: f64| {
            let corners = [[0.0, latitude], [1.0, latitude], [1.0, latitude + 1.0], [0.0, latitude + 1.0]];
            let on_the_globe = (latitude + 1.0).to_radians().sin() - latitude.to_radians().sin();
            area(&corners.map(project)) / on_the_globe
        };
        assert!((box_at(60.0) / box_at(0.0) - 1.0).abs() < 1e-2, "{} {}", box_at(60.0), box_at(0.0));
    }

    #[test]
    fn a_ring_across_the_antimeridian_becomes_one_piece_on_each_side() {
        let pieces = cut_ring(&[[170.0, 0.0], [-170.0, 0.0], [-170.0, 10.0], [170.0, 10.0], [170.0, 0.0]]).unwrap();
        let areas: Vec<f64> = pieces.iter().map(|piece| area(piece)).collect();
        assert_eq!(areas, [100.0, 100.0], "{pieces:?}");
        assert!(pieces.iter().flatten().all(|[longitude, _]| longitude.abs() <= 180.0), "{pieces:?}");
        let is_crossing = |piece: &Vec<Point>| edges(piece).any(|(from, to)| (from[0] - to[0]).abs() > 180.0);
        assert!(!pieces.iter().any(is_crossing), "{pieces:?}");
    }

    #[test]
    fn other_rings_stay_whole_and_a_ring_around_a_pole_is_left_out() {
        let square = [[10.0, 0.0], [20.0, 0.0], [20.0, 10.0], [10.0, 10.0]];
        let pieces = cut_ring(&square).unwrap();
        assert_eq!((pieces.len(), area(&pieces[0])), (1, 100.0));
        assert_eq!(cut_ring(&[[-180.0, -80.0], [-60.0, -70.0], [60.0, -70.0], [180.0, -80.0], [-180.0, -80.0]]), None);
    }
}
