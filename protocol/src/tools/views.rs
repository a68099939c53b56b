//! Graph objects as agents see them. Ids are short references of the session (`protocol::refs`), and what several claims share, their
//! documents and entities, stands once beside them.

use crate::refs::{RefKind, SessionRefs};
use domain::{
    ClaimId,
    claim::{Attribution, Claim, Information, Mode},
    document::{Document, outlet_name, source_name},
    entity::{Entity, PropertyValue},
    fetch::PageState,
    outlet::{ConflictOfInterest, OutletBase, OutletOwnership, OutletProfile, RecordLine},
    relationship::Relationship,
};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// An entity in a list.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct EntityView {
    /// `e3`.
    #[serde(rename = "ref")]
    pub reference: String,
    pub name: String,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub aliases: Vec<String>,
    pub kind: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub summary: Option<String>,
}

impl EntityView {
    pub fn new(entity: Entity, refs: &SessionRefs) -> Self {
        Self {
            reference: refs.give(RefKind::Entity, entity.id),
            name: entity.canonical_name,
            aliases: entity.aliases,
            kind: entity.kind,
            summary: entity.summary.map(|summary| summary.value),
        }
    }
}

/// An entity with everything that is known of it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct EntityDetails {
    #[serde(flatten)]
    pub entity: EntityView,
    pub is_stub: bool,
    pub properties: BTreeMap<String, PropertyView>,
    pub external_ids: BTreeMap<String, String>,
    pub last_updated: String,
    /// Present where it published claims.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub outlet: Option<OutletView>,
}

/// An entity as an outlet.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct OutletView {
    pub owners: Vec<OutletStatement>,
    pub bases: Vec<OutletStatement>,
    pub record: Vec<RecordLine>,
    pub conflicts_of_interest: Vec<ConflictView>,
}

/// An owner or a place of an outlet; fields that are unknown are absent.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct OutletStatement {
    pub name: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub entity: Option<String>,
    /// Words of the relationship that says so.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub link: Option<String>,
    pub claims: Vec<String>,
}

/// An owner about whom the outlet published claims.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ConflictView {
    pub entity: String,
    pub name: String,
    /// `owner`, or the owner that it owns: `owner of Halden line`.
    pub tie: String,
    /// Claims about it that the outlet published, and the newest of them.
    pub claims: u64,
    pub newest: String,
}

/// Claims named behind one owner or place.
const STATING_CLAIMS: usize = 5;

impl OutletView {
    pub fn new(profile: OutletProfile, refs: &SessionRefs) -> Self {
        let claims = |ids: Vec<ClaimId>| -> Vec<String> {
            ids.into_iter().take(STATING_CLAIMS).map(|id| refs.give(RefKind::Claim, id)).collect()
        };
        let owner = |one: OutletOwnership| OutletStatement {
            name: one.name,
            entity: Some(refs.give(RefKind::Entity, one.owner)),
            link: Some(one.link),
            claims: claims(one.claims),
        };
        let base = |one: OutletBase| OutletStatement {
            name: one.place,
            entity: one.entity.map(|id| refs.give(RefKind::Entity, id)),
            link: None,
            claims: claims(one.claims),
        };
        let conflict = |one: ConflictOfInterest| ConflictView {
            entity: refs.give(RefKind::Entity, one.party),
            name: one.name,
            tie: one.through.map_or_else(|| "owner".to_owned(), |owned| format!("owner of {owned}")),
            claims: one.claims,
            newest: refs.give(RefKind::Claim, one.newest),
        };
        Self {
            owners: profile.owners.into_iter().map(owner).collect(),
            bases: profile.bases.into_iter().map(base).collect(),
            record: profile.record.lines(),
            conflicts_of_interest: profile.conflicts.into_iter().map(conflict).collect(),
        }
    }
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct PropertyView {
    pub value: PropertyValue,
    /// References of the claims that state it.
    pub claims: Vec<String>,
}

impl EntityDetails {
    pub fn new(mut entity: Entity, refs: &SessionRefs) -> Self {
        let properties = std::mem::take(&mut entity.properties).into_iter();
        let properties = properties.map(|(key, property)| {
            let claims = property.claim_ids.iter().map(|id| refs.give(RefKind::Claim, id)).collect();
            (key.into(), PropertyView { value: property.value, claims })
        });
        Self {
            properties: properties.collect(),
            is_stub: entity.is_stub,
            external_ids: std::mem::take(&mut entity.external_ids),
            last_updated: entity.last_updated.to_string(),
            outlet: None,
            entity: EntityView::new(entity, refs),
        }
    }
}

/// A relationship; absent fields are unknown.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RelationshipView {
    pub description: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub weight: Option<f64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub confidence: Option<f64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub since: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub until: Option<String>,
    /// References of the claims that state it.
    pub claims: Vec<String>,
}

