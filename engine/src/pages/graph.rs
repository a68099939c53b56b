//! View models of the knowledge graph: entities, claims, and the explorer.

mod explorer;
mod reviews;

use super::VisibleScope;
use crate::{
    Engine, StoreResult,
    assessments::StoredAssessment,
    graph::{ClaimOrder, ClaimQuery, EntityQuery, SubgraphQuery, search},
};
use domain::{
    ClaimId, EntityId, RelationshipId,
    claim::{Claim, Mode},
    subgraph::{GraphNode, Subgraph},
    user::User,
};
use std::collections::{BTreeMap, HashMap};
use views::graph::{
    AssessmentMention, ClaimLine, ClaimView, EntitiesView, EntityClaimsView, EntityLine, EntityView, MonthLine, OutletLine,
    RelationshipLine, RelationshipView,
};

impl Engine {
    /// Returns the entities that match the words, or those with the most claims behind their names.
    pub async fn entities_view(&self, viewer: &User, query: &str, kind: &str) -> StoreResult<EntitiesView> {
        let visible = self.visible(viewer).await?;
        let given = |text: &str| Some(text.trim().to_owned()).filter(|text| !text.is_empty());
        let wanted = EntityQuery { text: given(query), kind: given(kind), ..Default::default() };
        let limit = self.config.pages.entities;
        // By words alone: a line shows the words that it was found by.
        let found = search::search_entities(&*self.graph, None, &self.search, &visible.scope, wanted, limit).await?;
        let line = |entity: domain::entity::Entity| EntityLine {
            id: entity.id,
            name: entity.canonical_name,
            kind: entity.kind,
            aliases: entity.aliases,
            summary: entity.summary.map(|summary| summary.value),
            is_stub: entity.is_stub,
        };
        let entities = found.into_iter().map(|scored| line(scored.item)).collect();
        Ok(EntitiesView { query: query.trim().to_owned(), kind: kind.trim().to_owned(), entities, limit })
    }

    /// Returns an entity with its relationships and the assessments that mention it. A merged id returns its survivor.
    pub async fn entity_view(&self, viewer: &User, id: EntityId) -> StoreResult<Option<EntityView>> {
        let visible = self.visible(viewer).await?;
        let Some(entity) = self.graph.entities(&visible.scope, &[id]).await?.pop() else { return Ok(None) };
        let max_edges = self.config.pages.entity_relationships;
        let around = self.graph.subgraph(&visible.scope, &SubgraphQuery::new(vec![entity.id], max_edges)).await?;
        let relationships = relationship_lines(entity.id, around);
        let found = self.assessments.about(&visible.scope, &[entity.id], self.config.pages.entity_assessments).await?;
        let assessments = mentions(&visible, found);
        Ok(Some(EntityView { entity, relationships, max_relationships: max_edges as usize, assessments }))
    }

    /// Returns the newest claims about an entity, or those that it published as an outlet, by outlet and by month; `mode` restricts the
    /// list alone.
    pub async fn entity_claims_view(
        &self,
        viewer: &User,
        id: EntityId,
        mode: Option<Mode>,
        is_outlet: bool,
    ) -> StoreResult<Option<EntityClaimsView>> {
        let visible = self.visible(viewer).await?;
        let named = self.graph.subgraph(&visible.scope, &SubgraphQuery::new(vec![id], 0)).await?;
        let Some(entity) = named.nodes.into_iter().next() else { return Ok(None) };
        let limit = self.config.pages.entity_claims;
        let query = ClaimQuery {
            entity_id: (!is_outlet).then_some(entity.id),
            outlet_id: is_outlet.then_some(entity.id),
            order: ClaimOrder::NewestFirst,
            candidates: limit,
            ..Default::default()
        };
        let found = self.graph.find_claims(&visible.scope, &query).await?;
        let claims: Vec<Claim> = found.into_iter().map(|candidate| candidate.item).collect();
        let mut claims = self.claim_lines(&visible, claims).await?;
        let (outlets, months) = (by_outlet(&claims), by_month(&claims));
        claims.retain(|line| mode.is_none_or(|mode| line.claim.mode == mode));
        Ok(Some(EntityClaimsView { entity, claims, limit: limit as usize, mode, is_outlet, outlets, months }))
    }

