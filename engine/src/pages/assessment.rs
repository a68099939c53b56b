//! The page of one assessment.

use crate::{Engine, StoreResult, assessments::StoredAssessment};
use domain::{AssessmentId, pages::AssessmentView, user::User};

impl Engine {
    /// One assessment, when `viewer` may see everything that it was drawn from.
    pub async fn assessment_view(&self, viewer: &User, id: AssessmentId) -> StoreResult<Option<AssessmentView>> {
        let reach = self.reach(viewer).await?;
        let stored = self.assessments.assessment(&reach.scope, id).await?;
        let Some(StoredAssessment { assessment, collections, is_partial, created_at, .. }) = stored else { return Ok(None) };
        let cited: Vec<_> = assessment.citations.iter().map(|citation| citation.document_id).collect();
        Ok(Some(AssessmentView {
            findings: self.captures.findings(&reach.scope, &cited).await?,
            spent: self.ledger.spent(assessment.investigation_id).await?,
            currency: self.budget.currency.clone(),
            assessment,
            is_partial,
            is_sample: collections.iter().any(|collection| reach.is_sample(*collection)),
            created_at,
        }))
    }
}
