//! Searchable views of entities, kept in step with their facts: one per entity and collection. The entity's own node holds the projection
//! of all collections.

use super::{CountChanges, lock::WriterLock, terms::tokens};
use crate::graph::{
    neo4j::{
        client::{Statement, Transaction, moment},
        cypher,
    },
    projection::{EntityProjection, FactEvidence, RankedValue},
    write_plan::{
        facts::ViewKeys,
        views::{self, ViewFactRow, view_id},
    },
};
use engine::{StoreResult, graph::terms::terms, names::NameMatcher};
use serde::Deserialize;
use serde_json::{Map, Value, json};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use uuid::Uuid;

/// Maximum length of a kind, in characters, because the database indexes it.
const LONGEST_KIND: usize = 200;

/// A fact, as stored.
#[derive(Deserialize)]
pub(in crate::graph::neo4j) struct FactRow {
    entity: i64,
    fact: i64,
    facet: String,
    key: String,
    value: String,
    collection: i64,
    claims: i64,
    newest: Option<i64>,
    oldest: Option<i64>,
    at: i64,
}

/// Rewrites the changed views.
pub(in crate::graph::neo4j) async fn refresh(
    transaction: &mut Transaction,
    lock: &mut WriterLock,
    names: &NameMatcher,
    touched: &ViewKeys,
    counted: &mut CountChanges,
) -> StoreResult<()> {
    if touched.is_empty() {
        return Ok(());
    }
    let entities: BTreeSet<i64> = touched.iter().map(|(entity, _)| *entity).collect();
    let facts = describe(transaction, names, &entities).await?;
    let said = facts
        .into_iter()
        .filter(|fact| matches!(fact.facet.as_str(), "name" | "summary") && touched.contains(&(fact.entity, fact.collection)));
    let said = said.map(|FactRow { entity, collection, facet, key, value, claims, newest, oldest, .. }| ViewFactRow {
        entity,
        collection,
        facet,
        key,
        value,
        claims,
        newest,
        oldest,
    });
    let before = before(transaction, &entities).await?;
    let (mut relabelled, mut reworded) = (Vec::new(), Vec::new());
    for ((entity, collection), view) in views::build_views(names, said) {
        let terms = terms(&view.words);
        let (words, length) = (tokens(collection, &terms), terms.len());
        match before.get(&(entity, collection)) {
            Some((label, known)) if *label == view.label && *known == words => {}
            Some((label, _)) if *label == view.label => {
                reworded.push(json!({"entity": entity, "collection": collection, "terms": words, "length": length}));
            }
            known => {
                counted.add(collection, [0, i64::from(known.is_none()), 0]);
                relabelled.push(json!({
                    "id": view_id(entity, collection, &view.label), "n": lock.row(), "entity": entity,
                    "collection": collection, "label": view.label, "terms": words, "length": length,
                }));
            }
        }
    }
    for (statement, rows) in [(cypher::write::RELABEL_VIEWS, relabelled), (cypher::write::REWORD_VIEWS, reworded)] {
        transaction.run_rows(statement, rows).await?;
    }
    Ok(())
}

/// Returns label and terms of the existing views.
async fn before(transaction: &mut Transaction, entities: &BTreeSet<i64>) -> StoreResult<HashMap<(i64, i64), (String, String)>> {
    #[derive(Deserialize)]
    struct Row {
        entity: i64,
        collection: i64,
        label: String,
        terms: String,
    }
    let rows: Vec<Row> = transaction.read(Statement::new(cypher::write::VIEWS).with("entities", json!(entities))).await?;
    Ok(rows.into_iter().map(|row| ((row.entity, row.collection), (row.label, row.terms))).collect())
}

/// Writes the projection of all collections to the entities' nodes, and returns the facts.
pub(in crate::graph::neo4j) async fn describe(
    transaction: &mut Transaction,
    names: &NameMatcher,
    entities: &BTreeSet<i64>,
) -> StoreResult<Vec<FactRow>> {
    let facts: Vec<FactRow> = transaction.read(Statement::new(cypher::write::SAID).with("entities", json!(entities))).await?;
    let mut projections: BTreeMap<i64, EntityProjection> = BTreeMap::new();
    for fact in &facts {
        let projection = projections.entry(fact.entity).or_insert_with(|| EntityProjection::new(Uuid::nil()));
        let FactRow { fact: n, value, claims, newest, oldest, .. } = fact;
        let stated = RankedValue { value: value.clone(), claims: *claims, newest: *newest, oldest: *oldest, facts: vec![*n] };
        projection.add(&fact.facet, fact.key.clone(), stated, fact.at);
    }
    let rows = projections.into_iter().map(|(n, projection)| properties(n, names, projection));
    let rows = rows.collect::<StoreResult<Vec<Option<Value>>>>()?.into_iter().flatten();
    transaction.run(Statement::new(cypher::write::DESCRIBE).with("rows", rows.collect::<Vec<_>>())).await?;
    Ok(facts)
}

/// Returns the properties of an entity's node.
fn properties(n: i64, names: &NameMatcher, projection: EntityProjection) -> StoreResult<Option<Value>> {
    let Some(entity) = projection.entity(names, &FactEvidence::new(), false)? else { return Ok(None) };
    let mut properties = Map::new();
    properties.insert("canonical_name".into(), entity.canonical_name.into());
    properties.insert("aliases".into(), entity.aliases.into());
    properties.insert("kind".into(), entity.kind.chars().take(LONGEST_KIND).collect::<String>().into());
    properties.insert("summary".into(), entity.summary.map(|summary| summary.value).into());
    properties.insert("is_stub".into(), entity.is_stub.into());
    let external_ids: Vec<String> = entity.external_ids.iter().map(|(system, id)| format!("{system}:{id}")).collect();
    properties.insert("external_ids".into(), external_ids.into());
    properties.extend(entity.properties.iter().map(|(key, stated)| (format!("x_{}", key.as_str()), json!(stated.value))));
    Ok(Some(json!({"n": n, "properties": properties, "last_updated": moment(entity.last_updated)})))
}
