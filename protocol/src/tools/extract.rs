//! Arguments of `batch_extract`: everything that documents say. Refs (`e1`, `c1`) hold inside one document's entry.

use super::lenient;
use domain::{
    DocumentId,
    claim::{Attribution, Information, Mode},
    entity::PropertyValue,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::BTreeMap;

#[derive(Debug, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct BatchExtract {
    pub documents: Vec<DocumentExtract>,
}

/// Everything that one document says, written as a whole or not at all.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct DocumentExtract {
    pub document_id: DocumentId,
    /// Whether anything is left out because it does not bear on the question in view.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub in_view_only: Option<bool>,
    /// The ref of the entity that published it.
    #[serde(default)]
    pub outlet: Option<String>,
    /// Whom the document credits with its text.
    #[serde(default)]
    pub credits: Option<CreditsExtract>,
    #[serde(default)]
    pub entities: Vec<EntityExtract>,
    #[serde(default)]
    pub claims: Vec<ClaimExtract>,
    #[serde(default)]
    pub relationships: Vec<RelationshipExtract>,
    /// Fields that are added to the extraction, by name. Their schema is known only where they are declared.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    #[schemars(skip)]
    pub added: BTreeMap<String, Value>,
}

#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct CreditsExtract {
    /// The news agency that the text is from.
    pub agency: Option<String>,
    /// The authors.
    pub byline: Option<String>,
}

#[derive(Debug, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct EntityExtract {
    /// A name for it inside this document's extract: `e1`.
    #[serde(rename = "ref")]
    pub reference: String,
    pub name: String,
    #[serde(default)]
    pub aliases: Vec<String>,
    pub kind: String,
    /// The document gives nothing but its name.
    #[serde(default)]
    pub is_stub: Option<bool>,
    #[serde(default)]
    pub properties: Vec<PropertyExtract>,
    #[serde(default)]
    pub external_ids: Vec<ExternalIdExtract>,
    #[serde(default)]
    pub same_as: Vec<SameAsExtract>,
    #[serde(default)]
    pub summary: Option<SummaryExtract>,
}

#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PropertyExtract {
    pub key: String,
    pub value: PropertyValue,
    /// Refs of the claims that state it.
    pub claims: Vec<String>,
}

/// An identifier in another system, as the document prints it.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ExternalIdExtract {
    pub system: String,
    pub id: String,
    /// Refs of the claims that state it.
    pub claims: Vec<String>,
}

/// A statement that two entities are one. A person judges it; nothing is merged.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SameAsExtract {
    /// Ref of another entity, or the id of a known one.
    pub entity: String,
    /// Refs of the claims that state it.
    pub claims: Vec<String>,
}

#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SummaryExtract {
    pub text: String,
    /// Refs of the claims that it rests on.
    pub claims: Vec<String>,
}

#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ClaimExtract {
    /// A name for it inside this document's extract: `c1`.
    #[serde(rename = "ref")]
    pub reference: String,
    pub quote: String,
    pub content: String,
    /// Refs of the entities that it is about.
    #[serde(default)]
    pub entities: Vec<String>,
    pub attribution: Attribution,
    #[serde(default = "lenient::assertion")]
    pub information: Information,
    pub mode: Mode,
    #[serde(default)]
    pub speaker: Option<String>,
    /// When what it states happened.
    #[serde(default, deserialize_with = "lenient::period")]
    #[schemars(with = "Option<GivenPeriod>")]
    pub occurred: Option<PeriodExtract>,
}

/// A day, month or year (`2016-12-14`, `2016-12`, `2016`), or from one to another.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PeriodExtract {
    pub from: String,
    /// Null: within `from`.
    #[serde(default)]
    pub to: Option<String>,
}

/// The ways in which a period may be given.
#[derive(Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum GivenPeriod {
    Period(PeriodExtract),
    Date(String),
}

impl From<GivenPeriod> for PeriodExtract {
    fn from(given: GivenPeriod) -> Self {
        match given {
            GivenPeriod::Period(period) => period,
            GivenPeriod::Date(from) => Self { from, to: None },
        }
    }
}

#[derive(Debug, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RelationshipExtract {
    /// Ref of an entity.
    pub source: String,
    pub target: String,
    pub description: String,
    /// Refs of the claims that state it; never empty.
    pub claims: Vec<String>,
    #[serde(default)]
    pub bidirectional: bool,
    /// How strong the link is, 0 to 1.
    #[serde(default, deserialize_with = "lenient::number")]
    #[schemars(with = "Option<lenient::GivenNumber>")]
    pub weight: Option<f64>,
    /// How sure the document is of it, 0 to 1.
    #[serde(default, deserialize_with = "lenient::number")]
    #[schemars(with = "Option<lenient::GivenNumber>")]
    pub confidence: Option<f64>,
    /// When it began: a day, month or year.
    #[serde(default)]
    pub since: Option<String>,
    /// When it ended.
    #[serde(default)]
    pub until: Option<String>,
}
