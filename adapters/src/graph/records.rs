//! Records of the graph's archive, once for both backends: pages of rows become records, and vectors that arrive are stored.
//!
//! A backend has one statement for each kind of record (`RecordReader`). Imports differ, as each backend has row numbers, full text and
//! blocking keys of its own. Neither goes through the `Graph` port, which returns survivors of merges and resolves names again: an
//! archive has the rows as they were written.

mod rows;

pub(super) use rows::{ArchiveRow, VectorModel, VectorRow};

use super::claim_columns::StoredClaim;
use async_trait::async_trait;
use engine::{
    StoreError, StoreResult,
    archive::{
        ArchiveRecord, PageSize, RecordKind,
        graph::{self, VectorRecord, VectorTarget},
    },
    embeddings::VectorKind,
    graph::Graph,
};
use rows::{CollectionRow, DocumentRow, EntityRow, FactRow, MergeRow, RelationshipRow, ReviewRow};
use serde::de::DeserializeOwned;
use std::collections::{BTreeMap, HashMap};
use uuid::Uuid;

/// Estimated size of a record, for choosing the size of a page.
const LINE_BYTES: usize = 4 * 1024;

/// Reader of the rows of a backend.
#[async_trait]
pub(super) trait RecordReader: Send {
    /// Counts the rows of a kind other than vectors.
    async fn count(&mut self, kind: RecordKind) -> StoreResult<u64>;
    /// Returns the next rows of a kind other than vectors, after a place.
    async fn rows<T: ArchiveRow>(&mut self, kind: RecordKind, after: Option<&str>, limit: u32) -> StoreResult<Vec<T>>;
    /// Returns the models with vectors, by slot.
    async fn models(&mut self) -> StoreResult<Vec<VectorModel>>;
    async fn count_vectors(&mut self, model: &VectorModel) -> StoreResult<u64>;
    /// Returns the next vectors of a model, after a row number.
    async fn vectors(&mut self, model: &VectorModel, after: i64, limit: u32) -> StoreResult<Vec<VectorRow>>;
}

/// Counts the records of a kind.
pub(super) async fn count(reader: &mut impl RecordReader, kind: RecordKind) -> StoreResult<u64> {
    if kind != graph::VECTORS {
        return reader.count(kind).await;
    }
    let mut sum = 0;
    for model in reader.models().await? {
        sum += reader.count_vectors(&model).await?;
    }
    Ok(sum)
}

/// Reads the next page of a kind.
pub(super) async fn page(
    reader: &mut impl RecordReader,
    kind: RecordKind,
    after: Option<&str>,
    size: PageSize,
) -> StoreResult<Vec<ArchiveRecord>> {
    let limit = u32::try_from((size.bytes / LINE_BYTES).max(1)).unwrap_or(u32::MAX).min(size.records);
    match kind {
        graph::COLLECTIONS => records::<CollectionRow>(reader, kind, after, limit).await,
        graph::DOCUMENTS => records::<DocumentRow>(reader, kind, after, limit).await,
        graph::ENTITIES => records::<EntityRow>(reader, kind, after, limit).await,
        graph::CLAIMS => records::<StoredClaim>(reader, kind, after, limit).await,
        graph::FACTS => records::<FactRow>(reader, kind, after, limit).await,
        graph::RELATIONSHIPS => records::<RelationshipRow>(reader, kind, after, limit).await,
        graph::MERGES => records::<MergeRow>(reader, kind, after, limit).await,
        graph::REVIEWS => records::<ReviewRow>(reader, kind, after, limit).await,
        graph::VECTORS => vectors(reader, after, limit).await,
        other => Err(unknown(other)),
    }
}

async fn records<T: ArchiveRow>(
    reader: &mut impl RecordReader,
    kind: RecordKind,
    after: Option<&str>,
    limit: u32,
) -> StoreResult<Vec<ArchiveRecord>> {
    let rows: Vec<T> = reader.rows(kind, after, limit).await?;
    rows.into_iter().map(T::record).collect()
}

/// Reads a page of vectors; its cursor is `slot row`.
async fn vectors(reader: &mut impl RecordReader, after: Option<&str>, limit: u32) -> StoreResult<Vec<ArchiveRecord>> {
    let place = |text: &str| text.split_once(' ').and_then(|(slot, n)| Some((slot.parse().ok()?, n.parse().ok()?)));
    let (slot, row): (i64, i64) = match after {
        None => (0, 0),
        Some(text) => place(text).ok_or_else(|| no_cursor(text))?,
    };
    for model in reader.models().await?.into_iter().filter(|model| model.slot >= slot) {
        let rows = reader.vectors(&model, if model.slot == slot { row } else { 0 }, limit).await?;
        if !rows.is_empty() {
            return rows.into_iter().map(|row| row.record(&model)).collect();
        }
    }
    Ok(vec![])
}

/// Parses the cursor of rows in row order.
pub(super) fn row_number(after: Option<&str>) -> StoreResult<i64> {
    after.map_or(Ok(0), |text| text.parse().map_err(|_| no_cursor(text)))
}

fn no_cursor(text: &str) -> StoreError {
    StoreError::Defect(format!("'{text}' is not a valid page cursor"))
}

pub(super) fn unknown(kind: RecordKind) -> StoreError {
    StoreError::Invalid(format!("the graph has no records of kind {kind}"))
}

/// A record that refers to what was not imported before it.
pub(super) fn missing(what: &str) -> StoreError {
    StoreError::Invalid(format!("a record refers to a missing {what}"))
}

/// Parses records of one kind.
pub(super) fn read<T: DeserializeOwned>(records: &[ArchiveRecord]) -> StoreResult<Vec<T>> {
    records.iter().map(|record| graph::read(&record.line)).collect()
}

/// Entity and collection of the vectors that describe an entity.
pub(super) fn described_entities(records: &[VectorRecord]) -> impl Iterator<Item = (Uuid, Uuid)> {
    records.iter().filter_map(|record| match record.of {
        VectorTarget::Entity(entity, collection) => Some((entity.0, collection.0)),
        _ => None,
    })
}

/// Stores vectors as the backfill does. `views` are the ids of the entity views by entity and collection.
pub(super) async fn import_vectors(
    graph: &dyn Graph,
    views: &HashMap<(Uuid, Uuid), Uuid>,
    records: &[VectorRecord],
) -> StoreResult<()> {
    for kind in VectorKind::ALL {
        let mut by_model: BTreeMap<&str, Vec<(Uuid, Vec<f32>)>> = BTreeMap::new();
        for record in records.iter().filter(|record| record.of.kind() == kind) {
            let id = match record.of {
                VectorTarget::Claim(id) => id.0,
                VectorTarget::Relationship(id) => id.0,
                VectorTarget::Entity(entity, collection) => {
                    *views.get(&(entity.0, collection.0)).ok_or_else(|| missing("entity"))?
                }
            };
            by_model.entry(&record.model).or_default().push((id, record.numbers()?));
        }
        for (model, vectors) in by_model {
            graph.put_vectors(model, kind, &vectors).await?;
        }
    }
    Ok(())
}
