//! The projection of the entities of a search over several kinds, and of the ends of its relationships.

use super::{EntityProjection, FactEvidence, RankedValue};
use domain::{ClaimId, EntityId, entity::Entity};
use engine::{StoreResult, names::NameMatcher};
use serde::Deserialize;
use std::collections::HashMap;
use uuid::Uuid;

/// A visible fact of an entity; of an end, a name.
#[derive(Deserialize)]
pub(in crate::graph) struct FoundFact {
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
    /// Claims behind a summary or a property, in document order.
    evidence: Option<Vec<Uuid>>,
}

/// Returns the entities by their root rows.
pub(in crate::graph) fn found_entities(facts: Vec<FoundFact>, names: &NameMatcher) -> StoreResult<HashMap<i64, Entity>> {
    let mut projections: HashMap<i64, EntityProjection> = HashMap::new();
    let mut behind = FactEvidence::new();
    for FoundFact { root, id, fact, facet, key, value, claims, newest, oldest, at, evidence } in facts {
        let projection = projections.entry(root).or_insert_with(|| EntityProjection::new(id));
        projection.add(&facet, key, RankedValue { value, claims, newest, oldest, facts: vec![fact] }, at);
        behind.insert(fact, evidence.into_iter().flatten().map(ClaimId).collect());
    }
    let mut found = HashMap::new();
    for (root, projection) in projections {
        if let Some(entity) = projection.entity(names, &behind, false)? {
            found.insert(root, entity);
        }
    }
    Ok(found)
}

/// Returns the names of entities by id.
pub(in crate::graph) fn names_of(entities: &HashMap<i64, Entity>) -> HashMap<EntityId, String> {
    entities.values().map(|entity| (entity.id, entity.canonical_name.clone())).collect()
}
