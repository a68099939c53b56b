//! Entity facts of a write, with their evidence.

use super::WriteContext;
use crate::graph::projection::ALIAS;
use domain::{ClaimId, Timestamp};
use engine::{
    StoreError, StoreResult,
    graph::{EntityProposal, EntityRef, EntityUpdate},
};
use std::collections::{BTreeMap, BTreeSet};

/// One statement of a collection about an entity: a name, kind, summary, property or external id, or that it is no stub.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(in crate::graph) struct Fact {
    pub entity: i64,
    pub facet: &'static str,
    pub key: String,
    pub value: String,
    pub collection: i64,
}

/// Facets of facts.
const FACETS: [&str; 6] = ["name", "kind", "summary", "property", "external", "detail"];

impl Fact {
    /// Returns a facet by its text.
    pub fn facet(text: &str) -> Option<&'static str> {
        FACETS.into_iter().find(|facet| *facet == text)
    }
}

/// Entity and collection of each view that a write changes.
pub(in crate::graph) type ViewKeys = BTreeSet<(i64, i64)>;

/// The facts of a document with the claims that state them.
pub(in crate::graph) type Facts = BTreeMap<Fact, BTreeSet<i64>>;

/// The facts of a pack.
pub(in crate::graph) type PackFacts = BTreeMap<Fact, StatedFact>;

/// The claims that state a fact, and the time of the first write.
pub(in crate::graph) struct StatedFact {
    pub at: Timestamp,
    pub claims: BTreeSet<i64>,
}

/// Adds the facts of a document to those of its pack.
pub(in crate::graph) fn join(pack: &mut PackFacts, facts: Facts, at: Timestamp) {
    for (fact, claims) in facts {
        pack.entry(fact).or_insert_with(|| StatedFact { at, claims: BTreeSet::new() }).claims.extend(claims);
    }
}

/// Returns entity and collection of every view that the facts change.
pub(in crate::graph) fn touched(facts: &PackFacts) -> ViewKeys {
    facts.keys().map(|fact| (fact.entity, fact.collection)).collect()
}

/// Collects the facts of all proposals and updates, with the claims that state them.
pub(in crate::graph) fn collect_facts(context: &WriteContext<'_>) -> StoreResult<Facts> {
    let mut facts = FactCollector { context, found: BTreeMap::new() };
    for (index, proposal) in context.write.entities.iter().enumerate() {
        facts.proposal(index, proposal);
    }
    for update in &context.write.updates {
        facts.update(update)?;
    }
    Ok(facts.found)
}

struct FactCollector<'a> {
    context: &'a WriteContext<'a>,
    found: Facts,
}

impl FactCollector<'_> {
    fn proposal(&mut self, index: usize, proposal: &EntityProposal) {
        let entity = self.context.resolved.entities[index].n;
        let evidence = self.evidence_of(index, proposal);
        self.name(entity, "", &proposal.name, &evidence);
        for alias in proposal.aliases.iter().filter(|alias| one_line(alias) != one_line(&proposal.name)) {
            self.name(entity, ALIAS, alias, &evidence);
        }
        self.kind(entity, &proposal.kind, &evidence);
        let updates = &self.context.write.updates;
        let own = updates.iter().filter(|update| update.entity == EntityRef::New(index));
        let stated: BTreeSet<_> = own.flat_map(|update| &update.external_ids).collect();
        // An id with claims of its own rests on these alone.
        for (system, id) in proposal.external_ids.iter().filter(|id| !stated.contains(id)) {
            self.add(entity, "external", system, id.clone(), &evidence);
        }
        if !proposal.is_stub {
            self.add(entity, "detail", "", String::new(), &evidence);
        }
    }

    fn update(&mut self, update: &EntityUpdate) -> StoreResult<()> {
        let entity = self.context.resolved.row(self.context.refs, update.entity);
        let evidence = self.context.evidence(&update.claims, &update.existing_claims);
        for name in &update.aliases {
            self.name(entity, ALIAS, name, &evidence);
        }
        self.kind(entity, update.kind.as_deref().unwrap_or_default(), &evidence);
        if let Some(summary) = update.summary.as_deref().map(str::trim).filter(|summary| !summary.is_empty()) {
            self.add(entity, "summary", "", summary.to_owned(), &evidence);
        }
        for (key, value) in &update.properties {
            let value = serde_json::to_string(value).map_err(|error| StoreError::Invalid(error.to_string()))?;
            self.add(entity, "property", key.as_str(), value, &evidence);
        }
        for (system, id) in &update.external_ids {
            self.add(entity, "external", system, id.clone(), &evidence);
        }
        if update.is_stub == Some(false) {
            self.add(entity, "detail", "", String::new(), &evidence);
        }
        Ok(())
    }

    /// Returns the claims behind a proposal: those that name it, and those behind its other statements.
    fn evidence_of(&self, index: usize, proposal: &EntityProposal) -> Vec<(i64, i64)> {
        let write = self.context.write;
        let is_it = |entity: &EntityRef| *entity == EntityRef::New(index);
        let mut new: BTreeSet<usize> = proposal.claims.iter().copied().collect();
        let mut existing: BTreeSet<ClaimId> = BTreeSet::new();
        if write.outlet.as_ref().is_some_and(is_it) {
            new.extend(0..write.claims.len());
        }
        new.extend((0..write.claims.len()).filter(|claim| write.claims[*claim].entities.iter().any(is_it)));
        for relationship in write.relationships.iter().filter(|link| is_it(&link.source) || is_it(&link.target)) {
            new.extend(&relationship.claims);
            existing.extend(&relationship.existing_claims);
        }
        for update in write.updates.iter().filter(|update| is_it(&update.entity)) {
            new.extend(&update.claims);
            existing.extend(&update.existing_claims);
        }
        self.context.evidence(&new.into_iter().collect::<Vec<_>>(), &existing.into_iter().collect::<Vec<_>>())
    }

    fn name(&mut self, entity: i64, key: &str, name: &str, evidence: &[(i64, i64)]) {
        let name = one_line(name);
        if !name.is_empty() {
            self.add(entity, "name", key, name, evidence);
        }
    }

    fn kind(&mut self, entity: i64, kind: &str, evidence: &[(i64, i64)]) {
        if !kind.trim().is_empty() {
            self.add(entity, "kind", "", kind.trim().to_owned(), evidence);
        }
    }

    /// Adds one fact per collection with evidence of it; without evidence, one for the write's own collection.
    fn add(&mut self, entity: i64, facet: &'static str, key: &str, value: String, evidence: &[(i64, i64)]) {
        let fact = |collection| Fact { entity, facet, key: key.to_owned(), value: value.clone(), collection };
        if evidence.is_empty() {
            self.found.entry(fact(self.context.refs.collection)).or_default();
        }
        for (claim, collection) in evidence {
            self.found.entry(fact(*collection)).or_default().insert(*claim);
        }
    }
}

fn one_line(name: &str) -> String {
    name.split_whitespace().collect::<Vec<_>>().join(" ")
}
