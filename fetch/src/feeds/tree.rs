//! Lenient XML tree, which never fails: unmatched end tags are ignored, and open elements end with the text.
//!
//! Invariant: elements are stored flat and refer to their parent by index, so that nesting cannot exhaust the stack.

use super::entities;
use std::{collections::HashMap, ops::Range};

/// Open elements that an end tag is compared with.
const MAX_UNCLOSED_SCAN: usize = 64;

/// Known namespaces and their canonical prefixes; empty for the feed formats themselves.
const NAMESPACES: [(&str, &str); 18] = [
    ("http://www.w3.org/2005/atom", ""),
    ("http://purl.org/atom/ns#", ""),
    ("http://purl.org/rss/1.0/", ""),
    ("http://purl.org/net/rss1.1#", ""),
    ("http://my.netscape.com/rdf/simple/0.9/", ""),
    ("http://channel.netscape.com/rdf/simple/0.9/", ""),
    ("http://backend.userland.com/rss", ""),
    ("http://backend.userland.com/rss2", ""),
    ("http://blogs.law.harvard.edu/tech/rss", ""),
    ("http://purl.org/dc/elements/1.1/", "dc"),
    ("http://purl.org/dc/terms/", "dcterms"),
    ("http://purl.org/rss/1.0/modules/content/", "content"),
    ("http://search.yahoo.com/mrss/", "media"),
    ("http://search.yahoo.com/mrss", "media"),
    ("http://www.itunes.com/dtds/podcast-1.0.dtd", "itunes"),
    ("http://www.w3.org/1999/xhtml", "xhtml"),
    ("http://www.w3.org/1999/02/22-rdf-syntax-ns#", "rdf"),
    ("http://www.w3.org/xml/1998/namespace", "xml"),
];

#[derive(Debug)]
pub(super) struct Element<'a> {
    /// Local name in lower case with its canonical prefix: `pubdate`, `dc:date`.
    pub name: String,
    attributes: &'a str,
    pub parent: Option<usize>,
    /// Range between the start and end tags.
    pub inner: Range<usize>,
    pub holds_markup: bool,
    pub holds_cdata: bool,
}

/// Elements in the order of their start tags.
#[derive(Debug, Default)]
pub(super) struct Tree<'a> {
    pub source: &'a str,
    pub elements: Vec<Element<'a>>,
    /// Whether the text was not well-formed.
    pub is_mended: bool,
    prefixes: HashMap<String, &'static str>,
}

impl<'a> Tree<'a> {
    /// Parses at most `max_elements`; the rest is ignored.
    pub fn build(source: &'a str, max_elements: usize) -> Self {
        let mut tree = Self { source, ..Self::default() };
        let mut open: Vec<usize> = Vec::new();
        let mut at = 0;
        while let Some(found) = source[at..].find('<') {
            let start = at + found;
            let rest = &source[start..];
            at = match rest.as_bytes().get(1) {
                Some(b'!') => tree.declaration(start, open.last().copied()),
                Some(b'?') => end_of(source, start, "?>").unwrap_or_else(|| end_of(source, start, ">").unwrap_or(source.len())),
                Some(b'/') => tree.end_tag(start, &mut open),
                Some(c) if c.is_ascii_alphabetic() || *c == b'_' || *c >= 0x80 => {
                    if tree.elements.len() >= max_elements {
                        tree.is_mended = true;
                        break;
                    }
                    tree.start_tag(start, &mut open)
                }
                _ => {
                    tree.is_mended = true;
                    start + 1
                }
            };
        }
        tree.is_mended |= !open.is_empty();
        for left in open {
            tree.elements[left].inner.end = source.len();
        }
        tree
    }

    /// Skips a comment, CDATA section or document type and returns its end.
    fn declaration(&mut self, start: usize, parent: Option<usize>) -> usize {
        let source = self.source;
        let rest = &source[start..];
        if rest.starts_with("<!--") {
            return end_of(source, start, "-->").unwrap_or(source.len());
        }
        if rest.starts_with("<![CDATA[") {
            if let Some(parent) = parent {
                self.elements[parent].holds_cdata = true;
            }
            return end_of(source, start, "]]>").unwrap_or_else(|| {
                self.is_mended = true;
                source.len()
            });
        }
        let end = end_of(source, start, ">").unwrap_or(source.len());
        match source[start..end].contains('[') {
            true => end_of(source, start, "]>").unwrap_or(end),
            false => end,
        }
    }

    fn start_tag(&mut self, start: usize, open: &mut Vec<usize>) -> usize {
        let source = self.source;
        let end = tag_end(source, start);
        let inside = source[start + 1..end].trim_end_matches('>');
        let is_empty = inside.ends_with('/');
        let inside = inside.trim_end_matches('/');
        let name_end = inside.find(|c: char| c.is_whitespace()).unwrap_or(inside.len());
        let attributes = &inside[name_end..];
        self.register_prefixes(attributes);
        let parent = open.last().copied();
        if let Some(parent) = parent {
            self.elements[parent].holds_markup = true;
        }
        let name = self.full_name(&inside[..name_end]);
        self.elements.push(Element { name, attributes, parent, inner: end..end, holds_markup: false, holds_cdata: false });
        if !is_empty {
            open.push(self.elements.len() - 1);
        }
        end
    }

