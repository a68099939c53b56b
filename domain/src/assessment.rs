//! The assessment, schema v1: what an investigation produces. Serialises to the JSON export `autosint.assessment.v1`.
//!
//! Invariant: every key is always present in JSON, null where unknown; markers are unique and every marker used exists.

mod text;
mod validate;

pub use text::escape_markdown;
pub use validate::{Problem, markers_in, validate};

use crate::{
    AssessmentId, ClaimId, ConfidenceLevel, DocumentId, EntityId, InvestigationId, Published, claim::Attribution, claim::Span,
    fetch::PageFinding, likelihood::Likelihood,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

/// The value of `schema` in every export.
pub const SCHEMA: &str = "autosint.assessment.v1";

/// Number of a citation inside one assessment, from 1.
pub type Marker = u32;

/// A finished assessment.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Assessment {
    /// Always `autosint.assessment.v1`.
    pub schema: String,
    pub id: AssessmentId,
    pub investigation_id: InvestigationId,
    pub question: String,
    #[serde(flatten)]
    pub body: Body,
    pub citations: Vec<Citation>,
    pub producer: Producer,
    pub cost: Cost,
}

impl Assessment {
    /// The documents that its citations quote, each once.
    pub fn cited(&self) -> BTreeSet<DocumentId> {
        self.citations.iter().map(|citation| citation.document_id).collect()
    }
}

/// What the Analyst writes; the rest is added and verified by code.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Body {
    pub title: String,
    /// The answer in one or two sentences.
    pub bottom_line: String,
    pub key_judgements: Vec<Judgement>,
    /// Markdown with `[n]` markers.
    pub analysis: String,
    /// Including "none of these"; probabilities sum to 0.95–1.05.
    pub hypotheses: Vec<Hypothesis>,
    pub evidence_matrix: Vec<MatrixRow>,
    pub assumptions: Vec<Assumption>,
    pub indicators: Vec<Indicator>,
    pub gaps: Vec<Gap>,
    pub impacts: Vec<Impact>,
    pub outlets: Vec<OutletNote>,
    pub change: Option<Change>,
    pub overall_confidence: Grounded,
}

/// A confidence level with its reason.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Grounded {
    pub level: ConfidenceLevel,
    pub basis: String,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Judgement {
    /// `J1`, `J2` …
    pub id: String,
    pub statement: String,
    pub likelihood: Likelihood,
    pub confidence: Grounded,
    pub citations: Vec<Marker>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Hypothesis {
    /// `H1`, `H2` …
    pub id: String,
    pub statement: String,
    /// 0 to 1.
    pub probability: f64,
    pub reasoning: String,
    #[serde(rename = "for")]
    pub supporting: Vec<Marker>,
    pub against: Vec<Marker>,
    pub weaknesses: String,
}

/// How a piece of evidence bears on a hypothesis (analysis of competing hypotheses, after Heuer).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub enum Rating {
    /// Very consistent.
    CC,
    /// Consistent.
    C,
    /// Neutral.
    N,
    /// Inconsistent.
    I,
    /// Very inconsistent.
    II,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct MatrixRow {
    pub citation: Marker,
    pub credibility: ConfidenceLevel,
    pub relevance: ConfidenceLevel,
    /// A rating for every hypothesis id.
    pub ratings: BTreeMap<String, Rating>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Assumption {
    pub text: String,
    pub if_wrong: String,
}

/// Which way an indicator moves the hypotheses it names.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Direction {
    Supports,
    Weakens,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Indicator {
    /// `I1`, `I2` …
    pub id: String,
    pub text: String,
    pub hypotheses: Vec<String>,
    pub direction: Direction,
    pub resolution: Resolution,
}

/// How it will be settled whether an indicator came true.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Resolution {
    pub question: String,
    pub criteria: String,
    /// A date (`YYYY-MM-DD`), or null where none can be named.
    pub by: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Gap {
    pub text: String,
    pub impact: String,
    pub how_to_close: String,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Impact {
    pub who: String,
    pub effect: String,
    pub citations: Vec<Marker>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct OutletNote {
    pub entity_id: EntityId,
    pub name: String,
    pub notes: String,
}

/// What is different from the previous assessment of the same question.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Change {
    pub previous_id: AssessmentId,
    pub summary: String,
}

/// A quote that stands at `span` of the stored text of its document.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Citation {
    pub marker: Marker,
    pub claim_id: ClaimId,
    pub document_id: DocumentId,
    /// Hex SHA-256 of the bytes as they were read.
    pub document_sha256: String,
    /// Hex SHA-256 of the stored text.
    pub text_sha256: String,
    pub document_title: String,
    pub document_path: String,
    pub quote: String,
    pub span: Span,
    pub outlet: Option<String>,
    pub published_at: Option<Published>,
    pub attribution: Attribution,
}

impl Citation {
    /// What has become of the page that it quotes.
    pub fn finding<'a>(&self, findings: &'a [PageFinding]) -> Option<&'a PageFinding> {
        findings.iter().find(|finding| finding.document_id == self.document_id)
    }
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Producer {
    pub provider: String,
    pub model: String,
    /// Hex SHA-256 of the prompt of each role.
    pub prompts: BTreeMap<String, String>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Cost {
    pub currency: String,
    pub amount: f64,
    pub tokens_in: u64,
    pub tokens_out: u64,
}
