//! Tools that explore the graph around entities: paths, groups, and time. They use the investigation's scope.

use super::{
    GatewayToken, Tool, ToolContext, ToolError, ToolOffer, ToolReply,
    find::{Names, no_entity},
};
use crate::{
    StoreResult,
    graph::{
        ClaimOrder, ClaimQuery, ClaimTime, SubgraphQuery,
        communities::communities,
        paths::{FoundPath, PathQuery, PathSource, find_paths_in},
    },
    investigations::period,
};
use async_trait::async_trait;
use domain::{
    EntityId, RelationshipId,
    claim::{Claim, Mode},
    relationship::Relationship,
    subgraph::{GraphEdge, GraphNode, Subgraph},
};
use protocol::{
    refs::RefKind,
    tools::{
        EntityName, EntityTimeline, FindPaths, GetEntityTimeline, GetNeighbourhood, GroupLink, Neighbourhood,
        NeighbourhoodGroup, PathsFound, RelationshipFound, RelationshipView, TimelineMonth, TimelineTime,
    },
};
use std::{
    cmp::Reverse,
    collections::{BTreeMap, HashMap},
};

/// Entities shown of a group, and relationships within it.
const GROUP_ENTITIES: usize = 8;
const GROUP_LINKS: usize = 4;
/// Entities whose own relationships are looked at around the first one.
const SPREAD: usize = 30;

pub struct FindPathsTool;

#[async_trait]
impl Tool for FindPathsTool {
    type Input = FindPaths;
    const NAME: &'static str = "find_paths";
    const NARROWEST_OFFER: ToolOffer = ToolOffer::Final;
    const TAINTED: bool = true;

    async fn run(&self, _: GatewayToken, context: &ToolContext<'_>, input: FindPaths) -> Result<ToolReply, ToolError> {
        let (engine, scope) = (context.engine, &context.investigation.scope);
        let config = &engine.config.pages;
        let query = PathQuery {
            from: input.source_entity_id,
            to: input.target_entity_id,
            max_hops: input.max_hops.unwrap_or(config.path_hops).clamp(1, config.path_hops),
            max_paths: context.items(None) as usize,
            words: engine.search.query.text(&input.description_query.unwrap_or_default()),
            max_edges: config.path_edges,
        };
        let found = find_paths_in(&GraphOfPeriod(context), &query).await?;
        let edges: Vec<RelationshipId> = found.iter().flat_map(|path| &path.edges).map(|edge| edge.id).collect();
        let loaded = if edges.is_empty() { vec![] } else { engine.graph.relationships(scope, &edges).await? };
        let loaded = period::relationships(engine, context.investigation, loaded).await?;
        let loaded: HashMap<RelationshipId, Relationship> = loaded.into_iter().map(|one| (one.id, one)).collect();
        let ids: Vec<EntityId> = found.iter().flat_map(|path| &path.nodes).map(|node| node.id).collect();
        let names = Names::load(context, ids.iter().copied()).await?;
        let mut entities: Vec<EntityName> = vec![];
        for name in ids.into_iter().filter_map(|id| names.get(context, id)) {
            if !entities.contains(&name) {
                entities.push(name);
            }
        }
        let paths = found.into_iter().map(|path| steps(path, &loaded, context)).collect();
        ToolReply::json(&PathsFound { paths, entities })
    }
}

/// The graph that an investigation sees, with evidence of its period alone.
struct GraphOfPeriod<'a>(&'a ToolContext<'a>);

#[async_trait]
impl PathSource for GraphOfPeriod<'_> {
    async fn subgraph(&self, query: &SubgraphQuery) -> StoreResult<Subgraph> {
        let Self(context) = self;
        let found = context.engine.graph.subgraph(&context.investigation.scope, query).await?;
        period::subgraph(context.engine, context.investigation, found).await
    }
}

/// Returns the relationships of a path, in its order.
fn steps(path: FoundPath, loaded: &HashMap<RelationshipId, Relationship>, context: &ToolContext<'_>) -> Vec<RelationshipFound> {
    let reference = |id: EntityId| context.refs.give(RefKind::Entity, id);
    let step = |edge: GraphEdge| {
        let relationship = loaded.get(&edge.id)?.clone();
        Some(RelationshipFound {
            source: reference(edge.source),
            target: reference(edge.target),
            bidirectional: edge.bidirectional,
            relationship: RelationshipView::new(relationship, &context.refs),
        })
    };
    path.edges.into_iter().filter_map(step).collect()
}

pub struct GetNeighbourhoodTool;

#[async_trait]
impl Tool for GetNeighbourhoodTool {
    type Input = GetNeighbourhood;
    const NAME: &'static str = "get_neighbourhood";
    const NARROWEST_OFFER: ToolOffer = ToolOffer::Final;
    const TAINTED: bool = true;

