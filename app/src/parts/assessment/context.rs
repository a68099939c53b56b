//! Context of a report on the web: its viewer, its annotations, and what they may do. A printed report has none.

use crate::prelude::*;
use domain::{annotation::Annotations, assessment::CitationUse};
use std::{collections::BTreeMap, sync::Arc};

/// Context of the parts of one report. A cheap clone.
#[derive(Debug, Clone)]
pub struct ReportContext(Arc<Inner>);

#[derive(Debug)]
pub struct Inner {
    pub id: AssessmentId,
    pub investigation: InvestigationId,
    pub viewer: User,
    /// Whether the viewer may exclude evidence.
    pub may_exclude: bool,
    /// Whether the viewer may open everything that it rests on.
    pub is_open: bool,
    /// Whether the viewer may ask questions.
    pub may_ask: bool,
    pub annotations: Annotations,
    /// Places that use each citation.
    pub uses: BTreeMap<Marker, Vec<CitationUse>>,
    /// The assessment, for ratings that can be contested.
    pub assessment: Assessment,
}

impl std::ops::Deref for ReportContext {
    type Target = Inner;
    fn deref(&self) -> &Inner {
        &self.0
    }
}

impl ReportContext {
    pub fn new(viewer: &User, view: &AssessmentView) -> Self {
        Self(Arc::new(Inner {
            id: view.assessment.id,
            investigation: view.assessment.investigation_id,
            viewer: viewer.clone(),
            may_exclude: view.may_manage,
            is_open: view.sees_records && view.closed.is_empty(),
            may_ask: viewer.role.may(Action::Investigate),
            annotations: view.annotations.clone(),
            uses: view.assessment.body.uses(),
            assessment: view.assessment.clone(),
        }))
    }

    /// Makes it known to the parts of the page.
    pub fn provide(self) {
        provide_context(self);
    }

    /// Returns the context of the page; none on paper.
    pub fn of_page() -> Option<Self> {
        use_context()
    }
}
