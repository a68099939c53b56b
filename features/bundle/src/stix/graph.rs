//! A saved graph view as a STIX 2.1 bundle: a grouping of identities, locations and the relationships between them.
//!
//! Invariant: ids of entities and relationships depend on them alone, so that exports of several views agree.

use super::{FIRST, NAMESPACE, identity, identity_id, moment, uuid_of};
use domain::{
    EntityId, Timestamp,
    subgraph::{GraphEdge, GraphNode, Subgraph},
};
use engine::{graph::resolve::kind_of, names::NameKind};
use feature::SavedGraphView;
use serde_json::{Value, json};
use std::collections::HashMap;

/// Last words of the kinds of informal groups.
const GROUPS: [&str; 5] = ["group", "movement", "militia", "unit", "community"];

/// Returns the bundle of a view, as it was read at `now`.
pub fn graph_bundle(view: &SavedGraphView, graph: &Subgraph, now: Timestamp) -> Value {
    let modified = moment(now.max(view.created_at));
    let ids: HashMap<EntityId, String> = graph.nodes.iter().map(|node| (node.id, entity_id(node))).collect();
    let entities: Vec<Value> = graph.nodes.iter().map(|node| entity(node, &ids, &modified)).collect();
    let relationships: Vec<Value> = graph.edges.iter().filter_map(|edge| relationship(edge, &ids, &modified)).collect();
    let mut members: Vec<Value> = entities.iter().chain(&relationships).map(|object| object["id"].clone()).collect();
    if members.is_empty() {
        // A grouping has at least one member.
        members.push(json!(identity_id()));
    }
    let mut grouping = json!({
        "type": "grouping", "spec_version": "2.1", "id": id("grouping", &view.id.to_string()), "created_by_ref": identity_id(),
        "created": moment(view.created_at), "modified": modified, "name": view.name, "context": "unspecified",
        "object_refs": members,
    });
    if !view.notes.is_empty() {
        grouping["description"] = json!(view.notes);
    }
    let objects: Vec<Value> = [identity(), grouping].into_iter().chain(entities).chain(relationships).collect();
    json!({ "type": "bundle", "id": id("bundle", &view.id.to_string()), "objects": objects })
}

fn id(kind: &str, name: &str) -> String {
    format!("{kind}--{}", uuid_of(NAMESPACE, &format!("graph/{kind}/{name}")))
}

fn is_place(node: &GraphNode) -> bool {
    kind_of(&node.kind) == Some(NameKind::Place)
}

/// Returns the class of an identity, by its kind: "group" of "Armed group".
fn identity_class(kind: &str) -> &'static str {
    let word = kind.split_whitespace().next_back().unwrap_or_default().to_lowercase();
    match kind_of(kind) {
        _ if GROUPS.contains(&word.as_str()) => "group",
        Some(NameKind::Person) => "individual",
        Some(NameKind::Organisation) => "organization",
        Some(NameKind::Place) | None => "unknown",
    }
}

fn entity_id(node: &GraphNode) -> String {
    id(if is_place(node) { "location" } else { "identity" }, &node.id.to_string())
}

/// Returns an entity as a location or an identity, with its kind as a label.
fn entity(node: &GraphNode, ids: &HashMap<EntityId, String>, modified: &str) -> Value {
    let mut object = json!({
        "spec_version": "2.1", "id": ids[&node.id], "created_by_ref": identity_id(), "created": FIRST, "modified": modified,
        "name": node.name,
    });
    if !node.kind.is_empty() {
        object["labels"] = json!([node.kind]);
    }
    if is_place(node) {
        object["type"] = json!("location");
        // STIX asks for a country, coordinates or a region, whose vocabulary is open.
        object["region"] = json!(hyphenated(&node.name));
    } else {
        object["type"] = json!("identity");
        object["identity_class"] = json!(identity_class(&node.kind));
    }
    object
}

/// Returns a name as values of open vocabularies are written: in lower case, with hyphens.
fn hyphenated(name: &str) -> String {
    name.split_whitespace().map(str::to_lowercase).collect::<Vec<_>>().join("-")
}

/// Returns a relationship; none without its ends.
fn relationship(edge: &GraphEdge, ids: &HashMap<EntityId, String>, modified: &str) -> Option<Value> {
    let mut object = json!({
        "type": "relationship", "spec_version": "2.1", "id": id("relationship", &edge.id.to_string()),
        "created_by_ref": identity_id(), "created": FIRST, "modified": modified, "relationship_type": "related-to",
        "description": edge.with_dates(&edge.description), "source_ref": ids.get(&edge.source)?,
        "target_ref": ids.get(&edge.target)?,
    });
    if edge.is_unasserted() {
        object["labels"] = json!(["not-asserted"]);
    }
    Some(object)
}
