//! Document entries of extraction answers: found by document, merged with corrections, and joined where an answer was cut.

use domain::DocumentId;
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// Lists of a document's entry, with the field that identifies their items.
const LISTS: [(&str, Option<&str>); 3] = [("entities", Some("ref")), ("claims", Some("ref")), ("relationships", None)];
/// Field that says whether anything was left out.
const IN_VIEW_ONLY: &str = "in_view_only";
/// Fields that hold one ref.
const REFS: [&str; 5] = ["ref", "source", "target", "outlet", "entity"];

/// Returns the document entries of an answer.
pub(super) fn entries(answer: &Value) -> impl Iterator<Item = &Value> {
    answer.get("documents").and_then(Value::as_array).into_iter().flatten()
}

pub(super) fn document_of(entry: &Value) -> Option<DocumentId> {
    entry.get("document_id").and_then(Value::as_str).and_then(|text| text.parse().ok())
}

/// Returns the entry of a document.
pub(super) fn entry_of(answer: &Value, id: DocumentId) -> Option<&Value> {
    entries(answer).find(|entry| document_of(entry) == Some(id))
}

/// Marks the entries as read in view of the question only if one of them or an earlier part is so, and returns whether.
pub(super) fn carry_view(answer: &mut Value, was_in_view_only: bool) -> bool {
    let is_in_view_only = was_in_view_only || entries(answer).any(|entry| entry.get(IN_VIEW_ONLY) == Some(&Value::Bool(true)));
    let entries = answer.get_mut("documents").and_then(Value::as_array_mut).into_iter().flatten();
    for entry in entries.filter_map(Value::as_object_mut).filter(|_| is_in_view_only) {
        entry.insert(IN_VIEW_ONLY.into(), true.into());
    }
    is_in_view_only
}

/// Merges the items of `mended` into `entry`: an item replaces the one with the same ref, others are appended.
pub(super) fn merge(entry: &mut Value, mended: &Value) {
    for (list, key) in LISTS {
        let Some(items) = mended.get(list).and_then(Value::as_array) else { continue };
        if !entry[list].is_array() {
            entry[list] = json!([]);
        }
        let Some(ours) = entry[list].as_array_mut() else { continue };
        for item in items {
            let is_same = |our: &Value| key.is_some_and(|key| our.get(key) == item.get(key));
            match ours.iter().position(is_same) {
                Some(n) => ours[n] = item.clone(),
                None if ours.contains(item) => {}
                None => ours.push(item.clone()),
            }
        }
    }
    for field in ["outlet", "credits"] {
        if let Some(given) = mended.get(field).filter(|given| !given.is_null()) {
            entry[field] = given.clone();
        }
    }
    if mended.get(IN_VIEW_ONLY) == Some(&Value::Bool(true)) {
        entry[IN_VIEW_ONLY] = true.into();
    }
    merge_added(entry, mended);
}

/// Appends the items of added fields that are new.
fn merge_added(entry: &mut Value, mended: &Value) {
    for (field, items) in mended.get("added").and_then(Value::as_object).into_iter().flatten() {
        let Some(items) = items.as_array() else { continue };
        if !entry["added"].is_object() {
            entry["added"] = json!({});
        }
        if !entry["added"][field].is_array() {
            entry["added"][field] = json!([]);
        }
        let Some(ours) = entry["added"][field].as_array_mut() else { continue };
        for item in items {
            if !ours.contains(item) {
                ours.push(item.clone());
            }
        }
    }
}

/// Adds a continuation to the entry that was cut. A ref that the continuation uses for another item gets a new name.
pub(super) fn join(entry: &mut Value, mut continuation: Value) {
    let mut renamed: BTreeMap<String, String> = BTreeMap::new();
    for (list, words) in [("claims", "quote"), ("entities", "name")] {
        let items = |entry: &Value| entry.get(list).and_then(Value::as_array).cloned().unwrap_or_default();
        let before = items(entry);
        let is_used = |reference: &str| before.iter().any(|our| our.get("ref").and_then(Value::as_str) == Some(reference));
        for item in items(&continuation) {
            let is_same = |our: &Value| our.get("ref") == item.get("ref") && our.get(words) == item.get(words);
            let Some(reference) = item.get("ref").and_then(Value::as_str) else { continue };
            if is_used(reference) && !before.iter().any(is_same) {
                let free = (2..).map(|n| format!("{reference}-{n}")).find(|free| !is_used(free)).unwrap_or_default();
                renamed.insert(reference.to_owned(), free);
            }
        }
    }
    rename(&mut continuation, &renamed);
    merge(entry, &continuation);
}

fn rename(value: &mut Value, renamed: &BTreeMap<String, String>) {
    let replace = |value: &mut Value| {
        if let Some(new) = value.as_str().and_then(|text| renamed.get(text)) {
            *value = Value::from(new.as_str());
        }
    };
    match value {
        Value::Array(items) => items.iter_mut().for_each(|item| rename(item, renamed)),
        Value::Object(fields) => {
            for (key, field) in fields {
                match field {
                    Value::String(_) if REFS.contains(&key.as_str()) => replace(field),
                    Value::Array(items) if items.iter().all(Value::is_string) => items.iter_mut().for_each(replace),
                    field => rename(field, renamed),
                }
            }
        }
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_continuation_keeps_earlier_items_and_renames_repeated_refs() {
        let claim = |reference: &str, quote: &str| json!({"ref": reference, "quote": quote, "entities": ["e1"]});
        let entity = |name: &str| json!({"ref": "e1", "name": name});
        let mut entry = json!({
            "document_id": "d", "claims": [claim("c1", "a"), claim("c2", "b")], "entities": [entity("Ana")],
            "added": {"faults": [{"quote": "a"}]},
        });
        let more = json!({
            "document_id": "d", "claims": [claim("c2", "b"), claim("c1", "z")], "entities": [entity("Bo")],
            "relationships": [{"source": "e1", "target": "e1", "claims": ["c1"]}], "credits": {"agency": null, "byline": "Ana"},
            "added": {"faults": [{"quote": "a"}, {"quote": "b"}], "unread": null},
        });
        join(&mut entry, more);
        let bo = |reference: &str, quote: &str| json!({"ref": reference, "quote": quote, "entities": ["e1-2"]});
        assert_eq!(
            entry,
            json!({
                "document_id": "d", "claims": [claim("c1", "a"), bo("c2", "b"), bo("c1-2", "z")],
                "entities": [entity("Ana"), {"ref": "e1-2", "name": "Bo"}],
                "relationships": [{"source": "e1-2", "target": "e1-2", "claims": ["c1-2"]}],
                "credits": {"agency": null, "byline": "Ana"},
                "added": {"faults": [{"quote": "a"}, {"quote": "b"}]},
            })
        );
    }
}
