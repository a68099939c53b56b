//! Archive records of a knowledge graph. Every graph backend exports these kinds, in this order, with these fields.
//!
//! `Snapshot::page` returns records in the backend's own order, with lines made by `line`; `import` parses them with `read`.
//! Derived data is not exported but rebuilt on import: full text, blocking keys (`Resolve::keys`), evidence counts, views,
//! description hashes, coarse vectors, and survivors of merges.
//!
//! Invariant: ids are the original ones. A claim names the entity it was written with, not the survivor of a merge.
//! Unordered lists are sorted by id, so that a graph has one text.

use super::RecordKind;
use crate::{
    StoreError, StoreResult,
    embeddings::VectorKind,
    graph::{EntityRef, NewClaim},
};
use base64::{Engine as _, prelude::BASE64_STANDARD};
use domain::{
    ClaimId, CollectionId, Confidence, DateRange, DocumentId, EntityId, MergeId, PartialDate, PublicationDate, RelationshipId,
    ReviewId, Timestamp, UserId,
    claim::{Attribution, Claim, Information, Mode, Span},
    entity::Review,
};
use serde::{Deserialize, Serialize, de::DeserializeOwned};

pub const COLLECTIONS: RecordKind = RecordKind("graph_collections");
pub const DOCUMENTS: RecordKind = RecordKind("graph_documents");
pub const ENTITIES: RecordKind = RecordKind("entities");
pub const CLAIMS: RecordKind = RecordKind("claims");
pub const FACTS: RecordKind = RecordKind("facts");
pub const RELATIONSHIPS: RecordKind = RecordKind("relationships");
pub const MERGES: RecordKind = RecordKind("merges");
pub const REVIEWS: RecordKind = RecordKind("reviews");
pub const VECTORS: RecordKind = RecordKind("vectors");

/// Record kinds in import order: no record refers to one of a later kind.
pub const KINDS: [RecordKind; 9] = [COLLECTIONS, DOCUMENTS, ENTITIES, CLAIMS, FACTS, RELATIONSHIPS, MERGES, REVIEWS, VECTORS];

/// Collection with data, or removed. Natural key: id.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CollectionRecord {
    pub id: CollectionId,
    /// Whether it is a tombstone, which refuses further writes.
    pub removed: bool,
}

/// Document in the graph. Natural key: id.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DocumentRecord {
    pub id: DocumentId,
    pub collection: CollectionId,
    /// `GraphWrite::document_order`.
    pub order: String,
}

/// Entity without its facts. Natural key: id.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EntityRecord {
    pub id: EntityId,
}

/// Claim. Natural keys: id, and (document, `content_hash`).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ClaimRecord {
    pub id: ClaimId,
    pub document: DocumentId,
    pub content: String,
    pub quote: String,
    pub span: Span,
    pub published: Option<PublicationDate>,
    pub occurred: Option<DateRange>,
    pub ingested_at: Timestamp,
    pub attribution: Attribution,
    pub information: Information,
    pub speaker: Option<String>,
    pub mode: Mode,
    pub language: Option<String>,
    pub content_hash: String,
    pub outlet: Option<EntityId>,
    /// Referenced entities, in written order.
    pub entities: Vec<EntityId>,
}

impl From<Claim> for ClaimRecord {
    fn from(claim: Claim) -> Self {
        Self {
            id: claim.id,
            document: claim.document_id,
            content: claim.content,
            quote: claim.quote,
            span: claim.span,
            published: claim.published,
            occurred: claim.occurred,
            ingested_at: claim.ingested_at,
            attribution: claim.attribution,
            information: claim.information,
            speaker: claim.speaker,
            mode: claim.mode,
            language: claim.language,
            content_hash: claim.content_hash,
            outlet: claim.outlet_id,
            entities: claim.entity_ids,
        }
    }
}

impl ClaimRecord {
    /// Returns the claim for insertion.
    pub fn new_claim(&self) -> NewClaim {
        NewClaim {
            id: self.id,
            content: self.content.clone(),
            quote: self.quote.clone(),
            span: self.span,
            published: self.published,
            occurred: self.occurred,
            attribution: self.attribution,
            information: self.information,
            speaker: self.speaker.clone(),
            mode: self.mode,
            language: self.language.clone(),
            content_hash: self.content_hash.clone(),
            entities: self.entities.iter().copied().map(EntityRef::Existing).collect(),
        }
    }
}