    async fn run(&self, _: GatewayToken, context: &ToolContext<'_>, input: GetNeighbourhood) -> Result<ToolReply, ToolError> {
        let (engine, scope) = (context.engine, &context.investigation.scope);
        let config = &engine.config.pages;
        let around = SubgraphQuery::new(vec![input.entity_id], config.entity_relationships);
        let near = period::subgraph(engine, context.investigation, engine.graph.subgraph(scope, &around).await?).await?;
        if near.nodes.is_empty() {
            return Err(no_entity(input.entity_id));
        }
        // Seeds come first, the others by name: the strongest relationships say which of them are near.
        let mut seeds = vec![near.nodes[0].id];
        for edge in &near.edges {
            let other = edge.other(near.nodes[0].id);
            if !seeds.contains(&other) && seeds.len() <= SPREAD {
                seeds.push(other);
            }
        }
        let graph = engine.graph.subgraph(scope, &SubgraphQuery::new(seeds, config.explorer_edges)).await?;
        let graph = period::subgraph(engine, context.investigation, graph).await?;
        let groups = groups(&graph, context.items(input.limit) as usize, context);
        let (entities, relationships) = (graph.nodes.len() as u64, graph.edges.len() as u64);
        ToolReply::json(&Neighbourhood { entities, relationships, groups })
    }
}

/// Returns the largest communities of a subgraph.
fn groups(graph: &Subgraph, most: usize, context: &ToolContext<'_>) -> Vec<NeighbourhoodGroup> {
    let of: HashMap<EntityId, u32> = graph.nodes.iter().map(|node| node.id).zip(communities(graph)).collect();
    let degrees = graph.degrees();
    let mut members: BTreeMap<u32, Vec<&GraphNode>> = BTreeMap::new();
    for node in &graph.nodes {
        members.entry(of[&node.id]).or_default().push(node);
    }
    let reference = |id: EntityId| context.refs.give(RefKind::Entity, id);
    let group = |(community, mut nodes): (u32, Vec<&GraphNode>)| {
        nodes.sort_by_key(|node| (Reverse(degrees.get(&node.id).copied().unwrap_or_default()), node.name.clone()));
        let more = nodes.len().saturating_sub(GROUP_ENTITIES) as u64;
        let name =
            |node: &GraphNode| EntityName { reference: reference(node.id), name: node.name.clone(), kind: node.kind.clone() };
        let inside = |edge: &&GraphEdge| of.get(&edge.source) == Some(&community) && of.get(&edge.target) == Some(&community);
        let link = |edge: &GraphEdge| GroupLink {
            source: reference(edge.source),
            target: reference(edge.target),
            description: edge.description.clone(),
            claims: edge.claims,
        };
        NeighbourhoodGroup {
            entities: nodes.into_iter().take(GROUP_ENTITIES).map(name).collect(),
            more,
            strongest: graph.edges.iter().filter(inside).take(GROUP_LINKS).map(link).collect(),
        }
    };
    members.into_iter().take(most).map(group).collect()
}

pub struct GetEntityTimelineTool;

#[async_trait]
impl Tool for GetEntityTimelineTool {
    type Input = GetEntityTimeline;
    const NAME: &'static str = "get_entity_timeline";
    const NARROWEST_OFFER: ToolOffer = ToolOffer::Final;
    const TAINTED: bool = true;

    async fn run(&self, _: GatewayToken, context: &ToolContext<'_>, input: GetEntityTimeline) -> Result<ToolReply, ToolError> {
        let (engine, scope) = (context.engine, &context.investigation.scope);
        let (order, time) = match input.by {
            TimelineTime::Occurred => (ClaimOrder::OccurredOldestFirst, ClaimTime::Occurred),
            TimelineTime::Published => (ClaimOrder::OldestFirst, ClaimTime::Published),
        };
        let most = context.items(None);
        let query = ClaimQuery {
            entity_id: Some(input.entity_id),
            published_after: input.published_after,
            published_before: input.published_before,
            order,
            candidates: most,
            ..ClaimQuery::default()
        };
        let query = query.within(&context.investigation.terms.period);
        let claims: Vec<Claim> =
            engine.graph.find_claims(scope, &query).await?.into_iter().map(|candidate| candidate.item).collect();
        let is_cut = claims.len() >= most as usize;
        let (mut months, mut undated): (Vec<TimelineMonth>, u64) = (vec![], 0);
        for claim in claims {
            let Some(month) = time.month(&claim) else {
                undated += 1;
                continue;
            };
            // A year begins when its January does, so claims of the two alternate.
            let at = months.iter().rposition(|known| known.month == month).unwrap_or_else(|| {
                months.push(TimelineMonth {
                    month,
                    claims: 0,
                    denied: 0,
                    alleged: 0,
                    first_claim: context.refs.give(RefKind::Claim, claim.id),
                    first: claim.content.clone(),
                });
                months.len() - 1
            });
            let month = &mut months[at];
            month.claims += 1;
            month.denied += u64::from(claim.mode == Mode::Denied);
            month.alleged += u64::from(claim.mode == Mode::Alleged);
        }
        ToolReply::json(&EntityTimeline { months, undated, is_cut })
    }
}
