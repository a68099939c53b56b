//! DOM to plain text: one paragraph per block, separated by blank lines, with headings and list items.

use super::tables;
use crate::{config::ParseConfig, links::Links, text::is_listed};
use dom_query::{Document, NodeData, NodeRef};
use domain::fetch::{Link, Table};
use std::collections::{HashMap, HashSet, VecDeque};
use url::Url;

/// Elements that never contain readable text.
const SKIPPED: &str = "script, style, noscript, template, iframe, svg, math, canvas, object, embed, button, select, input, textarea, \
    head, audio, video, dialog";
/// Text of a link that is looked at.
const MAX_LINK_TEXT_BYTES: usize = 1_000;
/// Elements around the content.
const SURROUNDINGS: [&str; 4] = ["nav", "footer", "aside", "form"];
const BLOCKS: &str = "address, article, aside, blockquote, body, center, dd, details, div, dl, dt, fieldset, figcaption, figure, \
    footer, form, h1, h2, h3, h4, h5, h6, header, hr, html, li, main, nav, ol, p, pre, section, summary, table, tr, \
    ul, caption, option";

/// Words in class names and ids of elements that are no article text.
const NOISE: &str = "ad, ads, advert, advertisement, breadcrumb, breadcrumbs, byline, caption, comments, copyright, credit, \
    disclaimer, newsletter, popular, promo, recirc, recommended, related, share, sharing, signup, slideshow, social, \
    subscribe, tags, timestamp, toolbar";
/// Share of letters in links, in percent, from which a block is only a pointer to other pages.
const LINK_PERCENT: usize = 80;
/// Words from which a repeated block is dropped wherever it stands.
const PARAGRAPH_WORDS: usize = 6;
/// Blocks within which a repeated one is dropped even if it is short.
const NEARBY_BLOCKS: usize = 8;
/// Repeats from which a short text without digits is a label.
const LABEL_REPEATS: usize = 4;
/// Length from which a block counts as text even without a full stop.
const LONG_BLOCK_CHARS: usize = 80;

/// Marks before a line of a quotation within quotations.
const MAX_QUOTE_MARKS: usize = 16;

/// Selection of text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum TextScope {
    /// All text except navigation and the like: for whole bodies.
    Everything,
    /// The same, with a `>` before each line of a quotation.
    Mail,
    /// Parts of a page whose surroundings are removed: all text, each paragraph once.
    Parts,
    /// Article text only: no captions, bylines, share bars or pointers.
    Article,
}

/// Plain paragraphs, with links, tables and first heading.
#[derive(Debug, Default)]
pub(crate) struct Blocks {
    pub text: String,
    pub links: Vec<Link>,
    pub tables: Vec<Table>,
    pub first_heading: Option<String>,
}

/// The whole body without its surroundings.
pub(super) fn body_text(document: &Document, base: Option<&Url>, limits: &ParseConfig) -> Blocks {
    scoped_text(document, TextScope::Everything, base, limits)
}

pub(super) fn scoped_text(document: &Document, scope: TextScope, base: Option<&Url>, limits: &ParseConfig) -> Blocks {
    let root = document.body().unwrap_or_else(|| document.root());
    node_text(&root, scope, base, limits)
}

/// Removes the elements that a browser does not show, and scripts with their data.
pub(super) fn remove_hidden(document: &Document) {
    let hidden: Vec<_> = document.root().descendants_it().filter(|node| is_hidden(node) || node.has_name("script")).collect();
    hidden.iter().for_each(NodeRef::remove_from_parent);
}

/// Joins the lines of each text, except in `pre`.
pub(super) fn join_lines(document: &Document) {
    let texts: Vec<_> = document.root().descendants_it().filter(|node| node.is_text() && !is_preformatted(node)).collect();
    for node in texts {
        node.update(|inner| {
            if let NodeData::Text { contents } = &mut inner.data
                && contents.contains(['\n', '\r'])
            {
                *contents = contents.replace(['\n', '\r'], " ").into();
            }
        });
    }
}

fn is_preformatted(text: &NodeRef<'_>) -> bool {
    text.parent().and_then(|parent| parent.node_name()).is_some_and(|name| matches!(&*name, "pre" | "code"))
}

/// Text whose lines are paragraphs: trimmed and separated by blank lines.
pub(super) fn paragraphs(text: &str) -> String {
    text.lines().map(str::trim).filter(|line| !line.is_empty()).collect::<Vec<_>>().join("\n\n")
}

pub(super) fn node_text(root: &NodeRef<'_>, scope: TextScope, base: Option<&Url>, limits: &ParseConfig) -> Blocks {
    nodes_text(std::slice::from_ref(root), scope, base, limits)
}

