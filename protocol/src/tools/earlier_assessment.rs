//! Arguments and result of the tool that reads an earlier assessment.

use crate::refs::{RefKind, SessionRefs};
use domain::{
    AssessmentId, Timestamp,
    assessment::{Assessment, AssessmentKind, Body, Citation, InformationPeriod, Marker, SourceStatement},
    claim::Attribution,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct GetAssessment {
    pub assessment_id: AssessmentId,
    #[serde(default)]
    pub parts: AssessmentParts,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum AssessmentParts {
    /// What it says, without the claims that it cites.
    #[default]
    Report,
    /// The claims that it cites.
    Citations,
    All,
}

/// An earlier assessment as agents read it: what it says, and of its citations what was said by whom.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct EarlierAssessment {
    /// `a1`.
    #[serde(rename = "ref")]
    pub reference: String,
    #[serde(default, skip_serializing_if = "AssessmentKind::is_assessment")]
    pub kind: AssessmentKind,
    pub question: String,
    pub created_at: Timestamp,
    pub information: InformationPeriod,
    /// None where only the citations are wanted.
    #[serde(flatten)]
    pub body: Option<Body>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub citations: Vec<CitedClaim>,
    /// Number of its citations where they are not wanted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub citations_left_out: Option<usize>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sources: Option<SourceStatement>,
}

/// A citation without what only a program needs.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct CitedClaim {
    pub marker: Marker,
    /// `c17`.
    #[serde(rename = "ref")]
    pub reference: String,
    pub claim: String,
    /// The document's own words, where they differ from the claim.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub quote: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub speaker: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub outlet: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub published: Option<String>,
    pub attribution: Attribution,
}

impl EarlierAssessment {
    pub fn new(assessment: Assessment, created_at: Timestamp, parts: AssessmentParts, refs: &SessionRefs) -> Self {
        let Assessment { id, kind, question, information, body, citations, sources, .. } = assessment;
        let (has_report, has_citations) = (parts != AssessmentParts::Citations, parts != AssessmentParts::Report);
        let citations_left_out = (!has_citations).then_some(citations.len());
        let given = citations.into_iter().filter(|_| has_citations);
        let citations = given.map(|citation| CitedClaim::new(citation, refs)).collect();
        let reference = refs.give(RefKind::Assessment, id);
        let (body, sources) = if has_report { (Some(body), sources) } else { (None, None) };
        Self { reference, kind, question, created_at, information, body, citations, citations_left_out, sources }
    }
}

impl CitedClaim {
    fn new(citation: Citation, refs: &SessionRefs) -> Self {
        let Citation { marker, claim_id, content, speaker, quote, outlet, published_at, attribution, .. } = citation;
        let claim = content.unwrap_or_else(|| quote.clone());
        let quote = (quote != claim).then_some(quote);
        let published = published_at.map(|published| published.to_string());
        let reference = refs.give(RefKind::Claim, claim_id);
        Self { marker, reference, claim, quote, speaker, outlet, published, attribution }
    }
}
