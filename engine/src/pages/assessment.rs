//! View model of the assessment page.

use crate::{Engine, StoreResult, assessments::StoredAssessment};
use domain::{AssessmentId, Scope, assessment::Assessment, fetch::PageFinding, user::User};
use views::AssessmentView;

impl Engine {
    /// Returns the findings of the citation watch on cited pages.
    pub async fn found_later(&self, scope: &Scope, assessment: &Assessment) -> StoreResult<Vec<PageFinding>> {
        let cited: Vec<_> = assessment.cited().into_iter().collect();
        self.captures.findings(scope, &cited).await
    }

    /// Returns an assessment, if `viewer` may see everything it draws on.
    pub async fn assessment_view(&self, viewer: &User, id: AssessmentId) -> StoreResult<Option<AssessmentView>> {
        let visible = self.visible(viewer).await?;
        let stored = self.assessments.assessment(&visible.scope, id).await?;
        let Some(StoredAssessment { assessment, collections, is_partial, created_at, .. }) = stored else { return Ok(None) };
        Ok(Some(AssessmentView {
            findings: self.found_later(&visible.scope, &assessment).await?,
            spent: self.ledger.spent(assessment.investigation_id).await?,
            currency: self.budget.currency.clone(),
            assessment,
            is_partial,
            is_sample: collections.iter().any(|collection| visible.is_sample(*collection)),
            created_at,
        }))
    }
}
