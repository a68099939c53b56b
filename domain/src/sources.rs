//! View models of the sources page. Keys are never included, only whether they exist.

use crate::{
    Timestamp,
    fetch::{FeedEntry, SourceEntry, SourceHealth},
    settings::KeyState,
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
    /// Those of the configuration.
    pub built_in_feeds: Vec<FeedEntry>,
    /// Those that people added.
    pub feeds: Vec<FeedEntry>,
    pub now: Timestamp,
}

/// A source and what is known of it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SourceLine {
    pub entry: SourceEntry,
    pub is_on: bool,
    pub health: SourceHealth,
    /// Documents that it led to, and claims recorded from them.
    pub documents: u64,
    pub claims: u64,
    pub key: KeyState,
    /// A key is stored, used or not.
    pub is_stored: bool,
    /// Environment variable of the key.
    pub key_variable: String,
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
