//! The plan of a split: which facts and relationships of an entity become those of the new one.
//!
//! Invariant: what rests on claims of both is with both afterwards, each with its own claims. A side that has no other name or kind in a
//! collection keeps those of the other.

use super::relationships::{RelationshipKey, description_hash};
use domain::EntityId;
use serde::Deserialize;
use sha2::{Digest, Sha256};
use sqlx::types::Json;
use std::collections::{BTreeMap, BTreeSet};
use uuid::Uuid;

/// A fact of the entity, with the claims that move and the number of all claims behind it.
#[derive(Debug, Clone, Deserialize, sqlx::FromRow)]
pub(in crate::graph) struct HeldFact {
    pub n: i64,
    pub facet: String,
    pub key: String,
    pub value: String,
    pub collection: i64,
    pub at: i64,
    pub moved: Json<Vec<i64>>,
    pub evidence: i64,
}

impl HeldFact {
    fn has_moved_claims(&self) -> bool {
        !self.moved.0.is_empty()
    }

    fn stays(&self) -> bool {
        !self.has_moved_claims() || self.evidence > self.moved.0.len() as i64
    }

    /// An entity is seen in a collection only with one of these.
    fn is_needed(&self) -> bool {
        matches!(self.facet.as_str(), "name" | "kind")
    }
}

/// The facts of a split by what becomes of them.
pub(in crate::graph) struct FactSplit<'a> {
    /// Facts of the new entity, with the claims that move.
    pub new: Vec<&'a HeldFact>,
    /// Rows of facts that the entity loses.
    pub gone: Vec<i64>,
    /// Rows of facts that keep some of their claims, or none but are needed.
    pub reduced: Vec<i64>,
}

/// Divides the facts. `moved_in` are the collections of the claims that move, `kept_in` those of the claims that stay.
pub(in crate::graph) fn split_facts<'a>(
    held: &'a [HeldFact],
    moved_in: &BTreeSet<i64>,
    kept_in: &BTreeSet<i64>,
) -> FactSplit<'a> {
    let has = |fact: &HeldFact, is_so: fn(&HeldFact) -> bool| {
        held.iter().any(|other| other.facet == fact.facet && other.collection == fact.collection && is_so(other))
    };
    let is_new = |fact: &&HeldFact| {
        fact.has_moved_claims()
            || (fact.is_needed() && moved_in.contains(&fact.collection) && !has(fact, HeldFact::has_moved_claims))
    };
    let is_kept = |fact: &HeldFact| {
        fact.stays() || (fact.is_needed() && kept_in.contains(&fact.collection) && !has(fact, HeldFact::stays))
    };
    let (reduced, gone): (Vec<&HeldFact>, Vec<&HeldFact>) =
        held.iter().filter(|fact| fact.has_moved_claims()).partition(|fact| is_kept(fact));
    let rows = |facts: Vec<&HeldFact>| facts.into_iter().map(|fact| fact.n).collect();
    FactSplit { new: held.iter().filter(is_new).collect(), gone: rows(gone), reduced: rows(reduced) }
}

/// A relationship of the entity as one collection has it, with the claims that move and the number of all claims behind it.
#[derive(Debug, Clone, Deserialize, sqlx::FromRow)]
pub(in crate::graph) struct HeldView {
    pub n: i64,
    pub id: Uuid,
    pub source: i64,
    pub target: i64,
    pub description: String,
    pub collection: i64,
    pub moved: Json<Vec<i64>>,
    pub evidence: i64,
}

impl HeldView {
    /// Whether no claim stays behind it.
    pub fn is_gone(&self) -> bool {
        self.evidence <= self.moved.0.len() as i64
    }
}

/// A relationship of the new entity.
pub(in crate::graph) struct NewRelationshipEnd<'a> {
    /// Row of the relationship that it is split from.
    pub from: i64,
    pub id: Uuid,
    pub key: RelationshipKey,
    pub description: &'a str,
    /// The views of which claims move.
    pub views: Vec<&'a HeldView>,
}

/// Returns the relationships of the new entity, which take the place of `old` by `new`.
pub(in crate::graph) fn split_relationships(
    held: &[HeldView],
    (old, new): (i64, i64),
    new_id: EntityId,
) -> Vec<NewRelationshipEnd<'_>> {
    let mut found: BTreeMap<i64, NewRelationshipEnd<'_>> = BTreeMap::new();
    for view in held.iter().filter(|view| !view.moved.0.is_empty()) {
        let end = |row: i64| if row == old { new } else { row };
        let relationship = found.entry(view.n).or_insert_with(|| NewRelationshipEnd {
            from: view.n,
            id: relationship_id(new_id, view.id),
            key: (end(view.source), end(view.target), description_hash(&view.description)),
            description: &view.description,
            views: vec![],
        });
        relationship.views.push(view);
    }
    found.into_values().collect()
}

/// Returns the id of a relationship that is split from another. A repeated split has the same.
fn relationship_id(entity: EntityId, from: Uuid) -> Uuid {
    let digest = Sha256::digest(format!("{entity} {from}"));
    let mut bytes = [0; 16];
    bytes.copy_from_slice(&digest[..16]);
    uuid::Builder::from_custom_bytes(bytes).into_uuid()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fact(n: i64, facet: &str, collection: i64, moved: &[i64], evidence: i64) -> HeldFact {
        let (key, value) = (String::new(), format!("value {n}"));
        HeldFact { n, facet: facet.into(), key, value, collection, at: 0, moved: Json(moved.to_vec()), evidence }
    }

    #[test]
    fn a_fact_goes_with_its_claims_and_each_side_keeps_a_name() {
        let held = [
            fact(1, "name", 7, &[1], 1),
            fact(2, "name", 7, &[], 1),
            fact(3, "kind", 7, &[1], 2),
            fact(4, "summary", 7, &[1], 1),
            fact(5, "name", 8, &[2], 1),
        ];
        let both = BTreeSet::from([7, 8]);
        let FactSplit { new, gone, reduced } = split_facts(&held, &both, &both);
        assert_eq!(new.iter().map(|fact| fact.n).collect::<Vec<_>>(), [1, 3, 4, 5]);
        assert_eq!((gone, reduced), (vec![1, 4], vec![3, 5]), "the only name in a collection stays without evidence");
        let FactSplit { gone, .. } = split_facts(&held, &both, &BTreeSet::from([7]));
        assert_eq!(gone, [1, 4, 5], "unless no claim stays there");
    }

    #[test]
    fn a_new_entity_takes_the_names_where_none_goes_with_its_claims() {
        let held = [fact(1, "name", 7, &[], 1), fact(2, "kind", 7, &[], 0), fact(3, "summary", 7, &[], 1)];
        let FactSplit { new, gone, reduced } = split_facts(&held, &BTreeSet::from([7]), &BTreeSet::from([7]));
        assert_eq!((new.len(), gone.len(), reduced.len()), (2, 0, 0));
    }
}
