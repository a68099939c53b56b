//! Entities from the rows of their visible facts.

use super::{EntityProjection, FactEvidence, RankedValue};
use domain::{ClaimId, EntityId, entity::Entity};
use engine::{StoreResult, names::NameMatcher};
use serde::Deserialize;
use sqlx::FromRow;
use std::collections::{HashMap, HashSet};
use uuid::Uuid;

/// A visible fact of an entity; of the end of a relationship, a name.
#[derive(Deserialize, FromRow)]
pub(in crate::graph) struct FactRow {
    root: i64,
    id: Uuid,
    fact: i64,
    facet: String,
    key: String,
    value: String,
    claims: i64,
    newest: Option<i64>,
    oldest: Option<i64>,
    at: i64,
    /// Claims behind a summary or a property, in document order; only where they are read with the fact.
    #[sqlx(skip)]
    evidence: Option<Vec<Uuid>>,
}

/// Entities in the making, by their root rows.
pub(in crate::graph) struct Projections(HashMap<i64, EntityProjection>);

impl Projections {
    /// Collects facts; returns with them the evidence that was read along.
    pub fn new(facts: Vec<FactRow>) -> (Self, FactEvidence) {
        let mut projections: HashMap<i64, EntityProjection> = HashMap::new();
        let mut behind = FactEvidence::new();
        for FactRow { root, id, fact, facet, key, value, claims, newest, oldest, at, evidence } in facts {
            let projection = projections.entry(root).or_insert_with(|| EntityProjection::new(id));
            projection.add(&facet, key, RankedValue { value, claims, newest, oldest, facts: vec![fact] }, at);
            if let Some(evidence) = evidence {
                behind.insert(fact, evidence.into_iter().map(ClaimId).collect());
            }
        }
        (Self(projections), behind)
    }

    /// Returns the facts whose evidence is part of the entities.
    pub fn facts_with_evidence(&self) -> Vec<i64> {
        self.0.values().flat_map(EntityProjection::facts_with_evidence).collect()
    }

    /// Returns the entities by their root rows; those in `pending` wait for a vector.
    pub fn entities(
        self,
        names: &NameMatcher,
        evidence: &FactEvidence,
        pending: &HashSet<i64>,
    ) -> StoreResult<HashMap<i64, Entity>> {
        let mut found = HashMap::new();
        for (root, projection) in self.0 {
            if let Some(entity) = projection.entity(names, evidence, pending.contains(&root))? {
                found.insert(root, entity);
            }
        }
        Ok(found)
    }
}

/// Returns the entities of facts that were read with their evidence, by their root rows.
pub(in crate::graph) fn found_entities(facts: Vec<FactRow>, names: &NameMatcher) -> StoreResult<HashMap<i64, Entity>> {
    let (projections, evidence) = Projections::new(facts);
    projections.entities(names, &evidence, &HashSet::new())
}

/// Returns the names of entities by id.
pub(super) fn names_of(entities: &HashMap<i64, Entity>) -> HashMap<EntityId, String> {
    entities.values().map(|entity| (entity.id, entity.canonical_name.clone())).collect()
}
