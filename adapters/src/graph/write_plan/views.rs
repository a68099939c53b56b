//! Searchable views of an entity: its names and summaries in one collection, for full text and vectors.

use crate::graph::projection::{ALIAS, NameRanking, RankedName, RankedValue};
use engine::names::NameMatcher;
use sha2::{Digest, Sha256};
use std::collections::HashMap;
use uuid::Uuid;

#[derive(PartialEq, Eq)]
pub(in crate::graph) struct EntityView {
    /// Name and summary: the text of the vector.
    pub label: String,
    /// All names and the summary: the text of the full-text index.
    pub words: String,
}

/// A name or summary of an entity in a collection, with its number of claims and the publication times of the newest and oldest.
#[derive(sqlx::FromRow)]
pub(in crate::graph) struct ViewFactRow {
    pub entity: i64,
    pub collection: i64,
    pub facet: String,
    pub key: String,
    pub value: String,
    pub claims: i64,
    pub newest: Option<i64>,
    pub oldest: Option<i64>,
}

/// Builds the views from the current facts, by entity and collection.
pub(in crate::graph) fn build_views(
    names: &NameMatcher,
    said: impl IntoIterator<Item = ViewFactRow>,
) -> HashMap<(i64, i64), EntityView> {
    let mut facts: HashMap<(i64, i64), (NameRanking, Vec<RankedValue>)> = HashMap::new();
    for ViewFactRow { entity, collection, facet, key, value, claims, newest, oldest } in said {
        let (ranked, summaries) = facts.entry((entity, collection)).or_default();
        match facet.as_str() {
            "name" => ranked.add(RankedName { name: value, is_alias: key == ALIAS, claims, oldest }),
            _ => summaries.push(RankedValue { value, claims, newest, oldest, facts: Vec::new() }),
        }
    }
    facts
        .into_iter()
        .filter_map(|(key, (ranked, summaries))| Some((key, view(ranked.into_ranked(names), summaries)?)))
        .collect()
}

fn view(names: Vec<String>, summaries: Vec<RankedValue>) -> Option<EntityView> {
    let summary = summaries.into_iter().max().map(|ranked| ranked.value).unwrap_or_default();
    let label = format!("{}. {summary}", names.first()?);
    let words = format!("{}\n{summary}", names.join("\n"));
    Some(EntityView { label, words })
}

/// Returns the id of a view for the vector port. It changes with the text, so that a late vector finds nothing.
pub(in crate::graph) fn view_id(entity: i64, collection: i64, label: &str) -> Uuid {
    let digest = Sha256::digest(format!("{entity} {collection} {label}"));
    let mut bytes = [0; 16];
    bytes.copy_from_slice(&digest[..16]);
    uuid::Builder::from_custom_bytes(bytes).into_uuid()
}
