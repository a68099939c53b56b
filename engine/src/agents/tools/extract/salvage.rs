//! Item-by-item parsing of an extract: an invalid item is removed with its error, and the others are kept.

use crate::evidence::{locate, nearest};
use domain::document::DocumentText;
use protocol::tools::{ClaimExtract, DocumentExtract, EntityExtract, ItemError, RelationshipExtract};
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use std::collections::BTreeSet;

/// Maximum length of an item in an error report, in characters.
const MAX_ITEM_CHARS: usize = 1_200;

/// Parses a document's entry, and returns it without invalid items, with their errors. Fails when the entry itself is unreadable.
pub fn read_entry(entry: &Value) -> Result<(DocumentExtract, Vec<ItemError>), String> {
    let mut entry = entry.clone();
    let mut errors = vec![];
    keep_readable::<EntityExtract>(&mut entry, "entities", &mut errors);
    keep_readable::<ClaimExtract>(&mut entry, "claims", &mut errors);
    keep_readable::<RelationshipExtract>(&mut entry, "relationships", &mut errors);
    if let Some(fields) = entry.as_object_mut() {
        // A wrong value of these costs no claim.
        if !fields.get("added").is_some_and(Value::is_object) {
            fields.remove("added");
        }
        if !fields.get("in_view_only").is_some_and(Value::is_boolean) {
            fields.remove("in_view_only");
        }
    }
    let extract: DocumentExtract = serde_path_to_error::deserialize(entry).map_err(|error| {
        let at = error.path().to_string();
        format!("{at}: {}", error.into_inner())
    })?;
    let extract = if errors.is_empty() { extract } else { without_dangling_refs(extract) };
    Ok((extract, errors))
}

fn keep_readable<T: DeserializeOwned>(entry: &mut Value, list: &str, errors: &mut Vec<ItemError>) {
    let Some(items) = entry.get_mut(list).and_then(Value::as_array_mut) else { return };
    let mut kept = vec![];
    for (n, item) in std::mem::take(items).into_iter().enumerate() {
        match serde_path_to_error::deserialize::<_, T>(item.clone()) {
            Ok(_) => kept.push(item),
            Err(error) => {
                let (at, why) = (error.path().to_string(), error.inner().to_string());
                let at = if at == "." { String::new() } else { format!("{at}: ") };
                errors.push(ItemError { item: label(&item, list, n), error: format!("{at}{why}") });
            }
        }
    }
    *items = kept;
}

/// Returns the label of an item: `claim c10`, or `relationships[2]` without a ref.
fn label(item: &Value, list: &str, n: usize) -> String {
    match (list, item.get("ref").and_then(Value::as_str)) {
        ("claims", Some(reference)) => format!("claim {reference}"),
        ("entities", Some(reference)) => format!("entity {reference}"),
        _ => format!("{list}[{n}]"),
    }
}

/// Removes the items named by the `errors` of its plan, and relabels these errors by ref.
pub fn without(mut extract: DocumentExtract, errors: Vec<ItemError>) -> (DocumentExtract, Vec<ItemError>) {
    let named =
        errors.iter().map(|error| ItemError { item: by_ref(&extract, &error.item), error: error.error.clone() }).collect();
    let (mut claims, mut entities, mut links) = (BTreeSet::new(), BTreeSet::new(), BTreeSet::new());
    for error in &errors {
        let Some((list, n, rest)) = place(&error.item) else {
            extract.outlet = None;
            continue;
        };
        match (list, rest.split('.').next().unwrap_or_default()) {
            ("claims", _) => drop(claims.insert(n)),
            ("relationships", _) => drop(links.insert(n)),
            ("entities", "") => drop(entities.insert(n)),
            ("entities", field) => {
                if let Some(entity) = extract.entities.get_mut(n) {
                    drop_field(entity, field, rest);
                }
            }
            _ => {}
        }
    }
    extract.claims = without_items(extract.claims, &claims);
    extract.entities = without_items(extract.entities, &entities);
    extract.relationships = without_items(extract.relationships, &links);
    (without_dangling_refs(extract), named)
}

/// Splits `claims[3].occurred` into list, index and remainder.
fn place(item: &str) -> Option<(&str, usize, &str)> {
    let (list, rest) = item.split_once('[')?;
    let (number, rest) = rest.split_once(']')?;
    Some((list, number.parse().ok()?, rest.trim_start_matches('.')))
}