pub(super) fn nodes_text(roots: &[NodeRef<'_>], scope: TextScope, base: Option<&Url>, limits: &ParseConfig) -> Blocks {
    let mut writer = TextWriter::new(scope, base, limits);
    for root in roots {
        writer.children(root);
        writer.end_block(false);
    }
    match scope {
        TextScope::Everything | TextScope::Mail => {}
        TextScope::Parts => remove_repeats(&mut writer.blocks),
        TextScope::Article => prune(&mut writer.blocks),
    }
    let heading = writer.blocks.iter().find(|block| block.is_main_heading);
    Blocks {
        first_heading: heading.and_then(|block| crate::text::tidy_title(&block.text)),
        links: writer.links.into_list(),
        tables: writer.tables,
        text: writer.blocks.into_iter().map(|block| block.text).collect::<Vec<_>>().join("\n\n"),
    }
}

/// Removes pointers to other pages, then fragments before the first paragraph and empty headings at the end.
fn prune(blocks: &mut Vec<Block>) {
    blocks.retain(|block| !block.is_pointer());
    let opening = blocks.iter().position(|block| block.is_heading || block.is_sentence()).unwrap_or(0);
    blocks.drain(..opening);
    while blocks.last().is_some_and(|block| block.is_heading) && blocks.len() > 1 {
        blocks.pop();
    }
}

/// Removes what a page prints again for another size of screen, paragraphs anywhere and short texts nearby, and labels of many
/// cards, such as "Add to cart".
fn remove_repeats(blocks: &mut Vec<Block>) {
    let mut seen = HashSet::new();
    let mut recent = VecDeque::new();
    blocks.retain(|block| {
        if recent.contains(&block.text) || block.is_paragraph() && !seen.insert(block.text.clone()) {
            return false;
        }
        recent.push_back(block.text.clone());
        if recent.len() > NEARBY_BLOCKS {
            recent.pop_front();
        }
        true
    });
    let mut counts: HashMap<String, usize> = HashMap::new();
    for block in blocks.iter().filter(|block| block.may_be_label()) {
        *counts.entry(block.text.clone()).or_default() += 1;
    }
    blocks.retain(|block| counts.get(&block.text).is_none_or(|count| *count < LABEL_REPEATS));
}

#[derive(Debug, Default)]
struct Block {
    text: String,
    letters: usize,
    letters_in_links: usize,
    is_heading: bool,
    is_main_heading: bool,
}

impl Block {
    fn is_paragraph(&self) -> bool {
        self.text.split_whitespace().nth(PARAGRAPH_WORDS - 1).is_some()
    }

    fn may_be_label(&self) -> bool {
        !self.is_paragraph() && !self.text.contains(|c: char| c.is_ascii_digit())
    }

    fn is_pointer(&self) -> bool {
        self.letters_in_links * 100 >= self.letters * LINK_PERCENT && self.letters_in_links > 0
    }

    fn is_sentence(&self) -> bool {
        self.text.len() > LONG_BLOCK_CHARS || self.text.ends_with(['.', '!', '?', '”', '"', '…', ':', '。', '؟', '।'])
    }
}

struct TextWriter<'a> {
    scope: TextScope,
    limits: &'a ParseConfig,
    blocks: Vec<Block>,
    links: Links,
    tables: Vec<Table>,
    current: Block,
    heading: Option<bool>,
    link_depth: usize,
    pre_depth: usize,
    quote_depth: usize,
}

impl<'a> TextWriter<'a> {
    fn new(scope: TextScope, base: Option<&Url>, limits: &'a ParseConfig) -> Self {
        Self {
            scope,
            limits,
            blocks: Vec::new(),
            links: Links::new(base.cloned(), limits.max_links),
            tables: Vec::new(),
            current: Block::default(),
            heading: None,
            link_depth: 0,
            pre_depth: 0,
            quote_depth: 0,
        }
    }

    fn children(&mut self, node: &NodeRef<'_>) {
        for child in node.children_it(false) {
            self.node(&child);
        }
    }

    fn node(&mut self, node: &NodeRef<'_>) {
        if node.is_text() {
            return self.words(&own_text(node));
        }
        let Some(name) = node.node_name() else { return };
        let name: &str = &name;
        if is_skipped(node) || self.scope != TextScope::Parts && SURROUNDINGS.contains(&name) {
            return;
        }
        if self.scope == TextScope::Article && (name == "figcaption" || is_noise(node)) {
            return;
        }
        match name {
            "br" => self.current.text.push('\n'),
            "td" | "th" => {
                if !self.current.text.is_empty() && !self.current.text.ends_with(['\n', ' ']) {
                    self.current.text.push_str(" | ");
                }
                self.children(node);
            }
            "a" => self.link(node),
            _ if is_listed(BLOCKS, name) => self.block(node, name),
            _ => self.children(node),
        }
    }

