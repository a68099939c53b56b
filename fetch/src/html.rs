//! HTML pages: the main content as plain paragraphs, and what the page says about itself.
//!
//! Invariant: nothing reaches the tree builder before [`guard::check`] has seen it.

mod article;
mod blocks;
mod byline;
mod guard;
mod metadata;
mod tables;

pub(crate) use blocks::Blocks;

use crate::{
    config::ParseConfig,
    parse::{Parsed, Source},
    refusal::Refusal,
    text,
};
use dom_query::Document;
use url::Url;

/// Changes with every change of what is extracted: one version makes one text of the same bytes.
const EXTRACTOR: &str = "html/1";
/// Where a page may state its character set.
const CHARSET_LOOK_BYTES: usize = 2_048;

/// Reads a page.
pub(crate) fn parse(bytes: &[u8], from: Source<'_>, limits: &ParseConfig) -> Result<Parsed, Refusal> {
    let stated = from.charset.map(str::to_owned).or_else(|| stated_charset(bytes));
    let source = text::normalise(&text::decode(bytes, stated.as_deref()));
    let source = guard::check(&source, limits)?;
    let document = Document::from(source.as_ref());
    let about = metadata::read(&document, from.address);
    let article = article::extract(document, &source, about.base.as_ref(), limits);
    if article.text.trim().is_empty() {
        return Err(Refusal::no_text("page"));
    }
    let (front, text) = text::read_front(article.text, false);
    Ok(Parsed {
        title: about.title.or(article.first_heading).or(front.title),
        text,
        extractor: EXTRACTOR.to_owned(),
        byline: about.byline.or(front.byline),
        outlet: about.outlet.or(front.outlet),
        published: metadata::agree(about.published, front.published),
        updated: about.updated,
        language: about.language,
        canonical: about.canonical,
        links: article.links,
        tables: article.tables,
        feeds: about.feeds,
        feed: None,
    })
}

/// All words of a piece of HTML in their order, as for the body of a message.
pub(crate) fn plain_text(source: &str, base: Option<&Url>, limits: &ParseConfig) -> Result<Blocks, Refusal> {
    let document = Document::from(guard::check(source, limits)?.as_ref());
    Ok(blocks::of_body(&document, base, limits))
}

/// The value of `charset=` near the start of the bytes.
fn stated_charset(bytes: &[u8]) -> Option<String> {
    let start = String::from_utf8_lossy(&bytes[..bytes.len().min(CHARSET_LOOK_BYTES)]).to_ascii_lowercase();
    let value = start.split_once("charset=")?.1.trim_start_matches(['"', '\'', ' ']);
    let end = value.find(|c: char| !c.is_ascii_alphanumeric() && !"-_:".contains(c)).unwrap_or(value.len());
    (end > 0).then(|| value[..end].to_owned())
}
