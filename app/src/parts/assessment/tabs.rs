//! The tabs of a report, each a page of its own. An evidence brief has no analysis.

use super::context::ReportContext;
use crate::prelude::*;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tab {
    Brief,
    Analysis,
    Evidence,
    Work,
}

impl Tab {
    const ALL: [Self; 4] = [Self::Brief, Self::Analysis, Self::Evidence, Self::Work];

    const fn name(self) -> &'static str {
        match self {
            Self::Brief => "Brief",
            Self::Analysis => "Analysis",
            Self::Evidence => "Evidence",
            Self::Work => "Work",
        }
    }

    /// The address of the tab of an assessment.
    pub fn address(self, id: AssessmentId) -> String {
        match self.segment() {
            "" => format!("/assessments/{id}"),
            segment => format!("/assessments/{id}/{segment}"),
        }
    }

    /// The part of its address after that of the assessment.
    pub const fn segment(self) -> &'static str {
        match self {
            Self::Brief => "",
            Self::Analysis => "analysis",
            Self::Evidence => "evidence",
            Self::Work => "work",
        }
    }

    /// The title of its page.
    pub fn title(self, title: &str) -> String {
        match self {
            Self::Brief => format!("Report · {title}"),
            Self::Analysis | Self::Evidence | Self::Work => format!("{} · {title}", self.name()),
        }
    }
}

/// Links to the tabs; `citations` is the number beside "Evidence".
#[component]
pub fn Tabs(id: AssessmentId, current: Tab, citations: usize) -> impl IntoView {
    let has_analysis = ReportContext::of_page().is_some_and(|context| context.assessment.kind.is_assessment());
    let tabs = Tab::ALL.into_iter().filter(|tab| has_analysis || *tab != Tab::Analysis);
    let items = tabs.map(|tab| {
        let count = (tab == Tab::Evidence && citations > 0).then(|| view! { " " <span class="tab-count">{citations}</span> });
        let is_current = (tab == current).then_some("page");
        view! { <li><a href=tab.address(id) aria-current=is_current>{tab.name()} {count}</a></li> }
    });
    view! {
        <nav class="report-tabs" aria-label="Parts of the report"><ul>{items.collect_view()}</ul></nav>
    }
    .into_any()
}
