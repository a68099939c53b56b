//! Pages of graph records, in row or id order.

use super::unknown;
use crate::graph::{
    claim_columns::StoredClaim,
    enum_text::{from_text, partial_date},
    neo4j::{
        Neo4jGraph,
        client::Statement,
        cypher::{archive as cypher, claims, vectors::name},
        read::Number,
    },
};
use domain::{ClaimId, CollectionId, Confidence, DocumentId, EntityId, MergeId, RelationshipId, ReviewId, Timestamp, UserId};
use engine::{
    StoreError, StoreResult,
    archive::{
        ArchiveRecord, PageSize, RecordKind,
        graph::{
            self, ClaimRecord, CollectionRecord, DocumentRecord, EntityRecord, FactRecord, MergeRecord, RelationshipRecord,
            RelationshipView, ReviewRecord, ReviewViewRecord, VectorRecord, VectorTarget,
        },
    },
    embeddings::VectorKind,
};
use serde::{Deserialize, Serialize, de::DeserializeOwned};
use uuid::Uuid;

/// Estimated size of a record, for choosing the size of a page.
const LINE_BYTES: usize = 4 * 1024;

pub(super) async fn count(graph: &Neo4jGraph, kind: RecordKind) -> StoreResult<u64> {
    let statement = match kind {
        graph::COLLECTIONS => cypher::COUNT_COLLECTIONS,
        graph::DOCUMENTS => cypher::COUNT_DOCUMENTS,
        graph::ENTITIES => cypher::COUNT_ENTITIES,
        graph::CLAIMS => cypher::COUNT_CLAIMS,
        graph::FACTS => cypher::COUNT_FACTS,
        graph::RELATIONSHIPS => cypher::COUNT_RELATIONSHIPS,
        graph::MERGES => cypher::COUNT_MERGES,
        graph::REVIEWS => cypher::COUNT_REVIEWS,
        graph::VECTORS => return count_vectors(graph).await,
        other => return Err(unknown(other)),
    };
    number(graph, Statement::new(statement)).await
}

async fn number(graph: &Neo4jGraph, statement: Statement) -> StoreResult<u64> {
    let rows: Vec<Number> = graph.client.read(statement).await?;
    Ok(rows.iter().map(|row| row.number.cast_unsigned()).sum())
}

async fn count_vectors(graph: &Neo4jGraph) -> StoreResult<u64> {
    let mut sum = 0;
    for model in models(graph).await? {
        sum += number(graph, Statement::new(cypher::vectors(model.kind()?).count).with("vector", name(model.slot))).await?;
    }
    Ok(sum)
}

pub(super) async fn page(
    graph: &Neo4jGraph,
    kind: RecordKind,
    after: Option<&str>,
    size: PageSize,
) -> StoreResult<Vec<ArchiveRecord>> {
    let most = u32::try_from((size.bytes / LINE_BYTES).max(1)).unwrap_or(u32::MAX).min(size.records);
    let by_row = |text: &str| -> StoreResult<Statement> {
        let after: i64 = after.map_or(Ok(0), str::parse).map_err(|_| no_place(after))?;
        Ok(Statement::new(text).with("after", after).with("limit", most))
    };
    let by_id = |text: &str| Statement::new(text).with("after", after.unwrap_or_default()).with("limit", most);
    match kind {
        graph::COLLECTIONS => read::<CollectionRow>(graph, by_row(cypher::COLLECTIONS)?).await,
        graph::DOCUMENTS => read::<DocumentRow>(graph, by_id(cypher::DOCUMENTS)).await,
        graph::ENTITIES => read::<EntityRow>(graph, by_row(cypher::ENTITIES)?).await,
        graph::CLAIMS => read::<StoredClaim>(graph, by_row(&claims::page())?).await,
        graph::FACTS => read::<FactRow>(graph, by_row(cypher::FACTS)?).await,
        graph::RELATIONSHIPS => read::<RelationshipRow>(graph, by_row(cypher::RELATIONSHIPS)?).await,
        graph::MERGES => read::<MergeRow>(graph, by_id(cypher::MERGES)).await,
        graph::REVIEWS => read::<ReviewRow>(graph, by_id(cypher::REVIEWS)).await,
        graph::VECTORS => vectors(graph, after, most).await,
        other => Err(unknown(other)),
    }
}

fn no_place(text: Option<&str>) -> StoreError {
    StoreError::Defect(format!("'{}' is not a valid page cursor", text.unwrap_or_default()))
}

