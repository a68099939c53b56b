//! View model of what changed since the last visit.

use domain::Timestamp;
use serde::{Deserialize, Serialize};

/// Changes since the end of the visit before this one.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct VisitChanges {
    pub since: Timestamp,
    /// Newest first.
    pub changes: Vec<VisitChange>,
}

/// One change: a page that is worth opening again.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct VisitChange {
    pub kind: VisitChangeKind,
    pub title: String,
    /// Address of its page.
    pub href: String,
    pub at: Timestamp,
}

/// Kind of a change.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum VisitChangeKind {
    Finished,
    Failed,
    CitedPageChanged,
}
