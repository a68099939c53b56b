//! Vectors: one property and one index per model and kind. A text without a vector is pending; a changed text is a new text.

use super::{
    Neo4jGraph,
    client::{Statement, Transaction},
    cypher::{self, vectors as texts},
    read::Number,
    write::lock,
};
use engine::{
    StoreError, StoreResult,
    embeddings::{VectorKind, VectorText},
};
use serde::Deserialize;
use serde_json::json;
use std::{
    collections::HashSet,
    sync::{Mutex, PoisonError},
};
use uuid::Uuid;

/// The property and index of one model and kind.
#[derive(Debug, Clone, Deserialize)]
pub(super) struct Slot {
    slot: i64,
    pub dimensions: i64,
    /// Every text up to this row has its vector.
    filled: i64,
}

impl Slot {
    /// Returns the name of its property and index.
    pub fn name(&self) -> String {
        texts::name(self.slot)
    }
}

/// Slots whose index this process has already checked.
#[derive(Default)]
pub(super) struct SlotCache(Mutex<HashSet<i64>>);

pub(super) async fn slot(graph: &Neo4jGraph, model: &str, kind: VectorKind) -> StoreResult<Option<Slot>> {
    let statement = Statement::new(texts::MODEL).with("model", model).with("kind", kind.as_str());
    Ok(graph.client.read(statement).await?.pop())
}

pub(super) async fn missing(graph: &Neo4jGraph, model: &str, kind: VectorKind, limit: u32) -> StoreResult<Vec<VectorText>> {
    #[derive(Deserialize)]
    struct Row {
        id: Uuid,
        text: String,
    }
    let (name, filled) = match slot(graph, model, kind).await? {
        Some(slot) => (slot.name(), slot.filled),
        // No record has a vector under an empty name.
        None => (String::new(), 0),
    };
    let statement =
        Statement::new(texts::text_statements(kind).missing).with("vector", name).with("after", filled).with("limit", limit);
    let rows: Vec<Row> = graph.client.read(statement).await?;
    Ok(rows.into_iter().map(|row| VectorText { id: row.id, text: row.text }).collect())
}

pub(super) async fn put(graph: &Neo4jGraph, model: &str, kind: VectorKind, vectors: &[(Uuid, Vec<f32>)]) -> StoreResult<()> {
    let Some(dimensions) = vectors.first().map(|(_, vector)| vector.len()) else { return Ok(()) };
    let slot = open(graph, model, kind, dimensions).await?;
    if let Some((_, odd)) = vectors.iter().find(|(_, vector)| vector.len() as i64 != slot.dimensions) {
        return Err(StoreError::Invalid(format!(
            "vectors of '{model}' have {} dimensions, not {}: use another model name",
            slot.dimensions,
            odd.len()
        )));
    }
    let _alone = graph.cache.lock().await;
    let mut transaction = graph.client.begin().await?;
    match store(&mut transaction, &slot, kind, vectors).await {
        Ok(()) => transaction.commit().await,
        Err(error) => {
            transaction.roll_back().await;
            Err(error)
        }
    }
}

/// Returns the slot of a model, with its index created.
async fn open(graph: &Neo4jGraph, model: &str, kind: VectorKind, dimensions: usize) -> StoreResult<Slot> {
    let known = slot(graph, model, kind).await?;
    if let Some(slot) = &known
        && graph.slots.0.lock().unwrap_or_else(PoisonError::into_inner).contains(&slot.slot)
    {
        return Ok(slot.clone());
    }
    let slot = match known {
        Some(slot) => slot,
        None => assign(graph, model, kind, dimensions).await?,
    };
    graph.client.make(Statement::new(texts::create_index(kind, slot.slot, slot.dimensions))).await?;
    let seconds = graph.config.neo4j.timeout_ms / 1000;
    graph.client.run(Statement::new(cypher::schema::AWAIT_INDEXES).with("seconds", seconds)).await?;
    graph.slots.0.lock().unwrap_or_else(PoisonError::into_inner).insert(slot.slot);
    Ok(slot)
}

