//! What a page says about itself: title, outlet, date, language.

use super::byline;
use crate::{dates, links, text::tidy_title};
use dom_query::{Document, NodeRef};
use domain::{Precision, Published, PublishedBasis};
use serde_json::Value;
use url::Url;

#[derive(Debug, Default)]
pub(super) struct About {
    pub title: Option<String>,
    pub byline: Option<String>,
    pub outlet: Option<String>,
    pub published: Option<Published>,
    pub updated: Option<Published>,
    pub language: Option<String>,
    pub canonical: Option<String>,
    pub feeds: Vec<String>,
}

const DATE_NAMES: [&str; 16] = [
    "article:published_time",
    "og:article:published_time",
    "og:published_time",
    "datepublished",
    "date",
    "dc.date",
    "dc.date.issued",
    "dcterms.created",
    "dcterms.date",
    "dcterms.issued",
    "citation_publication_date",
    "pubdate",
    "publishdate",
    "publish-date",
    "parsely-pub-date",
    "sailthru.date",
];
const UPDATED_NAMES: [&str; 6] =
    ["article:modified_time", "og:updated_time", "datemodified", "dcterms.modified", "dc.date.modified", "last-modified"];
const TITLE_NAMES: [&str; 4] = ["og:title", "dc.title", "citation_title", "twitter:title"];
const OUTLET_NAMES: [&str; 5] = ["og:site_name", "dc.publisher", "citation_journal_title", "publisher", "application-name"];
/// Nesting of JSON-LD that is looked through.
const MAX_JSON_DEPTH: usize = 4;
const MAX_OUTLET_CHARS: usize = 80;
const MAX_FEEDS: usize = 20;
/// Media types under which pages announce feeds.
const FEED_TYPES: [&str; 5] =
    ["application/rss+xml", "application/atom+xml", "application/feed+json", "application/rdf+xml", "text/xml"];

pub(super) fn read(document: &Document, base: Option<&Url>) -> About {
    let meta = meta_values(document);
    let linked = linked_data(document);
    let first = |names: &[&str]| names.iter().find_map(|name| meta.iter().find(|(n, _)| n == name).map(|(_, v)| v.clone()));
    let heading = || document.select("h1").nodes().first().map(|node| node.text().to_string());
    let page_title = || document.select("title").nodes().first().map(|node| node.text().to_string());
    let outlet = first(&OUTLET_NAMES[..1]).or(linked.outlet).or_else(|| first(&OUTLET_NAMES[1..]));
    let title = linked.title.or_else(|| first(&TITLE_NAMES)).or_else(heading).or_else(page_title);
    let dated = |names: &[&str]| {
        names.iter().find_map(|name| {
            let value = meta.iter().find(|(n, _)| n == name).map(|(_, value)| value)?;
            dates::published(value, PublishedBasis::Metadata)
        })
    };
    let in_metadata = linked.published.or_else(|| dated(&DATE_NAMES));
    let language = document.select("html").nodes().first().and_then(|html| html.attr("lang")).map(|tag| tag.to_string());
    let outlet = outlet.map(|outlet| outlet.trim().to_owned());
    About {
        byline: byline::read(document, &meta, linked.authors),
        updated: linked.updated.or_else(|| dated(&UPDATED_NAMES)),
        canonical: canonical(document, base).or_else(|| first(&["og:url"]).and_then(|url| links::absolute(base, &url))),
        feeds: feeds(document, base),
        title: title.as_deref().and_then(|title| tidy_title(&without_outlet(title, outlet.as_deref()))),
        outlet: outlet.filter(|outlet| !outlet.is_empty() && outlet.chars().count() <= MAX_OUTLET_CHARS),
        published: agree(in_metadata, printed_date(document)),
        language: language.or_else(|| first(&["og:locale", "content-language"])),
    }
}

fn canonical(document: &Document, base: Option<&Url>) -> Option<String> {
    let link = document.select("link[rel=canonical]").nodes().first().and_then(|node| node.attr("href"))?;
    links::absolute(base, &link)
}

/// The feeds that the page announces.
fn feeds(document: &Document, base: Option<&Url>) -> Vec<String> {
    let mut feeds = links::Links::new(base.cloned(), MAX_FEEDS);
    for node in document.select("link[rel~=alternate], link[rel~=feed]").nodes() {
        let media_type = node.attr("type").unwrap_or_default().to_ascii_lowercase();
        let is_feed = FEED_TYPES.contains(&media_type.split(';').next().unwrap_or_default().trim())
            || node.attr("rel").is_some_and(|rel| rel.split(' ').any(|word| word.eq_ignore_ascii_case("feed")));
        if let Some(address) = node.attr("href").filter(|_| is_feed) {
            feeds.add(&address);
        }
    }
    feeds.into_list()
}