    fn end_tag(&mut self, start: usize, open: &mut Vec<usize>) -> usize {
        let source = self.source;
        let end = end_of(source, start, ">").unwrap_or(source.len());
        let name = self.full_name(source[start + 2..end].trim_end_matches('>').trim());
        match open.iter().rev().take(MAX_UNCLOSED_SCAN).position(|element| self.elements[*element].name == name) {
            Some(back) => {
                self.is_mended |= back > 0;
                for closed in open.drain(open.len() - back - 1..) {
                    self.elements[closed].inner.end = start;
                }
            }
            None => self.is_mended = true,
        }
        end
    }

    /// Registers namespace prefixes for the whole text: feeds do not rebind them.
    fn register_prefixes(&mut self, attributes: &str) {
        if !attributes.contains("xmlns:") {
            return;
        }
        for (name, value) in Attributes(attributes) {
            if let Some(prefix) = name.strip_prefix("xmlns:") {
                let uri = value.trim().to_lowercase();
                if let Some((_, known)) = NAMESPACES.iter().find(|(namespace, _)| *namespace == uri) {
                    self.prefixes.entry(prefix.to_lowercase()).or_insert(known);
                }
            }
        }
    }

    fn full_name(&self, name: &str) -> String {
        let name = name.to_lowercase();
        let Some((prefix, local)) = name.split_once(':') else { return name };
        match self.prefixes.get(prefix).copied().unwrap_or(if prefix == "atom" || prefix == "rss" { "" } else { prefix }) {
            "" => local.to_owned(),
            prefix => format!("{prefix}:{local}"),
        }
    }

    /// Value of an attribute by its name in lower case.
    pub fn attribute(&self, element: usize, name: &str) -> Option<String> {
        let found = Attributes(self.elements[element].attributes).find(|(other, _)| other.eq_ignore_ascii_case(name));
        found.map(|(_, value)| entities::decode(value.trim()))
    }

    /// Indexes of the children, in order.
    pub fn children(&self, parent: usize) -> impl Iterator<Item = usize> {
        let after = self.elements[parent].inner.end;
        let last = self.elements.partition_point(|element| element.inner.start <= after);
        (parent + 1..last).filter(move |child| self.elements[*child].parent == Some(parent))
    }

    pub fn ancestors(&self, element: usize) -> impl Iterator<Item = usize> {
        std::iter::successors(Some(element), |element| self.elements[*element].parent)
    }

    /// Content of an element with references decoded and CDATA unwrapped. Markup is kept.
    pub fn value(&self, element: usize) -> String {
        let element = &self.elements[element];
        let inner = &self.source[element.inner.clone()];
        if element.holds_markup && !element.holds_cdata {
            return inner.to_owned();
        }
        let mut value = String::new();
        let mut rest = inner;
        while let Some(at) = rest.find("<!") {
            value.push_str(&entities::decode(&rest[..at]));
            let (mark, end) = if rest[at..].starts_with("<![CDATA[") { ("<![CDATA[", "]]>") } else { ("<!--", "-->") };
            let body = rest[at..].strip_prefix(mark).unwrap_or_default();
            let (body, after) = body.split_once(end).unwrap_or((body, ""));
            if end == "]]>" {
                value.push_str(body);
            }
            rest = after;
        }
        value.push_str(&entities::decode(rest));
        value
    }
}

/// End of the first `mark` after `start`.
fn end_of(source: &str, start: usize, mark: &str) -> Option<usize> {
    source[start..].find(mark).map(|at| start + at + mark.len())
}

/// End of a start tag: the first `>` outside quotes, or the next `<` if a quote is unclosed.
fn tag_end(source: &str, start: usize) -> usize {
    let mut quote = None;
    for (at, byte) in source.bytes().enumerate().skip(start + 1) {
        match (quote, byte) {
            (None, b'>') => return at + 1,
            (None, b'<') => return at,
            (None, b'"' | b'\'') => quote = Some(byte),
            (Some(open), byte) if open == byte => quote = None,
            _ => {}
        }
    }
    source[start..].find('>').map_or(source.len(), |at| start + at + 1)
}

/// Names and raw values of the attributes of a tag.
struct Attributes<'a>(&'a str);

impl<'a> Iterator for Attributes<'a> {
    type Item = (&'a str, &'a str);

    fn next(&mut self) -> Option<Self::Item> {
        let (name, rest) = self.0.split_once('=')?;
        let name = name.rsplit(char::is_whitespace).find(|name| !name.is_empty()).unwrap_or_default();
        let rest = rest.trim_start();
        let (value, rest) = match rest.chars().next() {
            Some(quote @ ('"' | '\'')) => rest[1..].split_once(quote).unwrap_or((&rest[1..], "")),
            _ => rest.split_at(rest.find(char::is_whitespace).unwrap_or(rest.len())),
        };
        self.0 = rest;
        Some((name, value))
    }
}
