//! Views of the Evidence tab. The address holds the chosen one (`?view=list`).

use super::EvidenceFilter;
use crate::prelude::*;

domain::words! {
    #[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
    pub enum EvidenceView {
        #[default]
        Matrix = "matrix",
        List = "list",
        Timeline = "timeline",
        Origins = "origins",
        Unused = "unused",
    }
}

impl EvidenceView {
    const fn name(self) -> &'static str {
        match self {
            Self::List => "List",
            Self::Matrix => "Matrix",
            Self::Timeline => "Timeline",
            Self::Origins => "Origins",
            Self::Unused => "Unused",
        }
    }

    /// Returns the view of an address; the matrix where it names none that exists.
    pub fn from_query(value: &str) -> Self {
        Self::parse(value).unwrap_or_default()
    }
}

/// Links to the views, which keep the filter. A report without ratings has no matrix.
#[component]
pub fn EvidenceViews(id: AssessmentId, current: EvidenceView, filter: EvidenceFilter, has_matrix: bool) -> impl IntoView {
    let items = EvidenceView::ALL.into_iter().filter(|view| has_matrix || *view != EvidenceView::Matrix).map(|view| {
        let is_current = (view == current).then_some("page");
        view! { <li><a href=filter.address(id, view) aria-current=is_current>{view.name()}</a></li> }
    });
    view! { <nav class="evidence-views" aria-label="Views of the evidence"><ul>{items.collect_view()}</ul></nav> }.into_any()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_address_of_a_view_keeps_the_filter() {
        let id: AssessmentId = "01900000-0000-7000-8000-000000000007".parse().unwrap();
        let filter = EvidenceFilter { words: "two words".to_owned(), ..EvidenceFilter::default() };
        let address = filter.address(id, EvidenceView::List);
        assert!(address.ends_with("/evidence?view=list&q=two%20words"), "{address}");
        assert!(EvidenceFilter::default().address(id, EvidenceView::Matrix).ends_with("/evidence"));
        assert_eq!(EvidenceView::from_query("timeline"), EvidenceView::Timeline);
        assert_eq!(EvidenceView::from_query("none"), EvidenceView::Matrix);
    }
}
