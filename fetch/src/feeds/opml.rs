//! OPML: lists of feeds, as feed readers exchange them.

use super::{decode, tree::Tree};
use crate::links;
use std::{collections::HashSet, fmt::Write as _};

/// Elements read from one file, far more than any real list has.
const MAX_ELEMENTS: usize = 50_000;

/// Feed in a list.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct OpmlFeed {
    pub title: String,
    /// Address of the feed.
    pub feed: String,
    /// Address of its site.
    pub site: Option<String>,
    /// Enclosing folders, outermost first.
    pub folders: Vec<String>,
    pub language: Option<String>,
}

/// Parsed list.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct OpmlList {
    pub feeds: Vec<OpmlFeed>,
    /// Number of entries without an address, and of those with a non-web address.
    pub without_address: usize,
    pub not_of_web: usize,
}

/// Reason why a file is no list of feeds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum OpmlError {
    #[error("this is not an OPML file; export one from your feed reader and choose that")]
    NotOpml,
    #[error("this OPML file lists no feed with a web address")]
    NoFeeds,
}

/// Feeds of a list in order, without duplicates. Entries without a web address are counted and dropped.
pub fn read_opml(bytes: &[u8]) -> Result<OpmlList, OpmlError> {
    let source = decode::decode(bytes, None);
    let tree = Tree::build(&source, MAX_ELEMENTS);
    if !tree.elements.iter().any(|element| element.name == "opml" || element.name == "outline") {
        return Err(OpmlError::NotOpml);
    }
    let mut list = OpmlList::default();
    let parents: HashSet<usize> = tree.elements.iter().filter_map(|element| element.parent).collect();
    let mut seen = HashSet::new();
    for outline in (0..tree.elements.len()).filter(|element| tree.elements[*element].name == "outline") {
        let attribute = |name: &str| tree.attribute(outline, name).filter(|value| !value.is_empty());
        let address = attribute("xmlurl").or_else(|| attribute("url").filter(|_| attribute("type").as_deref() == Some("rss")));
        let Some(address) = address else {
            list.without_address += usize::from(!parents.contains(&outline));
            continue;
        };
        let Some(feed) = links::absolute(None, &address) else {
            list.not_of_web += 1;
            continue;
        };
        if !seen.insert(feed.clone()) {
            continue;
        }
        let named = |element: usize| {
            tree.attribute(element, "title").or_else(|| tree.attribute(element, "text")).filter(|name| !name.is_empty())
        };
        let outer = tree.ancestors(outline).skip(1).filter(|outer| tree.elements[*outer].name == "outline");
        let mut folders: Vec<String> = outer.filter_map(named).collect();
        folders.reverse();
        list.feeds.push(OpmlFeed {
            title: named(outline).unwrap_or_else(|| feed.clone()),
            site: attribute("htmlurl").and_then(|site| links::absolute(None, &site)),
            language: attribute("language"),
            feed,
            folders,
        });
    }
    if list.feeds.is_empty() { Err(OpmlError::NoFeeds) } else { Ok(list) }
}

/// OPML 2.0 text. Feeds of one folder stay together, in the order of the first of them.
pub fn write_opml(title: &str, feeds: &[OpmlFeed]) -> String {
    let mut xml = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<opml version=\"2.0\">\n".to_owned();
    let _ = write!(xml, "<head><title>{}</title></head>\n<body>\n", escape(title));
    write_level(&mut xml, &feeds.iter().collect::<Vec<_>>(), 0);
    xml.push_str("</body>\n</opml>\n");
    xml
}

fn write_level(xml: &mut String, feeds: &[&OpmlFeed], depth: usize) {
    let mut folders: Vec<&str> = Vec::new();
    for feed in feeds {
        match feed.folders.get(depth) {
            Some(folder) if folders.contains(&folder.as_str()) => {}
            Some(folder) => folders.push(folder),
            None => write_feed(xml, feed),
        }
    }
    for folder in folders {
        let inside: Vec<_> =
            feeds.iter().copied().filter(|feed| feed.folders.get(depth).is_some_and(|f| f == folder)).collect();
        let _ = writeln!(xml, "<outline text=\"{}\">", escape(folder));
        write_level(xml, &inside, depth + 1);
        xml.push_str("</outline>\n");
    }
}

fn write_feed(xml: &mut String, feed: &OpmlFeed) {
    let title = escape(&feed.title);
    let _ = write!(xml, "<outline type=\"rss\" text=\"{title}\" title=\"{title}\" xmlUrl=\"{}\"", escape(&feed.feed));
    for (name, value) in [("htmlUrl", &feed.site), ("language", &feed.language)] {
        if let Some(value) = value {
            let _ = write!(xml, " {name}=\"{}\"", escape(value));
        }
    }
    xml.push_str("/>\n");
}

/// XML escaping; forbidden characters are dropped.
fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\t' | '\n' | '\r' => escaped.push(' '),
            c if c.is_control() => {}
            c => escaped.push(c),
        }
    }
    escaped
}
