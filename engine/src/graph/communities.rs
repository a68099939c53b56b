//! Communities of a subgraph, by the Louvain method.
//!
//! Source: V. Blondel and others, "Fast unfolding of communities in large networks", 2008, DOI 10.1088/1742-5468/2008/10/P10008.

use domain::subgraph::Subgraph;
use std::collections::{BTreeMap, HashMap};

/// Weighted undirected graph; `links[n]` are the neighbours of node `n` with the weight of the link, without loops.
struct Network {
    links: Vec<BTreeMap<usize, f64>>,
    /// Weight of the links inside a node, counted twice.
    loops: Vec<f64>,
}

/// Returns the community of each node, in the order of `graph.nodes`. Communities are numbered from 0, the largest first. A relationship
/// weighs as much as claims support it.
pub fn communities(graph: &Subgraph) -> Vec<u32> {
    let places: HashMap<_, usize> = graph.nodes.iter().enumerate().map(|(place, node)| (node.id, place)).collect();
    let mut network = Network::new(graph.nodes.len());
    for edge in &graph.edges {
        if let (Some(source), Some(target)) = (places.get(&edge.source), places.get(&edge.target)) {
            network.add(*source, *target, f64::from(edge.claims.max(1)));
        }
    }
    let mut community: Vec<usize> = (0..graph.nodes.len()).collect();
    loop {
        let moved = network.move_nodes();
        let (numbered, count) = number(&moved);
        if count == network.links.len() {
            return by_size(&community);
        }
        community.iter_mut().for_each(|place| *place = numbered[*place]);
        network = network.merged(&numbered, count);
    }
}

impl Network {
    fn new(nodes: usize) -> Self {
        Self { links: vec![BTreeMap::new(); nodes], loops: vec![0.0; nodes] }
    }

    fn add(&mut self, one: usize, other: usize, weight: f64) {
        if one == other {
            self.loops[one] += 2.0 * weight;
            return;
        }
        *self.links[one].entry(other).or_default() += weight;
        *self.links[other].entry(one).or_default() += weight;
    }

    fn degree(&self, node: usize) -> f64 {
        self.loops[node] + self.links[node].values().sum::<f64>()
    }

    /// Moves each node to the neighbouring community with the greatest gain of modularity, until none gains.
    fn move_nodes(&self) -> Vec<usize> {
        let degrees: Vec<f64> = (0..self.links.len()).map(|node| self.degree(node)).collect();
        let total: f64 = degrees.iter().sum();
        let mut community: Vec<usize> = (0..self.links.len()).collect();
        let mut weights = degrees.clone();
        let mut has_moved = total > 0.0;
        while has_moved {
            has_moved = false;
            for (node, links) in self.links.iter().enumerate() {
                let home = community[node];
                weights[home] -= degrees[node];
                let mut inside: BTreeMap<usize, f64> = BTreeMap::from([(home, 0.0)]);
                for (other, weight) in links {
                    *inside.entry(community[*other]).or_default() += weight;
                }
                let gain = |place: usize, inside: f64| inside - weights[place] * degrees[node] / total;
                let mut best = (home, gain(home, inside[&home]));
                for (place, weight) in &inside {
                    let gained = gain(*place, *weight);
                    // A tie keeps the node where it is, so that the loop ends.
                    if gained > best.1 + 1e-9 {
                        best = (*place, gained);
                    }
                }
                weights[best.0] += degrees[node];
                community[node] = best.0;
                has_moved |= best.0 != home;
            }
        }
        community
    }

    /// Returns the network whose nodes are the communities of this one.
    fn merged(&self, community: &[usize], count: usize) -> Self {
        let mut merged = Self::new(count);
        for (node, links) in self.links.iter().enumerate() {
            merged.loops[community[node]] += self.loops[node];
            for (other, weight) in links.iter().filter(|(other, _)| **other > node) {
                merged.add(community[node], community[*other], *weight);
            }
        }
        merged
    }
}

/// Numbers communities from 0 in the order of their first node, and returns how many there are.
fn number(community: &[usize]) -> (Vec<usize>, usize) {
    let mut numbers: HashMap<usize, usize> = HashMap::new();
    let numbered = community.iter().map(|place| {
        let next = numbers.len();
        *numbers.entry(*place).or_insert(next)
    });
    let numbered = numbered.collect();
    (numbered, numbers.len())
}

fn by_size(community: &[usize]) -> Vec<u32> {
    let mut sizes: BTreeMap<usize, usize> = BTreeMap::new();
    community.iter().for_each(|place| *sizes.entry(*place).or_default() += 1);
    let mut order: Vec<usize> = sizes.keys().copied().collect();
    order.sort_by_key(|place| (std::cmp::Reverse(sizes[place]), *place));
    let ranks: HashMap<usize, u32> = order.into_iter().zip(0..).collect();
    community.iter().map(|place| ranks[place]).collect()
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use domain::{
        EntityId, RelationshipId,
        subgraph::{GraphEdge, GraphNode},
    };
    use uuid::Uuid;

    pub fn graph(nodes: u128, links: &[(u128, u128)]) -> Subgraph {
        let id = |number: u128| EntityId(Uuid::from_u128(number));
        let node = |number| GraphNode { id: id(number), name: number.to_string(), kind: String::new(), claims: None };
        let edge = |(source, target): &(u128, u128)| GraphEdge {
            id: RelationshipId(Uuid::from_u128(source * 100 + target)),
            source: id(*source),
            target: id(*target),
            description: "knows".into(),
            weight: None,
            bidirectional: false,
            since: None,
            until: None,
            claims: 1,
            asserted: 1,
            first_published: None,
            last_published: None,
        };
        Subgraph { nodes: (0..nodes).map(node).collect(), edges: links.iter().map(edge).collect() }
    }

    #[test]
    fn two_groups_with_one_bridge_are_two_communities() {
        let links = [(0, 1), (1, 2), (0, 2), (2, 3), (3, 4), (4, 5), (3, 5), (5, 6), (3, 6)];
        assert_eq!(communities(&graph(7, &links)), [1, 1, 1, 0, 0, 0, 0]);
    }

    #[test]
    fn nodes_without_links_are_communities_of_their_own() {
        assert_eq!(communities(&graph(3, &[(1, 2)])), [1, 0, 0]);
        assert_eq!(communities(&graph(0, &[])), Vec::<u32>::new());
    }
}
