//! Relationships and entities that the explorer shows: those that pass the filters, then the strongest of them.

use crate::{graph::terms::terms, pages::PagesConfig};
use domain::{
    ClaimId, EntityId, RelationshipId,
    claim::{Claim, Mode},
    relationship::Relationship,
    subgraph::{GraphEdge, GraphNode, Subgraph},
};
use std::collections::{HashMap, HashSet};
use views::graph::{ExplorerQuery, GraphPath};

/// Keeps the relationships that pass the filters.
pub(super) fn filter(graph: &mut Subgraph, query: &ExplorerQuery) {
    let wanted: HashSet<String> = terms(&query.words).into_iter().collect();
    let left_out: HashSet<EntityId> = graph.nodes.iter().filter(|node| !is_shown(node, query)).map(|node| node.id).collect();
    graph.edges.retain(|edge| {
        edge.claims >= query.min_claims
            && is_strong_enough(edge, query)
            && !(query.is_asserted_only && edge.is_unasserted())
            && is_within(edge, query)
            && !left_out.contains(&edge.source)
            && !left_out.contains(&edge.target)
            && (wanted.is_empty() || terms(&edge.description).iter().any(|term| wanted.contains(term)))
    });
}

/// Keeps the relationships that some of the claims state, counting these claims alone, and the entities that the claims are about.
pub(super) fn keep_stated(graph: &mut Subgraph, relationships: &[Relationship], claims: &[Claim]) {
    let claims: HashMap<ClaimId, &Claim> = claims.iter().map(|claim| (claim.id, claim)).collect();
    let evidence: HashMap<RelationshipId, &[ClaimId]> = relationships.iter().map(|one| (one.id, &one.claim_ids[..])).collect();
    graph.edges.retain_mut(|edge| {
        let stating = evidence.get(&edge.id).into_iter().copied().flatten().filter_map(|id| claims.get(id));
        let stating: Vec<&&Claim> = stating.collect();
        let published = || stating.iter().filter_map(|claim| claim.published).map(|published| published.value);
        edge.claims = u32::try_from(stating.len()).unwrap_or(u32::MAX);
        edge.asserted = u32::try_from(stating.iter().filter(|claim| claim.mode == Mode::Asserted).count()).unwrap_or(u32::MAX);
        (edge.first_published, edge.last_published) = (published().min(), published().max());
        !stating.is_empty()
    });
    let mut named: HashSet<EntityId> = claims.values().flat_map(|claim| claim.entity_ids.iter().copied()).collect();
    named.extend(graph.joined());
    graph.nodes.retain(|node| named.contains(&node.id));
}

/// Returns whether an entity is not hidden, and of the kind asked for unless it is a seed.
fn is_shown(node: &GraphNode, query: &ExplorerQuery) -> bool {
    let is_of_kind = query.kind.is_empty() || node.kind == query.kind || query.seeds.contains(&node.id);
    is_of_kind && !query.hidden.contains(&node.id)
}

fn is_strong_enough(edge: &GraphEdge, query: &ExplorerQuery) -> bool {
    let least = f64::from(query.min_strength_percent) / 100.0;
    query.min_strength_percent == 0 || edge.weight.is_some_and(|weight| weight + 1e-6 >= least)
}

/// Returns whether claims that state the relationship were published in the period; without a period, always.
fn is_within(edge: &GraphEdge, query: &ExplorerQuery) -> bool {
    let begins = query.from.is_none_or(|from| edge.last_published.is_some_and(|last| last >= from.first_moment()));
    let ends = query.until.is_none_or(|until| edge.first_published.is_some_and(|first| first <= until.last_moment()));
    begins && ends
}

