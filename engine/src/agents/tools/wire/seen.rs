//! Graph objects as agents see them.

use domain::{
    ClaimId, DocumentId, EntityId, RelationshipId,
    claim::{Attribution, Claim, Information, Mode, Span},
    entity::{Entity, PropertyValue},
    fetch::Finding,
    relationship::Relationship,
};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// An entity in a list.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct EntitySeen {
    pub id: EntityId,
    pub canonical_name: String,
    pub aliases: Vec<String>,
    pub kind: String,
    pub summary: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub score: Option<f64>,
}

impl EntitySeen {
    pub fn new(entity: Entity, score: Option<f64>) -> Self {
        Self {
            id: entity.id,
            canonical_name: entity.canonical_name,
            aliases: entity.aliases,
            kind: entity.kind,
            summary: entity.summary.map(|summary| summary.value),
            score,
        }
    }
}

/// An entity with everything that is known of it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct EntityInFull {
    #[serde(flatten)]
    pub entity: EntitySeen,
    pub is_stub: bool,
    pub properties: BTreeMap<String, PropertySeen>,
    pub external_ids: BTreeMap<String, String>,
    pub last_updated: String,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct PropertySeen {
    pub value: PropertyValue,
    pub claim_ids: Vec<ClaimId>,
}

impl From<Entity> for EntityInFull {
    fn from(mut entity: Entity) -> Self {
        let properties = std::mem::take(&mut entity.properties)
            .into_iter()
            .map(|(key, property)| (key.into(), PropertySeen { value: property.value, claim_ids: property.claim_ids }))
            .collect();
        Self {
            properties,
            is_stub: entity.is_stub,
            external_ids: std::mem::take(&mut entity.external_ids),
            last_updated: entity.last_updated.to_string(),
            entity: EntitySeen::new(entity, None),
        }
    }
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RelationshipSeen {
    pub id: RelationshipId,
    pub description: String,
    pub weight: Option<f64>,
    pub confidence: Option<f64>,
    pub bidirectional: bool,
    pub timestamp: Option<String>,
    pub claim_ids: Vec<ClaimId>,
}

impl From<Relationship> for RelationshipSeen {
    fn from(relationship: Relationship) -> Self {
        Self {
            id: relationship.id,
            description: relationship.description,
            weight: relationship.weight,
            confidence: relationship.confidence.map(f64::from),
            bidirectional: relationship.bidirectional,
            timestamp: relationship.timestamp.map(|moment| moment.to_string()),
            claim_ids: relationship.claim_ids,
        }
    }
}

/// A claim with where it comes from.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ClaimSeen {
    pub id: ClaimId,
    pub content: String,
    /// The document's own words.
    pub quote: String,
    /// RFC 3339; null where the document does not say.
    pub published_at: Option<String>,
    /// The entity that published it.
    pub outlet: Option<NameSeen>,
    pub document_id: DocumentId,
    pub document_title: String,
    /// Begins the hash of the text: documents that share it have the same text word for word, and spans mean the same in them.
    #[serde(default)]
    pub text: String,
    /// Documents of one origin repeat one text, as it is or with small edits: they are one voice.
    pub origin: String,
    /// What has become of the page since somebody cited it; absent where it stands as it did, or nobody has looked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub page: Option<Finding>,
    pub span: Span,
    pub attribution: Attribution,
    pub information: Information,
    pub mode: Mode,
    pub speaker: Option<String>,
    pub entities: Vec<NameSeen>,
    pub score: f64,
}

/// An entity by id and name.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct NameSeen {
    pub id: EntityId,
    pub name: String,
    pub kind: String,
}

/// Where a claim comes from.
#[derive(Debug, Clone, Default)]
pub struct Whence {
    pub document_title: String,
    pub text_sha256: String,
    pub origin: String,
    pub page: Option<Finding>,
}

/// So many characters of a hash tell texts apart.
const TEXT_CHARS: usize = 16;

impl ClaimSeen {
    /// What tells its text from others; sessions from before there was `text` have only the origin, which was the same then.
    pub fn text_key(&self) -> &str {
        if self.text.is_empty() { &self.origin } else { &self.text }
    }

    /// `names` gives what the scope sees of an entity.
    pub fn new(claim: Claim, from: Whence, score: f64, names: &BTreeMap<EntityId, NameSeen>) -> Self {
        Self {
            id: claim.id,
            content: claim.content,
            quote: claim.quote,
            published_at: claim.published.map(|published| published.value.to_string()),
            outlet: claim.outlet_id.and_then(|id| names.get(&id).cloned()),
            document_id: claim.document_id,
            document_title: from.document_title,
            text: from.text_sha256.chars().take(TEXT_CHARS).collect(),
            origin: from.origin,
            page: from.page,
            span: claim.span,
            attribution: claim.attribution,
            information: claim.information,
            mode: claim.mode,
            speaker: claim.speaker,
            entities: claim.entity_ids.iter().filter_map(|id| names.get(id).cloned()).collect(),
            score,
        }
    }
}
