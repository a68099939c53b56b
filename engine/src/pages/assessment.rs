//! View model of the assessment page.

use super::{VisibleScope, teams::access};
use crate::{
    Engine, StoreResult,
    assessments::{StoredAssessment, change_between, compare},
    outlets::OutletReader,
};
use domain::{
    AssessmentId, DocumentId, EntityId, Scope,
    assessment::{Assessment, BeliefChange},
    document::Document,
    fetch::PageFinding,
    user::{Action, Preferences, Role, User},
    visibility::InvestigationAccess,
};
use std::collections::BTreeSet;
use views::{AssessmentView, FollowedReport, followed_question, previous_version};

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

    /// Returns those of some assessments of which `viewer` reads every collection and every cited document.
    pub async fn open_assessments(&self, viewer: &User, ids: &[AssessmentId]) -> StoreResult<Vec<StoredAssessment>> {
        let scope = self.read_scope(viewer).await?;
        let mut found = self.assessments.assessments(&scope, ids).await?;
        found.retain(|stored| stored.collections.iter().all(|collection| scope.sees(*collection)));
        let cited: BTreeSet<DocumentId> = found.iter().flat_map(|stored| stored.assessment.cited()).collect();
        let open = self.documents.documents(&scope, &Vec::from_iter(cited)).await?;
        let open: BTreeSet<DocumentId> = open.into_iter().map(|document| document.id).collect();
        found.retain(|stored| stored.assessment.cited().is_subset(&open));
        Ok(found)
    }

    /// Returns an assessment, if `viewer` may see everything it draws on or its visibility includes them.
    pub async fn assessment_view(&self, viewer: &User, id: AssessmentId) -> StoreResult<Option<AssessmentView>> {
        let visible = self.visible(viewer).await?;
        let view = self.assessment_within(viewer, &visible, id).await?;
        if view.as_ref().is_some_and(|view| view.is_sample) && !viewer.preferences.sample_seen {
            let preferences = Preferences { sample_seen: true, ..viewer.preferences };
            self.accounts.set_preferences(viewer.id, preferences).await?;
        }
        Ok(view)
    }

    async fn assessment_within(
        &self,
        viewer: &User,
        visible: &VisibleScope,
        id: AssessmentId,
    ) -> StoreResult<Option<AssessmentView>> {
        let stored = self.assessments.assessment(&visible.scope, id).await?;
        let Some(StoredAssessment { assessment, collections, is_partial, created_at, .. }) = stored else { return Ok(None) };
        let id = assessment.investigation_id;
        let found = self.access_of(viewer, &[id]).await?.remove(&id);
        let is_archived = found.as_ref().is_some_and(|found| found.is_archived);
        // Made visible by another person: what it draws on stays closed.
        let is_lent = collections.iter().any(|collection| !visible.scope.sees(*collection));
        let closed = self.closed_documents(&visible.scope, &assessment).await?;
        Ok(Some(AssessmentView {
            thread: self.thread(viewer, &visible.scope, id).await?,
            may_manage: may_manage(viewer, found.as_ref()),
            visibility_form: self.visibility_form(viewer, id, found.as_ref()).await?,
            access: found.map(|found| access(viewer, found)),
            sees_records: !is_lent,
            closed,
            is_archived,
            annotations: self
                .annotations
                .annotations(assessment.id.into(), viewer.id, self.config.annotations.per_subject)
                .await?,
            findings: self.found_later(&visible.scope, &assessment).await?,
            outlet_records: vec![],
            spent: None,
            currency: self.budget.currency.clone(),
            assessment,
            is_partial,
            is_sample: collections.iter().any(|collection| visible.is_sample(*collection)),
            created_at,
        }))
    }

    /// Adds the records of the evaluated outlets of which the viewer sees claims. They count what the viewer sees, also on paper
    /// that others read. It costs a statement for each outlet, so only the pages that show them ask for it.
    pub async fn with_outlet_records(&self, viewer: &User, mut view: AssessmentView) -> StoreResult<AssessmentView> {
        let visible = self.visible(viewer).await?;
        let outlets = view.assessment.body.outlets.iter().take(self.config.pages.report_outlets);
        let outlets: Vec<EntityId> = outlets.map(|outlet| outlet.entity_id).collect();
        view.outlet_records = OutletReader::new(self, &visible.scope).records(&outlets).await?;
        Ok(view)
    }

    /// Returns an assessment with the documents that its investigation read and no citation uses, within the viewer's scope.
    pub async fn unused_view(&self, viewer: &User, id: AssessmentId) -> StoreResult<Option<(AssessmentView, Vec<Document>)>> {
        let visible = self.visible(viewer).await?;
        let Some(view) = self.assessment_within(viewer, &visible, id).await? else { return Ok(None) };
        let cited: BTreeSet<DocumentId> = view.assessment.cited().into_iter().collect();
        let mut unused = self.documents.read_for(&visible.scope, view.assessment.investigation_id).await?;
        unused.retain(|document| !cited.contains(&document.id));
        Ok(Some((view, unused)))
    }

    /// Returns the change of belief since the previous version of the question. None where the viewer sees no previous version.
    pub async fn version_change(&self, viewer: &User, view: &AssessmentView) -> StoreResult<Option<BeliefChange>> {
        let Some(previous) = previous_version(&view.thread) else { return Ok(None) };
        let scope = self.visible(viewer).await?.scope;
        let previous = self.assessments.assessment(&scope, previous).await?;
        Ok(previous.map(|previous| compare(&previous.assessment, &view.assessment).belief_change()))
    }

    /// Returns the question that a report continues in other words, with the change of belief since its assessment. None for versions of
    /// one question, and where the viewer sees no assessment of the question before.
    pub async fn followed_report(&self, viewer: &User, view: &AssessmentView) -> StoreResult<Option<FollowedReport>> {
        let followed = followed_question(&view.thread).and_then(|line| line.assessment);
        let Some(followed) = followed else { return Ok(None) };
        let scope = self.visible(viewer).await?.scope;
        let Some(stored) = self.assessments.assessment(&scope, followed).await? else { return Ok(None) };
        let earlier = stored.assessment;
        let is_judged = earlier.kind.is_assessment() && !stored.is_partial;
        let change = change_between(&earlier, &view.assessment).filter(|_| is_judged);
        Ok(Some(FollowedReport { id: earlier.id, question: earlier.question, change }))
    }

    /// Returns an assessment with the spend of its investigation.
    pub async fn assessment_work_view(&self, viewer: &User, id: AssessmentId) -> StoreResult<Option<AssessmentView>> {
        let Some(view) = self.assessment_view(viewer, id).await? else { return Ok(None) };
        let spent = self.ledger.spent(view.assessment.investigation_id).await?;
        Ok(Some(AssessmentView { spent: Some(spent), ..view }))
    }
}

/// Returns whether `viewer` may archive and delete an investigation: its owner, or an administrator.
fn may_manage(viewer: &User, access: Option<&InvestigationAccess>) -> bool {
    let is_owner = access.is_some_and(|access| access.owner == viewer.id);
    viewer.role.may(Action::Investigate) && (viewer.role == Role::Admin || is_owner)
}
