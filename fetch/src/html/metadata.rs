//! Metadata of a page: title, outlet, dates, language.

use super::byline;
use crate::{dates, links, text::tidy_title};
use dom_query::{Document, NodeRef};
use domain::{
    Precision, PublicationDate, PublishedBasis,
    document::{host, is_opinion},
};
use serde_json::{Map, Value};
use url::Url;

#[derive(Debug, Default)]
pub(super) struct HtmlMetadata {
    pub title: Option<String>,
    pub byline: Option<String>,
    pub outlet: Option<String>,
    pub published: Option<PublicationDate>,
    pub updated: Option<PublicationDate>,
    pub language: Option<String>,
    pub canonical: Option<String>,
    pub feeds: Vec<String>,
    /// Base of relative addresses: the page's `base`, otherwise its own address.
    pub base: Option<Url>,
    /// The JSON-LD describes the page as a news article.
    pub is_news_article: bool,
    /// The page has a date of publication, and Open Graph describes it as an article.
    pub is_dated_article: bool,
}

const DATE_NAMES: [&str; 17] = [
    "article:published_time",
    "article:published",
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
const UPDATED_NAMES: [&str; 7] = [
    "article:modified_time",
    "article:modified",
    "og:updated_time",
    "datemodified",
    "dcterms.modified",
    "dc.date.modified",
    "last-modified",
];
const TITLE_NAMES: [&str; 4] = ["og:title", "dc.title", "citation_title", "twitter:title"];
const OUTLET_NAMES: [&str; 5] = ["og:site_name", "dc.publisher", "citation_journal_title", "publisher", "application-name"];
/// Nesting of JSON-LD that is searched.
const MAX_JSON_DEPTH: usize = 4;
const MAX_OUTLET_CHARS: usize = 80;
const MAX_FEEDS: usize = 20;
/// Media types of announced feeds.
const FEED_TYPES: [&str; 5] =
    ["application/rss+xml", "application/atom+xml", "application/feed+json", "application/rdf+xml", "text/xml"];

/// Reads the metadata; `address` is the page's own.
pub(super) fn read(document: &Document, address: Option<&str>) -> HtmlMetadata {
    let elements = MetadataElements::collect(document);
    let base = elements.base(address);
    let meta = meta_values(&elements.metas);
    let json_ld = read_json_ld(&elements.scripts);
    let first = |names: &[&str]| names.iter().find_map(|name| meta.iter().find(|(n, _)| n == name).map(|(_, v)| v.clone()));
    let heading = || document.select_single("h1").nodes().first().map(|node| node.text().to_string());
    let page_title = || document.select_single("title").nodes().first().map(|node| node.text().to_string());
    let outlet = first(&OUTLET_NAMES[..1]).or(json_ld.outlet).or_else(|| first(&OUTLET_NAMES[1..]));
    let title = json_ld.title.or_else(|| first(&TITLE_NAMES)).or_else(heading).or_else(page_title);
    let dated = |names: &[&str]| {
        names.iter().find_map(|name| {
            let value = meta.iter().find(|(n, _)| n == name).map(|(_, value)| value)?;
            dates::parse_published(value, PublishedBasis::Metadata)
        })
    };
    let in_metadata = json_ld.published.or_else(|| dated(&DATE_NAMES));
    let language = document.select_single("html").nodes().first().and_then(|html| html.attr("lang")).map(|tag| tag.to_string());
    // Some pages give their address as their name.
    let outlet = outlet.map(|outlet| host(outlet.trim()).unwrap_or(outlet.trim()).to_owned());
    let page_date = reconcile_dates(in_metadata, elements.printed_date());
    let canonical = canonical(&elements.links, base.as_ref())
        .or_else(|| first(&["og:url"]).and_then(|url| links::absolute(base.as_ref(), &url)));
    let published = page_date.or_else(|| date_in_address(canonical.as_deref().or(address)?));
    let title = title.as_deref().and_then(|title| tidy_title(&without_outlet(title, outlet.as_deref())));
    let is_opinion = first(&["article:section"]).is_some_and(|section| is_opinion(&section, ""))
        || canonical.as_deref().is_some_and(|address| is_opinion("", address));
    HtmlMetadata {
        byline: byline::read(document, &meta, json_ld.authors),
        updated: json_ld.updated.or_else(|| dated(&UPDATED_NAMES)),
        feeds: feeds(&elements.links, base.as_ref()),
        title: title.map(|title| if is_opinion { as_opinion(title) } else { title }),
        canonical,
        outlet: outlet.filter(|outlet| !outlet.is_empty() && outlet.chars().count() <= MAX_OUTLET_CHARS),
        published,
        language: language.or_else(|| first(&["og:locale", "content-language"])),
        base,
        is_news_article: json_ld.is_news_article,
        is_dated_article: page_date.is_some() && first(&["og:type"]).is_some_and(|kind| kind.trim() == "article"),
    }
}

/// Elements that carry metadata, each kind in document order.
#[derive(Default)]
struct MetadataElements<'a> {
    base: Option<NodeRef<'a>>,
    metas: Vec<NodeRef<'a>>,
    links: Vec<NodeRef<'a>>,
    /// JSON-LD scripts.
    scripts: Vec<NodeRef<'a>>,
    /// Elements marked as the date of publication.
    dated: Vec<NodeRef<'a>>,
    times: Vec<NodeRef<'a>>,
}

