//! Paths between two entities: a breadth-first search from both ends, one read per hop.

use super::{Graph, SubgraphQuery, terms::terms};
use crate::StoreResult;
use async_trait::async_trait;
use domain::{
    EntityId, QueryText, Scope,
    subgraph::{GraphEdge, GraphNode, Subgraph},
};
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet, VecDeque};

/// Query of the shortest paths between two entities.
#[derive(Debug, Clone)]
pub struct PathQuery {
    pub from: EntityId,
    pub to: EntityId,
    /// Maximum number of relationships of a path.
    pub max_hops: u32,
    /// Maximum number of paths.
    pub max_paths: usize,
    /// Words of a description, any of which every relationship of a path must contain; empty: all relationships.
    pub words: QueryText,
    /// Maximum number of relationships read per hop, strongest first.
    pub max_edges: u32,
}

/// Path between two entities, as the ids of its nodes and the relationships between them.
#[derive(Debug, Clone, PartialEq)]
pub struct FoundPath {
    pub nodes: Vec<GraphNode>,
    /// One less than `nodes`; each joins two neighbours, in either direction.
    pub edges: Vec<GraphEdge>,
}

/// Returns the shortest paths: fewest relationships first, then strongest (by the number of claims of its weakest relationship), then by
/// the names on the way. Between two entities that are linked several times, the relationship with the most claims counts.
pub async fn find_paths(graph: &dyn Graph, scope: &Scope, query: &PathQuery) -> StoreResult<Vec<FoundPath>> {
    find_paths_in(&ScopedGraph { graph, scope }, query).await
}

/// Part of a graph in which paths are sought. A relationship that it leaves out takes no place among the paths found.
#[async_trait]
pub trait PathSource: Sync {
    async fn subgraph(&self, query: &SubgraphQuery) -> StoreResult<Subgraph>;
}

struct ScopedGraph<'a> {
    graph: &'a dyn Graph,
    scope: &'a Scope,
}

#[async_trait]
impl PathSource for ScopedGraph<'_> {
    async fn subgraph(&self, query: &SubgraphQuery) -> StoreResult<Subgraph> {
        self.graph.subgraph(self.scope, query).await
    }
}

/// Returns the shortest paths through a part of a graph, in the order of `find_paths`.
pub async fn find_paths_in(source: &dyn PathSource, query: &PathQuery) -> StoreResult<Vec<FoundPath>> {
    let wanted: HashSet<String> = terms(&query.words).into_iter().collect();
    let mut found = PathSearch::default();
    let mut frontiers = [BTreeSet::from([query.from]), BTreeSet::from([query.to])];
    let mut seen = [HashSet::from([query.from]), HashSet::from([query.to])];
    // The smaller frontier is expanded, so that two hops from each end cover four.
    for _ in 0..query.max_hops {
        let side = usize::from(frontiers[1].len() < frontiers[0].len());
        if frontiers[side].is_empty() {
            break;
        }
        let seeds = frontiers[side].iter().copied().collect();
        let part = source.subgraph(&SubgraphQuery::new(seeds, query.max_edges)).await?;
        let edges = part.edges.into_iter();
        found.add(
            part.nodes,
            edges.filter(|edge| wanted.is_empty() || terms(&edge.description).iter().any(|term| wanted.contains(term))),
        );
        let next =
            frontiers[side].iter().flat_map(|node| found.neighbours(*node)).filter(|node| seen[side].insert(*node)).collect();
        frontiers[side] = next;
        // After so many steps from both ends, every path of as many hops is known.
        let paths = found.shortest(query);
        if paths.len() >= query.max_paths {
            return Ok(paths);
        }
    }
    Ok(found.shortest(query))
}

/// Nodes and relationships read so far.
#[derive(Default)]
struct PathSearch {
    nodes: HashMap<EntityId, GraphNode>,
    /// The best relationship of each pair.
    edges: HashMap<(EntityId, EntityId), GraphEdge>,
    links: HashMap<EntityId, BTreeSet<EntityId>>,
}

impl PathSearch {
    fn add(&mut self, nodes: Vec<GraphNode>, edges: impl Iterator<Item = GraphEdge>) {
        self.nodes.extend(nodes.into_iter().map(|node| (node.id, node)));
        for edge in edges {
            self.links.entry(edge.source).or_default().insert(edge.target);
            self.links.entry(edge.target).or_default().insert(edge.source);
            let pair = edge.pair();
            match self.edges.get(&pair) {
                Some(known) if (known.claims, &edge.description) >= (edge.claims, &known.description) => {}
                _ => {
                    self.edges.insert(pair, edge);
                }
            }
        }
    }

