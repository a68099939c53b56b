//! OPML: lists of feeds, as feed readers exchange them.

use super::{decode, tree::Tree};
use crate::links;
use domain::fetch::region_of;
use serde::{Deserialize, Serialize};
use std::{collections::HashSet, fmt::Write as _};

/// Elements read from one file, far more than any real list has.
const MAX_ELEMENTS: usize = 50_000;
/// Folders around one feed.
const MAX_DEPTH: usize = 16;
/// Longest name of a feed or folder; longer ones are cut.
const MAX_NAME_CHARS: usize = 200;
/// Longest language tag; longer ones are dropped.
const MAX_LANGUAGE_BYTES: usize = 35;

/// Feed in a list.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct OpmlFeed {
    pub title: String,
    /// Address of the feed.
    pub feed: String,
    /// Address of its site.
    pub site: Option<String>,
    /// Outermost enclosing folder, and the innermost one that names a region.
    pub folders: Vec<String>,
    pub language: Option<String>,
}

/// Parsed list.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct OpmlList {
    pub feeds: Vec<OpmlFeed>,
    /// Number of entries without an address, and of those with a non-web address.
    pub without_address: usize,
    pub not_of_web: usize,
}

/// Reason why a file is no list of feeds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub(crate) enum OpmlError {
    #[error("this is not an OPML file; export one from your feed reader and choose that")]
    NotOpml,
    #[error("this OPML file has more than {MAX_DEPTH} folders inside each other; export one with fewer")]
    TooDeep,
    #[error("this OPML file lists no feed with a web address")]
    NoFeeds,
}

/// Place of an element among the folders, by their element numbers.
#[derive(Debug, Clone, Copy, Default)]
struct FolderPath {
    depth: usize,
    outermost: Option<usize>,
    /// Innermost folder that names a region.
    region: Option<usize>,
}

/// Feeds of a list in order, without duplicates. Entries without a web address are counted and dropped.
///
/// Each name is read once, and a feed keeps two folders at most: time and memory are in proportion to the file.
pub(crate) fn read_opml(bytes: &[u8]) -> Result<OpmlList, OpmlError> {
    let source = decode::decode(bytes, None);
    let tree = Tree::build(&source, MAX_ELEMENTS);
    if !tree.elements.iter().any(|element| element.name == "opml" || element.name == "outline") {
        return Err(OpmlError::NotOpml);
    }
    let mut list = OpmlList::default();
    let parents: HashSet<usize> = tree.elements.iter().filter_map(|element| element.parent).collect();
    let mut seen = HashSet::new();
    // Parents come before their children.
    let mut names: Vec<Option<String>> = Vec::with_capacity(tree.elements.len());
    let mut paths: Vec<FolderPath> = Vec::with_capacity(tree.elements.len());
    for (number, element) in tree.elements.iter().enumerate() {
        let around = element.parent.map(|parent| paths[parent]).unwrap_or_default();
        if element.name != "outline" {
            names.push(None);
            paths.push(around);
            continue;
        }
        if around.depth > MAX_DEPTH {
            return Err(OpmlError::TooDeep);
        }
        let name = name_of_outline(&tree, number);
        let is_region = name.as_deref().is_some_and(|name| region_of(name).is_some());
        paths.push(FolderPath {
            depth: around.depth + 1,
            outermost: around.outermost.or(name.is_some().then_some(number)),
            region: if is_region { Some(number) } else { around.region },
        });
        names.push(name);
        let attribute = |name: &str| tree.attribute(number, name).filter(|value| !value.is_empty());
        let address = attribute("xmlurl").or_else(|| attribute("url").filter(|_| attribute("type").as_deref() == Some("rss")));
        let Some(address) = address else {
            list.without_address += usize::from(!parents.contains(&number));
            continue;
        };
        let Some(feed) = links::absolute(None, &address) else {
            list.not_of_web += 1;
            continue;
        };
        if !seen.insert(feed.clone()) {
            continue;
        }
        let region = around.region.filter(|region| around.outermost != Some(*region));
        list.feeds.push(OpmlFeed {
            title: names[number].clone().unwrap_or_else(|| feed.clone()),
            site: attribute("htmlurl").and_then(|site| links::absolute(None, &site)),
            language: attribute("language").filter(|language| language.len() <= MAX_LANGUAGE_BYTES),
            feed,
            folders: [around.outermost, region].into_iter().flatten().filter_map(|folder| names[folder].clone()).collect(),
        });
    }
    if list.feeds.is_empty() { Err(OpmlError::NoFeeds) } else { Ok(list) }
}

/// Title or text of an outline, cut to the length of a name.
fn name_of_outline(tree: &Tree<'_>, outline: usize) -> Option<String> {
    let name = tree.attribute(outline, "title").or_else(|| tree.attribute(outline, "text"))?;
    let name: String = name.chars().take(MAX_NAME_CHARS).collect();
    (!name.is_empty()).then_some(name)
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_of_feeds_survives_writing_and_reading() {
        let feeds = [
            OpmlFeed { title: "A & B".into(), feed: "https://a.example/feed?x=1&y=2".into(), ..OpmlFeed::default() },
            OpmlFeed {
                title: "Post".into(),
                feed: "https://post.example/rss".into(),
                site: Some("https://post.example/".into()),
                folders: vec!["North \"East\"".into(), "europe".into()],
                language: Some("en".into()),
            },
        ];
        assert_eq!(read_opml(write_opml("Feeds", &feeds).as_bytes()).unwrap().feeds, feeds);
        let odd = b"<opml><body><outline text='Folder'><outline text='A' xmlUrl='https://a.example/feed'/></outline>\
            <outline text='Script' xmlUrl='javascript:alert(1)'/><outline text='Nothing' type='rss'/></body></opml>";
        let list = read_opml(odd).unwrap();
        assert_eq!((list.feeds.len(), list.not_of_web, list.without_address), (1, 1, 1), "{list:?}");
        assert_eq!(read_opml(b"words"), Err(OpmlError::NotOpml));
        assert_eq!(read_opml(b"<opml><body><outline text='x'/></body></opml>"), Err(OpmlError::NoFeeds));
    }

    /// Feeds inside each other, deeper than in any real list.
    fn nested(levels: usize) -> String {
        (0..levels).map(|n| format!("<outline text=a xmlurl=http://a/{n}>")).collect()
    }

    #[test]
    fn nesting_beyond_any_real_list_is_refused() {
        assert_eq!(read_opml(nested(17).as_bytes()).unwrap().feeds.len(), 17);
        for levels in [18, 4_000, 27_594] {
            assert_eq!(read_opml(nested(levels).as_bytes()), Err(OpmlError::TooDeep), "{levels}");
        }
    }

    #[test]
    fn a_feed_keeps_two_folders_with_names_of_bounded_length() {
        let long = "x".repeat(500_000);
        let feeds: String = (0..3_000).map(|n| format!("<outline text=b xmlurl=http://a/{n}/>")).collect();
        let folders = ["inner", "Europe", "Asia", "deepest"].map(|name| format!("<outline text='{name}'>")).concat();
        let list = read_opml(format!("<opml><outline text='{long}'>{folders}{feeds}").as_bytes()).unwrap();
        assert_eq!(list.feeds.len(), 3_000);
        let names = |feed: &OpmlFeed| feed.folders.iter().map(|name| name.chars().count()).collect::<Vec<_>>();
        assert!(list.feeds.iter().all(|feed| names(feed) == [200, "Europe".len()] || feed.folders[1] == "Asia"));
    }
}
