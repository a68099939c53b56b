//! Main content of pages that are no article: forums, products, listings, collections and services.

use super::{
    blocks::{self, Blocks, TextScope},
    panels,
    surroundings::{self, Subject},
};
use crate::config::ParseConfig;
use dom_query::Document;
use url::Url;

/// Tags beyond which a page is read as an article: the library takes four to six times as long for a page.
const MAX_TAGS: usize = 25_000;

/// Main content by kind of page.
pub(super) struct PageContent {
    pub blocks: Blocks,
    /// The kind of page; none for articles and documentation.
    pub subject: Option<Subject>,
}

/// The main content by kind of page; `None` if the page is very large.
///
/// `rs-trafilatura` classifies the page by its address, markup and words, and selects the content of articles and documentation.
/// Hidden elements, except panels, and scripts are removed first: the library would read them. Lines are joined: it would take
/// them for paragraphs.
pub(super) fn extract(source: &str, address: Option<&str>, base: Option<&Url>, limits: &ParseConfig) -> Option<PageContent> {
    if source.matches('<').count() > MAX_TAGS {
        return None;
    }
    let document = Document::from(source);
    panels::show(&document);
    blocks::remove_hidden(&document);
    blocks::join_lines(&document);
    let options = rs_trafilatura::Options { url: address.map(str::to_owned), favor_recall: true, ..Default::default() };
    let found = rs_trafilatura::extract_with_options(&document.html(), &options).ok()?;
    let subject = match found.metadata.page_type.as_deref() {
        None | Some("article" | "documentation") => {
            let text = blocks::paragraphs(&found.content_text);
            let blocks = Blocks { text, ..blocks::body_text(&document, base, limits) };
            return Some(PageContent { blocks, subject: None });
        }
        Some("forum") => Subject::Posts,
        Some("product" | "service") => Subject::One,
        Some(_) => Subject::Many,
    };
    let parts = surroundings::content_parts(&document.body()?, subject);
    Some(PageContent { blocks: blocks::nodes_text(&parts, TextScope::Parts, base, limits), subject: Some(subject) })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A thread of a forum, then `tags` more tags.
    fn thread(tags: usize) -> String {
        let post = |n| format!("<div class='post'><p>Barge {n} left the inner basin on Saturday under tow.</p></div>");
        let posts: String = (0..8).map(post).collect();
        format!("<html><body class='forum'><div class='thread'>{posts}</div>{}</body></html>", "<br>".repeat(tags))
    }

    #[test]
    fn a_very_large_page_is_left_to_the_extractor_of_articles() {
        let limits = ParseConfig::default();
        let read = |page: &str| extract(page, Some("https://forum.example/thread/7"), None, &limits);
        assert_eq!(read(&thread(0)).expect("a small page").blocks.text.matches("under tow").count(), 8);
        assert!(read(&thread(MAX_TAGS)).is_none());
    }
}
