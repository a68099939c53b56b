//! RSS, RDF, Atom and CDF: which elements are items, and which of their children mean what.

use super::{
    fields::{Reading, Words},
    tree::Tree,
};
use crate::config::ParseConfig;
use domain::fetch::{Feed, FeedItem};

const ROOTS: [&str; 5] = ["rss", "feed", "rdf:rdf", "rdf", "channel"];
const ITEMS: [&str; 2] = ["item", "entry"];

/// Whether a text in lower case has the root element of a feed before any other.
pub(super) fn begins_feed(start: &str) -> bool {
    const MAX_ELEMENTS: usize = 1;
    let tree = Tree::build(start, MAX_ELEMENTS);
    tree.elements.first().is_some_and(|root| ROOTS.contains(&root.name.as_str()) || root.name == "entry")
}

/// Reads a feed; `None` where there is none.
pub(super) fn read(source: &str, address: Option<&str>, limits: &ParseConfig) -> Option<Feed> {
    let tree = Tree::build(source, limits.max_html_elements);
    let named = |names: &[&str]| tree.elements.iter().position(|element| names.contains(&element.name.as_str()));
    let root = named(&["channel", "feed"]).or_else(|| named(&ROOTS)).or_else(|| named(&ITEMS))?;
    let reading = Reading::new(&tree, address, limits);
    let mut feed = head(&reading, root);
    feed.items = items(&tree).take(limits.max_feed_items).map(|item| read_item(&reading, item)).collect();
    feed.is_mended = tree.is_mended;
    Some(feed)
}

/// Elements that are items, but not those inside another.
fn items<'t>(tree: &'t Tree<'_>) -> impl Iterator<Item = usize> + 't {
    let is_item = |element: usize| ITEMS.contains(&tree.elements[element].name.as_str());
    let is_inside = move |element: usize| tree.ancestors(element).skip(1).any(is_item);
    // In CDF channels lie inside the channel, and their items inside these.
    (0..tree.elements.len()).filter(move |element| is_item(*element) && !is_inside(*element))
}

fn head(reading: &Reading<'_, '_>, root: usize) -> Feed {
    // An entry may stand alone, without a feed around it.
    if ITEMS.contains(&reading.tree.elements[root].name.as_str()) {
        return Feed::default();
    }
    let language = reading.plain(root, &["language", "dc:language"]).or_else(|| reading.tree.attribute(root, "xml:lang"));
    Feed {
        title: reading.words(root, &["title", "dc:title"], Words::Line),
        address: reading.address(root),
        description: reading.words(
            root,
            &["description", "subtitle", "tagline", "abstract", "dc:description", "itunes:summary"],
            Words::Text,
        ),
        language: language.map(|language| language.trim().to_owned()).filter(|language| !language.is_empty()),
        updated: reading.date(root, &["updated", "modified", "lastbuilddate", "pubdate", "dcterms:modified", "dc:date"]),
        ..Feed::default()
    }
}

fn read_item(reading: &Reading<'_, '_>, item: usize) -> FeedItem {
    FeedItem {
        id: reading.plain(item, &["guid", "id", "dc:identifier"]).or_else(|| reading.tree.attribute(item, "rdf:about")),
        title: reading.words(item, &["title", "dc:title", "media:title", "itunes:title"], Words::Line),
        address: reading.address(item),
        published: reading
            .date(item, &["published", "pubdate", "issued", "dcterms:issued", "dc:date", "created", "dcterms:created", "date"]),
        updated: reading.date(item, &["updated", "modified", "dcterms:modified"]),
        byline: reading.byline(item),
        summary: reading.words(
            item,
            &["description", "summary", "abstract", "dc:description", "itunes:summary", "media:description"],
            Words::Text,
        ),
        content: reading.words(
            item,
            &["content:encoded", "content", "fullitem", "xhtml:body", "body", "xhtml:div"],
            Words::Text,
        ),
    }
}