/// A row that is a record.
trait Row: DeserializeOwned + Send {
    fn place(&self) -> String;
    fn line(self) -> StoreResult<String>;
}

async fn read<T: Row>(graph: &Neo4jGraph, statement: Statement) -> StoreResult<Vec<ArchiveRecord>> {
    let rows: Vec<T> = graph.client.read(statement).await?;
    rows.into_iter().map(|row| Ok(ArchiveRecord { place: row.place(), line: row.line()?, blob: None })).collect()
}

fn line(record: &impl Serialize) -> StoreResult<String> {
    graph::line(record)
}

fn sorted<T: Ord>(list: impl IntoIterator<Item = T>) -> Vec<T> {
    let mut list: Vec<T> = list.into_iter().collect();
    list.sort();
    list
}

#[derive(Deserialize)]
struct CollectionRow {
    n: i64,
    id: Uuid,
    removed: bool,
}

impl Row for CollectionRow {
    fn place(&self) -> String {
        self.n.to_string()
    }

    fn line(self) -> StoreResult<String> {
        line(&CollectionRecord { id: CollectionId(self.id), removed: self.removed })
    }
}

#[derive(Deserialize)]
struct DocumentRow {
    id: Uuid,
    collection: Uuid,
    order: String,
}

impl Row for DocumentRow {
    fn place(&self) -> String {
        self.id.to_string()
    }

    fn line(self) -> StoreResult<String> {
        line(&DocumentRecord { id: DocumentId(self.id), collection: CollectionId(self.collection), order: self.order })
    }
}

#[derive(Deserialize)]
struct EntityRow {
    n: i64,
    id: Uuid,
}

impl Row for EntityRow {
    fn place(&self) -> String {
        self.n.to_string()
    }

    fn line(self) -> StoreResult<String> {
        line(&EntityRecord { id: EntityId(self.id) })
    }
}

impl Row for StoredClaim {
    fn place(&self) -> String {
        self.n.to_string()
    }

    fn line(self) -> StoreResult<String> {
        line(&ClaimRecord::from(self.claim()?))
    }
}

#[derive(Deserialize)]
struct FactRow {
    n: i64,
    entity: Uuid,
    facet: String,
    key: String,
    value: String,
    collection: Uuid,
    at: i64,
    claims: Vec<Uuid>,
}

impl Row for FactRow {
    fn place(&self) -> String {
        self.n.to_string()
    }

    fn line(self) -> StoreResult<String> {
        line(&FactRecord {
            entity: EntityId(self.entity),
            facet: from_text(&self.facet)?,
            key: self.key,
            value: self.value,
            collection: CollectionId(self.collection),
            at: Timestamp::from_micros(self.at),
            claims: sorted(self.claims.into_iter().map(ClaimId)),
        })
    }
}

#[derive(Deserialize)]
struct RelationshipRow {
    n: i64,
    id: Uuid,
    source: Uuid,
    target: Uuid,
    description: String,
    views: Vec<ViewRow>,
    claims: Vec<Uuid>,
}

#[derive(Deserialize)]
struct ViewRow {
    collection: Uuid,
    weight: Option<f64>,
    confidence: Option<f64>,
    bidirectional: bool,
    timestamp: Option<i64>,
    since: Option<String>,
    until: Option<String>,
}

impl Row for RelationshipRow {
    fn place(&self) -> String {
        self.n.to_string()
    }

    fn line(self) -> StoreResult<String> {
        let mut views: Vec<RelationshipView> = self.views.into_iter().map(ViewRow::view).collect::<StoreResult<_>>()?;
        views.sort_by_key(|view| view.collection);
        line(&RelationshipRecord {
            id: RelationshipId(self.id),
            source: EntityId(self.source),
            target: EntityId(self.target),
            description: self.description,
            views,
            claims: sorted(self.claims.into_iter().map(ClaimId)),
        })
    }
}

impl ViewRow {
    fn view(self) -> StoreResult<RelationshipView> {
        let confidence = self.confidence.map(Confidence::try_from).transpose();
        Ok(RelationshipView {
            collection: CollectionId(self.collection),
            weight: self.weight,
            confidence: confidence.map_err(|_| StoreError::Defect("a confidence is not between 0 and 1".into()))?,
            bidirectional: self.bidirectional,
            timestamp: self.timestamp.map(Timestamp::from_micros),
            since: partial_date(self.since.as_deref())?,
            until: partial_date(self.until.as_deref())?,
        })
    }
}

#[derive(Deserialize)]
struct MergeRow {
    id: Uuid,
    survivor: Uuid,
    merged: Uuid,
    by: Option<Uuid>,
    at: i64,
    undone: bool,
}