impl<'a> MetadataElements<'a> {
    /// Collects the elements in one pass.
    fn collect(document: &'a Document) -> Self {
        let mut elements = Self::default();
        let has =
            |node: &NodeRef<'_>, key: &str, value: &str| node.attr(key).is_some_and(|found| found.eq_ignore_ascii_case(value));
        for node in document.root().descendants_it() {
            let Some(name) = node.qual_name_ref() else { continue };
            match &*name.local {
                "base" if elements.base.is_none() && node.has_attr("href") => elements.base = Some(node),
                "meta" => elements.metas.push(node),
                "link" => elements.links.push(node),
                "script" if has(&node, "type", "application/ld+json") => elements.scripts.push(node),
                "time" if node.has_attr("pubdate") => elements.dated.push(node),
                "time" => elements.times.push(node),
                _ => {}
            }
            let properties = node.attr("itemprop").unwrap_or_default();
            if properties.split_ascii_whitespace().any(|property| property.eq_ignore_ascii_case("datePublished")) {
                elements.dated.push(node);
            }
        }
        elements
    }

    fn base(&self, address: Option<&str>) -> Option<Url> {
        let address = address.and_then(|address| Url::parse(address).ok());
        let stated = self.base.and_then(|node| node.attr("href"));
        let stated = stated.and_then(|href| links::absolute(address.as_ref(), &href));
        stated.and_then(|base| Url::parse(&base).ok()).or(address)
    }

    /// First printed date; elements marked as the date of publication come first.
    fn printed_date(&self) -> Option<PublicationDate> {
        [&self.dated, &self.times].into_iter().find_map(|nodes| {
            nodes.iter().take(3).find_map(|node| {
                let found = value_of(node).and_then(|value| dates::parse_published(&value, PublishedBasis::Stated));
                found.filter(|found| found.precision >= Precision::Day)
            })
        })
    }
}

/// Whether `rel` contains a link type.
fn is_rel(link: &NodeRef<'_>, kind: &str) -> bool {
    link.attr("rel").is_some_and(|rel| rel.split_ascii_whitespace().any(|word| word.eq_ignore_ascii_case(kind)))
}

