//! Changes since a person's last visit, from the rows of their home page.

use crate::{Engine, StoreResult};
use domain::{
    Timestamp,
    user::{User, Visits},
};
use views::{AssessmentCard, InvestigationCard, VisitChange, VisitChangeKind, VisitChanges};

/// Changes that home shows.
const MOST: usize = 10;

impl Engine {
    /// Records a visit of the home page, at most once per few minutes.
    pub(super) async fn record_visit(&self, viewer: &User) -> StoreResult<Visits> {
        match viewer.visits.with(self.clock.now()) {
            Some(visits) => self.accounts.set_visits(viewer.id, visits).await.map(|()| visits),
            None => Ok(viewer.visits),
        }
    }
}

/// Returns the changes after `since`, newest first.
pub(super) fn changes(since: Timestamp, assessments: &[AssessmentCard], failed: &[InvestigationCard]) -> VisitChanges {
    let finished = assessments.iter().map(|card| change(VisitChangeKind::Finished, card, card.created_at));
    let changed = assessments.iter().filter_map(|card| Some(change(VisitChangeKind::CitedPageChanged, card, card.changed_at?)));
    let failed = failed.iter().filter_map(|card| {
        let href = format!("/investigations/{}", card.id);
        Some(VisitChange { kind: VisitChangeKind::Failed, title: card.question.clone(), href, at: card.ended_at? })
    });
    let mut changes: Vec<_> = finished.chain(changed).chain(failed).filter(|change| change.at > since).collect();
    changes.sort_by(|a, b| b.at.cmp(&a.at).then_with(|| a.href.cmp(&b.href)));
    changes.truncate(MOST);
    VisitChanges { since, changes }
}

fn change(kind: VisitChangeKind, card: &AssessmentCard, at: Timestamp) -> VisitChange {
    VisitChange { kind, title: card.question.clone(), href: format!("/assessments/{}", card.id), at }
}
