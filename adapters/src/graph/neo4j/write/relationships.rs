//! Insertion of relationships, or of evidence for existing ones.

use super::{CountChanges, lock::WriterLock, terms::tokens};
use crate::graph::{
    neo4j::{
        client::{Statement, Transaction},
        cypher,
    },
    write_plan::{
        pack::PackContext,
        relationships::{self, KeyedRelationship, RelationshipKey, RelationshipRow, RelationshipView},
    },
};
use domain::{RelationshipId, Timestamp};
use engine::{StoreError, StoreResult, graph::WrittenItem};
use serde::Deserialize;
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use uuid::Uuid;

pub(super) async fn add(
    transaction: &mut Transaction,
    lock: &mut WriterLock,
    pack: &PackContext<'_>,
    counted: &mut CountChanges,
) -> StoreResult<Vec<WrittenItem<RelationshipId>>> {
    let keyed = pack.relationships();
    if keyed.is_empty() {
        return Ok(Vec::new());
    }
    let (found, new) = store(transaction, lock, &keyed).await?;
    let views = relationships::views(&keyed, &found).into_iter().map(view).collect();
    transaction.run_rows(cypher::write::RELATIONSHIP_VIEWS, views).await?;

    let learned = relationships::new_terms(&keyed, &found);
    for (_, collection) in learned.keys() {
        counted.add(*collection, [0, 0, 1]);
    }
    let mut terms: BTreeMap<i64, (Vec<String>, usize)> = BTreeMap::new();
    for ((n, collection), words) in &learned {
        let (known, length) = terms.entry(*n).or_default();
        known.push(tokens(*collection, words));
        *length = words.len();
    }
    let rows = terms.into_iter().map(|(n, (terms, length))| json!({"n": n, "terms": terms.join(" "), "length": length}));
    transaction.run_rows(cypher::write::RELATIONSHIP_TERMS, rows.collect()).await?;
    let touched: BTreeSet<i64> = found.values().map(|row| row.n).collect();
    transaction.run(Statement::new(cypher::write::RELATE).with("relationships", json!(touched))).await?;
    Ok(relationships::written_items(&keyed, &found, &new))
}

/// Stores the relationships and returns their rows and the set of new ones.
async fn store(
    transaction: &mut Transaction,
    lock: &mut WriterLock,
    keyed: &[KeyedRelationship<'_>],
) -> StoreResult<(HashMap<RelationshipKey, RelationshipRow>, HashSet<i64>)> {
    #[derive(Deserialize)]
    struct StoredRow {
        offered: i64,
        n: i64,
        id: Uuid,
    }
    let offered: Vec<i64> = keyed.iter().map(|_| lock.row()).collect();
    let rows = keyed.iter().zip(&offered).map(|(KeyedRelationship { key: (source, target, hash), new, .. }, n)| {
        let key = format!("{source} {target} {hash}");
        json!({"n": n, "id": new.id, "source": source, "target": target, "key": key, "description": new.description.trim()})
    });
    let statement = Statement::new(cypher::write::RELATIONSHIPS).with("rows", rows.collect::<Vec<_>>());
    let stored: Vec<StoredRow> = transaction.read(statement).await?;
    let new = stored.iter().filter(|stored| stored.n == stored.offered).map(|stored| stored.n).collect();
    let rows: BTreeSet<i64> = stored.iter().map(|stored| stored.n).collect();
    let mut had = had(transaction, &rows).await?;
    let stored: HashMap<i64, (i64, Uuid)> = stored.into_iter().map(|row| (row.offered, (row.n, row.id))).collect();
    let mut found = HashMap::new();
    for (KeyedRelationship { key, .. }, offered) in keyed.iter().zip(&offered) {
        let (n, id) =
            *stored.get(offered).ok_or_else(|| StoreError::Defect("Neo4j returned no row for a relationship".into()))?;
        found.entry(key.clone()).or_insert_with(|| RelationshipRow { n, id, collections: had.remove(&n).unwrap_or_default() });
    }
    Ok((found, new))
}

/// Returns the collections that had each relationship before the write.
async fn had(transaction: &mut Transaction, rows: &BTreeSet<i64>) -> StoreResult<HashMap<i64, BTreeSet<i64>>> {
    #[derive(Deserialize)]
    struct Row {
        n: i64,
        collections: BTreeSet<i64>,
    }
    let found: Vec<Row> = transaction.read(Statement::new(cypher::write::HAD).with("relationships", json!(rows))).await?;
    Ok(found.into_iter().map(|row| (row.n, row.collections)).collect())
}

fn view(view: RelationshipView) -> Value {
    json!({
        "relationship": view.relationship, "collection": view.collection, "weight": view.weight, "confidence": view.confidence,
        "bidirectional": view.bidirectional, "timestamp": view.timestamp.map(Timestamp::as_micros), "since": view.since, "until": view.until, "claims": view.claims,
    })
}