fn canonical(links: &[NodeRef<'_>], base: Option<&Url>) -> Option<String> {
    links.iter().filter(|link| is_rel(link, "canonical")).find_map(|link| links::absolute(base, &link.attr("href")?))
}

/// Feeds that the page announces.
fn feeds(links: &[NodeRef<'_>], base: Option<&Url>) -> Vec<String> {
    let mut feeds = links::Links::new(base.cloned(), MAX_FEEDS);
    for node in links.iter().filter(|link| is_rel(link, "alternate") || is_rel(link, "feed")) {
        let media_type = node.attr("type").unwrap_or_default().to_ascii_lowercase();
        let is_feed = FEED_TYPES.contains(&media_type.split(';').next().unwrap_or_default().trim()) || is_rel(node, "feed");
        if let Some(address) = node.attr("href").filter(|_| is_feed) {
            feeds.add(&address, "");
        }
    }
    feeds.into_list().into_iter().map(|link| link.url).collect()
}

/// Day that an address names in its path: `/2031/03/14/`, `/2031/mar/14/`.
fn date_in_address(address: &str) -> Option<PublicationDate> {
    let address = Url::parse(address).ok()?;
    let parts: Vec<&str> = address.path_segments()?.collect();
    parts.windows(3).find_map(|parts| {
        let [year, month, day] = *parts else { return None };
        let is_number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
        let is_name = month.len() >= 3 && month.bytes().all(|byte| byte.is_ascii_alphabetic());
        let is_month = is_name || (is_number(month) && month.len() <= 2);
        if year.len() != 4 || !is_number(year) || !is_month || day.len() > 2 || !is_number(day) {
            return None;
        }
        let date = if is_name { format!("{day} {month} {year}") } else { format!("{year}-{month:0>2}-{day:0>2}") };
        dates::parse_published(&date, PublishedBasis::Metadata).filter(|date| date.precision >= Precision::Day)
    })
}

/// Reconciles dates: a metadata date that is also printed counts as stated. A printed date alone counts only without metadata.
pub(super) fn reconcile_dates(
    in_metadata: Option<PublicationDate>,
    printed: Option<PublicationDate>,
) -> Option<PublicationDate> {
    let day = |date: &PublicationDate| date.value.to_datetime().date_naive();
    match (in_metadata, printed) {
        (Some(hidden), Some(printed)) if (day(&hidden) - day(&printed)).num_days().abs() <= 1 => {
            let finer = if hidden.precision >= printed.precision { hidden } else { printed };
            Some(PublicationDate { basis: PublishedBasis::Stated, ..finer })
        }
        (hidden, printed) => hidden.or(printed),
    }
}

/// Meta names in lower case with their values.
fn meta_values(metas: &[NodeRef<'_>]) -> Vec<(String, String)> {
    let named = metas.iter().filter_map(|node| {
        let name = ["property", "name", "itemprop", "http-equiv"].iter().find_map(|key| node.attr(key))?;
        let value = node.attr("content")?;
        (!value.trim().is_empty()).then(|| (name.trim().to_lowercase(), value.trim().to_owned()))
    });
    named.collect()
}

fn value_of(node: &NodeRef<'_>) -> Option<String> {
    node.attr("datetime").or_else(|| node.attr("content")).map(|value| value.to_string()).or_else(|| {
        let text = node.text().trim().to_owned();
        (!text.is_empty()).then_some(text)
    })
}

/// A title that says that the page is opinion, as many pages say in theirs.
fn as_opinion(title: String) -> String {
    if is_opinion(&title, "") { title } else { format!("Opinion: {title}") }
}

/// Title without the outlet: `Gates shut | The Harbour Post`.
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
struct JsonLd {
    title: Option<String>,
    outlet: Option<String>,
    published: Option<PublicationDate>,
    updated: Option<PublicationDate>,
    authors: Vec<String>,
    is_news_article: bool,
}

/// Descriptions of the article come first, those of the page around it last.
fn read_json_ld(scripts: &[NodeRef<'_>]) -> JsonLd {
    let values: Vec<Value> = scripts.iter().filter_map(|node| serde_json::from_str(node.text().trim()).ok()).collect();
    let mut dated = Vec::new();
    values.iter().for_each(|value| collect_dated(value, &mut dated, 0));
    dated.sort_by_key(|fields| fields.get("@type").map_or(Description::Other, Description::of_kind));
    let mut json_ld = JsonLd::default();
    dated.into_iter().for_each(|fields| read_description(fields, &mut json_ld));
    json_ld
}

/// Subject of a JSON-LD object, the best source of metadata first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Description {
    Article,
    Other,
    /// The page, the site, or a picture on it.
    Surroundings,
}

impl Description {
    fn of_kind(kind: &Value) -> Self {
        let of_name = |name: &str| match name {
            name if ["Article", "Posting", "Report", "Review"].iter().any(|end| name.ends_with(end)) => Self::Article,
            name if ["Page", "WebSite", "Object", "Organization", "Person", "Comment"]
                .iter()
                .any(|end| name.ends_with(end)) =>
            {
                Self::Surroundings
            }
            _ => Self::Other,
        };
        match kind {
            Value::Array(kinds) => kinds.iter().map(Self::of_kind).min().unwrap_or(Self::Other),
            kind => kind.as_str().map_or(Self::Other, of_name),
        }
    }
}

/// Objects with a date of publication, in document order.
fn collect_dated<'v>(value: &'v Value, dated: &mut Vec<&'v Map<String, Value>>, depth: usize) {
    if depth > MAX_JSON_DEPTH {
        return;
    }
    match value {
        Value::Array(items) => items.iter().for_each(|item| collect_dated(item, dated, depth + 1)),
        Value::Object(fields) => {
            if fields.get("datePublished").is_some_and(Value::is_string) {
                dated.push(fields);
            }
            let inner = ["@graph", "mainEntity"].iter().filter_map(|key| fields.get(*key));
            inner.for_each(|inner| collect_dated(inner, dated, depth + 1));
        }
        _ => {}
    }
}

/// Adds what is not known yet.
fn read_description(fields: &Map<String, Value>, json_ld: &mut JsonLd) {
    let text = |key: &str| fields.get(key).and_then(Value::as_str).map(str::to_owned);
    let date = |key: &str| dates::parse_published(&text(key)?, PublishedBasis::Metadata);
    json_ld.is_news_article |= fields.get("@type").is_some_and(is_news_article);
    json_ld.published = json_ld.published.or_else(|| date("datePublished"));
    json_ld.updated = json_ld.updated.or_else(|| date("dateModified"));
    json_ld.title = json_ld.title.take().or_else(|| text("headline"));
    if json_ld.authors.is_empty() {
        json_ld.authors = fields.get("author").map(byline::json_ld_names).unwrap_or_default();
    }
    let publisher = fields.get("publisher").map(|publisher| match publisher {
        Value::Array(all) => all.first().unwrap_or(&Value::Null),
        other => other,
    });
    let name = publisher.and_then(|publisher| publisher.get("name")).and_then(Value::as_str);
    json_ld.outlet = json_ld.outlet.take().or_else(|| name.map(str::to_owned));
}

/// Returns whether a JSON-LD type, or one of a list of types, is `NewsArticle` or a kind of it, such as `OpinionNewsArticle`.
fn is_news_article(kind: &Value) -> bool {
    match kind {
        Value::Array(kinds) => kinds.iter().any(is_news_article),
        kind => kind.as_str().is_some_and(|kind| kind.ends_with("NewsArticle")),
    }
}
