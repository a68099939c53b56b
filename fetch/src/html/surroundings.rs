//! Elements around the content of a page, found by name, role and class: menus, banners, forms, notices.
//!
//! For pages that are no article: listings, products and threads have no running text by which an extractor could find their content.

use super::blocks::SKIPPED;
use crate::text::is_listed;
use dom_query::{Document, NodeData, NodeRef};

const ELEMENTS: &str = "nav, header, footer, aside, form";
const ROLES: &str = "navigation, banner, contentinfo, dialog, search, complementary";
/// Words in class names and ids.
const WORDS: &str = "nav, navbar, navigation, menu, submenu, dropdown, drawer, toolbar, skip, footer, sidebar, cookie, cookies, \
    consent, modal, popup, filter, filters, promo, sponsored, copyright, legal, disclaimer, signature, \
    cart, btn, button, buttons";
/// Parts of class names of text for screen readers alone.
const UNSEEN: [&str; 3] = ["sr-only", "screen-reader", "visually-hidden"];
/// Further words on the page of a product.
const PRODUCT_WORDS: &str = "reviews, testimonial, testimonials, related, shipping, delivery";
/// Elements with one in so many parts of the page's text are its content, however they are named.
const CONTENT_PART: usize = 2;

/// Removes the elements around the content from a page of this kind, as `rs-trafilatura` names it.
pub(super) fn remove(document: &Document, kind: &str) {
    let Some(body) = document.body() else { return };
    let mut search = Search { kind, limit: 0, found: Vec::new() };
    search.limit = search.visit(&body, false).div_ceil(CONTENT_PART);
    search.visit(&body, false);
    search.found.iter().for_each(NodeRef::remove_from_parent);
}

struct Search<'a> {
    kind: &'a str,
    /// Bytes of text from which an element is content.
    limit: usize,
    found: Vec<NodeRef<'a>>,
}

impl<'a> Search<'a> {
    /// Bytes of text in a node, and the surroundings below it.
    fn visit(&mut self, parent: &NodeRef<'a>, is_in_content: bool) -> usize {
        let mut bytes = 0;
        for node in parent.children_it(false) {
            let Some(name) = node.node_name() else {
                bytes += text_bytes(&node);
                continue;
            };
            if is_listed(SKIPPED, &name) {
                continue;
            }
            let inside = self.visit(&node, is_in_content || matches!(&*name, "main" | "article"));
            if inside < self.limit && self.is_around(&node, &name, is_in_content) {
                self.found.push(node);
            }
            bytes += inside;
        }
        bytes
    }

    /// Whether an element is named like surroundings. The header of an article or a post is content; forums put posts in forms.
    fn is_around(&self, node: &NodeRef<'_>, name: &str, is_in_content: bool) -> bool {
        let is_content = match name {
            "main" => return false,
            "header" => is_in_content,
            "form" => self.kind == "forum",
            _ => false,
        };
        let names = [node.class(), node.id_attr()];
        let is_named = |word: &str| is_listed(WORDS, word) || (self.kind == "product" && is_listed(PRODUCT_WORDS, word));
        (is_listed(ELEMENTS, name) && !is_content)
            || node.attr("role").is_some_and(|role| is_listed(ROLES, &role))
            || names.iter().flatten().any(|names| words(names).any(is_named) || UNSEEN.iter().any(|name| names.contains(name)))
    }
}

fn text_bytes(node: &NodeRef<'_>) -> usize {
    node.query_or(0, |inner| match &inner.data {
        NodeData::Text { contents } => contents.trim().len(),
        _ => 0,
    })
}

/// Words of class names: `siteMenu nav-bar` has four.
fn words(names: &str) -> impl Iterator<Item = &str> {
    names.split(|c: char| !c.is_ascii_alphabetic()).flat_map(|name| {
        let bytes = name.as_bytes();
        let starts = (1..bytes.len()).filter(move |&at| bytes[at - 1].is_ascii_lowercase() && bytes[at].is_ascii_uppercase());
        let mut from = 0;
        starts.chain([name.len()]).map(move |to| &name[std::mem::replace(&mut from, to)..to])
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn left(body: &str, kind: &str) -> String {
        let document = Document::from(format!("<html><body>{body}</body></html>").as_str());
        remove(&document, kind);
        document.body().unwrap().text().split_whitespace().collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn surroundings_are_removed_by_element_role_and_class() {
        let content =
            "<main><header>Harbour works</header> <p>The barge left the inner basin on Saturday under tow.</p></main>";
        let around = [
            "<nav>Home</nav>",
            "<header>Brand</header>",
            "<div role='dialog'>Accept</div>",
            "<ul class='siteMenu'><li>Shop</li></ul>",
            "<div id='page_footer'>Imprint</div>",
            "<span class='sr-only'>Opens a window</span>",
        ];
        let expected = "Harbour works The barge left the inner basin on Saturday under tow.";
        for element in around {
            assert_eq!(left(&format!("{element}{content}"), "listing"), expected, "{element}");
        }
        let kept = "<p class='menuet'>Dance</p>";
        assert_eq!(left(&format!("{kept}{content}"), "listing"), format!("Dance{expected}"));
    }

    #[test]
    fn half_of_the_text_is_content_however_it_is_named() {
        let page = "<div class='nav-wrapper'><p>The barge left the inner basin on Saturday.</p></div><p>Under tow.</p>";
        assert_eq!(left(page, "listing"), "The barge left the inner basin on Saturday.Under tow.");
    }

    #[test]
    fn reviews_of_a_product_and_forms_of_a_forum_are_told_apart() {
        let page = "<p>A winch for barges, with forty metres of rope.</p><div class='reviews'>Good.</div><form>A reply.</form>";
        assert!(left(page, "product").ends_with("rope."));
        assert!(left(page, "listing").ends_with("Good."));
        assert!(left(page, "forum").ends_with("A reply."));
    }
}
