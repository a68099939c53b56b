//! View model of the assessment page.

use crate::{Engine, StoreResult, assessments::StoredAssessment};
use domain::{
    AssessmentId, InvestigationId, Scope,
    assessment::Assessment,
    fetch::PageFinding,
    user::{Action, Role, User},
};
use views::AssessmentView;

impl Engine {
    /// Returns the findings of the citation watch on cited pages.
    pub async fn found_later(&self, scope: &Scope, assessment: &Assessment) -> StoreResult<Vec<PageFinding>> {
        let cited: Vec<_> = assessment.cited().into_iter().collect();
        self.captures.findings(scope, &cited).await
    }

    /// Returns an assessment with the findings on its pages, for an export.
    pub async fn exported_assessment(
        &self,
        viewer: &User,
        id: AssessmentId,
    ) -> StoreResult<Option<(Assessment, Vec<PageFinding>)>> {
        let visible = self.visible(viewer).await?;
        let Some(stored) = self.assessments.assessment(&visible.scope, id).await? else { return Ok(None) };
        let findings = self.found_later(&visible.scope, &stored.assessment).await?;
        Ok(Some((stored.assessment, findings)))
    }

    /// Returns an assessment, if `viewer` may see everything it draws on.
    pub async fn assessment_view(&self, viewer: &User, id: AssessmentId) -> StoreResult<Option<AssessmentView>> {
        let visible = self.visible(viewer).await?;
        let stored = self.assessments.assessment(&visible.scope, id).await?;
        let Some(StoredAssessment { assessment, collections, is_partial, created_at, .. }) = stored else { return Ok(None) };
        let id = assessment.investigation_id;
        let (managed, is_archived) = self.managed(viewer, id).await?;
        Ok(Some(AssessmentView {
            thread: self.thread(viewer, &visible.scope, id).await?,
            may_manage: managed,
            is_archived,
            annotations: self.annotations.annotations(assessment.id, viewer.id).await?,
            findings: self.found_later(&visible.scope, &assessment).await?,
            spent: None,
            currency: self.budget.currency.clone(),
            assessment,
            is_partial,
            is_sample: collections.iter().any(|collection| visible.is_sample(*collection)),
            created_at,
        }))
    }

    /// Returns an assessment with the spend of its investigation.
    pub async fn assessment_work_view(&self, viewer: &User, id: AssessmentId) -> StoreResult<Option<AssessmentView>> {
        let Some(view) = self.assessment_view(viewer, id).await? else { return Ok(None) };
        let spent = self.ledger.spent(view.assessment.investigation_id).await?;
        Ok(Some(AssessmentView { spent: Some(spent), ..view }))
    }

    /// Returns whether `viewer` may archive and delete an investigation, and whether it is archived.
    async fn managed(&self, viewer: &User, id: InvestigationId) -> StoreResult<(bool, bool)> {
        let is_archived = !self.investigations.archived(&[id]).await?.is_empty();
        let owner = self.investigations.investigation(id).await?.map(|found| found.owner);
        let may_manage = viewer.role.may(Action::Investigate) && (viewer.role == Role::Admin || owner == Some(viewer.id));
        Ok((may_manage, is_archived))
    }
}
