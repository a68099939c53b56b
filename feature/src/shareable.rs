//! Objects that people share by public links: the port between the crate that keeps the links, and the kernel and features whose
//! objects are shared.
//!
//! Invariant: a shared object names no file, and gives no title of a document that is not a public web page.

mod assessment;
mod comparison;
mod graph_view;

use crate::Web;
use domain::{assessment::Marker, user::User};
use engine::StoreResult;
use futures::future::BoxFuture;
use std::collections::{BTreeSet, HashMap};

/// Kinds of the kernel.
pub const KERNEL_KINDS: &[ShareableKind] = &[assessment::KIND, comparison::KIND, graph_view::KIND];

/// Letters of the shortest file name that is hidden inside texts. Shorter ones, and those of letters alone, are words.
const MIN_HIDDEN_LETTERS: usize = 5;
/// Name of a document that is not a public web page and has no outlet.
pub const PRIVATE_DOCUMENT: &str = "a private document";

/// Fact about an object of the sample, which is invented.
pub const SAMPLE: &str = "Sample, invented";

/// Kind of object that people share by a link.
#[derive(Clone, Copy)]
pub struct ShareableKind {
    /// Word in the store and in addresses, unlike those of other kinds.
    pub key: &'static str,
    /// Name for people: `assessment`.
    pub name: &'static str,
    /// Returns the object of a reference as the person reads it now; none unless they read all documents that it cites.
    pub load: fn(Web, User, String) -> LoadedObject,
    /// Returns title and address of those objects that `load` returns, by their references, for the person's list of links.
    pub titles: fn(Web, User, Vec<String>) -> LoadedTitles,
}

/// Shared object on its way.
pub type LoadedObject = BoxFuture<'static, StoreResult<Option<SharedObject>>>;

/// Titles of shared objects by their references, on their way.
pub type LoadedTitles = BoxFuture<'static, StoreResult<HashMap<String, SharedTitle>>>;

/// Title of a shared object, for the person who shares it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SharedTitle {
    pub title: String,
    /// Address of its page for people with an account.
    pub href: String,
}

/// Content of the page of a shared object, as plain text. `[n]` in a text leads to the source with that marker.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SharedObject {
    /// Address of its page for people with an account.
    pub href: String,
    /// Question or title.
    pub title: String,
    /// Short facts about it: `Answered: No, 75 %`.
    pub facts: Vec<String>,
    /// The answer, or the statement.
    pub finding: String,
    pub bars: Vec<SharedBar>,
    pub sections: Vec<SharedSection>,
    pub graph: Option<SharedGraph>,
    pub table: Option<SharedTable>,
    pub sources: Vec<SharedSource>,
    /// Origin of the content: model, number of sources, dates.
    pub method: String,
    /// Whether finding and sections consist of quotations, which a link without quotations leaves out.
    pub is_quoted: bool,
}

/// Share of an answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SharedBar {
    pub label: String,
    pub percent: u32,
}

/// Section with a heading.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SharedSection {
    pub heading: &'static str,
    pub lines: Vec<String>,
}

/// Picture of a graph above the table.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SharedGraph {
    pub nodes: Vec<SharedNode>,
    /// Places of the two ends of each line in `nodes`.
    pub edges: Vec<(usize, usize)>,
}

/// Entity in a picture.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SharedNode {
    pub label: String,
    /// Place in the picture, each from 0 to 1000.
    pub x: u32,
    pub y: u32,
}

/// Table below the sections.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SharedTable {
    pub caption: &'static str,
    pub heads: Vec<&'static str>,
    /// Rows, each with as many cells as `heads`.
    pub rows: Vec<Vec<String>>,
}

/// Source that a text names by its marker.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SharedSource {
    pub marker: Marker,
    /// Outlet or host.
    pub name: String,
    /// Title of a public page.
    pub title: Option<String>,
    /// Address of a public page.
    pub href: Option<String>,
    /// Day of its publication, in words.
    pub published: Option<String>,
    pub quote: String,
}

