//! Outlets: owners, base, record and conflicts of interest, read from the graph and the citation watch.
//!
//! Invariant: only what the reader may see counts, and of an investigation with a period, only what was published in it.

use crate::{
    Engine, StoreResult,
    graph::{ClaimOrder, ClaimQuery, Direction, Neighbour, Traversal},
    investigations::period,
    library::origins,
};
use domain::{
    ClaimId, DocumentId, EntityId, Scope,
    assessment::{OwnerEnd, owner_end},
    claim::Claim,
    entity::{Entity, PropertyValue},
    fetch::PageState,
    investigation::Investigation,
    outlet::{BASE_KEYS, ConflictOfInterest, OutletBase, OutletOwnership, OutletProfile, OutletRecord, is_base},
};
use std::collections::{BTreeMap, BTreeSet};

/// Reader of outlets within a scope.
pub(crate) struct OutletReader<'a> {
    engine: &'a Engine,
    scope: &'a Scope,
    /// Narrows everything to its period.
    investigation: Option<&'a Investigation>,
}

impl<'a> OutletReader<'a> {
    pub const fn new(engine: &'a Engine, scope: &'a Scope) -> Self {
        Self { engine, scope, investigation: None }
    }

    pub const fn within(engine: &'a Engine, investigation: &'a Investigation) -> Self {
        Self { engine, scope: &investigation.scope, investigation: Some(investigation) }
    }

    /// Returns the profile of an outlet; none for an entity that published no visible claim.
    pub async fn profile(&self, outlet: &Entity) -> StoreResult<Option<OutletProfile>> {
        let (claims, is_cut) = self.published(outlet.id).await?;
        let Some(record) = self.record_of(&claims, is_cut).await? else { return Ok(None) };
        let neighbours = self.neighbours(outlet.id).await?;
        let owners = owners_among(outlet.id, &neighbours);
        let conflicts = self.conflicts(outlet.id, &owners, &claims).await?;
        Ok(Some(OutletProfile { bases: bases(outlet, &neighbours), owners, record, conflicts }))
    }

    /// Returns the owners of an entity, from its strongest relationships.
    pub async fn owners(&self, entity: EntityId) -> StoreResult<Vec<OutletOwnership>> {
        Ok(owners_among(entity, &self.neighbours(entity).await?))
    }

    /// Returns the record of an outlet; none where it published no visible claim.
    pub async fn record(&self, outlet: EntityId) -> StoreResult<Option<OutletRecord>> {
        let (claims, is_cut) = self.published(outlet).await?;
        self.record_of(&claims, is_cut).await
    }

    async fn record_of(&self, claims: &[Claim], is_cut: bool) -> StoreResult<Option<OutletRecord>> {
        if claims.is_empty() {
            return Ok(None);
        }
        let documents: BTreeSet<DocumentId> = claims.iter().map(|claim| claim.document_id).collect();
        let documents: Vec<DocumentId> = documents.into_iter().collect();
        let findings = self.engine.captures.findings(self.scope, &documents).await?;
        let found = |state: PageState| findings.iter().filter(|finding| finding.state == state).count() as u64;
        let ids: Vec<ClaimId> = claims.iter().map(|claim| claim.id).collect();
        let (relationships, only_origin) = self.only_origin(&ids).await?;
        Ok(Some(OutletRecord {
            claims: claims.len() as u64,
            is_cut,
            documents: documents.len() as u64,
            changed: found(PageState::Changed),
            retracted: found(PageState::Retracted),
            gone: found(PageState::Gone),
            relationships,
            only_origin,
        }))
    }

    /// Returns the latest claims of an outlet, and whether there are more.
    async fn published(&self, outlet: EntityId) -> StoreResult<(Vec<Claim>, bool)> {
        let limit = self.engine.config.pages.outlet_claims;
        let query = ClaimQuery {
            outlet_id: Some(outlet),
            order: ClaimOrder::NewestFirst,
            candidates: limit.saturating_add(1),
            ..ClaimQuery::default()
        };
        let query = match self.investigation {
            Some(investigation) => query.within(&investigation.terms.period),
            None => query,
        };
        let found = self.engine.graph.find_claims(self.scope, &query).await?;
        let mut claims: Vec<Claim> = found.into_iter().map(|candidate| candidate.item).collect();
        let is_cut = claims.len() > limit as usize;
        claims.truncate(limit as usize);
        Ok((claims, is_cut))
    }

