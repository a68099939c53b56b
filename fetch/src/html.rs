//! HTML pages: main content as plain paragraphs, and metadata.
//!
//! Invariant: everything passes [`guard::check`] before a tree is built.

mod article;
mod blocks;
mod byline;
mod guard;
mod metadata;
mod names;
mod noscript;
mod page_kind;
mod panels;
mod surroundings;
mod tables;

pub(crate) use blocks::Blocks;

use crate::{
    config::ParseConfig,
    parse::{ParsedDocument, SourceHints},
    refusal::Refusal,
    text,
};
use dom_query::Document;
use domain::document::host;
use page_kind::PageContent;
use surroundings::Subject;
use url::Url;

/// Extractor version. It changes with every change of the output, so that one version always yields one text.
const EXTRACTOR: &str = "html/6";
/// Bytes within which a page may declare its charset.
const CHARSET_LOOK_BYTES: usize = 2_048;

/// Parses a page.
pub(crate) fn parse(bytes: &[u8], from: SourceHints<'_>, limits: &ParseConfig) -> Result<ParsedDocument, Refusal> {
    let stated = from.charset.map(str::to_owned).or_else(|| stated_charset(bytes));
    let source = text::normalise(&text::decode(bytes, stated.as_deref()));
    let source = guard::check(&source, limits)?;
    let mut source = source.as_ref();
    let mut document = Document::from(source);
    let unwrapped = noscript::unwrap_content(source, &document, limits)?;
    if let Some(unwrapped) = &unwrapped {
        source = unwrapped;
        document = Document::from(source);
    }
    let metadata = metadata::read(&document, from.address);
    let base = metadata.base.as_ref();
    let by_kind = if metadata.is_news_article { None } else { page_kind::extract(source, from.address, base, limits) };
    let article = match by_kind {
        Some(PageContent { blocks, subject: Some(Subject::Posts) }) => blocks,
        Some(PageContent { blocks, subject: Some(_) }) if !metadata.is_dated_article => blocks,
        Some(PageContent { blocks, .. }) => {
            let article = article::extract(document, source, base, limits);
            if article.text.len() * 2 < blocks.text.len() { blocks } else { article }
        }
        None => article::extract(document, source, base, limits),
    };
    if article.text.trim().is_empty() {
        return Err(Refusal::no_text("page"));
    }
    let (front, text) = text::read_front_matter(article.text, false);
    Ok(ParsedDocument {
        title: metadata.title.or(article.first_heading).or(front.title),
        text,
        extractor: EXTRACTOR.to_owned(),
        byline: metadata.byline.or(front.byline),
        // A page without the name of its outlet is credited to the host that it gives as its own.
        outlet: metadata.outlet.or(front.outlet).or_else(|| metadata.canonical.as_deref().and_then(host).map(str::to_owned)),
        published: metadata::reconcile_dates(metadata.published, front.published),
        updated: metadata.updated,
        language: metadata.language,
        canonical: metadata.canonical,
        links: article.links,
        tables: article.tables,
        feeds: metadata.feeds,
        feed: None,
    })
}

/// All text of an HTML fragment, in order.
pub(crate) fn plain_text(source: &str, base: Option<&Url>, limits: &ParseConfig) -> Result<Blocks, Refusal> {
    let document = Document::from(guard::check(source, limits)?.as_ref());
    Ok(blocks::body_text(&document, base, limits))
}

/// All text of a mail in HTML; lines of quotations begin with `>`.
pub(crate) fn mail_text(source: &str, limits: &ParseConfig) -> Result<Blocks, Refusal> {
    let document = Document::from(guard::check(source, limits)?.as_ref());
    Ok(blocks::scoped_text(&document, blocks::TextScope::Mail, None, limits))
}

/// Value of `charset=` near the start of the bytes.
fn stated_charset(bytes: &[u8]) -> Option<String> {
    let start = String::from_utf8_lossy(&bytes[..bytes.len().min(CHARSET_LOOK_BYTES)]).to_ascii_lowercase();
    let value = start.split_once("charset=")?.1.trim_start_matches(['"', '\'', ' ']);
    let end = value.find(|c: char| !c.is_ascii_alphanumeric() && !"-_:".contains(c)).unwrap_or(value.len());
    (end > 0).then(|| value[..end].to_owned())
}