    fn block(&mut self, node: &NodeRef<'_>, name: &str) {
        self.end_block(false);
        let is_heading = matches!(name, "h1" | "h2" | "h3" | "h4" | "h5" | "h6");
        let before = self.heading;
        if is_heading {
            self.heading = Some(matches!(name, "h1" | "h2"));
        }
        if name == "table" && self.tables.len() < self.limits.max_tables {
            self.tables.extend(tables::read(node, self.limits));
        }
        self.pre_depth += usize::from(name == "pre");
        self.quote_depth += usize::from(name == "blockquote");
        self.children(node);
        self.end_block(is_heading);
        self.quote_depth -= usize::from(name == "blockquote");
        self.pre_depth -= usize::from(name == "pre");
        self.heading = before;
    }

    fn words(&mut self, text: &str) {
        let letters = text.chars().filter(|c| c.is_alphanumeric()).count();
        self.current.letters += letters;
        self.current.letters_in_links += if self.link_depth > 0 { letters } else { 0 };
        let line = &mut self.current.text;
        if self.pre_depth > 0 {
            return line.push_str(text);
        }
        for c in text.chars() {
            match c {
                ' ' | '\n' | '\t' | '\r' | '\u{c}' | '\u{a0}' => {
                    if !line.is_empty() && !line.ends_with([' ', '\n']) {
                        line.push(' ');
                    }
                }
                '\u{200b}' | '\u{ad}' | '\u{feff}' => {}
                _ => line.push(c),
            }
        }
    }

    /// Ends the current block. Two consecutive line breaks separate paragraphs.
    fn end_block(&mut self, is_heading: bool) {
        let block = std::mem::take(&mut self.current);
        let mut text = String::with_capacity(block.text.len());
        let mut is_new_paragraph = false;
        for piece in block.text.split('\n').map(str::trim_end) {
            if piece.trim().is_empty() {
                is_new_paragraph = true;
                continue;
            }
            if !text.is_empty() {
                text.push_str(if is_new_paragraph { "\n\n" } else { "\n" });
            }
            text.push_str(if self.pre_depth > 0 { piece } else { piece.trim_start() });
            is_new_paragraph = false;
        }
        if self.scope == TextScope::Mail && self.quote_depth > 0 {
            let mark = ">".repeat(self.quote_depth.min(MAX_QUOTE_MARKS));
            text = text.lines().map(|line| format!("{mark} {line}")).collect::<Vec<_>>().join("\n");
        }
        if !text.is_empty() {
            let is_main_heading = is_heading && self.heading == Some(true);
            self.blocks.push(Block { text, is_heading, is_main_heading, ..block });
        }
    }

    fn link(&mut self, node: &NodeRef<'_>) {
        if let Some(address) = node.attr("href") {
            let mut words = String::new();
            collect_visible_text(node, &mut words);
            self.links.add(&address, &words);
        }
        self.link_depth += 1;
        self.children(node);
        self.link_depth -= 1;
    }
}

/// Returns the text of a text node.
fn own_text(node: &NodeRef<'_>) -> String {
    node.query_or(String::new(), |inner| match &inner.data {
        NodeData::Text { contents } => contents.to_string(),
        _ => String::new(),
    })
}

/// Collects the beginning of what a link shows, without hidden elements.
fn collect_visible_text(node: &NodeRef<'_>, text: &mut String) {
    for child in node.children_it(false) {
        if text.len() > MAX_LINK_TEXT_BYTES {
            return;
        }
        if child.is_text() {
            text.push_str(&own_text(&child));
        } else if !is_skipped(&child) {
            collect_visible_text(&child, text);
            text.push(' ');
        }
    }
}

fn is_noise(node: &NodeRef<'_>) -> bool {
    let names = [node.class(), node.id_attr()];
    names.iter().flatten().any(|names| names.split([' ', '-', '_']).any(|word| is_listed(NOISE, word)))
}

/// Whether an element never shows text.
pub(super) fn is_skipped(node: &NodeRef<'_>) -> bool {
    node.node_name().is_some_and(|name| is_listed(SKIPPED, &name)) || is_hidden(node)
}

/// Whether an attribute of an element hides it. Rules of style sheets are not known here. Some pages keep all that they show invisible
/// until their scripts run: an invisible element with the main heading is read.
pub(super) fn is_hidden(node: &NodeRef<'_>) -> bool {
    node.has_attr("hidden")
        || node.has_attr("popover")
        || node.attr("aria-hidden").is_some_and(|value| value.eq_ignore_ascii_case("true"))
        || node.attr("style").is_some_and(|style| {
            let style: String = style.split_whitespace().collect();
            let style = style.to_ascii_lowercase();
            style.contains("display:none") || style.contains("visibility:hidden") && !has_main_heading(node)
        })
}

fn has_main_heading(node: &NodeRef<'_>) -> bool {
    node.descendants_it().any(|inner| inner.node_name().is_some_and(|name| matches!(&*name, "h1" | "main")))
}
