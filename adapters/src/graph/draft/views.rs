//! The searchable view of an entity: what one collection calls it and says of it, for full text and vectors.

use crate::graph::shown::{ALIAS, Stated, StatedName, StatedNames};
use engine::names::Names;
use sha2::{Digest, Sha256};
use std::collections::HashMap;
use uuid::Uuid;

#[derive(PartialEq, Eq)]
pub(in crate::graph) struct View {
    /// Name and summary: what the vector describes.
    pub label: String,
    /// Every name and the summary: what full text finds.
    pub words: String,
}

/// A name or a summary of an entity in a collection, with the claims behind it and when the newest and the oldest were published.
#[derive(sqlx::FromRow)]
pub(in crate::graph) struct Said {
    pub entity: i64,
    pub collection: i64,
    pub facet: String,
    pub key: String,
    pub value: String,
    pub claims: i64,
    pub newest: Option<i64>,
    pub oldest: Option<i64>,
}

/// The views, by entity and collection, as the facts make them now.
pub(in crate::graph) fn wanted(names: &Names, said: impl IntoIterator<Item = Said>) -> HashMap<(i64, i64), View> {
    let mut facts: HashMap<(i64, i64), (StatedNames, Vec<Stated>)> = HashMap::new();
    for Said { entity, collection, facet, key, value, claims, newest, oldest } in said {
        let (stated, summaries) = facts.entry((entity, collection)).or_default();
        match facet.as_str() {
            "name" => stated.add(StatedName { name: value, is_alias: key == ALIAS, claims, oldest }),
            _ => summaries.push(Stated { value, claims, newest, oldest, facts: Vec::new() }),
        }
    }
    facts.into_iter().filter_map(|(key, (stated, summaries))| Some((key, view(stated.in_order(names), summaries)?))).collect()
}

fn view(names: Vec<String>, summaries: Vec<Stated>) -> Option<View> {
    let summary = summaries.into_iter().max().map(|stated| stated.value).unwrap_or_default();
    let label = format!("{}. {summary}", names.first()?);
    let words = format!("{}\n{summary}", names.join("\n"));
    Some(View { label, words })
}

/// The vector port knows a text by an id. This one changes with the text, so that a vector that comes too late finds nothing.
pub(in crate::graph) fn view_id(entity: i64, collection: i64, label: &str) -> Uuid {
    let digest = Sha256::digest(format!("{entity} {collection} {label}"));
    let mut bytes = [0; 16];
    bytes.copy_from_slice(&digest[..16]);
    uuid::Builder::from_custom_bytes(bytes).into_uuid()
}
