//! Feed groups as sources: newest items, searched by title and summary.

use super::{SourceError, adapter::page_number};
use domain::fetch::{Feed, FeedEntry, FeedGroup, FeedItem, SourceHit, SourcePage, SourceQuery};
use std::sync::Arc;

/// Source that is a group of feeds.
#[derive(Debug, Clone, Copy)]
pub(super) struct FeedGroupInfo {
    pub group: FeedGroup,
    pub name: &'static str,
    pub description: &'static str,
}

pub(super) const GROUPS: [FeedGroupInfo; 4] = [
    FeedGroupInfo {
        group: FeedGroup::Outlets,
        name: "Feeds",
        description: "Latest items of the configured feeds, by region and language.",
    },
    FeedGroupInfo {
        group: FeedGroup::UnitedNations,
        name: "United Nations",
        description: "News and press releases of the United Nations and its agencies.",
    },
    FeedGroupInfo {
        group: FeedGroup::CentralBanks,
        name: "Central banks",
        description: "Press releases and speeches of central banks.",
    },
    FeedGroupInfo {
        group: FeedGroup::Governments,
        name: "Governments",
        description: "Press releases of governments and their agencies.",
    },
];

/// Share of the query words that an item must contain, in percent.
const WORDS_PERCENT: usize = 60;

/// Coverage of a group: regions and languages.
pub(super) fn coverage(feeds: &[&FeedEntry]) -> String {
    if feeds.is_empty() {
        return "The configuration has no feeds of this kind.".to_owned();
    }
    let names = |field: fn(&FeedEntry) -> &str| {
        let mut names: Vec<&str> = feeds.iter().map(|feed| field(feed)).filter(|name| !name.is_empty()).collect();
        names.sort_unstable();
        names.dedup();
        names.join(", ")
    };
    let (regions, languages) = (names(|feed| &feed.region), names(|feed| &feed.language));
    let count = feeds.len();
    format!("The newest items of {count} feeds, mostly of the last days. Regions: {regions}. Languages: {languages}.")
}

/// Whether a feed matches the region and language of a query.
pub(super) fn fits(entry: &FeedEntry, query: &SourceQuery) -> bool {
    let is_language = query.language.as_ref().is_none_or(|language| entry.language.is_empty() || entry.language == *language);
    let is_region = query
        .region
        .as_ref()
        .is_none_or(|region| entry.region.is_empty() || entry.region == *region || entry.region == "world");
    is_language && is_region
}

/// Items that contain the words: most words first, then newest. Without words, all items by date.
pub(super) fn search(feeds: &[(FeedEntry, Arc<Feed>)], query: &SourceQuery, limit: u32) -> Result<SourcePage, SourceError> {
    let offset = page_number(query, 0)? as usize;
    let words = words_of(&query.words);
    let needed = (words.len() * WORDS_PERCENT).div_ceil(100);
    let mut found: Vec<(usize, SourceHit)> = Vec::new();
    for (entry, feed) in feeds {
        for item in &feed.items {
            let Some(hit) = hit(entry, feed, item) else { continue };
            let matched = matching_words(&words, item);
            if matched >= needed && is_within(&hit, query) {
                found.push((matched, hit));
            }
        }
    }
    let newest = |hit: &SourceHit| hit.published.map(|date| date.value);
    found.sort_by(|(a, left), (b, right)| {
        b.cmp(a).then_with(|| newest(right).cmp(&newest(left))).then_with(|| left.address.cmp(&right.address))
    });
    found.dedup_by(|(_, right), (_, left)| left.address == right.address);
    let total = found.len();
    let hits: Vec<SourceHit> = found.into_iter().skip(offset).take(limit as usize).map(|(_, hit)| hit).collect();
    let reached = offset + hits.len();
    let next = (reached < total && !hits.is_empty()).then(|| reached.to_string());
    Ok(SourcePage { hits, total: Some(total as u64), next })
}

fn hit(entry: &FeedEntry, feed: &Feed, item: &FeedItem) -> Option<SourceHit> {
    let text = item.summary.as_ref().or(item.content.as_ref());
    Some(SourceHit {
        address: item.address.clone()?,
        title: item.title.clone().or_else(|| text.and_then(|text| text.lines().next().map(str::to_owned)))?,
        snippet: text.and_then(|text| super::values::snippet(text)),
        // A feed with a single date means that of publication.
        published: item.published.or(item.updated),
        outlet: Some(entry.title.clone()).filter(|title| !title.is_empty()).or_else(|| feed.title.clone()),
        byline: item.byline.clone(),
        language: Some(entry.language.clone()).filter(|language| !language.is_empty()),
    })
}

/// Lower-case words and quoted phrases, without duplicates.
fn words_of(words: &str) -> Vec<String> {
    let lower = words.to_lowercase();
    let parts = lower.split('"').enumerate().flat_map(|(n, part)| match n % 2 {
        0 => domain::text::words(part).map(str::to_owned).collect::<Vec<_>>(),
        _ => vec![part.trim().to_owned()],
    });
    let mut list: Vec<String> = parts.filter(|part| !part.is_empty()).collect();
    list.sort_unstable();
    list.dedup();
    list
}

fn matching_words(words: &[String], item: &FeedItem) -> usize {
    let text = [&item.title, &item.summary, &item.content].into_iter().flatten().map(|text| text.to_lowercase());
    let text = text.collect::<Vec<_>>().join("\n");
    let tokens: std::collections::HashSet<&str> = domain::text::words(&text).collect();
    words
        .iter()
        .filter(|word| if word.contains(' ') { text.contains(word.as_str()) } else { tokens.contains(word.as_str()) })
        .count()
}

/// Whether a hit lies within the query's dates. Undated items always do: feeds hold what is new.
fn is_within(hit: &SourceHit, query: &SourceQuery) -> bool {
    let Some(date) = hit.published else { return true };
    let day = date.value.to_string();
    let day = day.get(..10).unwrap_or_default();
    query.since.as_deref().is_none_or(|since| day >= since) && query.until.as_deref().is_none_or(|until| day <= until)
}
