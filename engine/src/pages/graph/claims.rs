//! View models of claims and of what rests on them.

use super::{claim_source, mentions};
use crate::{Engine, StoreResult, graph::ClaimUse, library::origins, pages::VisibleScope};
use domain::{
    ClaimId, DocumentId, EntityId, RelationshipId,
    claim::Claim,
    document::{Document, outlet_name},
    user::User,
};
use std::collections::{BTreeSet, HashMap};
use views::graph::{AssessmentMention, ClaimLine, ClaimView, OriginCount, RelationshipView, RestingRelationship, RestingValue};

impl Engine {
    /// Returns the claims whose documents are visible, with their documents.
    pub(super) async fn claim_lines(&self, visible: &VisibleScope, claims: Vec<Claim>) -> StoreResult<Vec<ClaimLine>> {
        let documents = self.documents_of(visible, claims.iter().map(|claim| claim.document_id).collect()).await?;
        let names = self.outlet_names(visible, claims.iter().filter_map(|claim| claim.outlet_id).collect()).await?;
        Ok(lines(claims, &documents, &names))
    }

    async fn documents_of(&self, visible: &VisibleScope, mut ids: Vec<DocumentId>) -> StoreResult<Vec<Document>> {
        ids.sort_unstable();
        ids.dedup();
        self.documents.documents(&visible.scope, &ids).await
    }

    /// Returns a claim with its document, the entities that it is about, and everything that rests on it or cites it.
    pub async fn claim_view(&self, viewer: &User, id: ClaimId) -> StoreResult<Option<ClaimView>> {
        let visible = self.visible(viewer).await?;
        let Some(claim) = self.graph.claims(&visible.scope, &[id]).await?.pop() else { return Ok(None) };
        let found = self.graph.claim_uses(&visible.scope, id, self.config.pages.entity_claims).await?;
        let ids = found.documents.iter().copied().chain([claim.document_id]).collect();
        let mut documents = self.documents_of(&visible, ids).await?;
        let origins = self.count_origins(&visible, &documents, Some(claim.document_id)).await?;
        let Some(own) = documents.iter().position(|document| document.id == claim.document_id) else { return Ok(None) };
        let Document { id: document_id, title, outlet, published, .. } = documents.swap_remove(own);
        let named = found.uses.iter().flat_map(|found| match found {
            ClaimUse::Relationship { source, target, .. } => vec![*source, *target],
            ClaimUse::Value { entity, .. } => vec![*entity],
        });
        let named = named.chain(claim.entity_ids.iter().copied()).chain(claim.outlet_id).collect();
        let nodes = self.nodes(&visible, named).await?;
        let node = |id: &EntityId| nodes.iter().find(|node| node.id == *id).cloned();
        let publisher = claim.outlet_id.and_then(|id| node(&id));
        let outlet = outlet_name(outlet.as_deref(), publisher.as_ref().map(|node| node.name.as_str())).map(str::to_owned);
        let entities = claim.entity_ids.iter().filter_map(node).collect();
        let (mut relationships, mut values) = (vec![], vec![]);
        for found in found.uses {
            match found {
                ClaimUse::Relationship { id, description, source, target } => {
                    relationships.extend(node(&source).zip(node(&target)).map(|(source, target)| RestingRelationship {
                        id,
                        description,
                        source: source.name,
                        target: target.name,
                    }));
                }
                ClaimUse::Value { name, entity } => {
                    values.extend(node(&entity).map(|entity| RestingValue { name, entity }));
                }
            }
        }
        let cited_in = self.cited_in(&visible, &[document_id], &[id]).await?;
        Ok(Some(ClaimView { claim, document_id, title, outlet, published, entities, origins, cited_in, relationships, values }))
    }

    /// Returns a relationship with its ends, the claims that state it, and the assessments that cite them.
    pub async fn relationship_view(&self, viewer: &User, id: RelationshipId) -> StoreResult<Option<RelationshipView>> {
        let visible = self.visible(viewer).await?;
        let Some(relationship) = self.graph.relationships(&visible.scope, &[id]).await?.pop() else { return Ok(None) };
        let ends = [relationship.source_id, relationship.target_id];
        let nodes = self.nodes(&visible, ends.to_vec()).await?;
        let node = |id: EntityId| nodes.iter().find(|node| node.id == id).cloned();
        let (Some(source), Some(target)) = (node(ends[0]), node(ends[1])) else { return Ok(None) };
        let shown = relationship.claim_ids.len().min(self.config.pages.entity_claims as usize);
        let claims = self.graph.claims(&visible.scope, &relationship.claim_ids[..shown]).await?;
        let documents = self.documents_of(&visible, claims.iter().map(|claim| claim.document_id).collect()).await?;
        let origins = self.count_origins(&visible, &documents, None).await?;
        let cited: Vec<DocumentId> = documents.iter().map(|document| document.id).collect();
        let cited_in = self.cited_in(&visible, &cited, &relationship.claim_ids[..shown]).await?;
        let names = self.outlet_names(&visible, claims.iter().filter_map(|claim| claim.outlet_id).collect()).await?;
        let claims = lines(claims, &documents, &names);
        Ok(Some(RelationshipView { relationship, source, target, claims, origins, cited_in }))
    }

    /// Counts the origins of documents, and the other documents of the origin of one of them.
    async fn count_origins(
        &self,
        visible: &VisibleScope,
        documents: &[Document],
        own: Option<DocumentId>,
    ) -> StoreResult<OriginCount> {
        let texts: BTreeSet<String> = documents.iter().map(|document| document.text_sha256.clone()).collect();
        if texts.is_empty() {
            return Ok(OriginCount::default());
        }
        let found = origins::find(&*self.documents, &visible.scope, &self.config.origins, &texts).await?;
        let origin = |document: &Document| found.get(&document.text_sha256).cloned();
        let own = documents.iter().find(|document| Some(document.id) == own);
        let same = own.map_or(0, |own| {
            documents.iter().filter(|document| document.id != own.id && origin(document) == origin(own)).count()
        });
        let count = found.values().collect::<BTreeSet<_>>().len();
        Ok(OriginCount { documents: documents.len(), origins: count, same_origin: same })
    }

    async fn cited_in(
        &self,
        visible: &VisibleScope,
        documents: &[DocumentId],
        claims: &[ClaimId],
    ) -> StoreResult<Vec<AssessmentMention>> {
        let limit = self.config.pages.entity_assessments;
        Ok(mentions(visible, self.assessments.citing_claims(&visible.scope, documents, claims, limit).await?))
    }
}

fn lines(claims: Vec<Claim>, documents: &[Document], names: &HashMap<EntityId, String>) -> Vec<ClaimLine> {
    let documents: HashMap<DocumentId, &Document> = documents.iter().map(|document| (document.id, document)).collect();
    let line = |claim: Claim| {
        let source = claim_source(&claim, documents.get(&claim.document_id)?, names);
        Some(ClaimLine { claim, source })
    };
    claims.into_iter().filter_map(line).collect()
}
