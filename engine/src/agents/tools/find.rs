//! Tools that read the graph: search, get, traverse. They see what the investigation's scope sees.

use super::{
    ToolContext, ToolError, ToolReply,
    wire::{
        ClaimSeen, ClaimsFound, EntitiesFound, EntityInFull, EntitySeen, GetEntity, NameSeen, RelationshipFound,
        RelationshipsFound, SearchClaims, SearchEntities, SearchRelationships, SortBy, TraverseDirection,
        TraverseRelationships, Traversed, TraversedEdge, Whence,
    },
};
use crate::{
    agents::{gateway::Pass, registry::Tool},
    graph::{
        ClaimOrder, ClaimQuery, Direction, EntityQuery, RelationshipQuery, Traversal,
        search::{self, Scored},
    },
    library::origins,
};
use async_trait::async_trait;
use domain::{DocumentId, EntityId, claim::Claim, fetch::Finding};
use std::collections::{BTreeMap, BTreeSet};

pub struct SearchEntitiesTool;

#[async_trait]
impl Tool for SearchEntitiesTool {
    type Input = SearchEntities;
    const NAME: &'static str = "search_entities";
    const TAINTED: bool = true;

    async fn run(&self, _: Pass, context: &ToolContext<'_>, input: SearchEntities) -> Result<ToolReply, ToolError> {
        let limit = context.items(input.limit);
        let query = EntityQuery { text: Some(input.query), kind: input.kind, ..EntityQuery::default() };
        let (engine, scope) = (context.engine, &context.investigation.scope);
        let found =
            search::search_entities(&*engine.graph, context.embedder(), &engine.search, scope, query, limit as usize).await?;
        let entities = found.into_iter().take(limit as usize).map(|hit| EntitySeen::new(hit.item, Some(hit.score))).collect();
        ToolReply::json(&EntitiesFound { entities })
    }
}

pub struct GetEntityTool;

#[async_trait]
impl Tool for GetEntityTool {
    type Input = GetEntity;
    const NAME: &'static str = "get_entity";
    const TAINTED: bool = true;

    async fn run(&self, _: Pass, context: &ToolContext<'_>, input: GetEntity) -> Result<ToolReply, ToolError> {
        let found = context.engine.graph.entities(&context.investigation.scope, &[input.entity_id]).await?;
        let entity = found.into_iter().next().ok_or_else(|| no_entity(input.entity_id))?;
        ToolReply::json(&EntityInFull::from(entity))
    }
}

pub struct TraverseRelationshipsTool;

#[async_trait]
impl Tool for TraverseRelationshipsTool {
    type Input = TraverseRelationships;
    const NAME: &'static str = "traverse_relationships";
    const TAINTED: bool = true;

    async fn run(&self, _: Pass, context: &ToolContext<'_>, input: TraverseRelationships) -> Result<ToolReply, ToolError> {
        let traversal = Traversal {
            entity_id: input.entity_id,
            direction: match input.direction {
                TraverseDirection::Outgoing => Direction::Outgoing,
                TraverseDirection::Incoming => Direction::Incoming,
                TraverseDirection::Both => Direction::Both,
            },
            description: input.description_query,
            min_weight: input.min_weight,
            limit: context.items(input.limit),
        };
        let edges = context.engine.graph.traverse(&context.investigation.scope, &traversal).await?;
        let relationships = edges
            .into_iter()
            .map(|edge| TraversedEdge {
                relationship: edge.relationship.into(),
                connected_entity: EntitySeen::new(edge.entity, None),
            })
            .collect();
        ToolReply::json(&Traversed { relationships })
    }
}

pub struct SearchRelationshipsTool;

#[async_trait]
impl Tool for SearchRelationshipsTool {
    type Input = SearchRelationships;
    const NAME: &'static str = "search_relationships";
    const TAINTED: bool = true;

    async fn run(&self, _: Pass, context: &ToolContext<'_>, input: SearchRelationships) -> Result<ToolReply, ToolError> {
        let scope = &context.investigation.scope;
        let limit = context.items(input.limit);
        let query = RelationshipQuery { text: Some(input.query), ..RelationshipQuery::default() };
        let engine = context.engine;
        let found =
            search::search_relationships(&*engine.graph, context.embedder(), &engine.search, scope, query, limit as usize)
                .await?;
        let ids: BTreeSet<EntityId> = found.iter().flat_map(|hit| [hit.item.source_id, hit.item.target_id]).collect();
        let ids: Vec<EntityId> = ids.into_iter().collect();
        let entities: BTreeMap<EntityId, EntitySeen> = context
            .engine
            .graph
            .entities(scope, &ids)
            .await?
            .into_iter()
            .map(|entity| (entity.id, EntitySeen::new(entity, None)))
            .collect();
        let relationships = found
            .into_iter()
            .filter_map(|hit| {
                Some(RelationshipFound {
                    source_entity: entities.get(&hit.item.source_id)?.clone(),
                    target_entity: entities.get(&hit.item.target_id)?.clone(),
                    relationship: hit.item.into(),
                })
            })
            .collect();
        ToolReply::json(&RelationshipsFound { relationships })
    }
}

