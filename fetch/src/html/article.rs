//! Which part of a page is its content.

use super::blocks::{self, Blocks, Keep};
use crate::config::ParseConfig;
use dom_query::Document;
use dom_smoothie::{CandidateSelectMode, Config, Readability, TextMode};
use url::Url;

/// The main content; the whole body when that says far more, as on pages that are no article.
pub(super) fn extract(document: Document, source: &str, base: Option<&Url>, limits: &ParseConfig) -> Blocks {
    let article = main_content(document, base, limits);
    let length = |blocks: &Blocks| blocks.text.chars().count();
    match article {
        Some(article) if length(&article) >= limits.min_article_chars => article,
        article => {
            let body = blocks::of_body(&Document::from(source), base, limits);
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
    Some(blocks::of_node(&content.root(), Keep::Article, base, limits))
}
