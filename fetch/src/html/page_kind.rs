//! Main content by kind of page: forums, products, listings, collections, services, and what an article extractor may miss.

use super::{
    blocks::{self, Blocks, TextScope},
    surroundings,
};
use crate::config::ParseConfig;
use dom_query::Document;
use std::collections::HashSet;
use url::Url;

/// Share of the library's text, as one part of so many, below which the remaining text misses the content.
const MISSED_PART: usize = 5;
/// Share of a thread, as one part of so many, below which the library has missed posts.
const MISSED_POSTS_PART: usize = 3;
/// Length of the runs of words by which two texts are compared.
const RUN_WORDS: usize = 4;

/// Kinds of page, as `rs-trafilatura` names them, that are read as articles.
const ARTICLE_KINDS: [&str; 2] = ["article", "documentation"];
/// Kinds of page whose content is no list of links.
const KINDS_WITHOUT_POINTERS: [&str; 2] = ["product", "forum"];

/// Tags beyond which a page is read as an article: the library takes four to six times as long for a page.
const MAX_TAGS: usize = 25_000;

/// Main content of a page.
pub(super) struct PageContent {
    pub blocks: Blocks,
    /// The page is an article or documentation.
    pub is_article: bool,
}

/// The main content by kind of page; `None` if the page is very large.
///
/// `rs-trafilatura` classifies the page by its address, markup and words, and its selection is the text of an article. Other pages keep all
/// text without their surroundings, unless that is far shorter. Links are those of the whole body: on a listing, they are the content.
/// Hidden elements and scripts are removed first, which the library would read, and lines are joined, which it would take for paragraphs.
pub(super) fn extract(source: &str, address: Option<&str>, base: Option<&Url>, limits: &ParseConfig) -> Option<PageContent> {
    if source.matches('<').count() > MAX_TAGS {
        return None;
    }
    let document = Document::from(source);
    blocks::remove_hidden(&document);
    blocks::join_lines(&document);
    let options = rs_trafilatura::Options { url: address.map(str::to_owned), favor_recall: true, ..Default::default() };
    let found = rs_trafilatura::extract_with_options(&document.html(), &options).ok()?;
    let kind = found.metadata.page_type.unwrap_or_default();
    let kind = kind.as_str();
    let is_article = kind.is_empty() || ARTICLE_KINDS.contains(&kind);
    let body = blocks::body_text(&document, base, limits);
    let selected = blocks::paragraphs(&found.content_text);
    let text = if is_article { selected } else { prefer(remaining_text(&document, kind, &selected, base, limits), selected) };
    Some(PageContent { blocks: Blocks { text, ..body }, is_article })
}

/// The first text, unless it misses what the other has.
fn prefer(text: String, other: String) -> String {
    if text.len() * MISSED_PART < other.len() { other } else { text }
}

/// The text without its surroundings, and of a thread only the posts: the library leaves out the names and dates around them.
fn remaining_text(document: &Document, kind: &str, selected: &str, base: Option<&Url>, limits: &ParseConfig) -> String {
    surroundings::remove(document, kind);
    let scope = if KINDS_WITHOUT_POINTERS.contains(&kind) { TextScope::ContentWithoutPointers } else { TextScope::Content };
    let root = document.body().unwrap_or_else(|| document.root());
    let text = blocks::node_text(&root, scope, base, limits).text;
    if kind != "forum" {
        return text;
    }
    let posts = shared_blocks(&text, selected);
    if posts.len() * MISSED_POSTS_PART < text.len() { text } else { posts }
}

/// The blocks of a text of which the other has half of the runs of words, or more.
fn shared_blocks(text: &str, other: &str) -> String {
    let other = words(other);
    let runs: HashSet<&[&str]> = (1..=RUN_WORDS).flat_map(|length| other.windows(length)).collect();
    let is_shared = |block: &&str| {
        let words = words(block);
        let of_block = words.windows(words.len().clamp(1, RUN_WORDS));
        let count = of_block.len();
        of_block.filter(|run| runs.contains(run)).count() * 2 >= count
    };
    text.split("\n\n").filter(is_shared).collect::<Vec<_>>().join("\n\n")
}

fn words(text: &str) -> Vec<&str> {
    text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const ADDRESS: Option<&str> = Some("https://forum.example/thread/7");

    fn post(number: usize) -> String {
        format!(
            "<div class='post'><div class='post-content'><p>Barge number {number} left the inner basin on Saturday under tow.</p></div></div>"
        )
    }

    /// A thread of a forum, then `tags` more tags.
    fn thread(tags: usize) -> String {
        let posts: String = (0..8).map(post).collect();
        format!("<html><body class='forum'><div class='thread'>{posts}</div>{}</body></html>", "<br>".repeat(tags))
    }

    fn read(page: &str) -> String {
        extract(page, ADDRESS, None, &ParseConfig::default()).unwrap().blocks.text
    }

    #[test]
    fn posts_that_the_library_misses_are_read() {
        assert_eq!(read(&thread(0)).matches("under tow").count(), 8);
        let comment = |number| format!("<li><span>Number {number} answers that the dredger came first, at noon.</span></li>");
        let comments: String = (0..200).map(comment).collect();
        let page = thread(0).replace("</body>", &format!("<ol class='sidebar'>{comments}</ol></body>"));
        assert_eq!(read(&page).matches("at noon").count(), 200);
    }

    #[test]
    fn a_quoted_post_is_read_once() {
        let quote = "<blockquote><p>Barge number 3 left the inner basin on Saturday under tow.</p></blockquote><p>Who towed it, and where to?</p>";
        let page =
            thread(0).replace("</body>", &format!("<div class='post'><div class='post-content'>{quote}</div></div></body>"));
        assert_eq!(read(&page).matches("Barge number 3 ").count(), 1);
    }

    #[test]
    fn a_text_that_misses_most_of_the_other_is_not_preferred() {
        let long = "a".repeat(100);
        assert_eq!(prefer("a".repeat(19), long.clone()), long);
        assert_eq!(prefer("a".repeat(20), long), "a".repeat(20));
    }

    #[test]
    fn blocks_are_shared_by_runs_of_words() {
        let text = "Ann\n\n1 May\n\nThe barge left the inner basin on Saturday.";
        assert_eq!(
            shared_blocks(text, "So the barge left: the inner basin on Saturday"),
            "The barge left the inner basin on Saturday."
        );
    }

    #[test]
    fn a_very_large_page_is_left_to_the_extractor_of_articles() {
        let read = |page: &str| extract(page, ADDRESS, None, &ParseConfig::default());
        assert!(read(&thread(0)).is_some());
        assert!(read(&thread(MAX_TAGS)).is_none());
    }
}
