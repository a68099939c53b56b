//! The records of a knowledge graph. Every graph backend carries these kinds, in this order, with these fields.
//!
//! What a backend does. `Snapshot::page` gives the records of a kind in an order of its own, each line made by `line`. `import`
//! takes them back with `read` and writes what belongs to them; what can be made again is not carried and has to be made there:
//! full text, blocking keys of names (`Resolve::keys`), counts of evidence, views, hashes of descriptions, coarse vectors, and
//! which entity a merged one counts as now.
//!
//! Invariant: ends are the original ones (a claim names the entity that it was written with, not the survivor of a merge), and
//! lists whose order says nothing are sorted by id: otherwise one graph would have two texts.

use super::Kind;
use crate::{StoreError, StoreResult, embeddings::VectorKind};
use base64::{Engine as _, prelude::BASE64_STANDARD};
use domain::{
    ClaimId, CollectionId, Confidence, DateRange, DocumentId, EntityId, MergeId, PartialDate, PublicationDate, RelationshipId,
    ReviewId, Timestamp,
    claim::{Attribution, Information, Mode, Span},
};
use serde::{Deserialize, Serialize, de::DeserializeOwned};

pub const COLLECTIONS: Kind = Kind("graph_collections");
pub const DOCUMENTS: Kind = Kind("graph_documents");
pub const ENTITIES: Kind = Kind("entities");
pub const CLAIMS: Kind = Kind("claims");
pub const FACTS: Kind = Kind("facts");
pub const RELATIONSHIPS: Kind = Kind("relationships");
pub const MERGES: Kind = Kind("merges");
pub const REVIEWS: Kind = Kind("reviews");
pub const VECTORS: Kind = Kind("vectors");

/// In the order of import: no record refers to one of a later kind.
pub const KINDS: [Kind; 9] = [COLLECTIONS, DOCUMENTS, ENTITIES, CLAIMS, FACTS, RELATIONSHIPS, MERGES, REVIEWS, VECTORS];

/// A collection that something was written to or that was removed. Natural key: id.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CollectionRecord {
    pub id: CollectionId,
    /// A tombstone: nothing is written to it any more.
    pub removed: bool,
}

/// Natural key: id.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DocumentRecord {
    pub id: DocumentId,
    pub collection: CollectionId,
    /// `GraphWrite::document_order`.
    pub order: String,
}

/// An entity as such; what is said of it is facts. Natural key: id.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EntityRecord {
    pub id: EntityId,
}

/// Natural keys: id, and (document, `content_hash`).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ClaimRecord {
    pub id: ClaimId,
    pub document: DocumentId,
    pub content: String,
    pub quote: String,
    pub span: Span,
    pub published: Option<PublicationDate>,
    #[serde(default)]
    pub occurred: Option<DateRange>,
    pub ingested_at: Timestamp,
    pub attribution: Attribution,
    pub information: Information,
    pub speaker: Option<String>,
    pub mode: Mode,
    pub language: Option<String>,
    pub content_hash: String,
    pub outlet: Option<EntityId>,
    /// What it is about, in the order in which it was written.
    pub entities: Vec<EntityId>,
}

/// One thing that one collection says of an entity. Natural key: all but `at` and `claims`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FactRecord {
    pub entity: EntityId,
    pub facet: Facet,
    /// Of a property its key, of an external id the system, of a name `alias` where it is one; else empty.
    pub key: String,
    /// Of a property its value as JSON; else the text.
    pub value: String,
    pub collection: CollectionId,
    /// When it was last said.
    pub at: Timestamp,
    /// Sorted.
    pub claims: Vec<ClaimId>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Facet {
    Name,
    Kind,
    Summary,
    Property,
    External,
    /// It is more than a stub.
    Detail,
}

impl Facet {
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Name => "name",
            Self::Kind => "kind",
            Self::Summary => "summary",
            Self::Property => "property",
            Self::External => "external",
            Self::Detail => "detail",
        }
    }
}

