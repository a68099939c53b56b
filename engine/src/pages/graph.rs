//! View models of the knowledge graph: entities, claims, and the explorer.

mod claims;
mod entity_claims;
mod explorer;
mod reviews;

use super::VisibleScope;
use crate::{
    Engine, StoreResult,
    assessments::StoredAssessment,
    graph::{EntityQuery, SubgraphQuery, search},
    outlets::OutletReader,
};
use domain::{
    EntityId, PublicationDate,
    claim::Claim,
    document::{Document, outlet_name},
    subgraph::{GraphNode, Subgraph},
    user::User,
};
use std::collections::{BTreeSet, HashMap};
use views::graph::{AssessmentMention, EntitiesView, EntityLine, EntityView, RelationshipLine};

/// Claims shown of an entity on its page.
const NEWEST_CLAIMS: u32 = 5;

impl Engine {
    /// Returns the entities that match the words, or those with the most claims behind their names.
    pub async fn entities_view(&self, viewer: &User, query: &str, kind: &str) -> StoreResult<EntitiesView> {
        let visible = self.visible(viewer).await?;
        let given = |text: &str| Some(text.trim().to_owned()).filter(|text| !text.is_empty());
        let text = self.search.query.some_text(query);
        let query = text.as_deref().unwrap_or_default().to_owned();
        let wanted = EntityQuery { text, kind: given(kind), ..Default::default() };
        let limit = self.config.pages.entities;
        // By words alone: a line shows the words that it was found by.
        let found = search::search_entities(&*self.graph, None, &self.search, &visible.scope, wanted, limit).await?;
        let ids: Vec<EntityId> = found.iter().map(|scored| scored.item.id).collect();
        let about = self.claims_about(&visible, &ids).await?;
        let line = |entity: domain::entity::Entity| EntityLine {
            claims: about.get(&entity.id).map_or(0, |(claims, _)| *claims),
            last_seen: about.get(&entity.id).and_then(|(_, seen)| *seen),
            id: entity.id,
            name: entity.canonical_name,
            kind: entity.kind,
            aliases: entity.aliases,
            summary: entity.summary.map(|summary| summary.value),
            is_stub: entity.is_stub,
        };
        let entities = found.into_iter().map(|scored| line(scored.item)).collect();
        Ok(EntitiesView { query, kind: kind.trim().to_owned(), entities, limit })
    }

    /// Returns the number of claims about each entity, and the publication of the newest.
    async fn claims_about(
        &self,
        visible: &VisibleScope,
        ids: &[EntityId],
    ) -> StoreResult<HashMap<EntityId, (u32, Option<PublicationDate>)>> {
        if ids.is_empty() {
            return Ok(HashMap::new());
        }
        let query = SubgraphQuery { counts_claims: true, ..SubgraphQuery::new(ids.to_vec(), 0) };
        let counted = self.graph.subgraph(&visible.scope, &query).await?.nodes.into_iter();
        let mut about: HashMap<_, _> = counted.map(|node| (node.id, (node.claims.unwrap_or_default(), None))).collect();
        for (entity, claim) in self.graph.newest_claims(&visible.scope, ids, 1).await? {
            if let Some((_, seen)) = about.get_mut(&entity) {
                *seen = claim.published;
            }
        }
        Ok(about)
    }

    /// Returns an entity with its newest claims, its relationships and the assessments that mention it. A merged id returns its survivor.
    pub async fn entity_view(&self, viewer: &User, id: EntityId) -> StoreResult<Option<EntityView>> {
        let visible = self.visible(viewer).await?;
        let Some(mut entity) = self.graph.entities(&visible.scope, &[id]).await?.pop() else { return Ok(None) };
        // Without an embedder no vector will follow.
        entity.embedding_pending &= self.embedder.is_some();
        let max_edges = self.config.pages.entity_relationships;
        let around = self.graph.subgraph(&visible.scope, &SubgraphQuery::new(vec![entity.id], max_edges)).await?;
        let relationships = relationship_lines(entity.id, around);
        let found = self.assessments.about(&visible.scope, &[entity.id], self.config.pages.entity_assessments).await?;
        let assessments = mentions(&visible, found);
        let outlet = OutletReader::new(self, &visible.scope).profile(&entity).await?;
        let newest =
            self.newest_claim_lines(&visible, &[entity.id], NEWEST_CLAIMS).await?.remove(&entity.id).unwrap_or_default();
        let max_relationships = max_edges as usize;
        Ok(Some(EntityView { entity, outlet, relationships, max_relationships, newest, assessments }))
    }

    pub(super) async fn nodes(&self, visible: &VisibleScope, seeds: Vec<EntityId>) -> StoreResult<Vec<GraphNode>> {
        if seeds.is_empty() {
            return Ok(vec![]);
        }
        Ok(self.graph.subgraph(&visible.scope, &SubgraphQuery::new(seeds, 0)).await?.nodes)
    }

    /// Returns the names of the outlets that are visible.
    pub(super) async fn outlet_names(
        &self,
        visible: &VisibleScope,
        outlets: BTreeSet<EntityId>,
    ) -> StoreResult<HashMap<EntityId, String>> {
        let nodes = self.nodes(visible, outlets.into_iter().collect()).await?;
        Ok(nodes.into_iter().map(|node| (node.id, node.name)).collect())
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

/// Returns the name that readers see beside a claim: the tidy name of its outlet, else that of its document.
fn claim_source(claim: &Claim, document: &Document, names: &HashMap<EntityId, String>) -> String {
    let known = claim.outlet_id.and_then(|id| names.get(&id)).map(String::as_str);
    outlet_name(document.outlet.as_deref(), known).map_or_else(|| document.source_name(), str::to_owned)
}
