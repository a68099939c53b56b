//! Fields of a feed and its items: mapping from elements, and text without markup.

use super::tree::Tree;
use crate::{config::ParseConfig, dates, html, links, text};
use domain::PublicationDate;
use url::Url;

/// Form of a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum TextForm {
    /// One line.
    Line,
    /// Paragraphs.
    Text,
}

/// Field access to a tree, with its base address and limits.
pub(super) struct FieldReader<'t, 'a> {
    pub tree: &'t Tree<'a>,
    address: Option<Url>,
    limits: &'t ParseConfig,
}

impl<'t, 'a> FieldReader<'t, 'a> {
    pub fn new(tree: &'t Tree<'a>, address: Option<&str>, limits: &'t ParseConfig) -> Self {
        Self { tree, address: address.and_then(|address| Url::parse(address).ok()), limits }
    }

    /// Children with one of the names, ordered by name priority.
    fn children_named(&self, parent: usize, names: &[&str]) -> Vec<usize> {
        let mut found: Vec<(usize, usize)> = self
            .tree
            .children(parent)
            .filter_map(|child| names.iter().position(|name| *name == self.tree.elements[child].name).map(|rank| (rank, child)))
            .collect();
        found.sort_unstable();
        found.into_iter().map(|(_, child)| child).collect()
    }

    /// First non-empty field, raw.
    pub fn plain(&self, parent: usize, names: &[&str]) -> Option<String> {
        let value = |child| Some(self.tree.value(child).trim().to_owned()).filter(|value: &String| !value.is_empty());
        self.children_named(parent, names).into_iter().find_map(value)
    }

    /// First field that has text, without markup.
    pub fn words(&self, parent: usize, names: &[&str], form: TextForm) -> Option<String> {
        self.children_named(parent, names).into_iter().find_map(|child| {
            let value = self.tree.value(child);
            let stated = self.tree.attribute(child, "type").unwrap_or_default();
            let mode = self.tree.attribute(child, "mode").unwrap_or_default();
            let is_plain =
                (stated == "text" || stated == "text/plain") && mode != "escaped" && !self.tree.elements[child].holds_markup;
            without_markup(&value, is_plain, form, self.limits)
        })
    }

    pub fn date(&self, parent: usize, names: &[&str]) -> Option<PublicationDate> {
        let read = |child| dates::parse_feed_date(&self.tree.value(child));
        self.children_named(parent, names).into_iter().find_map(read)
    }

    /// Address of an item, or of a feed's site.
    pub fn address(&self, parent: usize) -> Option<String> {
        let links = self.children_named(parent, &["link"]);
        let of_attribute = links.iter().filter_map(|link| {
            let rel = self.tree.attribute(*link, "rel").unwrap_or_else(|| "alternate".to_owned());
            let kind = self.tree.attribute(*link, "type").unwrap_or_default();
            let is_page = kind.is_empty() || kind.contains("html");
            let href = self.tree.attribute(*link, "href").filter(|_| rel == "alternate")?;
            Some((!is_page, self.absolute(*link, &href)?))
        });
        let of_attribute = of_attribute.min_by_key(|(is_other, _)| *is_other).map(|(_, address)| address);
        let of_text = || links.iter().find_map(|link| self.absolute(*link, self.tree.value(*link).trim()));
        let is_permanent =
            |guid: &usize| self.tree.attribute(*guid, "isPermaLink").is_none_or(|value| !value.eq_ignore_ascii_case("false"));
        let of_id = || {
            let ids = self.children_named(parent, &["guid", "id"]).into_iter().filter(is_permanent);
            ids.filter_map(|id| links::absolute(None, self.tree.value(id).trim())).next()
        };
        let of_element = || {
            let about = ["rdf:about", "href"].iter().find_map(|name| self.tree.attribute(parent, name))?;
            self.absolute(parent, &about)
        };
        of_attribute.or_else(of_text).or_else(of_id).or_else(of_element)
    }

    /// Authors of an item: names rather than e-mail addresses.
    pub fn byline(&self, item: usize) -> Option<String> {
        let authors = self.children_named(item, &["dc:creator", "author", "itunes:author", "dc:author"]);
        let mut names: Vec<String> = Vec::new();
        for author in authors {
            let value = self.plain(author, &["name"]).unwrap_or_else(|| self.tree.value(author));
            let name = without_markup(&value, false, TextForm::Line, self.limits).and_then(|name| person(&name));
            names.extend(name.filter(|name| !names.contains(name)));
        }
        (!names.is_empty()).then(|| names.join(", "))
    }

    /// Resolves an address against the enclosing `xml:base` values, which may be relative themselves.
    fn absolute(&self, element: usize, address: &str) -> Option<String> {
        let bases: Vec<String> =
            self.tree.ancestors(element).filter_map(|outer| self.tree.attribute(outer, "xml:base")).collect();
        let base = bases.iter().rev().fold(self.address.clone(), |base, stated| match &base {
            Some(outer) => outer.join(stated).ok().or(base),
            None => Url::parse(stated).ok(),
        });
        links::absolute(base.as_ref(), address)
    }
}

/// Plain text of a value; `None` if it is empty.
pub(super) fn without_markup(value: &str, is_plain: bool, form: TextForm, limits: &ParseConfig) -> Option<String> {
    let has_markup = !is_plain && value.contains(['<', '&']);
    let words = match has_markup {
        true => html::plain_text(value, None, limits).map(|blocks| blocks.text).unwrap_or_default(),
        false => value.to_owned(),
    };
    let words = text::without_controls(&words);
    let words = match form {
        TextForm::Line => words.split_whitespace().collect::<Vec<_>>().join(" "),
        TextForm::Text if has_markup => words.trim().to_owned(),
        TextForm::Text => paragraphs(&words),
    };
    (!words.is_empty()).then_some(words)
}

/// Removes indentation and keeps blank lines between paragraphs.
fn paragraphs(text: &str) -> String {
    let pieces = text.split("\n\n").map(|piece| piece.lines().map(str::trim).collect::<Vec<_>>().join("\n"));
    pieces.map(|piece| piece.trim().to_owned()).filter(|piece| !piece.is_empty()).collect::<Vec<_>>().join("\n\n")
}

/// Name in `ana@post.example (Ana Ruiz)` and `Ana Ruiz <ana@post.example>`.
fn person(text: &str) -> Option<String> {
    let text = text.trim();
    let name = match (text.split_once('('), text.split_once('<')) {
        (Some((mail, name)), _) if mail.contains('@') => name.trim_end_matches(')'),
        (_, Some((name, mail))) if mail.contains('@') && !name.trim().is_empty() => name,
        _ => text,
    };
    let name = name.trim();
    (!name.is_empty()).then(|| name.to_owned())
}
