//! RSS, RDF, Atom and CDF: item elements, and the meaning of their children.

use super::{
    fields::{FieldReader, TextForm},
    tree::Tree,
};
use crate::config::ParseConfig;
use domain::fetch::{Feed, FeedItem};

const ROOTS: [&str; 5] = ["rss", "feed", "rdf:rdf", "rdf", "channel"];
const ITEMS: [&str; 2] = ["item", "entry"];

/// Whether the first element of a text in lower case is the root of a feed.
pub(super) fn begins_feed(start: &str) -> bool {
    const MAX_ELEMENTS: usize = 1;
    let tree = Tree::build(start, MAX_ELEMENTS);
    tree.elements.first().is_some_and(|root| ROOTS.contains(&root.name.as_str()) || root.name == "entry")
}

/// Parses a feed; `None` if there is none.
pub(super) fn read(source: &str, address: Option<&str>, limits: &ParseConfig) -> Option<Feed> {
    let tree = Tree::build(source, limits.max_html_elements);
    let named = |names: &[&str]| tree.elements.iter().position(|element| names.contains(&element.name.as_str()));
    let root = named(&["channel", "feed"]).or_else(|| named(&ROOTS)).or_else(|| named(&ITEMS))?;
    let reader = FieldReader::new(&tree, address, limits);
    let mut feed = head(&reader, root);
    feed.items = items(&tree).take(limits.max_feed_items).map(|item| read_item(&reader, item)).collect();
    feed.is_mended = tree.is_mended;
    Some(feed)
}

/// Item elements that are not inside another item.
fn items<'t>(tree: &'t Tree<'_>) -> impl Iterator<Item = usize> + 't {
    let is_item = |element: usize| ITEMS.contains(&tree.elements[element].name.as_str());
    let is_inside = move |element: usize| tree.ancestors(element).skip(1).any(is_item);
    // CDF nests channels, and items inside them.
    (0..tree.elements.len()).filter(move |element| is_item(*element) && !is_inside(*element))
}

fn head(reader: &FieldReader<'_, '_>, root: usize) -> Feed {
    // An entry may stand alone, without a feed.
    if ITEMS.contains(&reader.tree.elements[root].name.as_str()) {
        return Feed::default();
    }
    let language = reader.plain(root, &["language", "dc:language"]).or_else(|| reader.tree.attribute(root, "xml:lang"));
    Feed {
        title: reader.words(root, &["title", "dc:title"], TextForm::Line),
        address: reader.address(root),
        description: reader.words(
            root,
            &["description", "subtitle", "tagline", "abstract", "dc:description", "itunes:summary"],
            TextForm::Text,
        ),
        language: language.map(|language| language.trim().to_owned()).filter(|language| !language.is_empty()),
        updated: reader.date(root, &["updated", "modified", "lastbuilddate", "pubdate", "dcterms:modified", "dc:date"]),
        ..Feed::default()
    }
}

fn read_item(reader: &FieldReader<'_, '_>, item: usize) -> FeedItem {
    FeedItem {
        id: reader.plain(item, &["guid", "id", "dc:identifier"]).or_else(|| reader.tree.attribute(item, "rdf:about")),
        title: reader.words(item, &["title", "dc:title", "media:title", "itunes:title"], TextForm::Line),
        address: reader.address(item),
        published: reader
            .date(item, &["published", "pubdate", "issued", "dcterms:issued", "dc:date", "created", "dcterms:created", "date"]),
        updated: reader.date(item, &["updated", "modified", "dcterms:modified"]),
        byline: reader.byline(item),
        summary: reader.words(
            item,
            &["description", "summary", "abstract", "dc:description", "itunes:summary", "media:description"],
            TextForm::Text,
        ),
        content: reader.words(
            item,
            &["content:encoded", "content", "fullitem", "xhtml:body", "body", "xhtml:div"],
            TextForm::Text,
        ),
    }
}
