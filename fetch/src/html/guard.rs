//! Limits on the tags of a page, checked in one pass before a tree is built. Unbounded nesting or attributes stall every tree
//! builder, or overflow its stack. Scripts, styles and comments are removed on the way: they are half of many pages.

use crate::{config::ParseConfig, refusal::Refusal, text::is_listed};
use domain::fetch::RejectReason::TooComplex;
use std::borrow::Cow;

/// Elements that contain no others, or end implicitly.
const FLAT: [&str; 32] = [
    "area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "param", "source", "track", "wbr", "p", "li",
    "dt", "dd", "tr", "td", "th", "thead", "tbody", "tfoot", "option", "optgroup", "html", "head", "body", "rt", "rp",
    "colgroup",
];
/// Raw-text elements, outside SVG and MathML.
const RAW: [&str; 8] = ["script", "style", "textarea", "title", "iframe", "noembed", "noframes", "xmp"];
/// HTML elements that end a surrounding SVG or MathML, and may have content even if self-closed.
const BREAK_OUT: &str = "b, big, blockquote, center, code, div, dl, em, font, h1, h2, h3, h4, h5, h6, i, listing, menu, nobr, ol, pre, \
    ruby, s, small, span, strong, strike, sub, sup, table, tt, u, ul";
/// Open elements that an end tag is compared with.
const LOOK_BACK: usize = 64;

/// Rejects a page that exceeds the limits; otherwise returns it without invisible content.
pub(super) fn check<'a>(source: &'a str, limits: &ParseConfig) -> Result<Cow<'a, str>, Refusal> {
    let mut scan = Scan { source, at: 0, kept: String::new(), copied: 0 };
    let mut open: Vec<u64> = Vec::new();
    let mut elements = 0;
    let mut foreign = 0usize;
    while let Some(tag) = scan.next_tag() {
        let hash = tag.hash();
        let is_foreign_root = tag.is("svg") || tag.is("math");
        if tag.is_end {
            if let Some(back) = open.iter().rev().take(LOOK_BACK).position(|other| *other == hash) {
                open.truncate(open.len() - back - 1);
                foreign = foreign.saturating_sub(usize::from(is_foreign_root));
            }
            continue;
        }
        elements += 1;
        if tag.attributes > limits.max_html_attributes {
            return Err(too_complex("attributes on one element", limits.max_html_attributes, "max_html_attributes"));
        }
        if elements > limits.max_html_elements {
            return Err(too_complex("elements", limits.max_html_elements, "max_html_elements"));
        }
        let is_closed = foreign > 0 && tag.closes_itself && !is_listed(BREAK_OUT, tag.name);
        if is_closed || FLAT.iter().any(|name| tag.is(name)) {
            continue;
        }
        open.push(hash);
        foreign += usize::from(is_foreign_root);
        if open.len() > limits.max_html_depth {
            return Err(too_complex("elements inside one another", limits.max_html_depth, "max_html_depth"));
        }
        if let Some(raw) = RAW.iter().find(|name| foreign == 0 && tag.is(name)) {
            let is_seen = !matches!(*raw, "script" | "style") || tag.is_data;
            let from = scan.at;
            scan.skip_raw(raw);
            // A script that contains `<!--` may continue beyond its apparent end.
            if !is_seen && !source[from..scan.at].contains("<!--") {
                scan.drop_range(from, scan.at);
            }
        }
    }
    Ok(scan.rest())
}

fn too_complex(what: &str, limit: usize, setting: &str) -> Refusal {
    let message = format!(
        "This page has more than {limit} {what}, which no document needs; save its text, or raise `fetch.parse.{setting}`."
    );
    Refusal::new(TooComplex, message)
}

struct Tag<'a> {
    name: &'a str,
    is_end: bool,
    closes_itself: bool,
    attributes: usize,
    /// Whether it declares JSON-LD.
    is_data: bool,
}

impl Tag<'_> {
    fn is(&self, name: &str) -> bool {
        self.name.eq_ignore_ascii_case(name)
    }

    /// FNV-1a hash of the lower-case name.
    fn hash(&self) -> u64 {
        self.name.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
            (hash ^ u64::from(byte.to_ascii_lowercase())).wrapping_mul(0x100_0000_01b3)
        })
    }
}

/// Tokenizer state within a tag, after its name.
#[derive(Clone, Copy)]
enum TagState {
    Between,
    Name,
    AfterName,
    BeforeValue,
    /// Unquoted value.
    Value,
}

struct Scan<'a> {
    source: &'a str,
    at: usize,
    /// Output for the source up to `copied`.
    kept: String,
    copied: usize,
}