    async fn claim_lines(&self, visible: &VisibleScope, claims: Vec<Claim>) -> StoreResult<Vec<ClaimLine>> {
        let mut ids: Vec<_> = claims.iter().map(|claim| claim.document_id).collect();
        ids.sort_unstable();
        ids.dedup();
        let documents = self.documents.documents(&visible.scope, &ids).await?;
        let documents: HashMap<_, _> = documents.into_iter().map(|document| (document.id, document)).collect();
        let line = |claim: Claim| {
            let document = documents.get(&claim.document_id)?;
            Some(ClaimLine { claim, title: document.title.clone(), outlet: document.outlet.clone() })
        };
        Ok(claims.into_iter().filter_map(line).collect())
    }

    /// Returns a claim with its document and the entities that it is about.
    pub async fn claim_view(&self, viewer: &User, id: ClaimId) -> StoreResult<Option<ClaimView>> {
        let visible = self.visible(viewer).await?;
        let Some(claim) = self.graph.claims(&visible.scope, &[id]).await?.pop() else { return Ok(None) };
        let Some(document) = self.documents.document(&visible.scope, claim.document_id).await? else { return Ok(None) };
        let entities = self.nodes(&visible, claim.entity_ids.clone()).await?;
        let domain::document::Document { id: document_id, title, outlet, published, .. } = document;
        Ok(Some(ClaimView { claim, document_id, title, outlet, published, entities }))
    }

    /// Returns a relationship with its ends and the claims that state it.
    pub async fn relationship_view(&self, viewer: &User, id: RelationshipId) -> StoreResult<Option<RelationshipView>> {
        let visible = self.visible(viewer).await?;
        let Some(relationship) = self.graph.relationships(&visible.scope, &[id]).await?.pop() else { return Ok(None) };
        let ends = [relationship.source_id, relationship.target_id];
        let nodes = self.nodes(&visible, ends.to_vec()).await?;
        let node = |id: EntityId| nodes.iter().find(|node| node.id == id).cloned();
        let (Some(source), Some(target)) = (node(ends[0]), node(ends[1])) else { return Ok(None) };
        let shown = relationship.claim_ids.len().min(self.config.pages.entity_claims as usize);
        let claims = self.graph.claims(&visible.scope, &relationship.claim_ids[..shown]).await?;
        let claims = self.claim_lines(&visible, claims).await?;
        Ok(Some(RelationshipView { relationship, source, target, claims }))
    }

    pub(super) async fn nodes(&self, visible: &VisibleScope, seeds: Vec<EntityId>) -> StoreResult<Vec<GraphNode>> {
        if seeds.is_empty() {
            return Ok(vec![]);
        }
        Ok(self.graph.subgraph(&visible.scope, &SubgraphQuery::new(seeds, 0)).await?.nodes)
    }
}

fn mentions(visible: &VisibleScope, found: Vec<StoredAssessment>) -> Vec<AssessmentMention> {
    let mention = |stored: StoredAssessment| AssessmentMention {
        id: stored.assessment.id,
        question: stored.assessment.question,
        is_sample: stored.collections.iter().any(|collection| visible.is_sample(*collection)),
    };
    found.into_iter().map(mention).collect()
}

/// Returns the relationships of an entity, strongest first.
fn relationship_lines(id: EntityId, around: Subgraph) -> Vec<RelationshipLine> {
    let nodes: HashMap<EntityId, GraphNode> = around.nodes.into_iter().map(|node| (node.id, node)).collect();
    let line = |edge: domain::subgraph::GraphEdge| Some(RelationshipLine { other: nodes.get(&edge.other(id))?.clone(), edge });
    around.edges.into_iter().filter_map(line).collect()
}

fn by_outlet(claims: &[ClaimLine]) -> Vec<OutletLine> {
    let mut outlets: BTreeMap<Option<&str>, OutletLine> = BTreeMap::new();
    for ClaimLine { claim, outlet, .. } in claims {
        let line = outlets.entry(outlet.as_deref()).or_default();
        line.outlet.clone_from(outlet);
        match claim.mode {
            Mode::Asserted => line.asserted += 1,
            Mode::Denied => line.denied += 1,
            Mode::Alleged => line.alleged += 1,
            Mode::Promised | Mode::Forecast => line.other += 1,
        }
    }
    let mut outlets: Vec<OutletLine> = outlets.into_values().collect();
    outlets.sort_by_key(|line| std::cmp::Reverse(line.total()));
    outlets
}

fn by_month(claims: &[ClaimLine]) -> Vec<MonthLine> {
    let mut months: BTreeMap<String, u64> = BTreeMap::new();
    for published in claims.iter().filter_map(|line| line.claim.published) {
        *months.entry(published.value.to_datetime().format("%Y-%m").to_string()).or_default() += 1;
    }
    months.into_iter().map(|(month, claims)| MonthLine { month, claims }).collect()
}
