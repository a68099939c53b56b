//! Earlier assessments that a draft must reckon with: the one that it names, and the newest of the same question.

use crate::{Engine, StoreError, assessments::find::not_recorded};
use domain::{
    AssessmentId,
    assessment::{Assessment, Body},
    investigation::Investigation,
};

/// Candidates of a search that are compared with the question.
const CANDIDATES: u32 = 20;
/// Characters of a question that are searched for.
const QUERY_CHARS: usize = 500;

pub(super) struct EarlierAssessments {
    /// The assessment that `change` names, where it exists.
    pub previous: Option<Assessment>,
    /// The newest complete one of the same question; an evidence brief judges nothing that could have changed.
    pub of_question: Option<AssessmentId>,
}

impl EarlierAssessments {
    pub async fn load(engine: &Engine, investigation: &Investigation, body: &Body) -> Result<Self, StoreError> {
        let scope = &investigation.scope;
        let previous = match &body.change {
            Some(change) => engine.assessments.assessment(scope, change.previous_id).await?,
            None => None,
        };
        let query: String = investigation.prompt.chars().take(QUERY_CHARS).collect();
        let found = not_recorded(engine.assessments.search(scope, &query, CANDIDATES).await?);
        let question = normalised(&investigation.prompt);
        let same = found.into_iter().filter(|stored| {
            let assessment = &stored.assessment;
            let is_other = assessment.investigation_id != investigation.id;
            let is_judged = assessment.kind.is_assessment() && !stored.is_partial;
            is_other && is_judged && normalised(&assessment.question) == question
        });
        let newest = same.max_by_key(|stored| (stored.created_at, stored.assessment.id));
        Ok(Self { previous: previous.map(|stored| stored.assessment), of_question: newest.map(|stored| stored.assessment.id) })
    }
}

/// Questions that differ in case and white space are the same.
fn normalised(question: &str) -> String {
    question.split_whitespace().map(str::to_lowercase).collect::<Vec<_>>().join(" ")
}
