//! Main content of pages that are no article: forums, products, listings, collections, services.

use super::blocks::{self, Blocks};
use crate::config::ParseConfig;
use dom_query::Document;
use url::Url;

/// Kinds of page, as `rs-trafilatura` names them, that are read as articles.
const ARTICLE_KINDS: [&str; 2] = ["article", "documentation"];

/// Tags beyond which a page is read as an article: the library takes four to six times as long for a page.
const MAX_TAGS: usize = 25_000;

/// The main content of a page that is no article; `None` if it is one, is very large, or has less text than an article.
///
/// `rs-trafilatura` classifies the page by its address, markup and words, and selects the content that such pages have. Links are those of
/// the whole body: on a listing, they are the content. Hidden elements and scripts are removed first, which the library would read,
/// and lines are joined, which it would take for paragraphs.
pub(super) fn extract(source: &str, address: Option<&str>, base: Option<&Url>, limits: &ParseConfig) -> Option<Blocks> {
    if source.matches('<').count() > MAX_TAGS {
        return None;
    }
    let document = Document::from(source);
    blocks::remove_hidden(&document);
    blocks::join_lines(&document);
    let options = rs_trafilatura::Options { url: address.map(str::to_owned), favor_recall: true, ..Default::default() };
    let found = rs_trafilatura::extract_with_options(&document.html(), &options).ok()?;
    let is_article = found.metadata.page_type.is_none_or(|kind| ARTICLE_KINDS.contains(&kind.as_str()));
    if is_article || found.content_text.chars().count() < limits.min_article_chars {
        return None;
    }
    let body = blocks::body_text(&document, base, limits);
    Some(Blocks { text: blocks::paragraphs(&found.content_text), ..body })
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
    fn a_very_large_page_is_left_to_the_extractor_of_articles() {
        let limits = ParseConfig::default();
        let read = |page: &str| extract(page, Some("https://forum.example/thread/7"), None, &limits);
        assert!(read(&thread(0)).is_some());
        assert!(read(&thread(MAX_TAGS)).is_none());
    }
}
