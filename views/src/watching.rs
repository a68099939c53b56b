//! Watched indicators and notifications of a person.

use domain::{
    Timestamp,
    claim::Claim,
    notification::{Notification, Watch},
};
use serde::{Deserialize, Serialize};

/// The indicators that a person watches.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct WatchingView {
    /// Newest first.
    pub lines: Vec<WatchLine>,
}

/// A watched indicator with its matches.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct WatchLine {
    pub watch: Watch,
    /// Question of its assessment.
    pub question: String,
    /// Newest first; claims that the watcher may still read.
    pub matches: Vec<MatchLine>,
}

/// A claim that matches a watched indicator.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct MatchLine {
    pub claim: Claim,
    /// Outlet, host or file of the document.
    pub source: String,
    pub document_title: String,
    pub found_at: Timestamp,
}

/// Notifications of a person.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct NotificationsView {
    /// Newest first, each with whether it came since the last look.
    pub notifications: Vec<(Notification, bool)>,
    pub now: Timestamp,
}
