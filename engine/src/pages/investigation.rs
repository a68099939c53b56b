//! View model of the investigation page, from its stored events.

use crate::{Engine, StoreResult, investigations};
use domain::{
    InvestigationId, Scope,
    investigation::Investigation,
    user::{Action, Role, User},
};
use views::InvestigationView;

impl Engine {
    /// Returns an investigation, if `viewer` owns it or sees its collection, with page `rejected` of unreadable files.
    pub async fn investigation_view(
        &self,
        viewer: &User,
        id: InvestigationId,
        rejected: u64,
    ) -> StoreResult<Option<InvestigationView>> {
        let visible = self.visible(viewer).await?;
        let Some(investigation) = self.visible_investigation(viewer, &visible.scope, id).await? else { return Ok(None) };
        let live = self.live_states.current(self.events.as_ref(), id).await?;
        let mut log = self.events.before(id, live.last + 1, self.config.pages.log_events).await?;
        log.reverse();
        let stored = self.assessments.of_investigation(&visible.scope, id).await?;
        let parent = match investigation.parent_id {
            Some(parent) => self.visible_investigation(viewer, &visible.scope, parent).await?,
            None => None,
        };
        let is_open = !investigation.progress.status.is_terminal();
        Ok(Some(InvestigationView {
            id,
            is_sample: visible.is_sample(investigation.collection_id),
            parent: parent.map(|parent| (parent.id, parent.prompt)),
            may_stop: is_open && may_stop(viewer, &investigation),
            live,
            log,
            rejected: self.rejected_page(&visible.scope, Some(id), rejected).await?,
            assessment: stored.map(|stored| stored.assessment.id),
            currency: self.budget.currency.clone(),
            scope: investigations::asked_scope(self, &investigation).await?,
            web: self.web_access(&investigation),
            question: investigation.prompt,
            created_at: investigation.created_at,
            now: self.clock.now(),
        }))
    }

    /// Returns whether `viewer` may follow the investigation.
    pub async fn may_watch(&self, viewer: &User, id: InvestigationId) -> StoreResult<bool> {
        let scope = self.accounts.scope_of(viewer.id).await?;
        Ok(self.visible_investigation(viewer, &scope, id).await?.is_some())
    }

    pub(super) async fn visible_investigation(
        &self,
        viewer: &User,
        scope: &Scope,
        id: InvestigationId,
    ) -> StoreResult<Option<Investigation>> {
        let found = self.investigations.investigation(id).await?;
        Ok(found.filter(|found| found.owner == viewer.id || scope.sees(found.collection_id)))
    }
}

/// Returns whether `viewer` may stop it: its owner, or an administrator who sees it.
pub fn may_stop(viewer: &User, investigation: &Investigation) -> bool {
    viewer.role.may(Action::Investigate) && (investigation.owner == viewer.id || viewer.role == Role::Admin)
}