/// Fact about an entity in one collection. Natural key: all fields but `at` and `claims`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FactRecord {
    pub entity: EntityId,
    pub facet: Facet,
    /// Property key, external id system, or `alias` for an alternative name; else empty.
    pub key: String,
    /// Property value as JSON; else the text.
    pub value: String,
    pub collection: CollectionId,
    /// Time of the latest evidence.
    pub at: Timestamp,
    /// Sorted.
    pub claims: Vec<ClaimId>,
}

domain::words! {
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
    #[serde(rename_all = "snake_case")]
    pub enum Facet {
        Name = "name",
        Kind = "kind",
        Summary = "summary",
        Property = "property",
        External = "external",
        /// Marks an entity as more than a stub.
        Detail = "detail",
    }
}

/// Relationship. Natural keys: id, and (source, target, description).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RelationshipRecord {
    pub id: RelationshipId,
    pub source: EntityId,
    pub target: EntityId,
    pub description: String,
    /// Sorted by collection.
    pub views: Vec<RelationshipView>,
    /// Sorted.
    pub claims: Vec<ClaimId>,
}

/// Attributes of a relationship in one collection.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RelationshipView {
    pub collection: CollectionId,
    pub weight: Option<f64>,
    pub confidence: Option<Confidence>,
    pub bidirectional: bool,
    pub timestamp: Option<Timestamp>,
    pub since: Option<PartialDate>,
    pub until: Option<PartialDate>,
}

/// Entry of the merge log. Natural key: id. Entries not undone determine the survivors.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MergeRecord {
    pub id: MergeId,
    pub survivor: EntityId,
    pub merged: EntityId,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub by: Option<UserId>,
    pub at: Timestamp,
    pub undone: bool,
}

/// Review of a pair that may be one entity. Natural keys: id, and (left, right).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(from = "StoredReview")]
pub struct ReviewRecord {
    pub id: ReviewId,
    pub left: EntityId,
    pub right: EntityId,
    /// Sorted by their collections.
    pub views: Vec<ReviewViewRecord>,
}

/// A review as readers of two collections see it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ReviewViewRecord {
    pub left: CollectionId,
    pub right: CollectionId,
    pub score: f64,
    pub why: String,
    /// Document that the reason comes from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub document: Option<DocumentId>,
    pub created_at: Timestamp,
    pub closed: bool,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub postponed_at: Option<Timestamp>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub decided_by: Option<UserId>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub decided_at: Option<Timestamp>,
}

/// A line with a review. Those of earlier versions have one reason for all readers: with words of a document or a judge it is left out.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct StoredReview {
    id: ReviewId,
    left: EntityId,
    right: EntityId,
    views: Option<Vec<ReviewViewRecord>>,
    #[serde(default)]
    score: f64,
    #[serde(default)]
    why: String,
    #[serde(default)]
    closed: bool,
    created_at: Option<Timestamp>,
    postponed_at: Option<Timestamp>,
    decided_by: Option<UserId>,
    decided_at: Option<Timestamp>,
    #[serde(default)]
    seen_through: Vec<(CollectionId, CollectionId)>,
}

impl From<StoredReview> for ReviewRecord {
    fn from(stored: StoredReview) -> Self {
        let StoredReview { id, left, right, postponed_at, decided_by, decided_at, closed, .. } = stored;
        let (score, why) = if Review::is_quoting(&stored.why) { (0.0, String::new()) } else { (stored.score, stored.why) };
        let created_at = stored.created_at.unwrap_or(Timestamp::from_micros(0));
        let view = |(left, right)| {
            let why = why.clone();
            ReviewViewRecord {
                left,
                right,
                score,
                why,
                document: None,
                created_at,
                closed,
                postponed_at,
                decided_by,
                decided_at,
            }
        };
        let views = stored.views.unwrap_or_else(|| stored.seen_through.into_iter().map(view).collect());
        Self { id, left, right, views }
    }
}

/// Vector of one text. Natural key: (model, of).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct VectorRecord {
    pub model: String,
    pub of: VectorTarget,
    /// Little-endian 32-bit floats in base64.
    pub vector: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum VectorTarget {
    Claim(ClaimId),
    Relationship(RelationshipId),
    /// Entity as described in one collection.
    Entity(EntityId, CollectionId),
}

impl VectorTarget {
    pub const fn kind(self) -> VectorKind {
        match self {
            Self::Claim(_) => VectorKind::Claim,
            Self::Relationship(_) => VectorKind::Relationship,
            Self::Entity(..) => VectorKind::Entity,
        }
    }
}

