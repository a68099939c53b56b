//! View model of the investigation page, from its stored events.

use super::teams::access;
use crate::{Engine, StoreResult, investigations};
use domain::{
    InvestigationId, Scope,
    investigation::Investigation,
    user::{Action, Role, User},
};
use views::InvestigationView;

impl Engine {
    /// Returns an investigation, if `viewer` owns it, sees its collection, or its visibility includes them, with page `rejected` of unreadable files.
    pub async fn investigation_view(
        &self,
        viewer: &User,
        id: InvestigationId,
        rejected: u64,
    ) -> StoreResult<Option<InvestigationView>> {
        let visible = self.visible(viewer).await?;
        let Some(investigation) = self.investigations.investigation(id).await? else { return Ok(None) };
        let found = self.access_of(viewer, &[id]).await?.remove(&id);
        let sees_records = sees_records(viewer, &visible.scope, &investigation);
        if !sees_records && !found.as_ref().is_some_and(|found| found.includes_reader) {
            return Ok(None);
        }
        let mut live = self.live_states.current(self.events.as_ref(), id).await?;
        let mut log = vec![];
        if sees_records {
            log = self.events.before(id, live.last + 1, self.config.pages.log_events).await?;
            log.reverse();
        } else {
            // Objectives and titles come from documents that the viewer may not open.
            live.orders.clear();
            live.copied.clear();
        }
        let stored = self.assessments.of_investigation(&visible.scope, id).await?;
        // Who reads a part reads its question.
        let parent = match investigation.parent_id {
            Some(parent) => self.investigations.investigation(parent).await?,
            None => None,
        };
        let is_open = !investigation.progress.status.is_terminal();
        let is_part = investigation.parent_id.is_some();
        Ok(Some(InvestigationView {
            id,
            is_sample: visible.is_sample(investigation.collection_id),
            parent: parent.map(|parent| (parent.id, parent.question)),
            may_stop: is_open && may_stop(viewer, &investigation),
            models: if is_open && may_stop(viewer, &investigation) { self.models_to_name() } else { vec![] },
            sees_records,
            visibility_form: self.visibility_form(viewer, id, found.as_ref().filter(|_| !is_part)).await?,
            access: found.map(|found| access(viewer, found)),
            live,
            log,
            rejected: self.rejected_page(&visible.scope, Some(id), rejected).await?,
            prices_known: match &stored {
                Some(stored) => stored.assessment.cost.amount.is_some(),
                None => self.prices_known(&investigation),
            },
            assessment: stored.map(|stored| stored.assessment.id),
            currency: self.budget.currency.clone(),
            scope: investigations::question_scope(self, &investigation).await?,
            web: self.web_access(&investigation),
            question: investigation.question,
            created_at: investigation.created_at,
            now: self.clock.now(),
        }))
    }

    /// Returns whether `viewer` may follow the events of an investigation: its owner, and those who see all that it reads and writes.
    pub async fn may_watch(&self, viewer: &User, id: InvestigationId) -> StoreResult<bool> {
        let scope = self.accounts.scope_of(viewer.id).await?;
        Ok(self.visible_investigation(viewer, &scope, id).await?.is_some())
    }

    /// Returns whether `viewer` may see that an investigation exists: they may follow it, or its visibility includes them.
    pub async fn may_read(&self, viewer: &User, id: InvestigationId) -> StoreResult<bool> {
        if self.may_watch(viewer, id).await? {
            return Ok(true);
        }
        Ok(self.access_of(viewer, &[id]).await?.values().any(|found| found.includes_reader))
    }

    /// Returns an investigation whose events, plan and sessions `viewer` may see.
    pub(super) async fn visible_investigation(
        &self,
        viewer: &User,
        scope: &Scope,
        id: InvestigationId,
    ) -> StoreResult<Option<Investigation>> {
        let found = self.investigations.investigation(id).await?;
        Ok(found.filter(|found| sees_records(viewer, scope, found)))
    }
}

/// Returns whether `viewer` owns an investigation, or sees the collection that it writes to and all that it reads: its events, plan and
/// sessions name what was read.
fn sees_records(viewer: &User, scope: &Scope, investigation: &Investigation) -> bool {
    let sees_all = || investigation.scope.collections().iter().all(|collection| scope.sees(*collection));
    investigation.owner == viewer.id || (scope.sees(investigation.collection_id) && sees_all())
}

/// Returns whether `viewer` may stop it: its owner, or an administrator who sees it.
pub fn may_stop(viewer: &User, investigation: &Investigation) -> bool {
    viewer.role.may(Action::Investigate) && (investigation.owner == viewer.id || viewer.role == Role::Admin)
}
