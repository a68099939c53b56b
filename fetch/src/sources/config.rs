//! Settings of sources.

use crate::feeds::{OpmlFeed, read_opml};
use domain::fetch::{FeedEntry, FeedGroup, language_of, region_of};
use serde::Deserialize;
use std::collections::BTreeMap;

domain::settings! {
    /// The `fetch.sources` part of the configuration.
    #[derive(Debug, Clone, Deserialize)]
    pub struct SourcesConfig {
        /// Addresses of sources that differ from the default: a self-hosted SearXNG, or a mirror.
        pub addresses: BTreeMap<String, String> = BTreeMap::new(),
        /// Default number of hits.
        pub hits: u32 = 20,
        /// Largest response.
        pub max_answer_bytes: u64 = 8 * 1024 * 1024,
        /// Age at which a feed is requested again.
        pub feed_age_ms: u64 = 600_000,
        /// Memory for cached feeds, in bytes of their responses; the least used are evicted first.
        pub max_feeds_bytes: u64 = 64 * 1024 * 1024,
        /// Feeds requested in parallel.
        pub parallel_feeds: usize = 8,
        /// Time after which a feed is skipped.
        pub feed_timeout_ms: u64 = 8_000,
        /// Feeds of `feeds.opml`, unless the configuration lists others.
        pub feeds: Vec<FeedEntry> = starting_list(),
        pub searches: Vec<JsonSearch> = Vec::new(),
    }
}

impl SourcesConfig {
    /// Reads the operator's list of feeds (OPML); the error says what is wrong with it.
    pub fn read_feeds(opml: &[u8]) -> Result<Vec<FeedEntry>, String> {
        let list = read_opml(opml).map_err(|error| error.to_string())?;
        Ok(list.feeds.into_iter().map(FeedEntry::from).collect())
    }
}

/// Longest title; longer ones are cut.
const MAX_TITLE_CHARS: usize = 200;

/// Built-in list of feeds.
fn starting_list() -> Vec<FeedEntry> {
    const LIST: &str = include_str!("../../../config/feeds.opml");
    // A test parses the list, so an error cannot go unnoticed.
    SourcesConfig::read_feeds(LIST.as_bytes()).unwrap_or_default()
}

impl From<FeedEntry> for OpmlFeed {
    /// Folders carry what OPML has no field for: group and region.
    fn from(entry: FeedEntry) -> Self {
        let folders = [entry.group.as_str().to_owned(), entry.region];
        Self {
            title: entry.title,
            feed: entry.address,
            site: None,
            folders: folders.into_iter().filter(|name| !name.is_empty()).collect(),
            language: Some(entry.language).filter(|language| !language.is_empty()),
        }
    }
}

impl From<OpmlFeed> for FeedEntry {
    /// The outermost folder names the group, the innermost matching one the region; the default group is outlets. Unknown
    /// regions and languages are dropped.
    fn from(feed: OpmlFeed) -> Self {
        Self {
            title: feed.title.chars().take(MAX_TITLE_CHARS).collect(),
            address: feed.feed,
            group: feed.folders.first().and_then(|name| FeedGroup::parse(name)).unwrap_or_default(),
            region: feed.folders.iter().rev().find_map(|name| region_of(name)).unwrap_or_default().to_owned(),
            language: feed.language.as_deref().and_then(language_of).unwrap_or_default(),
        }
    }
}

/// Paging scheme of a search service.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Paging {
    /// A single page.
    #[default]
    None,
    /// Page numbers from 1.
    Page,
    /// Offsets from 0.
    Offset,
    /// Offsets from 1.
    Start,
}

/// Configured JSON search service: its address and the paths of its fields.
///
/// The address and headers may contain `{words}`, `{limit}`, `{page}`, `{since}`, `{until}`, `{language}` and `{key}`. Paths
/// are names separated by dots, such as `webPages.value`; numbers index lists.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct JsonSearch {
    pub id: String,
    pub name: String,
    pub description: String,
    pub coverage: String,
    pub documentation: String,
    /// Day on which the documentation was read, as YYYY-MM-DD.
    pub documentation_read: String,
    pub address: String,
    pub headers: BTreeMap<String, String>,
    /// Minimum interval between requests; 0 uses `fetch.rate_limit.interval_ms`.
    pub interval_ms: u64,
    pub page_size: u32,
    pub paging: Paging,
    /// Path of the list of hits; empty: the response is the list.
    pub hits: String,
    pub total: String,
    pub hit_address: String,
    pub hit_title: String,
    pub hit_snippet: String,
    pub hit_published: String,
    pub hit_outlet: String,
    pub hit_byline: String,
    pub hit_language: String,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_starting_list_has_outlets_of_many_regions_and_every_group() {
        let feeds = starting_list();
        let regions: std::collections::BTreeSet<_> = feeds.iter().map(|feed| feed.region.as_str()).collect();
        let groups: std::collections::BTreeSet<_> = feeds.iter().map(|feed| feed.group).collect();
        assert!(feeds.len() >= 50 && regions.len() >= 10 && groups.len() == 4, "{feeds:?}");
        assert!(feeds.iter().all(|feed| !feed.language.is_empty() && feed.address.starts_with("https://")));
        assert!(feeds.iter().all(|feed| !feed.region.is_empty()), "{feeds:?}");
    }

    #[test]
    fn unknown_regions_and_languages_of_a_list_are_dropped() {
        let table: [(&[&str], &str, [&str; 2]); 5] = [
            (&["outlets", "africa"], "en", ["africa", "en"]),
            (&["News", "Middle East"], "ar-EG", ["middle_east", "ar"]),
            (&["Europe", "To read"], "DE", ["europe", "de"]),
            (&["News"], "german", ["", ""]),
            (&[], "spa", ["", ""]),
        ];
        for (folders, language, expected) in table {
            let folders = folders.iter().map(|name| (*name).to_owned()).collect();
            let entry = FeedEntry::from(OpmlFeed { folders, language: Some(language.into()), ..OpmlFeed::default() });
            assert_eq!([entry.region.as_str(), &entry.language], expected);
        }
    }
}
