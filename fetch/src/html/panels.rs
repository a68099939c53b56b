//! Panels that a page hides until a reader opens them: tabs, accordions, and parts that arrive after the page.

use super::blocks;
use dom_query::{Document, NodeRef};
use std::collections::HashSet;

/// Attributes with the ids of elements that a control opens.
const CONTROLS: [&str; 4] = ["aria-controls", "data-target", "data-bs-target", "href"];

/// Shows the hidden elements that a control of the page names, tab panels, and segments that React streams.
pub(super) fn show(document: &Document) {
    let mut opened = HashSet::new();
    let mut hidden = Vec::new();
    for node in document.root().descendants_it().filter(NodeRef::is_element) {
        for (key, value) in CONTROLS.iter().filter_map(|key| Some((key, node.attr(key)?))) {
            let ids = value.split_whitespace().map(|id| id.strip_prefix('#').or((*key == "aria-controls").then_some(id)));
            opened.extend(ids.flatten().map(str::to_owned));
        }
        if blocks::is_hidden(&node) {
            hidden.push(node);
        }
    }
    for node in hidden {
        let is_panel = node.attr("role").is_some_and(|role| &*role == "tabpanel");
        let is_opened = |id: &str| opened.contains(id) || id.starts_with("S:");
        if is_panel || node.id_attr().is_some_and(|id| is_opened(&id)) {
            node.remove_attrs(&["hidden", "aria-hidden", "style"]);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::ParseConfig;

    #[test]
    fn panels_are_shown_and_other_hidden_text_is_not() {
        let read = |body: &str| {
            let document = Document::from(format!("<html><body>{body}</body></html>"));
            show(&document);
            blocks::body_text(&document, None, &ParseConfig::default()).text
        };
        assert_eq!(read("<p aria-controls='a'>Weight</p><p id='a' hidden>Ten tons</p>"), "Weight\n\nTen tons");
        assert_eq!(read("<p><a href='#b'>Weight</a></p><p id='b' style='display: none'>Ten tons</p>"), "Weight\n\nTen tons");
        assert_eq!(read("<p role='tabpanel' aria-hidden='true'>Ten tons</p>"), "Ten tons");
        assert_eq!(read("<p hidden id='S:3'>Ten tons</p>"), "Ten tons");
        assert_eq!(read("<p>Weight</p><p hidden id='c'>Ten tons</p>"), "Weight");
    }
}
