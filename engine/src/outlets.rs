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
    ClaimId, DocumentId, EntityId, Scope, Timestamp,
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
        let published = [self.published(outlet.id).await?];
        let Some(record) = self.records_of(&published).await?.pop() else { return Ok(None) };
        let [OutletClaims { claims, .. }] = &published;
        let neighbours = self.neighbours(outlet.id).await?;
        let owners = owners_among(outlet.id, &neighbours, self.day());
        let conflicts = self.conflicts(outlet.id, &owners, claims).await?;
        Ok(Some(OutletProfile { bases: bases(outlet, &neighbours), owners, record, conflicts }))
    }

    /// Returns the owners of an entity, from its strongest relationships.
    pub async fn owners(&self, entity: EntityId) -> StoreResult<Vec<OutletOwnership>> {
        Ok(owners_among(entity, &self.neighbours(entity).await?, self.day()))
    }

    /// The moment at which owners count: the end of the period, or now.
    fn day(&self) -> Timestamp {
        let end = self.investigation.and_then(|investigation| investigation.terms.period.before());
        end.unwrap_or_else(|| self.engine.clock.now())
    }

    /// Returns the records of outlets, without those that published no visible claim. One statement for each outlet, then a
    /// fixed number for all.
    pub async fn records(&self, outlets: &[EntityId]) -> StoreResult<Vec<(EntityId, OutletRecord)>> {
        let (mut ids, mut published) = (vec![], vec![]);
        for outlet in outlets {
            let found = self.published(*outlet).await?;
            if !found.claims.is_empty() {
                ids.push(*outlet);
                published.push(found);
            }
        }
        Ok(ids.into_iter().zip(self.records_of(&published).await?).collect())
    }

    /// Returns a record of each, in their order; none where no claim was published at all.
    async fn records_of(&self, published: &[OutletClaims]) -> StoreResult<Vec<OutletRecord>> {
        let claims: Vec<ClaimId> = published.iter().flat_map(|one| &one.claims).map(|claim| claim.id).collect();
        if claims.is_empty() {
            return Ok(vec![]);
        }
        let documents: BTreeSet<DocumentId> = published.iter().flat_map(OutletClaims::documents).collect();
        let documents: Vec<DocumentId> = documents.into_iter().collect();
        let findings = self.engine.captures.findings(self.scope, &documents).await?;
        let relationships = self.stated_relationships(&claims).await?;
        let record = |one: &OutletClaims| {
            let documents: BTreeSet<DocumentId> = one.documents().collect();
            let of_outlet = findings.iter().filter(|finding| documents.contains(&finding.document_id));
            let found = |state: PageState| of_outlet.clone().filter(|finding| finding.state == state).count() as u64;
            let stated = relationships.iter().filter(|stated| !stated.documents.is_disjoint(&documents));
            OutletRecord {
                claims: one.claims.len() as u64,
                is_cut: one.is_cut,
                documents: documents.len() as u64,
                changed: found(PageState::Changed),
                retracted: found(PageState::Retracted),
                gone: found(PageState::Gone),
                relationships: stated.clone().count() as u64,
                only_origin: stated.filter(|stated| stated.origins == 1).count() as u64,
            }
        };
        Ok(published.iter().map(record).collect())
    }

    /// Returns the latest claims of an outlet.
    async fn published(&self, outlet: EntityId) -> StoreResult<OutletClaims> {
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
        Ok(OutletClaims { claims, is_cut })
    }

    /// Returns the relationships that claims state, with their documents and the number of origins of these.
    async fn stated_relationships(&self, claims: &[ClaimId]) -> StoreResult<Vec<StatedRelationship>> {
        let stated = self.engine.graph.stating_documents(self.scope, claims).await?;
        let ids: BTreeSet<DocumentId> = stated.iter().flatten().copied().collect();
        if ids.is_empty() {
            return Ok(vec![]);
        }
        let mut documents = self.engine.documents.documents(self.scope, &ids.into_iter().collect::<Vec<_>>()).await?;
        if let Some(investigation) = self.investigation {
            documents = period::documents(investigation, documents);
        }
        let texts: BTreeSet<String> = documents.iter().map(|document| document.text_sha256.clone()).collect();
        let leaders = origins::find(&*self.engine.documents, self.scope, &self.engine.config.origins, &texts).await?;
        let origin_of: BTreeMap<DocumentId, &str> =
            documents.iter().filter_map(|document| Some((document.id, leaders.get(&document.text_sha256)?.as_str()))).collect();
        let relationship = |documents: Vec<DocumentId>| {
            let origins: BTreeSet<&str> = documents.iter().filter_map(|id| origin_of.get(id).copied()).collect();
            StatedRelationship { origins: origins.len(), documents: documents.into_iter().collect() }
        };
        Ok(stated.into_iter().map(relationship).collect())
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

/// The latest claims of one outlet.
struct OutletClaims {
    claims: Vec<Claim>,
    /// True if there are more.
    is_cut: bool,
}

impl OutletClaims {
    fn documents(&self) -> impl Iterator<Item = DocumentId> {
        self.claims.iter().map(|claim| claim.document_id)
    }
}

/// A relationship with the documents that state it.
struct StatedRelationship {
    documents: BTreeSet<DocumentId>,
    /// Number of origins of these documents, within the period.
    origins: usize,
}

/// Returns the other ends that own an entity at a moment, by name. An end whose relationship ended before is a former owner.
fn owners_among(entity: EntityId, neighbours: &[Neighbour], at: Timestamp) -> Vec<OutletOwnership> {
    let owner = |Neighbour { relationship, entity: other, .. }: &Neighbour| {
        if relationship.until.is_some_and(|until| until.last_moment() < at) {
            return None;
        }
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
