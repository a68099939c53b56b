//! Which sources there are, beyond those that are built in, and their limits.

use crate::feeds::{OpmlFeed, read_opml};
use domain::fetch::{FeedEntry, FeedGroup, language_of, region_of};
use serde::Deserialize;
use std::collections::BTreeMap;

/// The `fetch.sources` part of the configuration.
#[derive(Debug, Clone, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct SourcesConfig {
    /// Other addresses for sources: that of one's own SearXNG, or of a mirror.
    pub addresses: BTreeMap<String, String>,
    /// Hits of a query that asks for none in particular.
    pub hits: u32,
    /// A longer answer is refused.
    pub max_answer_bytes: u64,
    /// A feed is asked again after this time.
    pub feed_age_ms: u64,
    /// Memory that feeds take meanwhile, counted by the bytes of their answers; those that are asked for least go first.
    pub max_feeds_bytes: u64,
    /// Feeds that are asked at once.
    pub parallel_feeds: usize,
    /// One that takes longer is passed over.
    pub feed_timeout_ms: u64,
    /// Those of `config/feeds.opml`, unless the configuration lists others.
    pub feeds: Vec<FeedEntry>,
    pub searches: Vec<JsonSearch>,
}

impl Default for SourcesConfig {
    fn default() -> Self {
        Self {
            addresses: BTreeMap::new(),
            hits: 20,
            max_answer_bytes: 8 * 1024 * 1024,
            feed_age_ms: 600_000,
            max_feeds_bytes: 64 * 1024 * 1024,
            parallel_feeds: 8,
            feed_timeout_ms: 8_000,
            feeds: starting_list(),
            searches: Vec::new(),
        }
    }
}

/// Longer names of a list are cut.
const MAX_TITLE_CHARS: usize = 200;

/// The feeds that the program is built with.
fn starting_list() -> Vec<FeedEntry> {
    const LIST: &str = include_str!("../../../config/feeds.opml");
    // A test reads the list, so that this cannot fail unseen.
    read_opml(LIST.as_bytes()).unwrap_or_default().feeds.into_iter().map(FeedEntry::from).collect()
}

impl From<FeedEntry> for OpmlFeed {
    /// The folders say what the list cannot: group and region.
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
    /// The outermost folder names the group, the innermost that is one the region; a list from elsewhere is one of outlets. What is no region
    /// and no language is left out.
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

/// How the pages of an answer are counted.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Paging {
    /// There is only one.
    #[default]
    None,
    /// 1, 2, 3.
    Page,
    /// 0, then as many hits as were given.
    Offset,
    /// 1, then as many hits as were given, and one.
    Start,
}

/// A search service that answers in JSON: its address and where its fields are.
///
/// In the address and the headers `{words}`, `{limit}`, `{page}`, `{since}`, `{until}`, `{language}` and `{key}` are replaced.
/// Fields are names with dots between them, e.g. `webPages.value`; a number names a place in a list.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct JsonSearch {
    pub id: String,
    pub name: String,
    pub description: String,
    pub coverage: String,
    pub documentation: String,
    /// The day on which that page was read, as YYYY-MM-DD.
    pub documentation_read: String,
    pub address: String,
    pub headers: BTreeMap<String, String>,
    /// The least time between two requests; 0: as with every host (`fetch.pace.interval_ms`).
    pub interval_ms: u64,
    pub page_size: u32,
    pub paging: Paging,
    /// Where the list of hits is; empty: the answer is the list.
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
    fn what_a_list_names_and_there_is_not_is_left_out() {
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
