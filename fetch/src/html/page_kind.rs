//! Main content by kind of page: forums, products, listings, collections, services, and what an article extractor may miss.

use super::blocks::{self, Blocks};
use crate::config::ParseConfig;
use dom_query::Document;
use url::Url;

/// Share of the body's text, as one part of so many, below which the library has missed the content.
const MISSED_PART: usize = 10;

/// Kinds of page, as `rs-trafilatura` names them, that are read as articles.
const ARTICLE_KINDS: [&str; 2] = ["article", "documentation"];

/// Tags beyond which a page is read as an article: the library takes four to six times as long for a page.
const MAX_TAGS: usize = 25_000;

/// Main content that the library selects.
pub(super) struct PageContent {
    pub blocks: Blocks,
    /// The page is an article or documentation.
    pub is_article: bool,
}

/// The main content by kind of page; `None` if the page is very large. The whole body stands for it where it has far more text.
///
/// `rs-trafilatura` classifies the page by its address, markup and words, and selects the content that such pages have. Links are those of
/// the whole body: on a listing, they are the content. Hidden elements and scripts are removed first, which the library would read,
/// and lines are joined, which it would take for paragraphs.
pub(super) fn extract(source: &str, address: Option<&str>, base: Option<&Url>, limits: &ParseConfig) -> Option<PageContent> {
    if source.matches('<').count() > MAX_TAGS {
        return None;
    }
    let document = Document::from(source);
    blocks::remove_hidden(&document);
    blocks::join_lines(&document);
    let options = rs_trafilatura::Options { url: address.map(str::to_owned), favor_recall: true, ..Default::default() };
    let found = rs_trafilatura::extract_with_options(&document.html(), &options).ok()?;
    let is_article = found.metadata.page_type.is_none_or(|kind| ARTICLE_KINDS.contains(&kind.as_str()));
    let body = blocks::body_text(&document, base, limits);
    let text = blocks::paragraphs(&found.content_text);
    let is_missed = !is_article && text.len() * MISSED_PART < body.text.len();
    let blocks = if is_missed { body } else { Blocks { text, ..body } };
    Some(PageContent { blocks, is_article })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A thread of a forum, then `tags` more tags.
    fn thread(tags: usize) -> String {
        let post = "<div class='post'><div class='post-content'><p>The barge left the inner basin on Saturday under tow.</p></div></div>";
        format!("<html><body class='forum'><div class='thread'>{}</div>{}</body></html>", post.repeat(8), "<br>".repeat(tags))
    }

    #[test]
    fn the_body_stands_for_content_that_was_missed() {
        let limits = ParseConfig::default();
        let read = |page: &str| extract(page, Some("https://forum.example/thread/7"), None, &limits).unwrap().blocks.text;
        assert_eq!(read(&thread(0)).matches("under tow").count(), 8);
        let comments = "<li><span>Somebody answers that the dredger came first, at noon.</span></li>".repeat(200);
        let page = thread(0).replace("</body>", &format!("<ol class='sidebar'>{comments}</ol></body>"));
        assert!(read(&page).matches("at noon").count() == 200, "{}", read(&page).len());
    }

    #[test]
    fn a_very_large_page_is_left_to_the_extractor_of_articles() {
        let limits = ParseConfig::default();
        let read = |page: &str| extract(page, Some("https://forum.example/thread/7"), None, &limits);
        assert!(read(&thread(0)).is_some());
        assert!(read(&thread(MAX_TAGS)).is_none());
    }
}
