//! View model of the explorer: a filtered subgraph, its communities, and paths through it.

use crate::{
    Engine, StoreResult,
    graph::{
        EntityQuery, SubgraphQuery,
        communities::communities,
        paths::{FoundPath, PathQuery, find_paths},
        search::search_entities,
        terms::terms,
    },
    pages::VisibleScope,
};
use domain::{
    EntityId,
    notification::ViewPage,
    subgraph::{GraphEdge, Subgraph},
    user::User,
};
use std::{
    cmp::Reverse,
    collections::{BTreeMap, HashSet},
};
use views::graph::{ExplorerQuery, ExplorerView, GraphPath, PathStep};

impl Engine {
    /// Returns the relationships around the seeds that pass the filters, and the paths that were asked for. Unknown seeds are left out.
    pub async fn explorer_view(&self, viewer: &User, mut query: ExplorerQuery) -> StoreResult<ExplorerView> {
        let visible = self.visible(viewer).await?;
        let config = &self.config.pages;
        if query.seeds.is_empty() {
            query.seeds = self.starting_seeds(&visible, &query).await?;
        }
        query.seeds.truncate(config.explorer_seeds);
        let wanted = SubgraphQuery::new(query.seeds.clone(), config.explorer_edges);
        let mut graph =
            if query.seeds.is_empty() { Subgraph::default() } else { self.graph.subgraph(&visible.scope, &wanted).await? };
        let is_cut = graph.edges.len() >= config.explorer_edges as usize;
        filter(&mut graph, &query);
        let paths = self.paths(&visible, &query).await?;
        let communities = communities(&graph);
        let views = self.watchlist.saved_views(viewer.id, ViewPage::Graph).await?;
        Ok(ExplorerView { query, graph, communities, is_cut, paths, max_hops: config.path_hops, views })
    }

    /// Returns the entities to start from: those that the evidence of an assessment speaks of most, or the best of a search.
    async fn starting_seeds(&self, visible: &VisibleScope, query: &ExplorerQuery) -> StoreResult<Vec<EntityId>> {
        let most = self.config.pages.explorer_start;
        if let Some(id) = query.assessment {
            let Some(stored) = self.assessments.assessment(&visible.scope, id).await? else { return Ok(vec![]) };
            let cited: Vec<_> = stored.assessment.citations.iter().map(|citation| citation.claim_id).collect();
            let mut counts: BTreeMap<EntityId, usize> = BTreeMap::new();
            for entity in self.graph.claims(&visible.scope, &cited).await?.into_iter().flat_map(|claim| claim.entity_ids) {
                *counts.entry(entity).or_default() += 1;
            }
            let mut entities: Vec<_> = counts.into_iter().collect();
            entities.sort_by_key(|(id, count)| (Reverse(*count), *id));
            return Ok(entities.into_iter().take(most).map(|(id, _)| id).collect());
        }
        let words = query.search.trim();
        if words.is_empty() {
            return Ok(vec![]);
        }
        let wanted = EntityQuery { text: Some(words.to_owned()), ..Default::default() };
        let found = search_entities(&*self.graph, None, &self.search, &visible.scope, wanted, most).await?;
        Ok(found.into_iter().map(|scored| scored.item.id).collect())
    }

    async fn paths(&self, visible: &VisibleScope, query: &ExplorerQuery) -> StoreResult<Option<Vec<GraphPath>>> {
        let (Some(from), Some(to)) = (query.seeds.first().copied(), query.to) else { return Ok(None) };
        let config = &self.config.pages;
        let wanted = PathQuery {
            from,
            to,
            max_hops: config.path_hops,
            max_paths: config.paths,
            words: query.words.clone(),
            max_edges: config.path_edges,
        };
        let found = find_paths(&*self.graph, &visible.scope, &wanted).await?;
        Ok(Some(found.into_iter().filter_map(path).collect()))
    }
}

fn path(found: FoundPath) -> Option<GraphPath> {
    let mut nodes = found.nodes.into_iter();
    let start = nodes.next()?;
    let mut here = start.id;
    let step = |(edge, node): (GraphEdge, _)| {
        let is_forward = edge.source == here;
        here = edge.other(here);
        PathStep { edge, is_forward, node }
    };
    let steps = found.edges.into_iter().zip(nodes).map(step).collect();
    Some(GraphPath { start, steps })
}

/// Returns whether claims that state the relationship were published in the period; without a period, always.
fn is_within(edge: &GraphEdge, query: &ExplorerQuery) -> bool {
    let begins = query.from.is_none_or(|from| edge.last_published.is_some_and(|last| last >= from.first_moment()));
    let ends = query.until.is_none_or(|until| edge.first_published.is_some_and(|first| first <= until.last_moment()));
    begins && ends
}

/// Keeps the relationships that pass the filters, and the entities that they join beside the seeds.
fn filter(graph: &mut Subgraph, query: &ExplorerQuery) {
    let wanted: HashSet<String> = terms(&query.words).into_iter().collect();
    let fits = |edge: &GraphEdge| {
        edge.claims >= query.min_claims
            && !(query.is_asserted_only && edge.is_only_alleged())
            && is_within(edge, query)
            && (wanted.is_empty() || terms(&edge.description).iter().any(|term| wanted.contains(term)))
    };
    graph.edges.retain(fits);
    let joined: HashSet<_> = graph.edges.iter().flat_map(|edge| [edge.source, edge.target]).collect();
    graph.nodes.retain(|node| joined.contains(&node.id) || query.seeds.contains(&node.id));
}