    /// Counts the relationships that claims state, and those of them whose documents are of one origin.
    async fn only_origin(&self, claims: &[ClaimId]) -> StoreResult<(u64, u64)> {
        let stated = self.engine.graph.stating_documents(self.scope, claims).await?;
        let ids: BTreeSet<DocumentId> = stated.iter().flatten().copied().collect();
        if ids.is_empty() {
            return Ok((0, 0));
        }
        let mut documents = self.engine.documents.documents(self.scope, &ids.into_iter().collect::<Vec<_>>()).await?;
        if let Some(investigation) = self.investigation {
            documents = period::documents(investigation, documents);
        }
        let texts: BTreeSet<String> = documents.iter().map(|document| document.text_sha256.clone()).collect();
        let leaders = origins::find(&*self.engine.documents, self.scope, &self.engine.config.origins, &texts).await?;
        let origin_of: BTreeMap<DocumentId, &str> =
            documents.iter().filter_map(|document| Some((document.id, leaders.get(&document.text_sha256)?.as_str()))).collect();
        let origins =
            |documents: &[DocumentId]| documents.iter().filter_map(|id| origin_of.get(id)).collect::<BTreeSet<_>>().len();
        let only = stated.iter().filter(|documents| origins(documents.as_slice()) == 1).count();
        Ok((stated.len() as u64, only as u64))
    }

    async fn neighbours(&self, entity_id: EntityId) -> StoreResult<Vec<Neighbour>> {
        let limit = self.engine.config.pages.entity_relationships;
        let traversal = Traversal { entity_id, direction: Direction::Both, description: None, min_weight: None, limit };
        let found = self.engine.graph.traverse(self.scope, &traversal).await?;
        match self.investigation {
            Some(investigation) => period::neighbours(self.engine, investigation, found).await,
            None => Ok(found),
        }
    }

    /// Returns the owners, and the owners of owners, about whom the outlet published some of its latest claims.
    async fn conflicts(
        &self,
        outlet: EntityId,
        owners: &[OutletOwnership],
        published: &[Claim],
    ) -> StoreResult<Vec<ConflictOfInterest>> {
        let max = self.engine.config.pages.outlet_owners;
        let mut parties: Vec<(EntityId, String, Option<String>)> =
            owners.iter().take(max).map(|owner| (owner.owner, owner.name.clone(), None)).collect();
        for owner in owners.iter().take(max) {
            let above = self.owners(owner.owner).await?;
            parties.extend(above.into_iter().map(|above| (above.owner, above.name, Some(owner.name.clone()))));
        }
        let mut seen = BTreeSet::from([outlet]);
        parties.retain(|(party, ..)| seen.insert(*party));
        let conflict = |(party, name, through)| {
            let mut about = published.iter().filter(|claim| claim.entity_ids.contains(&party));
            let newest = about.next()?.id;
            Some(ConflictOfInterest { party, name, through, claims: 1 + about.count() as u64, newest })
        };
        Ok(parties.into_iter().take(max).filter_map(conflict).collect())
    }
}

/// Returns the other ends that own an entity, by name.
fn owners_among(entity: EntityId, neighbours: &[Neighbour]) -> Vec<OutletOwnership> {
    let owner = |Neighbour { relationship, entity: other, .. }: &Neighbour| {
        let owner = match owner_end(&relationship.description)? {
            OwnerEnd::Source => relationship.source_id,
            OwnerEnd::Target => relationship.target_id,
        };
        (owner == other.id && owner != entity).then(|| OutletOwnership {
            owner,
            name: other.canonical_name.clone(),
            link: relationship.description.clone(),
            claims: relationship.claim_ids.clone(),
        })
    };
    let mut owners: Vec<OutletOwnership> = neighbours.iter().filter_map(owner).collect();
    owners.sort_by(|one, other| (&one.name, &one.link).cmp(&(&other.name, &other.link)));
    owners
}

/// Returns the places that relationships and properties name as the base of an outlet.
fn bases(outlet: &Entity, neighbours: &[Neighbour]) -> Vec<OutletBase> {
    let related = neighbours.iter().filter_map(|Neighbour { relationship, entity: place, .. }| {
        let is_place = is_base(&relationship.description) && relationship.target_id == place.id;
        is_place.then(|| OutletBase {
            place: place.canonical_name.clone(),
            entity: Some(place.id),
            claims: relationship.claim_ids.clone(),
        })
    });
    let stated = outlet.properties.iter().filter(|(key, _)| BASE_KEYS.contains(&key.as_str())).filter_map(|(_, property)| {
        let PropertyValue::Text(place) = &property.value else { return None };
        Some(OutletBase { place: place.clone(), entity: None, claims: property.claim_ids.clone() })
    });
    related.chain(stated).collect()
}
