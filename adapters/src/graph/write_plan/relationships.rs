//! The relationships of a write, as views per collection with evidence.

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

/// Returns the relationships of the write with their natural keys.
pub(in crate::graph) fn by_key<'a>(context: &WriteContext<'a>) -> Vec<(RelationshipKey, &'a NewRelationship)> {
    context.write.relationships.iter().map(|new| (key(context, new), new)).collect()
}

fn key(context: &WriteContext<'_>, new: &NewRelationship) -> RelationshipKey {
    let row = |entity| context.resolved.row(context.refs, entity);
    (row(new.source), row(new.target), description_hash(&new.description))
}

/// Hash that distinguishes relationships of one pair.
pub(in crate::graph) fn description_hash(description: &str) -> String {
    sha256_hex(description.trim().as_bytes())
}

pub(in crate::graph) fn views(
    context: &WriteContext<'_>,
    keyed: &[(RelationshipKey, &NewRelationship)],
    found: &HashMap<RelationshipKey, RelationshipRow>,
) -> Vec<RelationshipView> {
    let views = keyed.iter().flat_map(|(key, new)| {
        let evidence = context.evidence(&new.claims, &new.existing_claims);
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
    context: &WriteContext<'_>,
    keyed: &[(RelationshipKey, &NewRelationship)],
    found: &HashMap<RelationshipKey, RelationshipRow>,
) -> BTreeMap<(i64, i64), Vec<String>> {
    let mut learned = BTreeMap::new();
    for (key, relationship) in keyed {
        let row = &found[key];
        let evidence = context.evidence(&relationship.claims, &relationship.existing_claims);
        for collection in evidence.into_iter().map(|(_, collection)| collection).filter(|of| !row.collections.contains(of)) {
            learned.entry((row.n, collection)).or_insert_with(|| terms(&relationship.description));
        }
    }
    learned
}

/// Returns the result per relationship; of two equal ones, the first is new.
pub(in crate::graph) fn written_items(
    keyed: &[(RelationshipKey, &NewRelationship)],
    found: &HashMap<RelationshipKey, RelationshipRow>,
    new: &HashSet<i64>,
) -> Vec<WrittenItem<RelationshipId>> {
    let mut told = HashSet::new();
    let item = |(key, _): &(RelationshipKey, &NewRelationship)| {
        let row = &found[key];
        WrittenItem { id: RelationshipId(row.id), is_new: new.contains(&row.n) && told.insert(row.n) }
    };
    keyed.iter().map(item).collect()
}
