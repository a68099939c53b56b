//! View models of the sources page. Keys are never included, only whether they exist.

use crate::settings::KeyState;
use domain::{
    Timestamp,
    fetch::{FeedEntry, SourceEntry, SourceHealth},
};
use serde::{Deserialize, Serialize};

/// The page of sources.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SourcesView {
    /// The viewer may change things here.
    pub may_change: bool,
    pub sources: Vec<SourceLine>,
    /// Reason for an empty list.
    pub problem: Option<String>,
    /// Those of the configuration; without addresses for viewers who may not change them.
    pub built_in_feeds: Vec<FeedEntry>,
    /// Those that people added; none for viewers who may not change them, because addresses may hold tokens.
    pub feeds: Vec<FeedEntry>,
    pub now: Timestamp,
}

/// A source and what is known of it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SourceLine {
    pub entry: SourceEntry,
    pub is_on: bool,
    /// Without the last error for viewers who may not change it.
    pub health: SourceHealth,
    /// Documents that it led to, and claims recorded from them.
    pub documents: u64,
    pub claims: u64,
    /// None for viewers who may not change it.
    pub key: Option<SourceKey>,
}

/// State of the key of a source.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SourceKey {
    pub state: KeyState,
    /// A key is stored, used or not.
    pub is_stored: bool,
    /// Its environment variable.
    pub variable: String,
}

/// Result of a change on the sources page, shown once beside the form.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SourceNotice {
    /// Id of the source, or of a part of the page.
    pub part: String,
    pub words: String,
    pub is_failure: bool,
    /// Values of the feed form.
    pub feed: Option<FeedEntry>,
}

impl SourceNotice {
    /// Ids of parts of the page that are not a source.
    pub const FEED_LIST: &str = "feed-list";
    pub const NEW_FEED: &str = "new-feed";
}