impl SharedObject {
    /// Returns the object with the names of private documents hidden in every text.
    #[must_use]
    pub fn without_names(mut self, names: &PrivateNames) -> Self {
        let mut texts: Vec<&mut String> = vec![&mut self.title, &mut self.finding, &mut self.method];
        texts.extend(&mut self.facts);
        texts.extend(self.bars.iter_mut().map(|bar| &mut bar.label));
        texts.extend(self.sections.iter_mut().flat_map(|section| &mut section.lines));
        texts.extend(self.graph.iter_mut().flat_map(|graph| graph.nodes.iter_mut().map(|node| &mut node.label)));
        texts.extend(self.table.iter_mut().flat_map(|table| table.rows.iter_mut().flatten()));
        texts.extend(self.sources.iter_mut().map(|source| &mut source.quote));
        texts.into_iter().for_each(|text| *text = names.hide(text));
        self
    }
}

impl SharedSource {
    /// A source without its quotation and date, by the outlet and the path of its document.
    pub fn new(marker: Marker, outlet: Option<&str>, path: &str, title: &str) -> Self {
        let outlet = outlet.filter(|outlet| !outlet.trim().is_empty());
        let is_public = is_public(path);
        let name = match outlet.is_some() || is_public {
            true => domain::document::source_name(outlet, path).to_owned(),
            false => PRIVATE_DOCUMENT.to_owned(),
        };
        Self {
            marker,
            name,
            title: is_public.then(|| title.to_owned()),
            href: is_public.then(|| path.to_owned()),
            published: None,
            quote: String::new(),
        }
    }
}

/// Returns whether the path of a document is that of a web page.
fn is_public(path: &str) -> bool {
    domain::document::host(path).is_some()
}

/// Names of files, which shared texts do not repeat. Titles are not among them: they are often the first sentence of a text.
#[derive(Debug, Clone, Default)]
pub struct PrivateNames(BTreeSet<String>);

impl PrivateNames {
    /// Adds the names of a document, unless it is a public web page.
    pub fn add(&mut self, path: &str) {
        if is_public(path) {
            return;
        }
        let file = path.rsplit(['/', '\\']).next().unwrap_or_default();
        let stem = file.rsplit_once('.').map_or(file, |(stem, _)| stem);
        let is_name = |name: &&str| name.chars().count() >= MIN_HIDDEN_LETTERS && !name.chars().all(char::is_alphabetic);
        self.0.extend([path, file, stem].into_iter().filter(is_name).map(str::to_owned));
    }

    /// Returns a text in which no name stands, the longest replaced first.
    pub fn hide(&self, text: &str) -> String {
        let mut names: Vec<&String> = self.0.iter().filter(|name| text.contains(name.as_str())).collect();
        names.sort_by_key(|name| std::cmp::Reverse(name.len()));
        names.into_iter().fold(text.to_owned(), |text, name| text.replace(name.as_str(), PRIVATE_DOCUMENT))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_files_are_hidden_and_web_pages_are_named() {
        let mut names = PrivateNames::default();
        ["inbox/memo-to-bob.txt", "report.txt", "https://news.example/lock"].into_iter().for_each(|path| names.add(path));
        let text = "Bob (inbox/memo-to-bob.txt, memo-to-bob): see report.txt, a report of news.example/lock [1]";
        let hidden = "Bob (a private document, a private document): see a private document, a report of news.example/lock [1]";
        assert_eq!(names.hide(text), hidden);
        let shared = SharedObject { finding: "As memo-to-bob.txt says.".into(), ..SharedObject::default() };
        assert_eq!(shared.without_names(&names).finding, "As a private document says.");

        let file = SharedSource::new(1, None, "inbox/memo-to-bob.txt", "Memo");
        assert_eq!((file.name.as_str(), file.title, file.href), (PRIVATE_DOCUMENT, None, None));
        let page = SharedSource::new(2, None, "https://news.example/lock", "The lock");
        assert_eq!((page.name.as_str(), page.title.as_deref()), ("news.example", Some("The lock")));
        assert_eq!(SharedSource::new(3, Some("Coast Gazette"), "a.txt", "x").name, "Coast Gazette");
    }
}