pub struct SearchClaimsTool;

#[async_trait]
impl Tool for SearchClaimsTool {
    type Input = SearchClaims;
    const NAME: &'static str = "search_claims";
    const TAINTED: bool = true;

    async fn run(&self, _: Pass, context: &ToolContext<'_>, input: SearchClaims) -> Result<ToolReply, ToolError> {
        let limit = context.items(input.limit) as usize;
        let offset = input.offset as usize;
        let query = ClaimQuery {
            text: input.query,
            vector: None,
            entity_id: input.entity_id,
            outlet_id: input.source_entity_id,
            document_ids: input.document_ids,
            published_after: input.published_after,
            published_before: input.published_before,
            occurred_after: None,
            occurred_before: None,
            attribution: input.attribution_depth,
            order: match input.sort_by {
                SortBy::Relevance => ClaimOrder::Relevance,
                SortBy::NewestFirst => ClaimOrder::NewestFirst,
                SortBy::OldestFirst => ClaimOrder::OldestFirst,
                SortBy::DocumentOrder => ClaimOrder::DocumentOrder,
            },
            candidates: 0,
        };
        let engine = context.engine;
        let scope = &context.investigation.scope;
        // One more than asked for tells whether there is a next page.
        let wanted = offset + limit + 1;
        let found = search::search_claims(&*engine.graph, context.embedder(), &engine.search, scope, query, wanted).await?;
        let total = found.len();
        let page: Vec<_> = found.into_iter().skip(offset).take(limit).collect();
        let (claims, given) = fitting(describe(context, page).await?, context.max_chars())?;
        let next = offset + given;
        let next_offset = (next < total).then(|| u32::try_from(next).unwrap_or(u32::MAX));
        Ok(ToolReply::json(&ClaimsFound { claims, next_offset })?.uncut())
    }
}

/// As many items as fit into `max_chars` of JSON, at least one, and how many that is.
pub(super) fn fitting<T: serde::Serialize>(items: Vec<T>, max_chars: usize) -> Result<(Vec<T>, usize), ToolError> {
    let mut used = 200;
    let mut kept = vec![];
    for item in items {
        let length = serde_json::to_string(&item).map_err(|error| crate::StoreError::Defect(error.to_string()))?.len();
        if !kept.is_empty() && used + length > max_chars {
            break;
        }
        used += length + 1;
        kept.push(item);
    }
    let count = kept.len();
    Ok((kept, count))
}

/// Adds titles, origins, names and what has become of pages to claims, with one query for each of these.
async fn describe(context: &ToolContext<'_>, found: Vec<Scored<Claim>>) -> Result<Vec<ClaimSeen>, ToolError> {
    let scope = &context.investigation.scope;
    let ids: BTreeSet<EntityId> =
        found.iter().flat_map(|hit| hit.item.entity_ids.iter().copied().chain(hit.item.outlet_id)).collect();
    let ids: Vec<EntityId> = ids.into_iter().collect();
    let names: BTreeMap<EntityId, NameSeen> = context
        .engine
        .graph
        .entities(scope, &ids)
        .await?
        .into_iter()
        .map(|entity| (entity.id, NameSeen { id: entity.id, name: entity.canonical_name, kind: entity.kind }))
        .collect();
    let ids: BTreeSet<DocumentId> = found.iter().map(|hit| hit.item.document_id).collect();
    let ids: Vec<DocumentId> = ids.into_iter().collect();
    let documents: BTreeMap<DocumentId, (String, String)> = context
        .engine
        .documents
        .documents(scope, &ids)
        .await?
        .into_iter()
        .map(|document| (document.id, (document.title, document.text_sha256)))
        .collect();
    let texts: BTreeSet<String> = documents.values().map(|(_, text)| text.clone()).collect();
    let engine = context.engine;
    let origins = origins::of(&*engine.documents, scope, &engine.config.origins, &texts).await?;
    let findings = engine.captures.findings(scope, &ids).await?;
    let pages: BTreeMap<DocumentId, Finding> = findings.into_iter().map(|found| (found.document_id, found.what)).collect();
    let seen = found.into_iter().map(|hit| {
        let (document_title, text_sha256) = documents.get(&hit.item.document_id).cloned().unwrap_or_default();
        let page = pages.get(&hit.item.document_id).copied();
        let origin = origins.get(&text_sha256).unwrap_or(&text_sha256).clone();
        ClaimSeen::new(hit.item, Whence { document_title, text_sha256, origin, page }, hit.score, &names)
    });
    Ok(seen.collect())
}

fn no_entity(id: EntityId) -> ToolError {
    ToolError::ForModel(format!("there is no entity {id}: search for it by name"))
}
