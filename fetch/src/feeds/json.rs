//! JSON Feed, versions 1 and 1.1.

use super::fields::{TextForm, without_markup};
use crate::{config::ParseConfig, dates, links};
use domain::{
    PublicationDate,
    fetch::{Feed, FeedItem},
};
use serde_json::Value;
use url::Url;

/// Part of the version address that every JSON Feed has.
const VERSION: &str = "jsonfeed.org/version/";

/// Whether a text in lower case begins like a JSON Feed.
pub(super) fn is_feed(start: &str) -> bool {
    start.contains(VERSION) || start.contains("jsonfeed.org\\/version\\/")
}

/// Parses a feed; `None` for any other document.
pub(super) fn read(source: &str, address: Option<&str>, limits: &ParseConfig) -> Option<Feed> {
    let value: Value = serde_json::from_str(source.trim()).ok()?;
    value.get("version")?.as_str().filter(|version| version.contains(VERSION))?;
    let base = address.and_then(|address| Url::parse(address).ok());
    let address = text(&value, "home_page_url").and_then(|url| links::absolute(base.as_ref(), &url));
    let items = value.get("items").and_then(Value::as_array).into_iter().flatten().take(limits.max_feed_items);
    Some(Feed {
        title: text(&value, "title"),
        description: text(&value, "description"),
        language: text(&value, "language"),
        items: items.map(|item| read_item(item, base.as_ref(), limits)).collect(),
        address,
        ..Feed::default()
    })
}

fn read_item(item: &Value, base: Option<&Url>, limits: &ParseConfig) -> FeedItem {
    let address = ["url", "external_url"].iter().find_map(|key| text(item, key)).and_then(|url| links::absolute(base, &url));
    let html = text(item, "content_html").and_then(|html| without_markup(&html, false, TextForm::Text, limits));
    let names = match item.get("authors").and_then(Value::as_array) {
        Some(authors) => authors.iter().filter_map(|author| text(author, "name")).collect(),
        None => item.get("author").and_then(|author| text(author, "name")).into_iter().collect::<Vec<_>>(),
    };
    FeedItem {
        id: text(item, "id").or_else(|| item.get("id").filter(|id| id.is_number()).map(Value::to_string)),
        title: text(item, "title").and_then(|title| without_markup(&title, true, TextForm::Line, limits)),
        address,
        published: date(item, "date_published"),
        updated: date(item, "date_modified"),
        byline: (!names.is_empty()).then(|| names.join(", ")),
        summary: text(item, "summary"),
        content: text(item, "content_text").or(html),
    }
}

fn text(value: &Value, key: &str) -> Option<String> {
    let text = crate::text::without_controls(value.get(key)?.as_str()?.trim());
    (!text.is_empty()).then_some(text)
}

fn date(value: &Value, key: &str) -> Option<PublicationDate> {
    dates::parse_feed_date(&text(value, key)?)
}