fn by_ref(extract: &DocumentExtract, item: &str) -> String {
    let Some((list, n, rest)) = place(item) else { return item.to_owned() };
    let rest = if rest.is_empty() { String::new() } else { format!(" {rest}") };
    match list {
        "claims" => extract.claims.get(n).map(|claim| format!("claim {}{rest}", claim.reference)),
        "entities" => extract.entities.get(n).map(|entity| format!("entity {}{rest}", entity.reference)),
        "relationships" => {
            extract.relationships.get(n).map(|link| format!("relationship {} to {}{rest}", link.source, link.target))
        }
        _ => None,
    }
    .unwrap_or_else(|| item.to_owned())
}

fn drop_field(entity: &mut EntityExtract, field: &str, rest: &str) {
    match field {
        "properties" => {
            let key = rest.trim_start_matches("properties.");
            entity.properties.retain(|property| property.key != key);
        }
        "aliases" => {
            let alias = rest.trim_start_matches("aliases.");
            entity.aliases.retain(|known| known != alias);
        }
        "summary" => entity.summary = None,
        "external_ids" => entity.external_ids.clear(),
        "same_as" => entity.same_as.clear(),
        _ => {}
    }
}

fn without_items<T>(items: Vec<T>, dropped: &BTreeSet<usize>) -> Vec<T> {
    items.into_iter().enumerate().filter(|(n, _)| !dropped.contains(n)).map(|(_, item)| item).collect()
}

/// Removes items that refer only to removed items.
fn without_dangling_refs(mut extract: DocumentExtract) -> DocumentExtract {
    let claims: BTreeSet<String> = extract.claims.iter().map(|claim| claim.reference.clone()).collect();
    let entities: BTreeSet<String> = extract.entities.iter().map(|entity| entity.reference.clone()).collect();
    let keep_claims = |refs: &mut Vec<String>| {
        refs.retain(|reference| claims.contains(reference));
        !refs.is_empty()
    };
    extract.outlet = extract.outlet.filter(|outlet| entities.contains(outlet));
    extract.claims.iter_mut().for_each(|claim| claim.entities.retain(|entity| entities.contains(entity)));
    extract
        .relationships
        .retain_mut(|link| keep_claims(&mut link.claims) && entities.contains(&link.source) && entities.contains(&link.target));
    for entity in &mut extract.entities {
        entity.properties.retain_mut(|property| keep_claims(&mut property.claims));
        entity.summary = entity.summary.take().and_then(|mut summary| keep_claims(&mut summary.claims).then_some(summary));
        entity.external_ids.retain_mut(|external| keep_claims(&mut external.claims));
        // An entity may also be a known one, by id.
        let is_gone = |entity: &str| is_ref(entity) && !entities.contains(entity);
        entity.same_as.retain_mut(|same| keep_claims(&mut same.claims) && !is_gone(&same.entity));
    }
    extract
}

fn is_ref(entity: &str) -> bool {
    uuid::Uuid::parse_str(entity).is_err()
}

/// Describes the items not recorded, one JSON object per line: error, original item, and the nearest words for a quote not found.
/// The text is fenced later.
pub fn describe(entry: &Value, errors: &[ItemError], document: &DocumentText) -> String {
    let lines = errors.iter().map(|error| {
        let item = item_of(entry, &error.item);
        let quote = item.and_then(|item| item.get("quote")).and_then(Value::as_str);
        let missing = quote.filter(|quote| locate(&document.text, quote).is_none());
        let mut line = json!({"item": error.item, "error": error.error});
        if let Some(item) = item {
            let written = item.to_string();
            line["as_written"] = match written.char_indices().nth(MAX_ITEM_CHARS) {
                None => item.clone(),
                Some((at, _)) => Value::from(format!("{}…", &written[..at])),
            };
        }
        if let Some(near) = missing.and_then(|quote| nearest(&document.text, quote)) {
            line["nearest_words_of_the_document"] = near.into();
        }
        line.to_string()
    });
    lines.collect::<Vec<_>>().join("\n")
}

/// Returns the item of a label such as `claim c10`, `entity e3 summary` or `relationships[2]`.
fn item_of<'a>(entry: &'a Value, label: &str) -> Option<&'a Value> {
    let items = |list: &str| entry.get(list).and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
    let mut words = label.split(' ');
    let with_ref = |list: &str, reference: Option<&str>| {
        items(list).iter().find(|item| item.get("ref").and_then(Value::as_str) == reference)
    };
    match words.next()? {
        "claim" => with_ref("claims", words.next()),
        "entity" => with_ref("entities", words.next()),
        "relationship" => {
            let ends = (words.next(), words.nth(1));
            let is_it = |link: &&Value| {
                (link.get("source").and_then(Value::as_str), link.get("target").and_then(Value::as_str)) == ends
            };
            items("relationships").iter().find(is_it)
        }
        _ => {
            let (list, n, _) = place(label)?;
            items(list).get(n)
        }
    }
}
