//! Rows of the archive, which both backends return under the same names.

use crate::graph::{
    claim_columns::StoredClaim,
    enum_text::{from_text, partial_date},
};
use domain::{ClaimId, CollectionId, Confidence, DocumentId, EntityId, MergeId, RelationshipId, ReviewId, Timestamp, UserId};
use engine::{
    StoreError, StoreResult,
    archive::{
        ArchiveRecord,
        graph::{
            self, ClaimRecord, CollectionRecord, DocumentRecord, EntityRecord, FactRecord, MergeRecord, RelationshipRecord,
            RelationshipView, ReviewRecord, ReviewViewRecord, VectorRecord, VectorTarget,
        },
    },
    embeddings::VectorKind,
};
use serde::{Deserialize, Serialize, de::DeserializeOwned};
use sqlx::{FromRow, sqlite::SqliteRow};
use uuid::Uuid;

/// A row that is a record.
pub(in crate::graph) trait ArchiveRow:
    DeserializeOwned + for<'r> FromRow<'r, SqliteRow> + Send + Unpin
{
    fn record(self) -> StoreResult<ArchiveRecord>;
}

fn record(place: String, record: &impl Serialize) -> StoreResult<ArchiveRecord> {
    Ok(ArchiveRecord { place, line: graph::line(record)?, blob: None })
}

fn sorted<T: Ord>(list: impl IntoIterator<Item = T>) -> Vec<T> {
    let mut list: Vec<T> = list.into_iter().collect();
    list.sort();
    list
}

#[derive(Deserialize, FromRow)]
pub(super) struct CollectionRow {
    place: String,
    id: Uuid,
    removed: bool,
}

impl ArchiveRow for CollectionRow {
    fn record(self) -> StoreResult<ArchiveRecord> {
        record(self.place, &CollectionRecord { id: CollectionId(self.id), removed: self.removed })
    }
}

#[derive(Deserialize, FromRow)]
pub(super) struct DocumentRow {
    place: String,
    id: Uuid,
    collection: Uuid,
    document_order: String,
}

impl ArchiveRow for DocumentRow {
    fn record(self) -> StoreResult<ArchiveRecord> {
        let (id, collection) = (DocumentId(self.id), CollectionId(self.collection));
        record(self.place, &DocumentRecord { id, collection, order: self.document_order })
    }
}

#[derive(Deserialize, FromRow)]
pub(super) struct EntityRow {
    place: String,
    id: Uuid,
}

impl ArchiveRow for EntityRow {
    fn record(self) -> StoreResult<ArchiveRecord> {
        record(self.place, &EntityRecord { id: EntityId(self.id) })
    }
}

impl ArchiveRow for StoredClaim {
    fn record(self) -> StoreResult<ArchiveRecord> {
        record(self.n.to_string(), &ClaimRecord::from(self.claim()?))
    }
}

#[derive(Deserialize, FromRow)]
pub(super) struct FactRow {
    place: String,
    entity: Uuid,
    facet: String,
    key: String,
    value: String,
    collection: Uuid,
    at: i64,
    #[sqlx(json)]
    claims: Vec<Uuid>,
}

impl ArchiveRow for FactRow {
    fn record(self) -> StoreResult<ArchiveRecord> {
        let fact = FactRecord {
            entity: EntityId(self.entity),
            facet: from_text(&self.facet)?,
            key: self.key,
            value: self.value,
            collection: CollectionId(self.collection),
            at: Timestamp::from_micros(self.at),
            claims: sorted(self.claims.into_iter().map(ClaimId)),
        };
        record(self.place, &fact)
    }
}

#[derive(Deserialize, FromRow)]
pub(super) struct RelationshipRow {
    place: String,
    id: Uuid,
    source: Uuid,
    target: Uuid,
    description: String,
    #[sqlx(json)]
    views: Vec<RelationshipViewRow>,
    #[sqlx(json)]
    claims: Vec<Uuid>,
}

