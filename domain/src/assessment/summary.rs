//! Summary of an assessment for rows of lists.

use super::{AnalyticConfidence, AnsweredParts, Assessment, AssessmentKind, AssessmentState, Judgement};
use crate::{AssessmentId, DocumentId, InvestigationId};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// Summary of an assessment, as a row of a list shows it. Computed and stored with it, so that a list reads no whole assessment.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct AssessmentSummary {
    pub id: AssessmentId,
    pub investigation_id: InvestigationId,
    pub kind: AssessmentKind,
    pub state: AssessmentState,
    /// Answered parts of the question, where not all are; none in older stores.
    pub answered_parts: Option<AnsweredParts>,
    pub question: String,
    pub title: String,
    /// The bottom line as plain text.
    pub bottom_line: String,
    /// The first key judgement; none of an evidence brief.
    pub judgement: Option<Judgement>,
    /// None of an evidence brief.
    pub confidence: Option<AnalyticConfidence>,
    /// Number of citations.
    pub citations: usize,
    pub documents: BTreeSet<DocumentId>,
    /// Days (`YYYY-MM-DD`) by which its indicators resolve.
    pub due: BTreeSet<String>,
    /// Whether recorded replies of a model wrote it.
    pub is_recorded: bool,
}

impl AssessmentSummary {
    pub fn from_assessment(assessment: &Assessment) -> Self {
        let days = assessment.body.indicators.iter().filter_map(|indicator| indicator.resolution.by.clone());
        Self {
            id: assessment.id,
            investigation_id: assessment.investigation_id,
            kind: assessment.kind,
            state: AssessmentState::from_assessment(assessment),
            answered_parts: AnsweredParts::from_assessment(assessment),
            question: assessment.question.clone(),
            title: assessment.body.title.clone(),
            bottom_line: assessment.bottom_line_text().into_owned(),
            judgement: assessment.body.key_judgements.first().filter(|_| assessment.kind.is_assessment()).cloned(),
            confidence: assessment.body.overall_confidence.clone(),
            citations: assessment.citations.len(),
            documents: assessment.cited(),
            due: days.collect(),
            is_recorded: assessment.producer.is_recorded(),
        }
    }
}
