//! Main content of a page.

use super::blocks::{self, Blocks, TextScope};
use crate::config::ParseConfig;
use dom_query::Document;
use dom_smoothie::{CandidateSelectMode, Config, Readability, TextMode};
use url::Url;

/// The main content; the whole body if that has far more text, as on pages that are no article.
pub(super) fn extract(document: Document, source: &str, base: Option<&Url>, limits: &ParseConfig) -> Blocks {
    let article = main_content(document, base, limits);
    let length = |blocks: &Blocks| blocks.text.chars().count();
    match article {
        Some(article) if length(&article) >= limits.min_article_chars => article,
        article => {
            let body = blocks::body_text(&Document::from(source), base, limits);
            article.filter(|article| length(article) * 2 >= length(&body)).unwrap_or(body)
        }
    }
}

fn main_content(document: Document, base: Option<&Url>, limits: &ParseConfig) -> Option<Blocks> {
    let config = Config {
        candidate_select_mode: CandidateSelectMode::DomSmoothie,
        text_mode: TextMode::Raw,
        disable_json_ld: true,
        keep_classes: true,
        ..Config::default()
    };
    let article = Readability::with_document(document, None, Some(config)).ok()?.parse().ok()?;
    let content = Document::fragment(article.content);
    Some(blocks::node_text(&content.root(), TextScope::Article, base, limits))
}