async fn assign(graph: &Neo4jGraph, model: &str, kind: VectorKind, dimensions: usize) -> StoreResult<Slot> {
    let _alone = graph.cache.lock().await;
    let mut transaction = graph.client.begin().await?;
    let outcome = async {
        lock(&mut transaction, []).await?;
        let statement =
            Statement::new(texts::OPEN).with("model", model).with("kind", kind.as_str()).with("dimensions", dimensions as i64);
        transaction.read(statement).await
    };
    let slot: StoreResult<Vec<Slot>> = outcome.await;
    match slot {
        Ok(mut slots) => {
            transaction.commit().await?;
            slots.pop().ok_or_else(|| StoreError::Defect("Neo4j returned no vector slot for the model".into()))
        }
        Err(error) => {
            transaction.roll_back().await;
            Err(error)
        }
    }
}

/// Stores vectors under the lock, so that no text changes between lookup and update.
async fn store(transaction: &mut Transaction, slot: &Slot, kind: VectorKind, vectors: &[(Uuid, Vec<f32>)]) -> StoreResult<()> {
    #[derive(Deserialize)]
    struct Row {
        n: i64,
    }
    let lock = lock(transaction, []).await?;
    let texts = texts::text_statements(kind);
    let rows: Vec<_> = vectors.iter().map(|(id, numbers)| json!({"id": id, "numbers": numbers})).collect();
    transaction.run(Statement::new(texts.put).with("rows", rows).with("vector", slot.name())).await?;
    let next = Statement::new(texts.missing).with("vector", slot.name()).with("after", slot.filled).with("limit", 1);
    let filled = match transaction.read::<Row>(next).await?.pop() {
        Some(waiting) => waiting.n - 1,
        None => transaction.read::<Number>(Statement::new(texts.last)).await?.pop().map_or(0, |last| last.number),
    };
    let statement = Statement::new(texts::FILLED).with("slot", slot.slot).with("filled", filled).with("version", lock.version);
    transaction.run(statement).await
}

/// Counts the texts without and with a vector of the model.
pub(super) async fn progress(graph: &Neo4jGraph, model: &str) -> StoreResult<(u64, u64)> {
    let (mut pending, mut done) = (0, 0);
    for kind in VectorKind::ALL {
        let texts = texts::text_statements(kind);
        let all = number(graph.client.read(Statement::new(texts.count)).await?);
        let waiting = match slot(graph, model, kind).await? {
            Some(slot) => {
                let statement = Statement::new(texts.count_missing).with("vector", slot.name()).with("after", slot.filled);
                number(graph.client.read(statement).await?)
            }
            None => all,
        };
        pending += waiting;
        done += all.saturating_sub(waiting);
    }
    Ok((pending, done))
}

fn number(rows: Vec<Number>) -> u64 {
    rows.iter().map(|row| row.number.cast_unsigned()).sum()
}

/// Returns the entities with a visible view that lacks a vector of the model used last.
pub(super) async fn pending_entities(graph: &Neo4jGraph, scope: &[i64], roots: &[i64]) -> StoreResult<HashSet<i64>> {
    #[derive(Deserialize)]
    struct Last {
        slot: i64,
    }
    #[derive(Deserialize)]
    struct Row {
        root: i64,
    }
    let last = Statement::new(texts::LAST_SLOT).with("kind", VectorKind::Entity.as_str());
    let Some(Last { slot }) = graph.client.read(last).await?.pop() else { return Ok(roots.iter().copied().collect()) };
    let statement = Statement::new(cypher::read::WITHOUT_VECTOR)
        .with("roots", json!(roots))
        .with("scope", json!(scope))
        .with("vector", texts::name(slot));
    let rows: Vec<Row> = graph.client.read(statement).await?;
    Ok(rows.into_iter().map(|row| row.root).collect())
}
