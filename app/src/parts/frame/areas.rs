//! Areas of the bar, and the pages of each. Those of the kernel come first.

use super::NavItem;
use crate::{Area, NavEntry, NavTables, TablesWithRows, prelude::*};

/// Page of an area: its item, its address, and its text in the second row.
pub(super) type AreaPage = (NavItem, &'static str, &'static str);

/// Table of the pages of the kernel in Explore and Library.
const DOCUMENTS: Option<&str> = Some("documents");

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

    /// Pages of the kernel, and the table without whose rows they show nothing.
    const fn kernel_pages(self) -> (Option<&'static str>, &'static [AreaPage]) {
        match self {
            Self::Assessments => (Some("assessments"), &[(NavItem::Assessments, "/assessments", "All")]),
            Self::Tensions | Self::Monitor => (None, &[]),
            Self::Explore => (
                DOCUMENTS,
                &[
                    (NavItem::Graph, "/graph", "Graph"),
                    (NavItem::Entities, "/entities", "Entities"),
                    (NavItem::Duplicates, "/reviews", "Duplicates"),
                ],
            ),
            Self::Library => {
                (DOCUMENTS, &[(NavItem::Documents, "/documents", "Documents"), (NavItem::Sources, "/sources", "Sources")])
            }
        }
    }
}

/// Entries that a viewer sees: by their role, and, where they may add nothing, by the data that they read.
#[derive(Debug, Clone)]
pub(super) struct ShownPages {
    role: Role,
    /// Tables with rows; none: the viewer may begin on every page.
    filled: Option<TablesWithRows>,
}

impl ShownPages {
    /// Returns the port that looks at the data for a role; none where all pages of the role are shown.
    pub(super) fn port_for(role: Role) -> Option<NavTables> {
        Contributions::of_page().nav_tables.filter(|_| !role.may(Action::Investigate))
    }

    /// Returns all pages of a role.
    pub(super) const fn of_role(role: Role) -> Self {
        Self { role, filled: None }
    }

    /// Finds what a viewer sees, in at most one statement.
    pub(super) async fn find(viewer: &User, port: &NavTables) -> Self {
        let added = Contributions::of_page().nav;
        let kernel = Area::ALL.into_iter().map(|area| area.kernel_pages().0);
        let mut wanted: Vec<&'static str> = kernel.chain(added.iter().map(|entry| entry.rows)).flatten().collect();
        wanted.sort_unstable();
        wanted.dedup();
        Self { role: viewer.role, filled: Some((port.0)(viewer.id, wanted).await) }
    }

    fn has_rows(&self, table: Option<&str>) -> bool {
        table.is_none_or(|table| self.filled.as_ref().is_none_or(|filled| filled.contains(table)))
    }

    fn shows(&self, entry: &NavEntry) -> bool {
        entry.needs.is_none_or(|action| self.role.may(action)) && self.has_rows(entry.rows)
    }

    /// Returns the pages of an area that are shown.
    pub(super) fn of_area(&self, area: Area) -> Vec<AreaPage> {
        let (table, pages) = area.kernel_pages();
        let own = if self.has_rows(table) { pages } else { &[] };
        let added = Contributions::of_page().nav;
        let added = added.iter().filter(|entry| entry.area == Some(area) && self.shows(entry));
        let added = added.map(|entry| (NavItem::Page(entry.href), entry.href, entry.text));
        own.iter().copied().chain(added).collect()
    }

    /// Returns address and text of the entries of features in the account menu.
    pub(super) fn of_account(&self) -> Vec<(&'static str, &'static str)> {
        let added = Contributions::of_page().nav;
        added.iter().filter(|entry| entry.area.is_none() && self.shows(entry)).map(|entry| (entry.href, entry.text)).collect()
    }
}
