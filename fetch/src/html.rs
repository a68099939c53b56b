//! HTML pages: the main content as plain paragraphs, and what the page says about itself.
//!
//! Invariant: nothing reaches the tree builder before [`guard::check`] has seen it.

mod article;
mod blocks;
mod guard;
mod metadata;

use crate::{config::ParseConfig, parse::Parsed, refusal::Refusal, text};
use dom_query::Document;

const EXTRACTOR: &str = "html/1";
/// Where a page may state its character set.
const CHARSET_LOOK_BYTES: usize = 2_048;

/// Reads a page.
pub(crate) fn parse(bytes: &[u8], charset: Option<&str>, limits: &ParseConfig) -> Result<Parsed, Refusal> {
    let stated = charset.map(str::to_owned).or_else(|| stated_charset(bytes));
    let source = text::normalise(&text::decode(bytes, stated.as_deref()));
    let document = load(&source, limits)?;
    let about = metadata::read(&document);
    let article = article::extract(document, &source, limits);
    if article.text.trim().is_empty() {
        return Err(Refusal::no_text("page"));
    }
    let (front, text) = text::read_front(article.text, false);
    Ok(Parsed {
        title: about.title.or(article.first_heading).or(front.title),
        text,
        extractor: EXTRACTOR.to_owned(),
        outlet: about.outlet.or(front.outlet),
        published: metadata::agree(about.published, front.published),
        language: about.language,
        links: article.links,
    })
}

/// All words of a piece of HTML in their order, as for the body of a message.
pub(crate) fn plain_text(source: &str, limits: &ParseConfig) -> Result<blocks::Blocks, Refusal> {
    let document = load(source, limits)?;
    Ok(blocks::of_body(&document, limits))
}

fn load(source: &str, limits: &ParseConfig) -> Result<Document, Refusal> {
    guard::check(source, limits)?;
    Ok(Document::from(source))
}

/// The value of `charset=` near the start of the bytes.
fn stated_charset(bytes: &[u8]) -> Option<String> {
    let start = String::from_utf8_lossy(&bytes[..bytes.len().min(CHARSET_LOOK_BYTES)]).to_ascii_lowercase();
    let value = start.split_once("charset=")?.1.trim_start_matches(['"', '\'', ' ']);
    let end = value.find(|c: char| !c.is_ascii_alphanumeric() && !"-_:".contains(c)).unwrap_or(value.len());
    (end > 0).then(|| value[..end].to_owned())
}
