//! Feeds: RSS in all its versions, Atom, JSON Feed and CDF, well-formed or not, as one list of items.
//!
//! Read by a reader of our own: it takes what is there instead of refusing what is not well-formed, so that a missing version,
//! an unknown entity or a feed cut in the middle costs nothing but itself.

mod decode;
mod discovery;
mod entities;
mod fields;
mod json;
mod opml;
mod tree;
mod xml;

pub use discovery::common_places;
pub(crate) use entities::decode as decode_references;
pub use opml::{OpmlError, OpmlFeed, OpmlList, read_opml, write_opml};

use crate::{
    config::ParseConfig,
    parse::{Parsed, Source},
    refusal::Refusal,
};
use domain::fetch::{Feed, FeedItem};

const EXTRACTOR: &str = "feed/1";
/// Where the root element of a feed stands at the latest.
const LOOK_BYTES: usize = 4 * 1024;

/// Whether bytes begin like a feed.
pub(crate) fn is_feed(start: &[u8]) -> bool {
    let start = decode::start(&start[..start.len().min(LOOK_BYTES)]).to_lowercase();
    match start.trim_start_matches('\u{feff}').trim_start().chars().next() {
        Some('{') => json::is_feed(&start),
        Some('<') => xml::begins_feed(&start),
        _ => false,
    }
}

/// Reads a feed. Its text is what it announces, item after item.
pub(crate) fn parse(bytes: &[u8], from: Source<'_>, limits: &ParseConfig) -> Result<Parsed, Refusal> {
    let source = decode::decode(bytes, from.charset);
    let feed = match source.trim_start().starts_with('{') {
        true => json::read(&source, from.address, limits),
        false => xml::read(&source, from.address, limits),
    };
    let feed = feed.ok_or_else(|| Refusal::broken("feed"))?;
    let text = in_words(&feed);
    // A file that says nothing is no document; a feed that is followed may be empty today.
    if text.is_empty() && from.address.is_none() {
        return Err(Refusal::no_text("feed"));
    }
    Ok(Parsed {
        text,
        extractor: EXTRACTOR.to_owned(),
        title: feed.title.clone(),
        outlet: feed.title.clone(),
        updated: feed.updated,
        language: feed.language.clone(),
        links: addresses(&feed, limits.max_links),
        feed: Some(feed),
        ..Parsed::default()
    })
}

/// Media type and character set of a header `Content-Type`.
pub(crate) fn content_type(header: Option<&str>) -> (Option<String>, Option<String>) {
    let Some(header) = header else { return (None, None) };
    let mut parts = header.split(';').map(str::trim);
    let media_type = parts.next().filter(|media_type| !media_type.is_empty()).map(str::to_ascii_lowercase);
    let charset = parts.find_map(|part| {
        let (name, value) = part.split_once('=')?;
        name.trim().eq_ignore_ascii_case("charset").then(|| value.trim().trim_matches(['"', '\'']).to_owned())
    });
    (media_type, charset)
}

/// The feed as a text to read: each item's title and its longest text, apart by blank lines.
fn in_words(feed: &Feed) -> String {
    let head = [&feed.title, &feed.description].into_iter().flatten().cloned();
    let item = |item: &FeedItem| {
        let text = item.content.as_ref().or(item.summary.as_ref());
        let title = item.title.as_ref().filter(|title| text.is_none_or(|text| !text.starts_with(title.as_str())));
        [title, text].into_iter().flatten().cloned().collect::<Vec<_>>().join("\n")
    };
    let items = feed.items.iter().map(item).filter(|item| !item.is_empty());
    head.chain(items).collect::<Vec<_>>().join("\n\n")
}

fn addresses(feed: &Feed, max: usize) -> Vec<String> {
    let mut links = crate::links::Links::new(None, max);
    feed.items.iter().filter_map(|item| item.address.as_ref()).for_each(|address| links.add(address));
    links.into_list()
}