/// Adds the paths, and keeps at most the maximum of entities and relationships: seeds and paths, then the strongest. Returns
/// whether some were left out.
///
/// Invariant: both ends of every relationship are among the entities.
pub(super) fn cut(graph: &mut Subgraph, query: &ExplorerQuery, paths: &[GraphPath], config: &PagesConfig) -> bool {
    add_paths(graph, query, paths);
    let on_path: HashSet<_> = paths.iter().flat_map(|path| &path.steps).map(|step| step.edge.id).collect();
    let (mut kept, rest): (Vec<GraphEdge>, Vec<GraphEdge>) =
        std::mem::take(&mut graph.edges).into_iter().partition(|edge| on_path.contains(&edge.id));
    let mut entities: HashSet<EntityId> = query.seeds.iter().copied().filter(|seed| !query.hidden.contains(seed)).collect();
    entities.extend(kept.iter().flat_map(|edge| [edge.source, edge.target]));
    let mut is_cut = false;
    for edge in rest {
        let ends = HashSet::from([edge.source, edge.target]);
        let new = ends.iter().filter(|end| !entities.contains(end)).count();
        if kept.len() >= config.explorer_edges as usize || entities.len() + new > config.explorer_nodes {
            is_cut = true;
            continue;
        }
        entities.extend(ends);
        kept.push(edge);
    }
    graph.edges = kept;
    graph.nodes.retain(|node| entities.contains(&node.id));
    is_cut
}

