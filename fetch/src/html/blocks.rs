//! A tree as plain text: one paragraph per block, a blank line between them, headings and list items kept.

use crate::config::ParseConfig;
use dom_query::{Document, NodeData, NodeRef};

/// Never text for a reader.
const SKIPPED: [&str; 18] = [
    "script", "style", "noscript", "template", "iframe", "svg", "math", "canvas", "object", "embed", "button", "select",
    "input", "textarea", "head", "audio", "video", "dialog",
];
/// Around the content of a page, not in it.
const AROUND: [&str; 4] = ["nav", "footer", "aside", "form"];
const BLOCKS: [&str; 38] = [
    "address", "article", "aside", "blockquote", "body", "center", "dd", "details", "div", "dl", "dt", "fieldset",
    "figcaption", "figure", "footer", "form", "h1", "h2", "h3", "h4", "h5", "h6", "header", "hr", "html", "li", "main",
    "nav", "ol", "p", "pre", "section", "summary", "table", "tr", "ul", "caption", "option",
];

/// Plain paragraphs and what was met on the way.
#[derive(Debug, Default)]
pub(crate) struct Blocks {
    pub text: String,
    pub links: Vec<String>,
    pub first_heading: Option<String>,
}

/// The whole body but for what surrounds the content.
pub(super) fn of_body(document: &Document, limits: &ParseConfig) -> Blocks {
    let root = document.body().unwrap_or_else(|| document.root());
    of_node(&root, limits)
}

pub(super) fn of_node(root: &NodeRef<'_>, limits: &ParseConfig) -> Blocks {
    let mut writer = Writer { blocks: Blocks::default(), line: String::new(), max_links: limits.max_links };
    writer.children(root, false);
    writer.end_block();
    writer.blocks
}

struct Writer {
    blocks: Blocks,
    line: String,
    max_links: usize,
}

impl Writer {
    fn children(&mut self, node: &NodeRef<'_>, is_pre: bool) {
        for child in node.children_it(false) {
            self.node(&child, is_pre);
        }
    }

    fn node(&mut self, node: &NodeRef<'_>, is_pre: bool) {
        if node.is_text() {
            let text = node.query_or(String::new(), |inner| match &inner.data {
                NodeData::Text { contents } => contents.to_string(),
                _ => String::new(),
            });
            return self.words(&text, is_pre);
        }
        let Some(name) = node.node_name() else { return };
        let name: &str = &name;
        if SKIPPED.contains(&name) || AROUND.contains(&name) || is_hidden(node) {
            return;
        }
        match name {
            "br" => self.line.push('\n'),
            "td" | "th" => {
                if !self.line.is_empty() && !self.line.ends_with(['\n', ' ']) {
                    self.line.push_str(" | ");
                }
                self.children(node, is_pre);
            }
            _ if BLOCKS.contains(&name) => self.block(node, name, is_pre),
            _ => {
                if name == "a" {
                    self.link(node);
                }
                self.children(node, is_pre);
            }
        }
    }

    fn block(&mut self, node: &NodeRef<'_>, name: &str, is_pre: bool) {
        self.end_block();
        let start = self.blocks.text.len();
        self.children(node, is_pre || name == "pre");
        self.end_block();
        if matches!(name, "h1" | "h2") && self.blocks.first_heading.is_none() {
            let heading = self.blocks.text[start..].trim();
            self.blocks.first_heading = crate::text::tidy_title(heading);
        }
    }

    fn words(&mut self, text: &str, is_pre: bool) {
        if is_pre {
            return self.line.push_str(text);
        }
        for c in text.chars() {
            match c {
                ' ' | '\n' | '\t' | '\r' | '\u{c}' | '\u{a0}' => {
                    if !self.line.is_empty() && !self.line.ends_with([' ', '\n']) {
                        self.line.push(' ');
                    }
                }
                '\u{200b}' | '\u{ad}' | '\u{feff}' => {}
                _ => self.line.push(c),
            }
        }
    }

    /// Writes the line that was gathered as a paragraph; two line breaks in a row part paragraphs as well.
    fn end_block(&mut self) {
        let line = std::mem::take(&mut self.line);
        let mut last_was_empty = true;
        for piece in line.split('\n').map(str::trim_end) {
            if piece.trim().is_empty() {
                last_was_empty = true;
                continue;
            }
            if !self.blocks.text.is_empty() {
                self.blocks.text.push_str(if last_was_empty { "\n\n" } else { "\n" });
            }
            self.blocks.text.push_str(piece);
            last_was_empty = false;
        }
    }

    fn link(&mut self, node: &NodeRef<'_>) {
        let Some(address) = node.attr("href") else { return };
        let address = address.trim();
        let is_web = address.starts_with("https://") || address.starts_with("http://");
        if is_web && self.blocks.links.len() < self.max_links && !self.blocks.links.iter().any(|other| other == address) {
            self.blocks.links.push(address.to_owned());
        }
    }
}

fn is_hidden(node: &NodeRef<'_>) -> bool {
    node.has_attr("hidden")
        || node.attr("aria-hidden").is_some_and(|value| value.as_ref() == "true")
        || node.attr("style").is_some_and(|style| style.replace(' ', "").contains("display:none"))
}