    fn neighbours(&self, node: EntityId) -> impl Iterator<Item = EntityId> + '_ {
        self.links.get(&node).into_iter().flatten().copied()
    }

    /// Returns the number of hops from every node to `to`.
    fn distances(&self, to: EntityId) -> HashMap<EntityId, u32> {
        let mut distances = HashMap::from([(to, 0)]);
        let mut queue = VecDeque::from([to]);
        while let Some(node) = queue.pop_front() {
            let next = distances[&node] + 1;
            for other in self.neighbours(node) {
                distances.entry(other).or_insert_with(|| {
                    queue.push_back(other);
                    next
                });
            }
        }
        distances
    }

    /// Lengthens paths step by step, keeping those that can still arrive in time.
    fn shortest(&self, query: &PathQuery) -> Vec<FoundPath> {
        let distances = self.distances(query.to);
        let mut complete: BTreeMap<u32, Vec<FoundPath>> = BTreeMap::new();
        let mut open = vec![vec![query.from]];
        for hops in 0..=query.max_hops {
            let (arrived, going): (Vec<_>, Vec<_>) = open.into_iter().partition(|path| path.last() == Some(&query.to));
            let arrived: Vec<FoundPath> = arrived.iter().filter_map(|path| self.path(path)).collect();
            if !arrived.is_empty() {
                complete.insert(hops, arrived);
            }
            let left = query.max_hops - hops;
            open = going.iter().flat_map(|path| self.lengthened(path, left, &distances)).take(MAX_OPEN).collect();
        }
        let mut paths: Vec<FoundPath> = Vec::new();
        for (_, mut of_length) in complete {
            of_length.sort_by_key(|path| {
                let weakest = path.edges.iter().map(|edge| edge.claims).min();
                (std::cmp::Reverse(weakest), path.nodes.iter().map(|node| node.name.clone()).collect::<Vec<_>>())
            });
            paths.extend(of_length);
        }
        paths.truncate(query.max_paths);
        paths
    }

    fn lengthened<'a>(
        &'a self,
        path: &'a [EntityId],
        left: u32,
        distances: &'a HashMap<EntityId, u32>,
    ) -> impl Iterator<Item = Vec<EntityId>> + 'a {
        let last = path.last().copied();
        last.into_iter()
            .flat_map(|node| self.neighbours(node))
            .filter(move |next| !path.contains(next) && distances.get(next).is_some_and(|hops| *hops < left))
            .map(move |next| path.iter().copied().chain([next]).collect())
    }

    fn path(&self, ids: &[EntityId]) -> Option<FoundPath> {
        let nodes = ids.iter().map(|id| self.nodes.get(id).cloned()).collect::<Option<Vec<_>>>()?;
        let pair = |ends: &[EntityId]| self.edges.get(&(ends[0].min(ends[1]), ends[0].max(ends[1]))).cloned();
        let edges = ids.windows(2).map(pair).collect::<Option<Vec<_>>>()?;
        Some(FoundPath { nodes, edges })
    }
}

/// Maximum number of unfinished paths that are followed at once.
const MAX_OPEN: usize = 20_000;

#[cfg(test)]
mod tests {
    use super::*;
    use domain::RelationshipId;
    use uuid::Uuid;

    /// Links of numbered entities; those whose description is not `wanted` are left out.
    struct Links {
        links: Vec<(u128, u128, &'static str)>,
        wanted: &'static str,
    }

    fn entity(n: u128) -> EntityId {
        EntityId(Uuid::from_u128(n))
    }

    #[async_trait]
    impl PathSource for Links {
        async fn subgraph(&self, query: &SubgraphQuery) -> StoreResult<Subgraph> {
            let is_near = |n: u128| query.seeds.contains(&entity(n));
            let near = self.links.iter().filter(|(a, b, text)| *text == self.wanted && (is_near(*a) || is_near(*b)));
            let edge = |(a, b, text): &(u128, u128, &str)| GraphEdge {
                id: RelationshipId(Uuid::from_u128(a * 100 + b)),
                source: entity(*a),
                target: entity(*b),
                description: (*text).to_owned(),
                weight: None,
                bidirectional: false,
                claims: 1,
                asserted: 1,
                since: None,
                until: None,
                first_published: None,
                last_published: None,
            };
            let node = |n| GraphNode { id: entity(n), name: n.to_string(), kind: "thing".into(), claims: None };
            Ok(Subgraph { nodes: (0..9).map(node).collect(), edges: near.map(edge).collect() })
        }
    }

    #[tokio::test]
    async fn omitted_relationships_do_not_count_among_the_best_paths() {
        let links =
            vec![(0, 1, "old"), (1, 8, "old"), (0, 2, "old"), (2, 8, "old"), (0, 3, "new"), (3, 4, "new"), (4, 8, "new")];
        let query =
            PathQuery { from: entity(0), to: entity(8), max_hops: 4, max_paths: 1, words: QueryText::default(), max_edges: 9 };
        let found = find_paths_in(&Links { links, wanted: "new" }, &query).await.unwrap();
        let names: Vec<_> = found.iter().map(|path| path.nodes.iter().map(|node| &*node.name).collect::<String>()).collect();
        assert_eq!(names, ["0348"]);
    }
}
