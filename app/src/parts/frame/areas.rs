//! Areas of the bar, and the pages of each. Those of the kernel come first.

use super::NavItem;
use crate::{Area, Contributions};
use domain::user::Role;

/// Page of an area: its item, its address, and its text in the second row.
pub(super) type AreaPage = (NavItem, &'static str, &'static str);

impl Area {
    pub(super) const ALL: [Self; 5] = [Self::Assessments, Self::Tensions, Self::Monitor, Self::Explore, Self::Library];

    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Assessments => "Assessments",
            Self::Tensions => "Tensions",
            Self::Monitor => "Monitor",
            Self::Explore => "Explore",
            Self::Library => "Library",
        }
    }

    const fn kernel_pages(self) -> &'static [AreaPage] {
        match self {
            Self::Assessments => &[(NavItem::Assessments, "/assessments", "All")],
            Self::Tensions | Self::Monitor => &[],
            Self::Explore => &[
                (NavItem::Graph, "/graph", "Graph"),
                (NavItem::Entities, "/entities", "Entities"),
                (NavItem::Duplicates, "/reviews", "Duplicates"),
            ],
            Self::Library => &[(NavItem::Documents, "/documents", "Documents"), (NavItem::Sources, "/sources", "Sources")],
        }
    }

    /// Returns the pages that a role may open.
    pub(super) fn pages(self, role: Role) -> Vec<AreaPage> {
        let added = Contributions::of_page().nav;
        let added = added.iter().filter(|one| one.area == Some(self) && one.needs.is_none_or(|action| role.may(action)));
        let added = added.map(|one| (NavItem::Page(one.href), one.href, one.text));
        self.kernel_pages().iter().copied().chain(added).collect()
    }
}