impl<'a> Scan<'a> {
    fn next_tag(&mut self) -> Option<Tag<'a>> {
        loop {
            let rest = self.source.get(self.at..)?;
            self.at += rest.find('<')? + 1;
            let rest = &self.source[self.at..];
            if let Some(comment) = rest.strip_prefix("!--") {
                let from = self.at - 1;
                let end = comment.find("-->");
                self.at += end.map_or(rest.len(), |end| end + 6);
                // A comment with an unusual end is left to the tree builder.
                let is_plain = |end: usize| !comment.starts_with(['>', '-']) && !comment[..end].contains("--!>");
                if end.is_some_and(is_plain) {
                    self.drop_range(from, self.at);
                }
                continue;
            }
            let is_end = rest.starts_with('/');
            let from = self.at + usize::from(is_end);
            let name = &self.source[from..];
            if !name.starts_with(|c: char| c.is_ascii_alphabetic()) {
                // A bogus comment, in which tags and quotes have no meaning.
                if is_end || name.starts_with(['!', '?']) {
                    self.at = name.find('>').map_or(self.source.len(), |end| from + end + 1);
                }
                continue;
            }
            let length = name.find(|c: char| c.is_whitespace() || c == '/' || c == '>').unwrap_or(name.len());
            self.at = from + length;
            let (attributes, closes_itself) = self.attributes();
            let is_data = name[..self.at - from].contains("ld+json");
            return Some(Tag { name: &name[..length], is_end, closes_itself, attributes, is_data });
        }
    }

    fn drop_range(&mut self, from: usize, to: usize) {
        self.kept.push_str(&self.source[self.copied..from]);
        self.copied = to;
    }

    /// The source without the removed ranges.
    fn rest(mut self) -> Cow<'a, str> {
        if self.copied == 0 {
            return Cow::Borrowed(self.source);
        }
        self.kept.push_str(&self.source[self.copied..]);
        Cow::Owned(self.kept)
    }

    /// Number of attributes up to the end of the tag, tokenized as HTML, and whether the tag is self-closing.
    fn attributes(&mut self) -> (usize, bool) {
        let bytes = self.source.as_bytes();
        let (mut count, mut state, mut closes_itself) = (0, TagState::Between, false);
        while let Some(&byte) = bytes.get(self.at) {
            self.at += 1;
            if byte == b'>' {
                return (count, closes_itself);
            }
            let is_space = byte.is_ascii_whitespace();
            let is_slash = byte == b'/' && !matches!(state, TagState::BeforeValue | TagState::Value);
            closes_itself = is_slash;
            state = match (state, byte) {
                (TagState::BeforeValue, b'"' | b'\'') => {
                    let rest = &bytes[self.at..];
                    self.at += rest.iter().position(|other| *other == byte).map_or(rest.len(), |end| end + 1);
                    TagState::Between
                }
                (TagState::BeforeValue, _) if is_space => TagState::BeforeValue,
                (TagState::BeforeValue, _) => TagState::Value,
                (TagState::Value, _) if !is_space => TagState::Value,
                (TagState::Name | TagState::AfterName, b'=') => TagState::BeforeValue,
                (TagState::Name | TagState::AfterName, _) if is_space => TagState::AfterName,
                _ if is_space || is_slash => TagState::Between,
                (TagState::Name, _) => TagState::Name,
                _ => {
                    count += 1;
                    TagState::Name
                }
            };
        }
        (count, false)
    }

    /// Skips to the end tag of a raw-text element.
    fn skip_raw(&mut self, name: &str) {
        while let Some(end) = self.source[self.at..].find("</") {
            self.at += end;
            let after = &self.source.as_bytes()[self.at + 2..];
            if after.get(..name.len()).is_some_and(|found| found.eq_ignore_ascii_case(name.as_bytes())) {
                return;
            }
            self.at += 2;
        }
        self.at = self.source.len();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn verdict(source: &str) -> bool {
        check(source, &ParseConfig::default()).is_ok()
    }

    #[test]
    fn ordinary_pages_pass() {
        let list = "<p>a <b class='x' id=y>b</b><br><img src='>'/>".repeat(5_000);
        assert!(verdict(&format!("<!doctype html><html><body><!-- <b><b> -->{list}</body></html>")));
        assert!(verdict(&"<li>one<td>two<p>three".repeat(10_000)));
        assert!(verdict(&format!("<script>{}</script>", "if (a<b) '<b>';".repeat(10_000))));
        assert!(verdict(&format!("<svg>{}</svg>", "<path d='M0 0'/>".repeat(10_000))));
        assert!(verdict(&"<a href=/b/c=\"d title = 'e>f' g/>h</a><iframe><b></iframe><xmp><i></xmp>".repeat(5_000)));
    }

    #[test]
    fn invisible_content_is_removed_and_the_rest_stays() {
        let table = [
            ("<p>a<!-- b --><b>c</b></p>", "<p>a<b>c</b></p>"),
            ("<SCRIPT src=x>if (a < b) '</p>'</SCRIPT>a<style>b</style>", "<SCRIPT src=x></SCRIPT>a<style></style>"),
            ("<script type='application/ld+json'>{}</script>", "<script type='application/ld+json'>{}</script>"),
            ("<script>\"<!--<script></script>\"</script>", "<script>\"<!--<script></script>\"</script>"),
            ("<!-->a--> b <!-- c --!> d -->", "<!-->a--> b <!-- c --!> d -->"),
            (
                "<title><!-- a --></title><textarea><script>b</script></textarea>",
                "<title><!-- a --></title><textarea><script>b</script></textarea>",
            ),
            ("a <!-- b", "a <!-- b"),
            ("<script>a", "<script>"),
        ];
        for (source, expected) in table {
            assert_eq!(check(source, &ParseConfig::default()).unwrap(), expected);
        }
    }

    #[test]
    fn floods_are_refused() {
        assert!(!verdict(&"<b>".repeat(20_000)));
        assert!(!verdict(&"<div>".repeat(200_000)));
        assert!(!verdict(&"<div></b>".repeat(20_000)));
        assert!(!verdict(&"<div/>".repeat(20_000)));
        let attributes: String = (0..200_000).map(|n| format!(" a{n}=1")).collect();
        assert!(!verdict(&format!("<p{attributes}>x</p>")));
        assert!(!verdict(&"<p>".repeat(400_000)));
        let deep = "<b>".repeat(20_000);
        for hidden in ["<a x=b=\"", "<a x= y=\"", "<? <p a=\">", "<!x <p a=\">", "</ <p a=\">", "<svg><title>", "<svg><style>"]
        {
            assert!(!verdict(&format!("{hidden}>{deep}")), "{hidden}");
        }
        assert!(!verdict(&format!("<svg>{}</svg>", "<div/>".repeat(20_000))));
    }
}