impl Row for MergeRow {
    fn place(&self) -> String {
        self.id.to_string()
    }

    fn line(self) -> StoreResult<String> {
        line(&MergeRecord {
            id: MergeId(self.id),
            survivor: EntityId(self.survivor),
            merged: EntityId(self.merged),
            by: self.by.map(UserId),
            at: Timestamp::from_micros(self.at),
            undone: self.undone,
        })
    }
}

#[derive(Deserialize)]
struct ReviewRow {
    id: Uuid,
    left: Uuid,
    right: Uuid,
    views: Vec<ReviewViewRow>,
}

#[derive(Deserialize)]
struct ReviewViewRow {
    left: Uuid,
    right: Uuid,
    score: f64,
    why: String,
    document: Option<Uuid>,
    created_at: i64,
    closed: bool,
    postponed_at: Option<i64>,
    decided_by: Option<Uuid>,
    decided_at: Option<i64>,
}

impl ReviewViewRow {
    fn record(self) -> ReviewViewRecord {
        ReviewViewRecord {
            left: CollectionId(self.left),
            right: CollectionId(self.right),
            score: self.score,
            why: self.why,
            document: self.document.map(DocumentId),
            created_at: Timestamp::from_micros(self.created_at),
            closed: self.closed,
            postponed_at: self.postponed_at.map(Timestamp::from_micros),
            decided_by: self.decided_by.map(UserId),
            decided_at: self.decided_at.map(Timestamp::from_micros),
        }
    }
}

impl Row for ReviewRow {
    fn place(&self) -> String {
        self.id.to_string()
    }

    fn line(self) -> StoreResult<String> {
        let mut views: Vec<_> = self.views.into_iter().map(ReviewViewRow::record).collect();
        views.sort_by_key(|view| (view.left, view.right));
        line(&ReviewRecord { id: ReviewId(self.id), left: EntityId(self.left), right: EntityId(self.right), views })
    }
}

#[derive(Deserialize)]
struct Model {
    slot: i64,
    model: String,
    kind: String,
}

impl Model {
    fn kind(&self) -> StoreResult<VectorKind> {
        let kind = VectorKind::ALL.into_iter().find(|kind| kind.as_str() == self.kind);
        kind.ok_or_else(|| StoreError::Defect(format!("'{}' is no kind of vector", self.kind)))
    }
}

async fn models(graph: &Neo4jGraph) -> StoreResult<Vec<Model>> {
    graph.client.read(Statement::new(cypher::VECTOR_MODELS)).await
}

/// Reads a page of vectors; its cursor is `slot row`.
async fn vectors(graph: &Neo4jGraph, after: Option<&str>, most: u32) -> StoreResult<Vec<ArchiveRecord>> {
    #[derive(Deserialize)]
    struct VectorRow {
        n: i64,
        id: Uuid,
        collection: Option<Uuid>,
        numbers: Vec<f64>,
    }
    let place = |text: &str| text.split_once(' ').and_then(|(slot, n)| Some((slot.parse().ok()?, n.parse().ok()?)));
    let (slot, row): (i64, i64) = match after {
        None => (0, 0),
        Some(text) => place(text).ok_or_else(|| no_place(after))?,
    };
    for model in models(graph).await?.into_iter().filter(|model| model.slot >= slot) {
        let kind = model.kind()?;
        let statement = Statement::new(cypher::vectors(kind).page)
            .with("vector", name(model.slot))
            .with("after", if model.slot == slot { row } else { 0 })
            .with("limit", most);
        let rows: Vec<VectorRow> = graph.client.read(statement).await?;
        if rows.is_empty() {
            continue;
        }
        let record = |VectorRow { n, id, collection, numbers }: VectorRow| {
            let of = match (kind, collection) {
                (VectorKind::Relationship, _) => VectorTarget::Relationship(RelationshipId(id)),
                (VectorKind::Entity, Some(collection)) => VectorTarget::Entity(EntityId(id), CollectionId(collection)),
                _ => VectorTarget::Claim(ClaimId(id)),
            };
            // They came as 32-bit numbers.
            let numbers: Vec<f32> = numbers.into_iter().map(|number| number as f32).collect();
            let line = line(&VectorRecord::new(model.model.clone(), of, &numbers))?;
            Ok(ArchiveRecord { place: format!("{} {n}", model.slot), line, blob: None })
        };
        return rows.into_iter().map(record).collect();
    }
    Ok(vec![])
}
