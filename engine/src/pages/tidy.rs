//! View model of the preview of deleting investigations.

use crate::{Engine, StoreResult, investigations::manager, library::DependentRows};
use domain::{InvestigationId, user::User};
use views::DeletePreview;

impl Engine {
    /// Returns what deleting those investigations would remove; those that `viewer` may not manage are left out.
    pub async fn delete_preview(&self, viewer: &User, ids: &[InvestigationId]) -> StoreResult<DeletePreview> {
        let manager = manager(self, viewer).await?;
        let (managed, contents) = self.investigations.contents(ids, &manager).await?;
        let (ended, running): (Vec<_>, Vec<_>) = managed.into_iter().partition(|found| found.progress.status.is_terminal());
        Ok(DeletePreview {
            going: ended.into_iter().map(|found| (found.id, found.question)).collect(),
            running: running.into_iter().map(|found| found.question).collect(),
            parts: contents.parts,
            assessments: contents.assessments,
            work_orders: contents.work_orders,
            sessions: contents.sessions,
            model_calls: contents.model_calls,
            events: contents.events,
            added: contents.added.into_iter().map(DependentRows::labelled).collect(),
        })
    }
}