/// Natural keys: id, and (source, target, description).
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

/// A relationship as one collection has it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RelationshipView {
    pub collection: CollectionId,
    pub weight: Option<f64>,
    pub confidence: Option<Confidence>,
    pub bidirectional: bool,
    pub timestamp: Option<Timestamp>,
    #[serde(default)]
    pub since: Option<PartialDate>,
    #[serde(default)]
    pub until: Option<PartialDate>,
}

/// One entry of the merge log. Natural key: id. Those that are not undone say what every entity counts as.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MergeRecord {
    pub id: MergeId,
    pub survivor: EntityId,
    pub merged: EntityId,
    pub at: Timestamp,
    pub undone: bool,
}

/// A pair that may be one entity. Natural keys: id, and (left, right).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ReviewRecord {
    pub id: ReviewId,
    pub left: EntityId,
    pub right: EntityId,
    pub score: f64,
    pub why: String,
    pub created_at: Timestamp,
    pub closed: bool,
    /// Who sees both of a pair sees it. Sorted.
    pub seen_through: Vec<(CollectionId, CollectionId)>,
}

/// The vector of one text. Natural key: (model, of).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct VectorRecord {
    pub model: String,
    pub of: VectorOf,
    /// Little-endian 32-bit floats in base64.
    pub vector: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum VectorOf {
    Claim(ClaimId),
    Relationship(RelationshipId),
    /// An entity as one collection knows it.
    Entity(EntityId, CollectionId),
}

impl VectorOf {
    pub const fn kind(self) -> VectorKind {
        match self {
            Self::Claim(_) => VectorKind::Claim,
            Self::Relationship(_) => VectorKind::Relationship,
            Self::Entity(..) => VectorKind::Entity,
        }
    }
}

impl VectorRecord {
    pub fn new(model: String, of: VectorOf, numbers: &[f32]) -> Self {
        let bytes: Vec<u8> = numbers.iter().flat_map(|number| number.to_le_bytes()).collect();
        Self { model, of, vector: BASE64_STANDARD.encode(bytes) }
    }

    /// `Invalid` when it is no list of numbers.
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

/// The canonical line of a record.
pub fn line(record: &impl Serialize) -> StoreResult<String> {
    serde_json::to_string(record).map_err(|error| StoreError::Defect(format!("a record cannot be written: {error}")))
}

/// Reads a line back.
pub fn read<T: DeserializeOwned>(line: &str) -> StoreResult<T> {
    serde_json::from_str(line).map_err(|error| StoreError::Invalid(format!("a line is no such record: {error}")))
}

/// `Movable::canonical` of every graph.
pub fn canonical(kind: Kind, given: &str) -> StoreResult<String> {
    fn again<T: Serialize + DeserializeOwned>(given: &str) -> StoreResult<String> {
        line(&read::<T>(given)?)
    }
    match kind {
        COLLECTIONS => again::<CollectionRecord>(given),
        DOCUMENTS => again::<DocumentRecord>(given),
        ENTITIES => again::<EntityRecord>(given),
        CLAIMS => again::<ClaimRecord>(given),
        FACTS => again::<FactRecord>(given),
        RELATIONSHIPS => again::<RelationshipRecord>(given),
        MERGES => again::<MergeRecord>(given),
        REVIEWS => again::<ReviewRecord>(given),
        VECTORS => again::<VectorRecord>(given),
        other => Err(StoreError::Invalid(format!("the graph keeps no {other}"))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_vector_is_kept_to_the_last_bit() {
        let numbers = [0.1, -0.0, f32::MIN_POSITIVE, 1.0e30];
        let record = VectorRecord::new("m".into(), VectorOf::Claim(ClaimId(uuid::Uuid::nil())), &numbers);
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
        assert!(canonical(Kind("users"), &entity).is_err());
    }
}
