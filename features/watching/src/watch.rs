//! Watched indicators with their matches.

use domain::{AssessmentId, ClaimId, Timestamp, UserId, claim::Claim};

domain::ids! {
    /// One indicator or object that a person watches.
    WatchId = "watch";
}

/// An indicator that a person watches.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Watch {
    pub id: WatchId,
    pub user: UserId,
    pub assessment: AssessmentId,
    /// `I1`, `I2` …
    pub item: String,
    /// Words of the indicator, for which new claims are searched.
    pub text: String,
    pub at: Timestamp,
}

/// Watched indicator on its list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WatchEntry {
    pub watch: Watch,
    /// Question of its assessment.
    pub question: String,
}

/// A claim that matches a watched indicator.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WatchMatch {
    pub watch: WatchId,
    pub claim: ClaimId,
    pub found_at: Timestamp,
}

/// Watched indicator with the matches that the watcher may still read, newest first.
#[derive(Debug, Clone, PartialEq)]
pub struct WatchLine {
    pub entry: WatchEntry,
    pub matches: Vec<MatchLine>,
}

/// Matching claim with its document.
#[derive(Debug, Clone, PartialEq)]
pub struct MatchLine {
    pub claim: Claim,
    /// Outlet, host or file of the document.
    pub source: String,
    pub document_title: String,
    pub found_at: Timestamp,
}