/// Metadata that the page prints, too, is stated; what is printed alone counts when there is no metadata.
pub(super) fn agree(in_metadata: Option<Published>, printed: Option<Published>) -> Option<Published> {
    let day = |date: &Published| date.value.to_datetime().date_naive();
    match (in_metadata, printed) {
        (Some(hidden), Some(printed)) if (day(&hidden) - day(&printed)).num_days().abs() <= 1 => {
            let finer = if hidden.precision >= printed.precision { hidden } else { printed };
            Some(Published { basis: PublishedBasis::Stated, ..finer })
        }
        (hidden, printed) => hidden.or(printed),
    }
}

/// Names in lower case with their values, from `name`, `property` and `itemprop`.
fn meta_values(document: &Document) -> Vec<(String, String)> {
    let metas = document.select("meta");
    let named = metas.nodes().iter().filter_map(|node| {
        let name = ["property", "name", "itemprop", "http-equiv"].iter().find_map(|key| node.attr(key))?;
        let value = node.attr("content")?;
        (!value.trim().is_empty()).then(|| (name.trim().to_lowercase(), value.trim().to_owned()))
    });
    named.collect()
}

/// The first `<time>` in the content, preferring one that is marked as the date of publication.
fn printed_date(document: &Document) -> Option<Published> {
    let marked = "time[pubdate], time[itemprop=datePublished], [itemprop=datePublished]";
    let plain = "article time, main time, header time, time";
    [marked, plain].iter().find_map(|selector| {
        document.select(selector).nodes().iter().take(3).find_map(|node| {
            let found = value_of(node).and_then(|value| dates::published(&value, PublishedBasis::Stated));
            found.filter(|found| found.precision >= Precision::Day)
        })
    })
}

fn value_of(node: &NodeRef<'_>) -> Option<String> {
    node.attr("datetime").or_else(|| node.attr("content")).map(|value| value.to_string()).or_else(|| {
        let text = node.text().trim().to_owned();
        (!text.is_empty()).then_some(text)
    })
}

/// `Gates shut | The Harbour Post` without the outlet.
fn without_outlet(title: &str, outlet: Option<&str>) -> String {
    let title = title.trim();
    let Some(outlet) = outlet else { return title.to_owned() };
    for mark in [" | ", " - ", " – ", " — ", " :: "] {
        if let Some((head, tail)) = title.rsplit_once(mark)
            && tail.trim().eq_ignore_ascii_case(outlet)
        {
            return head.to_owned();
        }
    }
    title.to_owned()
}

#[derive(Default)]
struct Linked {
    title: Option<String>,
    outlet: Option<String>,
    published: Option<Published>,
    updated: Option<Published>,
    authors: Vec<String>,
}

fn linked_data(document: &Document) -> Linked {
    let mut linked = Linked::default();
    for node in document.select("script[type='application/ld+json']").nodes() {
        if let Ok(value) = serde_json::from_str::<Value>(node.text().trim()) {
            read_linked(&value, &mut linked, 0);
        }
    }
    linked
}

fn read_linked(value: &Value, linked: &mut Linked, depth: usize) {
    if depth > MAX_JSON_DEPTH {
        return;
    }
    match value {
        Value::Array(items) => items.iter().for_each(|item| read_linked(item, linked, depth + 1)),
        Value::Object(fields) => {
            let text = |key: &str| fields.get(key).and_then(Value::as_str).map(str::to_owned);
            if let Some(date) = text("datePublished") {
                linked.published = linked.published.or_else(|| dates::published(&date, PublishedBasis::Metadata));
                let modified = text("dateModified");
                linked.updated = linked.updated.or_else(|| dates::published(&modified?, PublishedBasis::Metadata));
                linked.title = linked.title.take().or_else(|| text("headline"));
                if linked.authors.is_empty() {
                    linked.authors = fields.get("author").map(byline::linked_names).unwrap_or_default();
                }
                let publisher = fields.get("publisher").map(|publisher| match publisher {
                    Value::Array(all) => all.first().unwrap_or(&Value::Null),
                    other => other,
                });
                let name = publisher.and_then(|publisher| publisher.get("name")).and_then(Value::as_str);
                linked.outlet = linked.outlet.take().or_else(|| name.map(str::to_owned));
            }
            ["@graph", "mainEntity"].iter().filter_map(|key| fields.get(*key)).for_each(|inner| {
                read_linked(inner, linked, depth + 1);
            });
        }
        _ => {}
    }
}
