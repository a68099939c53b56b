//! Period of publication of an investigation: what agents and assessments see of the graph and of pages.
//!
//! Invariant: nothing published outside the period, or undated, reaches an agent or an assessment of an investigation that has one.

use crate::{Engine, StoreResult, graph::Neighbour};
use domain::{
    ClaimId, RelationshipId, claim::Claim, document::Document, entity::Entity, investigation::Investigation,
    relationship::Relationship, subgraph::Subgraph,
};
use std::collections::{BTreeMap, BTreeSet};

/// Returns the visible claims of the period.
pub(crate) async fn claims(engine: &Engine, investigation: &Investigation, ids: &[ClaimId]) -> StoreResult<Vec<Claim>> {
    let mut claims = engine.graph.claims(&investigation.scope, ids).await?;
    claims.retain(|claim| investigation.terms.period.contains(claim.published));
    Ok(claims)
}

/// Returns the documents of the period.
pub(crate) fn documents(investigation: &Investigation, mut documents: Vec<Document>) -> Vec<Document> {
    documents.retain(|document| investigation.terms.period.contains(document.published));
    documents
}

/// Returns the relationships with evidence of the period, and only that evidence.
pub(crate) async fn relationships(
    engine: &Engine,
    investigation: &Investigation,
    mut found: Vec<Relationship>,
) -> StoreResult<Vec<Relationship>> {
    let Some(known) =
        Evidence::load(engine, investigation, found.iter().flat_map(|one| one.claim_ids.clone()).collect()).await?
    else {
        return Ok(found);
    };
    found.retain_mut(|one| known.narrow(&mut one.claim_ids));
    Ok(found)
}

/// Returns the part of a graph with evidence of the period: those relationships and their ends, and the first entity in any case.
pub(crate) async fn subgraph(engine: &Engine, investigation: &Investigation, mut found: Subgraph) -> StoreResult<Subgraph> {
    if investigation.terms.period.is_open() || found.edges.is_empty() {
        return Ok(found);
    }
    let ids: Vec<RelationshipId> = found.edges.iter().map(|edge| edge.id).collect();
    let loaded = engine.graph.relationships(&investigation.scope, &ids).await?;
    let kept = relationships(engine, investigation, loaded).await?;
    let claims: BTreeMap<RelationshipId, usize> = kept.into_iter().map(|one| (one.id, one.claim_ids.len())).collect();
    found.edges.retain(|edge| claims.contains_key(&edge.id));
    for edge in &mut found.edges {
        edge.claims = claims.get(&edge.id).map_or(0, |count| u32::try_from(*count).unwrap_or(u32::MAX));
    }
    let ends = found.joined();
    let first = found.nodes.first().map(|node| node.id);
    found.nodes.retain(|node| Some(node.id) == first || ends.contains(&node.id));
    Ok(found)
}

/// Returns the edges with evidence of the period, and both of their ends without what other evidence says.
pub(crate) async fn neighbours(
    engine: &Engine,
    investigation: &Investigation,
    mut found: Vec<Neighbour>,
) -> StoreResult<Vec<Neighbour>> {
    let named =
        found.iter().flat_map(|edge| edge.relationship.claim_ids.iter().chain(evidence_of(&edge.entity))).copied().collect();
    let Some(known) = Evidence::load(engine, investigation, named).await? else { return Ok(found) };
    found.retain_mut(|edge| known.narrow(&mut edge.relationship.claim_ids));
    found.iter_mut().for_each(|edge| known.narrow_entity(&mut edge.entity));
    Ok(found)
}

/// Returns the entities without summaries and properties that rest on other evidence. Names are kept.
pub(crate) async fn entities(
    engine: &Engine,
    investigation: &Investigation,
    mut found: Vec<Entity>,
) -> StoreResult<Vec<Entity>> {
    let Some(known) = Evidence::load(engine, investigation, found.iter().flat_map(evidence_of).copied().collect()).await?
    else {
        return Ok(found);
    };
    found.iter_mut().for_each(|entity| known.narrow_entity(entity));
    Ok(found)
}

fn evidence_of(entity: &Entity) -> impl Iterator<Item = &ClaimId> {
    let summary = entity.summary.iter().flat_map(|summary| &summary.claim_ids);
    summary.chain(entity.properties.values().flat_map(|property| &property.claim_ids))
}

/// Claims of the period among those named.
struct Evidence(BTreeSet<ClaimId>);

impl Evidence {
    /// Loads them in one query; none for an open period, in which everything counts.
    async fn load(engine: &Engine, investigation: &Investigation, named: BTreeSet<ClaimId>) -> StoreResult<Option<Self>> {
        if investigation.terms.period.is_open() {
            return Ok(None);
        }
        let named: Vec<ClaimId> = named.into_iter().collect();
        Ok(Some(Self(claims(engine, investigation, &named).await?.into_iter().map(|claim| claim.id).collect())))
    }

    /// Removes other evidence; returns whether any is left.
    fn narrow(&self, ids: &mut Vec<ClaimId>) -> bool {
        ids.retain(|id| self.0.contains(id));
        !ids.is_empty()
    }

    fn narrow_entity(&self, entity: &mut Entity) {
        entity.summary = entity.summary.take().filter(|summary| summary.claim_ids.iter().any(|id| self.0.contains(id)));
        entity.properties.retain(|_, property| self.narrow(&mut property.claim_ids));
        for values in entity.history.values_mut() {
            values.retain_mut(|value| self.narrow(&mut value.claim_ids));
        }
    }
}
