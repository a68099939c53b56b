//! View model of the explorer: a filtered subgraph, its communities, and paths through it.

mod selection;
mod start;

use crate::{
    Engine, StoreResult,
    graph::{
        SubgraphQuery,
        communities::communities,
        paths::{FoundPath, PathQuery, find_paths},
    },
    pages::VisibleScope,
};
use domain::{
    EntityId,
    subgraph::{GraphEdge, GraphNode, Subgraph},
    user::User,
};
use std::collections::BTreeSet;
use views::graph::{ExplorerQuery, ExplorerView, GraphPath, PathStep};

impl Engine {
    /// Returns the strongest relationships around the seeds that pass the filters, and the paths that were asked for. Unknown
    /// seeds are left out.
    pub async fn explorer_view(&self, viewer: &User, mut query: ExplorerQuery) -> StoreResult<ExplorerView> {
        for words in [&mut query.words, &mut query.search, &mut query.target] {
            *words = self.search.query.text(words).into_string();
        }
        let visible = self.visible(viewer).await?;
        let config = &self.config.pages;
        if query.seeds.is_empty() {
            query.seeds = self.starting_seeds(viewer, &visible, &query).await?;
        }
        let dropped_seeds = query.seeds.len().saturating_sub(config.explorer_seeds);
        query.seeds.truncate(config.explorer_seeds);
        // One more than is shown or searched tells whether there are more.
        let max_read = if query.is_filtered() { config.explorer_read_edges } else { config.explorer_edges };
        let wanted = SubgraphQuery::new(query.seeds.clone(), max_read + 1);
        let mut graph =
            if query.seeds.is_empty() { Subgraph::default() } else { self.graph.subgraph(&visible.scope, &wanted).await? };
        let has_more = graph.edges.len() > max_read as usize;
        graph.edges.truncate(max_read as usize);
        if let Some(report) = query.report.filter(|_| !query.shows_all) {
            let claims = self.cited_claims(&visible, report).await?;
            let edges: Vec<_> = graph.edges.iter().map(|edge| edge.id).collect();
            selection::keep_stated(&mut graph, &self.graph.relationships(&visible.scope, &edges).await?, &claims);
        }
        let kinds: BTreeSet<String> = graph.nodes.iter().map(|node| node.kind.clone()).collect();
        let targets = self.resolve_target(&visible, &mut query, &graph).await?;
        let paths = self.paths(&visible, &query).await?;
        selection::filter(&mut graph, &query);
        let is_narrowed = selection::cut(&mut graph, &query, paths.as_deref().unwrap_or_default(), config);
        let target = self.target_name(&visible, &query, &graph).await?;
        Ok(ExplorerView {
            communities: communities(&graph),
            is_cut: is_narrowed || (has_more && !query.is_filtered()),
            read_edges: (has_more && query.is_filtered()).then_some(max_read),
            dropped_seeds,
            max_seeds: config.explorer_seeds,
            kinds: kinds.into_iter().collect(),
            max_hops: config.path_hops,
            query,
            graph,
            paths,
            targets,
            target,
            added: vec![],
        })
    }

    async fn paths(&self, visible: &VisibleScope, query: &ExplorerQuery) -> StoreResult<Option<Vec<GraphPath>>> {
        let (Some(from), Some(to)) = (query.seeds.first().copied(), query.to) else { return Ok(None) };
        let config = &self.config.pages;
        let wanted = PathQuery {
            from,
            to,
            max_hops: config.path_hops,
            max_paths: config.paths,
            words: self.search.query.text(&query.words),
            max_edges: config.path_edges,
        };
        let found = find_paths(&*self.graph, &visible.scope, &wanted).await?;
        Ok(Some(found.into_iter().filter_map(path).collect()))
    }

    /// Returns the name of the end of the paths, or what was typed.
    async fn target_name(&self, visible: &VisibleScope, query: &ExplorerQuery, graph: &Subgraph) -> StoreResult<String> {
        let Some(to) = query.to else { return Ok(query.target.clone()) };
        let shown = graph.nodes.iter().find(|node| node.id == to).cloned();
        let node: Option<GraphNode> = match shown {
            Some(node) => Some(node),
            None => self.nodes(visible, vec![to]).await?.pop(),
        };
        Ok(node.map(|node| node.name).unwrap_or_default())
    }
}

fn path(found: FoundPath) -> Option<GraphPath> {
    let mut nodes = found.nodes.into_iter();
    let start = nodes.next()?;
    let mut here: EntityId = start.id;
    let step = |(edge, node): (GraphEdge, _)| {
        let is_forward = edge.source == here;
        here = edge.other(here);
        PathStep { edge, is_forward, node }
    };
    let steps = found.edges.into_iter().zip(nodes).map(step).collect();
    Some(GraphPath { start, steps })
}