impl VectorRecord {
    pub fn new(model: String, of: VectorTarget, numbers: &[f32]) -> Self {
        let bytes: Vec<u8> = numbers.iter().flat_map(|number| number.to_le_bytes()).collect();
        Self { model, of, vector: BASE64_STANDARD.encode(bytes) }
    }

    /// Decodes the vector; `Invalid` when it is not base64 of floats.
    pub fn numbers(&self) -> StoreResult<Vec<f32>> {
        let refused = || StoreError::Invalid(format!("the vector of {:?} is no list of numbers", self.of));
        let bytes = BASE64_STANDARD.decode(&self.vector).map_err(|_| refused())?;
        let (numbers, rest) = bytes.as_chunks::<4>();
        if numbers.is_empty() || !rest.is_empty() {
            return Err(refused());
        }
        Ok(numbers.iter().map(|number| f32::from_le_bytes(*number)).collect())
    }
}

/// Returns the canonical line of a record.
pub fn line(record: &impl Serialize) -> StoreResult<String> {
    serde_json::to_string(record).map_err(|error| StoreError::Defect(format!("a record cannot be written: {error}")))
}

/// Parses a line.
pub fn read<T: DeserializeOwned>(line: &str) -> StoreResult<T> {
    serde_json::from_str(line).map_err(|error| StoreError::Invalid(format!("a line is no such record: {error}")))
}

/// Implements `ArchiveStore::canonical` for every graph.
pub fn canonical(kind: RecordKind, given: &str) -> StoreResult<String> {
    fn rewrite<T: Serialize + DeserializeOwned>(given: &str) -> StoreResult<String> {
        line(&read::<T>(given)?)
    }
    match kind {
        COLLECTIONS => rewrite::<CollectionRecord>(given),
        DOCUMENTS => rewrite::<DocumentRecord>(given),
        ENTITIES => rewrite::<EntityRecord>(given),
        CLAIMS => rewrite::<ClaimRecord>(given),
        FACTS => rewrite::<FactRecord>(given),
        RELATIONSHIPS => rewrite::<RelationshipRecord>(given),
        MERGES => rewrite::<MergeRecord>(given),
        REVIEWS => rewrite::<ReviewRecord>(given),
        VECTORS => rewrite::<VectorRecord>(given),
        other => Err(StoreError::Invalid(format!("the graph keeps no {other}"))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_vector_is_kept_to_the_last_bit() {
        let numbers = [0.1, -0.0, f32::MIN_POSITIVE, 1.0e30];
        let record = VectorRecord::new("m".into(), VectorTarget::Claim(ClaimId(uuid::Uuid::nil())), &numbers);
        let back: VectorRecord = read(&line(&record).unwrap()).unwrap();
        assert_eq!(back.numbers().unwrap().map_bits(), numbers.to_vec().map_bits());
        assert!(VectorRecord { vector: "AAA=".into(), ..record }.numbers().is_err());
    }

    trait Bits {
        fn map_bits(self) -> Vec<u32>;
    }

    impl Bits for Vec<f32> {
        fn map_bits(self) -> Vec<u32> {
            self.into_iter().map(f32::to_bits).collect()
        }
    }

    #[test]
    fn a_line_of_before_a_field_was_added_is_read() {
        let id = "00000000-0000-7000-8000-000000000001";
        let claim = format!(
            r#"{{"id":"{id}","document":"{id}","content":"It opened.","quote":"It opened.","span":{{"start":0,"end":10}},
            "published":null,"ingested_at":"2031-03-14T12:00:00Z","attribution":"primary","information":"assertion","speaker":null,
            "mode":"asserted","language":null,"content_hash":"00","outlet":null,"entities":[]}}"#
        );
        assert!(canonical(CLAIMS, &claim).unwrap().contains(r#""occurred":null"#));
        let relationship = format!(
            r#"{{"id":"{id}","source":"{id}","target":"{id}","description":"owns","claims":[],"views":[{{"collection":"{id}",
            "weight":0.5,"confidence":null,"bidirectional":false,"timestamp":null}}]}}"#
        );
        assert!(canonical(RELATIONSHIPS, &relationship).unwrap().contains(r#""since":null,"until":null"#));
    }

    #[test]
    fn a_line_of_another_kind_is_refused() {
        let entity = line(&EntityRecord { id: EntityId(uuid::Uuid::nil()) }).unwrap();
        assert_eq!(canonical(ENTITIES, &entity).unwrap(), entity);
        assert!(canonical(CLAIMS, &entity).is_err());
        assert!(canonical(RecordKind("users"), &entity).is_err());
    }
}
