//! The relationships of a pack, as views per collection with evidence.

use super::WriteContext;
use domain::{Confidence, PartialDate, RelationshipId, Timestamp};
use engine::{
    evidence::sha256_hex,
    graph::{NewRelationship, WrittenItem, terms::terms},
};
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use uuid::Uuid;

/// Natural key: source, target, hash of the description.
pub(in crate::graph) type RelationshipKey = (i64, i64, String);

pub(in crate::graph) struct RelationshipRow {
    pub n: i64,
    pub id: Uuid,
    /// The collections that had it before this write.
    pub collections: BTreeSet<i64>,
}

/// A relationship as one collection has it.
pub(in crate::graph) struct RelationshipView {
    pub relationship: i64,
    pub collection: i64,
    pub weight: Option<f64>,
    pub confidence: Option<f64>,
    pub bidirectional: bool,
    pub timestamp: Option<Timestamp>,
    pub since: Option<PartialDate>,
    pub until: Option<PartialDate>,
    pub claims: Vec<i64>,
}

/// A relationship of a write with its natural key, and its claims with the collection of each.
pub(in crate::graph) struct KeyedRelationship<'a> {
    pub key: RelationshipKey,
    pub new: &'a NewRelationship,
    evidence: Vec<(i64, i64)>,
}

impl<'a> KeyedRelationship<'a> {
    /// Returns the relationships of a document, in order.
    pub fn of_document(context: &WriteContext<'a>) -> Vec<Self> {
        let row = |entity| context.resolved.row(context.refs, entity);
        let keyed = |new: &'a NewRelationship| Self {
            key: (row(new.source), row(new.target), description_hash(&new.description)),
            new,
            evidence: context.evidence(&new.claims, &new.existing_claims),
        };
        context.write.relationships.iter().map(keyed).collect()
    }
}

/// Hash that distinguishes relationships of one pair.
pub(in crate::graph) fn description_hash(description: &str) -> String {
    sha256_hex(description.trim().as_bytes())
}

pub(in crate::graph) fn views(
    keyed: &[KeyedRelationship<'_>],
    found: &HashMap<RelationshipKey, RelationshipRow>,
) -> Vec<RelationshipView> {
    let views = keyed.iter().flat_map(|KeyedRelationship { key, new, evidence }| {
        let collections: BTreeSet<i64> = evidence.iter().map(|(_, collection)| *collection).collect();
        let view = move |collection: i64| RelationshipView {
            relationship: found[key].n,
            collection,
            weight: new.weight,
            confidence: new.confidence.map(Confidence::get),
            bidirectional: new.bidirectional,
            timestamp: new.timestamp,
            since: new.since,
            until: new.until,
            claims: evidence.iter().filter(|(_, of)| *of == collection).map(|(claim, _)| *claim).collect(),
        };
        collections.into_iter().map(view).collect::<Vec<_>>()
    });
    views.collect()
}

/// Returns the full-text terms of relationships that are new to a collection, by row and collection.
pub(in crate::graph) fn new_terms(
    keyed: &[KeyedRelationship<'_>],
    found: &HashMap<RelationshipKey, RelationshipRow>,
) -> BTreeMap<(i64, i64), Vec<String>> {
    let mut learned = BTreeMap::new();
    for KeyedRelationship { key, new, evidence } in keyed {
        let row = &found[key];
        for collection in evidence.iter().map(|(_, collection)| *collection).filter(|of| !row.collections.contains(of)) {
            learned.entry((row.n, collection)).or_insert_with(|| terms(&new.description));
        }
    }
    learned
}

/// Returns the result per relationship; of two equal ones, the first is new.
pub(in crate::graph) fn written_items(
    keyed: &[KeyedRelationship<'_>],
    found: &HashMap<RelationshipKey, RelationshipRow>,
    new: &HashSet<i64>,
) -> Vec<WrittenItem<RelationshipId>> {
    let mut told = HashSet::new();
    let item = |keyed: &KeyedRelationship<'_>| {
        let row = &found[&keyed.key];
        WrittenItem { id: RelationshipId(row.id), is_new: new.contains(&row.n) && told.insert(row.n) }
    };
    keyed.iter().map(item).collect()
}
