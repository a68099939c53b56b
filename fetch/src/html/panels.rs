//! Panels that a page hides until a reader opens them: tabs, accordions, and parts that arrive after the page.
//!
//! Invariant: hidden text is read only if a reader can make it visible. Text that only programs read may be meant for models.

use super::blocks;
use dom_query::{Document, NodeRef};
use std::collections::{HashMap, HashSet};

/// Attributes in which a control names the panels that it opens.
const CONTROLS: [&str; 5] = ["aria-controls", "data-target", "data-bs-target", "popovertarget", "href"];

/// Shows hidden elements that a visible control of the page names, and segments that React streams to a visible place.
///
/// A control has a text or a picture. Controls in a panel count once the panel is shown.
pub(super) fn show(document: &Document) {
    let mut opened = HashSet::new();
    let mut closed: HashMap<String, Vec<NodeRef<'_>>> = HashMap::new();
    let mut waiting = vec![document.root()];
    while let Some(node) = waiting.pop() {
        if blocks::is_hidden(&node) {
            let keys = panel_keys(&node);
            if !keys.iter().any(|key| opened.contains(key)) {
                keys.into_iter().for_each(|key| closed.entry(key).or_default().push(node));
                continue;
            }
            node.remove_attrs(&["hidden", "aria-hidden", "style", "popover"]);
        }
        for key in opened_keys(&node) {
            waiting.extend(closed.remove(&key).into_iter().flatten());
            opened.insert(key);
        }
        waiting.extend(node.children_it(false).filter(NodeRef::is_element));
    }
}

/// Keys under which a control can open a hidden element: its id, and the tab that labels it.
fn panel_keys(panel: &NodeRef<'_>) -> Vec<String> {
    let is_panel = panel.attr("role").is_some_and(|role| &*role == "tabpanel");
    let labels = panel.attr("aria-labelledby").filter(|_| is_panel).unwrap_or_default();
    let tabs = labels.split_whitespace().map(tab_key);
    tabs.chain(panel.id_attr().map(|id| id.to_string())).collect()
}

/// Keys of the panels that an element opens.
fn opened_keys(node: &NodeRef<'_>) -> Vec<String> {
    let id = node.id_attr().unwrap_or_default();
    if node.has_name("template") {
        return id.strip_prefix("B:").map(|segment| format!("S:{segment}")).into_iter().collect();
    }
    let mut keys = Vec::new();
    if !id.is_empty() && node.attr("role").is_some_and(|role| &*role == "tab") {
        keys.push(tab_key(&id));
    }
    for (key, value) in CONTROLS.iter().filter_map(|key| Some((*key, node.attr(key)?))) {
        let is_bare = matches!(key, "aria-controls" | "popovertarget");
        if key != "href" || node.has_name("a") {
            let ids = value.split_whitespace().map(|id| id.strip_prefix('#').or(is_bare.then_some(id)));
            keys.extend(ids.flatten().map(str::to_owned));
        }
    }
    if keys.is_empty() || is_operable(node) { keys } else { Vec::new() }
}

fn tab_key(id: &str) -> String {
    format!("tab {id}")
}

/// Whether a reader sees a control.
fn is_operable(control: &NodeRef<'_>) -> bool {
    !control.text().trim().is_empty()
        || control.descendants_it().any(|node| node.node_name().is_some_and(|name| matches!(&*name, "img" | "svg")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::ParseConfig;

    fn read(body: &str) -> String {
        let document = Document::from(format!("<html><body>{body}</body></html>"));
        show(&document);
        blocks::body_text(&document, None, &ParseConfig::default()).text
    }

    #[test]
    fn panels_that_a_control_opens_are_shown() {
        for page in [
            "<p aria-controls='a'>Weight</p><p id='a' hidden>Ten tons</p>",
            "<p id='a' hidden>Ten tons</p><p aria-controls='b a'>Weight</p>",
            "<p><a href='#b'>Weight</a></p><p id='b' style='display: none'>Ten tons</p>",
            "<p id='t' role='tab'>Weight</p><p role='tabpanel' aria-labelledby='t' aria-hidden='true'>Ten tons</p>",
            "<p popovertarget='p'>Weight</p><p popover id='p'>Ten tons</p>",
            "<template id='B:3'></template><p hidden id='S:3'>Ten tons</p>",
            "<p aria-controls='a'>Weight</p><div hidden id='a'><p aria-controls='c'>More</p></div><p id='c' hidden>Ten tons</p>",
            "<details><summary>Weight</summary><p>Ten tons</p></details>",
            "<div style='visibility: hidden'><h1>Weight</h1><p>Ten tons</p></div>",
        ] {
            assert!(read(page).contains("Ten tons"), "{page}");
        }
    }

    #[test]
    fn hidden_text_that_no_reader_can_open_is_not_shown() {
        for page in [
            "<p>Weight</p><p hidden id='c'>Ten tons</p>",
            "<p>Weight</p><p style='display:none'>Ten tons</p>",
            "<p>Weight</p><p style='DISPLAY:\tNone'>Ten tons</p>",
            "<p>Weight</p><p style='visibility: hidden'>Ten tons</p>",
            "<p>Weight</p><p popover id='p'>Ten tons</p>",
            "<p>Weight</p><p role='tabpanel' hidden>Ten tons</p>",
            "<p>Weight</p><p role='tabpanel' id='a' aria-labelledby='none' hidden>Ten tons</p>",
            "<p>Weight</p><p hidden id='S:3'>Ten tons</p>",
            "<p hidden><a href='#a'>Weight</a></p><p id='a' hidden>Ten tons</p>",
            "<p><a href='#a'></a></p><p id='a' hidden>Ten tons</p>",
            "<p hidden id='a'><a href='#a'>Weight</a>Ten tons</p>",
            "<p aria-controls='a'>Weight</p><div hidden><p id='a'>Ten tons</p></div>",
            "<p aria-controls='a'>Weight</p><div id='a'><p hidden>Ten tons</p></div>",
            "<details hidden><summary>Weight</summary><p>Ten tons</p></details>",
        ] {
            assert!(!read(page).contains("Ten tons"), "{page}");
        }
    }
}