#[derive(Deserialize)]
pub(super) struct RelationshipViewRow {
    collection: Uuid,
    weight: Option<f64>,
    confidence: Option<f64>,
    bidirectional: bool,
    timestamp: Option<i64>,
    since: Option<String>,
    until: Option<String>,
}

impl ArchiveRow for RelationshipRow {
    fn record(self) -> StoreResult<ArchiveRecord> {
        let views = self.views.into_iter().map(RelationshipViewRow::view);
        let mut views: Vec<RelationshipView> = views.collect::<StoreResult<_>>()?;
        views.sort_by_key(|view| view.collection);
        let relationship = RelationshipRecord {
            id: RelationshipId(self.id),
            source: EntityId(self.source),
            target: EntityId(self.target),
            description: self.description,
            views,
            claims: sorted(self.claims.into_iter().map(ClaimId)),
        };
        record(self.place, &relationship)
    }
}

impl RelationshipViewRow {
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

#[derive(Deserialize, FromRow)]
pub(super) struct MergeRow {
    place: String,
    id: Uuid,
    survivor: Uuid,
    merged: Uuid,
    decided_by: Option<Uuid>,
    at: i64,
    undone: bool,
}

impl ArchiveRow for MergeRow {
    fn record(self) -> StoreResult<ArchiveRecord> {
        let merge = MergeRecord {
            id: MergeId(self.id),
            survivor: EntityId(self.survivor),
            merged: EntityId(self.merged),
            by: self.decided_by.map(UserId),
            at: Timestamp::from_micros(self.at),
            undone: self.undone,
        };
        record(self.place, &merge)
    }
}

#[derive(Deserialize, FromRow)]
pub(super) struct ReviewRow {
    place: String,
    id: Uuid,
    left_entity: Uuid,
    right_entity: Uuid,
    #[sqlx(json)]
    views: Vec<ReviewViewRow>,
}

#[derive(Deserialize)]
pub(super) struct ReviewViewRow {
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

impl ArchiveRow for ReviewRow {
    fn record(self) -> StoreResult<ArchiveRecord> {
        let mut views: Vec<_> = self.views.into_iter().map(ReviewViewRow::view).collect();
        views.sort_by_key(|view| (view.left, view.right));
        let (left, right) = (EntityId(self.left_entity), EntityId(self.right_entity));
        record(self.place, &ReviewRecord { id: ReviewId(self.id), left, right, views })
    }
}

impl ReviewViewRow {
    fn view(self) -> ReviewViewRecord {
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

/// A model with vectors of one kind of text.
#[derive(Deserialize, FromRow)]
pub(in crate::graph) struct VectorModel {
    pub slot: i64,
    model: String,
    kind: String,
}

impl VectorModel {
    pub fn kind(&self) -> StoreResult<VectorKind> {
        let kind = VectorKind::parse(&self.kind);
        kind.ok_or_else(|| StoreError::Defect(format!("'{}' is no kind of vector", self.kind)))
    }
}

/// A vector with the id of its text, and the collection where it describes an entity.
pub(in crate::graph) struct VectorRow {
    pub n: i64,
    pub id: Uuid,
    pub collection: Option<Uuid>,
    pub numbers: Vec<f32>,
}

impl VectorRow {
    pub(super) fn record(self, model: &VectorModel) -> StoreResult<ArchiveRecord> {
        let target = match (model.kind()?, self.collection) {
            (VectorKind::Relationship, _) => VectorTarget::Relationship(RelationshipId(self.id)),
            (VectorKind::Entity, Some(collection)) => VectorTarget::Entity(EntityId(self.id), CollectionId(collection)),
            _ => VectorTarget::Claim(ClaimId(self.id)),
        };
        record(format!("{} {}", model.slot, self.n), &VectorRecord::new(model.model.clone(), target, &self.numbers))
    }
}
