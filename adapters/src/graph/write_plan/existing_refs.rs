//! The existing rows that a pack refers to: its collection, entities and claims.

use super::validate::invalid;
use domain::{ClaimId, DocumentId, EntityId};
use engine::{
    StoreResult,
    graph::{EntityRef, GraphWrite},
};
use std::{
    collections::{HashMap, HashSet},
    fmt::Display,
    hash::Hash,
};

pub(in crate::graph) struct ExistingRefs {
    pub collection: i64,
    pub documents_with_claims: HashSet<DocumentId>,
    /// The collections whose names take part in resolution.
    pub resolve_within: Vec<i64>,
    pub entities: HashMap<EntityId, EntityRow>,
    /// Row and collection of each existing claim.
    pub claims: HashMap<ClaimId, (i64, i64)>,
}

/// The root row of an entity.
#[derive(Debug, Clone, Copy)]
pub(in crate::graph) struct EntityRow {
    pub root: i64,
    pub root_id: EntityId,
}

/// Returns the entities that the writes refer to by id.
pub(in crate::graph) fn referenced_entities(writes: &[GraphWrite]) -> Vec<EntityId> {
    writes.iter().flat_map(entities_of).collect()
}

fn entities_of(write: &GraphWrite) -> Vec<EntityId> {
    let refs = write.outlet.iter().chain(write.claims.iter().flat_map(|claim| &claim.entities));
    let refs = refs.chain(write.relationships.iter().flat_map(|relationship| [&relationship.source, &relationship.target]));
    let refs = refs.chain(write.updates.iter().map(|update| &update.entity));
    let refs = refs.chain(write.same_as.iter().flat_map(|same| [&same.one, &same.other]));
    let named = refs.filter_map(|entity| match entity {
        EntityRef::Existing(id) => Some(*id),
        EntityRef::New(_) => None,
    });
    named.collect()
}

/// Returns the entities that the writes refer to by id, and those that they propose.
pub(in crate::graph) fn named_entities(writes: &[GraphWrite]) -> Vec<EntityId> {
    let proposed = writes.iter().flat_map(|write| &write.entities).map(|proposal| proposal.id);
    referenced_entities(writes).into_iter().chain(proposed).collect()
}

/// Returns the claims that the writes refer to by id.
pub(in crate::graph) fn referenced_claims(writes: &[GraphWrite]) -> Vec<ClaimId> {
    let linked = writes.iter().flat_map(|write| &write.relationships).flat_map(|relationship| &relationship.existing_claims);
    let updated = writes.iter().flat_map(|write| &write.updates).flat_map(|update| &update.existing_claims);
    linked.chain(updated).copied().collect()
}

/// Returns `found`, or an error if one of the ids is missing.
pub(in crate::graph) fn require_all<Id: Eq + Hash + Display, T>(
    what: &str,
    named: &[Id],
    found: HashMap<Id, T>,
) -> StoreResult<HashMap<Id, T>> {
    match named.iter().find(|id| !found.contains_key(*id)) {
        Some(unknown) => invalid(format!("there is no {what} {unknown}")),
        None => Ok(found),
    }
}

/// Returns the collections for resolution, sorted: the open ones and the write's own.
pub(in crate::graph) fn resolution_collections(open: Vec<i64>, own: i64) -> Vec<i64> {
    let mut within = open;
    within.push(own);
    within.sort_unstable();
    within.dedup();
    within
}
