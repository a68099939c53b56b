//! Entities to start from, and the end of the paths by its name.

use crate::{
    Engine, StoreResult,
    graph::{ClaimOrder, ClaimQuery, EntityQuery, search::search_entities},
    pages::VisibleScope,
};
use domain::{
    AssessmentId, EntityId, InvestigationId,
    claim::Claim,
    entity::Entity,
    subgraph::{GraphNode, Subgraph},
    user::User,
};
use std::{
    cmp::Reverse,
    collections::{BTreeMap, BTreeSet},
};
use views::graph::ExplorerQuery;

/// Entities to start from where none are named.
const BEST_KNOWN: usize = 30;

impl Engine {
    /// Returns the entities to start from: those that the evidence of a report, an assessment or an investigation speaks of most, the best
    /// of a search, or those with the most claims.
    pub(super) async fn starting_seeds(
        &self,
        viewer: &User,
        visible: &VisibleScope,
        query: &ExplorerQuery,
    ) -> StoreResult<Vec<EntityId>> {
        let most = self.config.pages.explorer_start;
        if let Some(id) = query.report {
            return Ok(most_mentioned(self.cited_claims(visible, id).await?, self.config.pages.explorer_seeds));
        }
        if let Some(id) = query.assessment {
            return Ok(most_mentioned(self.cited_claims(visible, id).await?, most));
        }
        if let Some(id) = query.investigation {
            return Ok(most_mentioned(self.claims_of_investigation(viewer, visible, id).await?, most));
        }
        let found = match query.search.is_empty() {
            true => self.best_entities(visible, EntityQuery::default(), BEST_KNOWN).await?,
            false => self.entities_named(visible, &query.search, most).await?,
        };
        Ok(found.into_iter().map(|entity| entity.id).collect())
    }

    /// Returns the visible claims that an assessment cites.
    pub(super) async fn cited_claims(&self, visible: &VisibleScope, id: AssessmentId) -> StoreResult<Vec<Claim>> {
        let stored = self.assessments.assessment(&visible.scope, id).await?;
        let cited: BTreeSet<_> =
            stored.iter().flat_map(|stored| &stored.assessment.citations).map(|citation| citation.claim_id).collect();
        self.graph.claims(&visible.scope, &Vec::from_iter(cited)).await
    }

    /// Returns the claims that the assessment of an investigation cites; without one, the newest of the documents that it read.
    async fn claims_of_investigation(
        &self,
        viewer: &User,
        visible: &VisibleScope,
        id: InvestigationId,
    ) -> StoreResult<Vec<Claim>> {
        let stored = self.assessments.of_investigation(&visible.scope, id).await?;
        let cited: Vec<_> =
            stored.iter().flat_map(|stored| &stored.assessment.citations).map(|citation| citation.claim_id).collect();
        if !cited.is_empty() {
            return self.graph.claims(&visible.scope, &cited).await;
        }
        if self.visible_investigation(viewer, &visible.scope, id).await?.is_none() {
            return Ok(vec![]);
        }
        let mut document_ids: Vec<_> =
            self.work_orders.documents_read(id).await?.into_iter().map(|(_, document)| document).collect();
        document_ids.sort_unstable();
        document_ids.dedup();
        if document_ids.is_empty() {
            return Ok(vec![]);
        }
        let candidates = self.config.pages.entity_claims;
        let wanted = ClaimQuery { document_ids, order: ClaimOrder::NewestFirst, candidates, ..Default::default() };
        let found = self.graph.find_claims(&visible.scope, &wanted).await?;
        Ok(found.into_iter().map(|candidate| candidate.item).collect())
    }

    async fn entities_named(&self, visible: &VisibleScope, name: &str, most: usize) -> StoreResult<Vec<Entity>> {
        let name = name.trim();
        if name.is_empty() {
            return Ok(vec![]);
        }
        let wanted = EntityQuery { text: Some(self.search.query.text(name)), ..Default::default() };
        self.best_entities(visible, wanted, most).await
    }

    /// Returns the best entities of a query; of one without words, those with the most claims.
    async fn best_entities(&self, visible: &VisibleScope, wanted: EntityQuery, most: usize) -> StoreResult<Vec<Entity>> {
        let found = search_entities(&*self.graph, None, &self.search, &visible.scope, wanted, most).await?;
        Ok(found.into_iter().map(|scored| scored.item).collect())
    }

    /// Sets the end of the paths from the name that was typed. Returns the entities to choose from where several match.
    pub(super) async fn resolve_target(
        &self,
        visible: &VisibleScope,
        query: &mut ExplorerQuery,
        graph: &Subgraph,
    ) -> StoreResult<Vec<GraphNode>> {
        if query.target.is_empty() || query.seeds.is_empty() {
            return Ok(vec![]);
        }
        if let Some(to) = query.to.take() {
            // The form sends the id of the last end beside the name, which may be another by now.
            let shown = graph.nodes.iter().find(|node| node.id == to).cloned();
            let known = match shown {
                Some(node) => Some(node),
                None => self.nodes(visible, vec![to]).await?.pop(),
            };
            if known.is_some_and(|node| is_name(&node.name, &query.target)) {
                query.to = Some(to);
                return Ok(vec![]);
            }
        }
        let start = query.seeds.first().copied();
        let mut found = self.entities_named(visible, &query.target, self.config.pages.explorer_start).await?;
        found.retain(|entity| Some(entity.id) != start);
        let named = |entity: &&Entity| {
            let names = std::iter::once(&entity.canonical_name).chain(&entity.aliases);
            names.into_iter().any(|name| is_name(name, &query.target))
        };
        let exact: Vec<EntityId> = found.iter().filter(named).map(|entity| entity.id).collect();
        match (exact.as_slice(), found.as_slice()) {
            ([one], _) => query.to = Some(*one),
            (_, [one]) => query.to = Some(one.id),
            _ => return Ok(found.into_iter().map(node).collect()),
        }
        Ok(vec![])
    }
}

fn is_name(name: &str, typed: &str) -> bool {
    name.to_lowercase() == typed.trim().to_lowercase()
}

fn node(entity: Entity) -> GraphNode {
    GraphNode { id: entity.id, name: entity.canonical_name, kind: entity.kind, claims: None }
}

/// Returns the entities that most of the claims are about.
fn most_mentioned(claims: Vec<Claim>, most: usize) -> Vec<EntityId> {
    let mut counts: BTreeMap<EntityId, usize> = BTreeMap::new();
    for entity in claims.into_iter().flat_map(|claim| claim.entity_ids) {
        *counts.entry(entity).or_default() += 1;
    }
    let mut entities: Vec<_> = counts.into_iter().collect();
    entities.sort_by_key(|(id, count)| (Reverse(*count), *id));
    entities.into_iter().take(most).map(|(id, _)| id).collect()
}
