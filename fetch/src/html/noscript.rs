//! Pages whose content is in `noscript`: forums that their scripts draw show it to readers without scripts.

use super::{blocks, guard};
use crate::{config::ParseConfig, refusal::Refusal};
use dom_query::Document;

/// Bytes of `noscript` below which it is a hint or a picture, not the content.
const MIN_BYTES: usize = 2_000;

/// The page with its `noscript` elements as ordinary ones, if they have more text than the rest; `None` otherwise.
pub(super) fn unwrap_content(source: &str, document: &Document, limits: &ParseConfig) -> Result<Option<String>, Refusal> {
    let inside: String = document.select("noscript").iter().map(|element| element.text().to_string()).collect();
    if inside.len() < MIN_BYTES || text_chars(&inside) <= blocks::body_text(document, None, limits).text.chars().count() {
        return Ok(None);
    }
    let unwrapped =
        ["<noscript", "</noscript", "<NOSCRIPT", "</NOSCRIPT"].into_iter().fold(source.to_owned(), |source, tag| {
            let to = if tag.starts_with("</") { "</div" } else { "<div" };
            source.replace(tag, to)
        });
    Ok(Some(guard::check(&unwrapped, limits)?.into_owned()))
}

/// Characters outside tags. A parser that knows scripts reads the content of `noscript` as one text.
fn text_chars(markup: &str) -> usize {
    let (first, tags) = markup.split_once('<').unwrap_or((markup, ""));
    let after_tags = tags.split('<').filter_map(|tag| Some(tag.split_once('>')?.1));
    std::iter::once(first).chain(after_tags).flat_map(str::chars).filter(|c| !c.is_whitespace()).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn page(inside: &str) -> String {
        format!("<html><body><p>Enable scripts to read the forum.</p><noscript>{inside}</noscript></body></html>")
    }

    fn unwrapped(source: &str) -> Option<String> {
        unwrap_content(source, &Document::from(source), &ParseConfig::default()).unwrap()
    }

    #[test]
    fn the_content_of_a_page_may_be_in_its_noscript() {
        let post = "<div class='post'><p>The barge left the inner basin on Saturday under tow.</p></div>";
        let found = unwrapped(&page(&post.repeat(40))).expect("the posts are the content");
        let text = blocks::body_text(&Document::from(found.as_str()), None, &ParseConfig::default()).text;
        assert_eq!(text.matches("under tow").count(), 40);
        assert_eq!(unwrapped(&page("<p>This site needs scripts.</p>")), None);
        let pixel = format!("<img src='https://t.example/{}'>", "x".repeat(3_000));
        assert_eq!(unwrapped(&page(&pixel)), None, "a long address is no text");
    }
}