impl RelationshipView {
    pub fn new(relationship: Relationship, refs: &SessionRefs) -> Self {
        Self {
            description: relationship.description,
            weight: relationship.weight,
            confidence: relationship.confidence.map(f64::from),
            since: relationship.since.map(|date| date.to_string()),
            until: relationship.until.map(|date| date.to_string()),
            claims: relationship.claim_ids.iter().map(|id| refs.give(RefKind::Claim, id)).collect(),
        }
    }
}

/// A claim; absent fields are null.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ClaimView {
    /// `c17`: what `claim_refs` of an assessment cite.
    #[serde(rename = "ref")]
    pub reference: String,
    pub content: String,
    /// The document's own words; absent where `content` is them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub quote: Option<String>,
    /// Reference of its document, which stands beside the claims.
    pub document: String,
    /// Where the quote begins in the text, in bytes.
    pub at: u64,
    pub attribution: Attribution,
    /// Absent: an assertion.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub information: Option<Information>,
    /// Absent: asserted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mode: Option<Mode>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub speaker: Option<String>,
    /// When what it states happened: `2016-12`, or `2016-12-14 to 2016-12-16`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub occurred: Option<String>,
    /// References of the entities that it is about.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub entities: Vec<String>,
    /// How well it fits the query, 0 to 1.
    pub score: f64,
}

impl ClaimView {
    /// `entities` are the references of those that the scope sees.
    pub fn new(claim: Claim, entities: Vec<String>, score: f64, refs: &SessionRefs) -> Self {
        Self {
            reference: refs.give(RefKind::Claim, claim.id),
            quote: (claim.quote != claim.content).then_some(claim.quote),
            content: claim.content,
            document: refs.give(RefKind::Document, claim.document_id),
            at: claim.span.start,
            attribution: claim.attribution,
            information: Some(claim.information).filter(|information| *information != Information::Assertion),
            mode: Some(claim.mode).filter(|mode| *mode != Mode::Asserted),
            speaker: claim.speaker,
            occurred: claim.occurred.map(|occurred| occurred.to_string()),
            entities,
            score: (score * 100.0).round() / 100.0,
        }
    }

    /// The document's own words.
    pub fn quote(&self) -> &str {
        self.quote.as_deref().unwrap_or(&self.content)
    }
}

/// The document of some claims.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct DocumentView {
    /// `d3`.
    #[serde(rename = "ref")]
    pub reference: String,
    pub title: String,
    /// The outlet by name, and its entity where the graph has one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub outlet: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub outlet_ref: Option<String>,
    /// The host of its address or the name of its file, where the outlet is unknown.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source: Option<String>,
    /// Whether it says of itself that it is opinion; absent otherwise.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_opinion: bool,
    /// The news agency that the text is from, and its authors, as the document credits them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub agency: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub byline: Option<String>,
    /// As exactly as it is known; absent where the document does not say.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub published: Option<String>,
    /// Documents of one origin repeat one text, as it is or with small edits: they count once.
    pub origin: String,
    /// Begins the hash of the text: documents that share it have the same text word for word.
    pub text: String,
    /// What has become of the page since somebody cited it; absent where it stands as it did, or nobody has looked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub page: Option<PageState>,
}

/// So many characters of a hash tell texts apart.
const TEXT_CHARS: usize = 12;

impl DocumentView {
    /// `origin` is the text that stands for its origin.
    pub fn new(
        document: Document,
        outlet: Option<&EntityName>,
        origin: &str,
        page: Option<PageState>,
        refs: &SessionRefs,
    ) -> Self {
        let name = outlet
            .map(|outlet| outlet.name.clone())
            .or_else(|| outlet_name(document.outlet.as_deref(), None).map(str::to_owned));
        Self {
            reference: refs.give(RefKind::Document, document.id),
            source: name.is_none().then(|| source_name(None, &document.path).to_owned()),
            is_opinion: document.is_opinion(),
            title: document.title,
            outlet: name,
            outlet_ref: outlet.map(|outlet| outlet.reference.clone()),
            agency: document.credits.agency,
            byline: document.credits.byline,
            published: document.published.map(|published| published.to_string()),
            origin: refs.give(RefKind::Origin, origin),
            text: document.text_sha256.chars().take(TEXT_CHARS).collect(),
            page,
        }
    }
}

/// An entity by reference and name.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct EntityName {
    #[serde(rename = "ref")]
    pub reference: String,
    pub name: String,
    pub kind: String,
}
