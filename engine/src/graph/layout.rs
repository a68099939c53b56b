//! Layout of a large subgraph: each community is a disc of its entities, and the discs lie side by side without overlap.
//!
//! Deterministic, and in time proportional to the entities plus the square of the communities.

use domain::subgraph::Subgraph;
use std::f64::consts::PI;

/// Distance between neighbouring entities, in the units of the picture.
const SPACING: f64 = 46.0;
/// Angle between successive entities of a disc, which spreads them evenly (the golden angle).
const GOLDEN_ANGLE: f64 = PI * (3.0 - 2.236_067_977_499_79);

/// Returns the position of each node: `communities` holds the community of each, numbered from 0. Entities with the most relationships
/// lie in the middle of their disc, the largest community in the middle of the picture.
pub fn positions(graph: &Subgraph, communities: &[u32]) -> Vec<(f64, f64)> {
    let degrees = graph.degrees();
    let degree = |place: usize| graph.nodes.get(place).and_then(|node| degrees.get(&node.id)).copied().unwrap_or_default();
    let count = communities.iter().max().map_or(0, |last| *last as usize + 1);
    let mut members: Vec<Vec<usize>> = vec![vec![]; count];
    for (place, community) in communities.iter().enumerate() {
        members[*community as usize].push(place);
    }
    let mut positions = vec![(0.0, 0.0); communities.len()];
    let mut discs: Vec<Disc> = Vec::with_capacity(count);
    for mut community in members {
        community.sort_by_key(|place| (std::cmp::Reverse(degree(*place)), *place));
        let disc = Disc::beside(&discs, community.len());
        for (rank, place) in community.into_iter().enumerate() {
            let (radius, angle) = (SPACING * (rank as f64).sqrt(), GOLDEN_ANGLE * rank as f64);
            positions[place] = (disc.x + radius * angle.cos(), disc.y + radius * angle.sin());
        }
        discs.push(disc);
    }
    positions
}

/// Place of a community.
struct Disc {
    x: f64,
    y: f64,
    radius: f64,
}

impl Disc {
    /// Returns a disc for so many entities at the first place of a spiral that overlaps no other disc.
    fn beside(others: &[Self], entities: usize) -> Self {
        let mut disc = Self { x: 0.0, y: 0.0, radius: SPACING * ((entities as f64).sqrt() + 1.0) };
        let mut angle = 0.0_f64;
        while others.iter().any(|other| disc.overlaps(other)) {
            angle += 0.3;
            let distance = SPACING * angle;
            (disc.x, disc.y) = (distance * angle.cos(), distance * angle.sin());
        }
        disc
    }

    fn overlaps(&self, other: &Self) -> bool {
        (self.x - other.x).hypot(self.y - other.y) < self.radius + other.radius
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::graph::communities::tests::graph;

    #[test]
    fn no_two_entities_share_a_place_and_communities_stay_apart() {
        let communities: Vec<u32> = (0..400).map(|place| if place < 200 { 0 } else { 1 + place % 7 }).collect();
        let links: Vec<(u128, u128)> = (0..400).flat_map(|place| (0..place % 11).map(move |other| (place, other))).collect();
        let graph = graph(400, &links);
        let found = positions(&graph, &communities);
        for (place, a) in found.iter().enumerate() {
            for (other, b) in found.iter().enumerate().skip(place + 1) {
                let distance = (a.0 - b.0).hypot(a.1 - b.1);
                let least = if communities[place] == communities[other] { SPACING * 0.5 } else { SPACING };
                assert!(distance > least, "{place} and {other}: {distance}");
            }
        }
        assert_eq!(positions(&graph, &communities), found);
        assert_eq!(found[0], (0.0, 0.0), "the entity with the most relationships is in the middle");
        assert_eq!(positions(&Subgraph::default(), &[]), []);
    }
}