/// Adds what the paths lead through, without what is hidden.
fn add_paths(graph: &mut Subgraph, query: &ExplorerQuery, paths: &[GraphPath]) {
    let mut nodes: HashMap<EntityId, &GraphNode> = HashMap::new();
    for path in paths {
        nodes.extend(std::iter::once(&path.start).chain(path.steps.iter().map(|step| &step.node)).map(|node| (node.id, node)));
    }
    let known: HashSet<EntityId> = graph.nodes.iter().map(|node| node.id).collect();
    let mut missing: Vec<GraphNode> = nodes.into_values().filter(|node| !known.contains(&node.id)).cloned().collect();
    missing.sort_by(|a, b| (&a.name, a.id).cmp(&(&b.name, b.id)));
    graph.nodes.extend(missing);
    let mut drawn: HashSet<_> = graph.edges.iter().map(|edge| edge.id).collect();
    for step in paths.iter().flat_map(|path| &path.steps) {
        let is_hidden = query.hidden.contains(&step.edge.source) || query.hidden.contains(&step.edge.target);
        if !is_hidden && drawn.insert(step.edge.id) {
            graph.edges.push(step.edge.clone());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use domain::{
        CollectionId, DocumentId, Timestamp,
        claim::{Attribution, Information, Span},
    };
    use uuid::Uuid;

    fn entity(number: u128) -> EntityId {
        EntityId(Uuid::from_u128(number))
    }

    fn edge(number: u128, source: u128, target: u128) -> GraphEdge {
        GraphEdge {
            id: RelationshipId(Uuid::from_u128(number)),
            source: entity(source),
            target: entity(target),
            description: if number.is_multiple_of(2) { "pays".into() } else { "owns".into() },
            weight: Some(1.0 - f64::from(u32::try_from(number).unwrap()) / 10_000.0),
            bidirectional: false,
            since: None,
            until: None,
            claims: 1,
            asserted: 1,
            first_published: None,
            last_published: None,
        }
    }

    fn node(number: u128, kind: &str) -> GraphNode {
        GraphNode { id: entity(number), name: format!("{number:05}"), kind: kind.into(), claims: None }
    }

    /// A hub, 0, with `count` neighbours: number 1 is the one most strongly linked, and the last by name.
    fn star(count: u128) -> Subgraph {
        let nodes = std::iter::once(node(0, "company")).chain((1..=count).rev().map(|number| node(number, "person")));
        Subgraph { nodes: nodes.collect(), edges: (1..=count).map(|number| edge(number, 0, number)).collect() }
    }

    fn from_hub() -> ExplorerQuery {
        ExplorerQuery { seeds: vec![entity(0)], ..Default::default() }
    }

    #[test]
    fn the_strongest_are_kept_with_both_ends() {
        let mut graph = star(2_000);
        let config = PagesConfig::default();
        assert!(cut(&mut graph, &from_hub(), &[], &config));
        assert_eq!((graph.nodes.len(), graph.edges.len()), (1_500, 1_499));
        let nodes: HashSet<_> = graph.nodes.iter().map(|node| node.id).collect();
        assert!(graph.edges.iter().all(|edge| nodes.contains(&edge.source) && nodes.contains(&edge.target)));
        assert!(nodes.contains(&entity(1_499)) && !nodes.contains(&entity(1_500)), "strongest first");
        let mut small = star(3);
        assert!(!cut(&mut small, &from_hub(), &[], &config));
        assert_eq!(small.nodes.len(), 4);
    }

    #[test]
    fn filters_narrow_before_the_cut() {
        let mut graph = star(2_000);
        let config = PagesConfig { explorer_edges: 10, ..Default::default() };
        let query = ExplorerQuery { words: "pays".into(), min_strength_percent: 85, ..from_hub() };
        filter(&mut graph, &query);
        assert_eq!(graph.edges.len(), 750, "every second one down to 0.85");
        assert!(cut(&mut graph, &query, &[], &config));
        assert_eq!((graph.nodes.len(), graph.edges.len()), (11, 10));
    }

    #[test]
    fn kinds_and_hidden_entities_are_left_out() {
        let mut graph = star(3);
        graph.nodes[1].kind = "outlet".into();
        let query = ExplorerQuery { kind: "person".into(), hidden: vec![entity(2)], ..from_hub() };
        filter(&mut graph, &query);
        cut(&mut graph, &query, &[], &PagesConfig::default());
        assert_eq!(graph.nodes.iter().map(|node| node.id).collect::<Vec<_>>(), [entity(0), entity(1)]);
    }

    #[test]
    fn a_report_shows_what_its_citations_state_and_counts_them_alone() {
        let id = |number| ClaimId(Uuid::from_u128(number));
        let claim = |number: u128, mode: Mode, about: &[u128]| Claim {
            id: id(number),
            document_id: DocumentId(Uuid::from_u128(1)),
            collection_id: CollectionId(Uuid::from_u128(2)),
            content: String::new(),
            quote: String::new(),
            span: Span { start: 0, end: 0 },
            published: None,
            occurred: None,
            ingested_at: Timestamp::from_micros(0),
            attribution: Attribution::Primary,
            information: Information::Assertion,
            speaker: None,
            mode,
            language: None,
            content_hash: String::new(),
            outlet_id: None,
            entity_ids: about.iter().map(|number| entity(*number)).collect(),
        };
        let stated_by = |number: u128, claims: &[u128]| Relationship {
            id: RelationshipId(Uuid::from_u128(number)),
            source_id: entity(0),
            target_id: entity(number),
            description: String::new(),
            weight: None,
            confidence: None,
            bidirectional: false,
            timestamp: None,
            since: None,
            until: None,
            claim_ids: claims.iter().map(|number| id(*number)).collect(),
        };
        let mut graph = star(4);
        graph.edges[0].claims = 9;
        let cited = [claim(11, Mode::Alleged, &[0, 1]), claim(12, Mode::Asserted, &[3])];
        keep_stated(&mut graph, &[stated_by(1, &[10, 11]), stated_by(2, &[13]), stated_by(4, &[14])], &cited);
        let nodes: Vec<_> = graph.nodes.iter().map(|node| node.id).collect();
        assert_eq!(nodes, [entity(0), entity(3), entity(1)], "the third is cited without a link");
        let edges: Vec<_> = graph.edges.iter().map(|edge| (edge.target, edge.claims, edge.asserted)).collect();
        assert_eq!(edges, [(entity(1), 1, 0)]);
    }

    #[test]
    fn paths_are_always_shown() {
        let far = edge(3_001, 1, 9_999);
        let steps = vec![
            views::graph::PathStep { edge: edge(1, 0, 1), is_forward: true, node: node(1, "person") },
            views::graph::PathStep { edge: far.clone(), is_forward: true, node: node(9_999, "person") },
        ];
        let path = GraphPath { start: node(0, "company"), steps };
        let mut graph = star(50);
        let config = PagesConfig { explorer_edges: 5, ..Default::default() };
        assert!(cut(&mut graph, &from_hub(), &[path], &config));
        assert_eq!(graph.edges.len(), 5);
        assert!(graph.edges.contains(&far) && graph.nodes.contains(&node(9_999, "person")));
    }
}
