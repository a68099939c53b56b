//! The page of sources: what can be asked, how it fares, and which feeds are followed. Never a key: only whether there is one.

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
    /// Why there are none.
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
    /// Where in the environment a key is looked for.
    pub key_variable: String,
}

/// What a change on the page of sources has led to: said once, where it was made.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SourceNotice {
    /// The id of the source, or of the part of the page.
    pub part: String,
    pub words: String,
    pub is_failure: bool,
    /// What had been typed into the form for a feed.
    pub feed: Option<FeedEntry>,
}

impl SourceNotice {
    /// Parts of the page that are no source.
    pub const FEED_LIST: &str = "feed-list";
    pub const NEW_FEED: &str = "new-feed";
}
