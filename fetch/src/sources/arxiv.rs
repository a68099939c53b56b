//! arXiv: preprints.

use super::adapter::prelude::*;
use domain::fetch::FeedItem;

#[derive(Debug)]
pub(crate) struct Arxiv;

/// Results reachable by offset.
const MAX_RESULTS: u64 = 30_000;

impl Adapter for Arxiv {
    fn info(&self) -> SourceInfo<'_> {
        SourceInfo {
            id: "arxiv",
            name: "arXiv",
            description: "Preprints in physics, mathematics, computer science and neighbouring fields since 1991.",
            coverage: "Titles, authors and abstracts, in English; not reviewed by peers. All the words must be there.",
            documentation: ("https://arxiv.org/help/api/user-manual", "2026-11-21"),
            interval: Duration::from_secs(3),
            page_size: 100,
            format: ResponseFormat::Feed,
            base: "https://export.arxiv.org/",
            ..SourceInfo::default()
        }
    }

    fn request(&self, query: &SourceQuery, access: &RequestContext<'_>) -> Result<ApiRequest, SourceError> {
        let (limit, start) = (access.limit.to_string(), page_number(query, 0)?.to_string());
        let mut words: Vec<String> = pieces(&query.words).into_iter().map(|piece| format!("all:{piece}")).collect();
        if query.since.is_some() || query.until.is_some() {
            let from = query.since.as_deref().unwrap_or("1991-01-01").replace('-', "");
            let to = query.until.as_deref().unwrap_or("2200-01-01").replace('-', "");
            words.push(format!("submittedDate:[{from}0000 TO {to}2359]"));
        }
        let words = words.join(" AND ");
        let fields = [("search_query", words.as_str()), ("start", &start), ("max_results", &limit), ("sortBy", "relevance")];
        ApiRequest::get(access, "api/query", &fields)
    }

    fn read(&self, answer: &ApiResponse, query: &SourceQuery, access: &RequestContext<'_>) -> Result<SourcePage, SourceError> {
        let ApiResponse::Feed(feed) = answer else { return Err(SourceError::Unreadable) };
        // Query errors arrive as an entry with status 200.
        let is_error = |item: &&FeedItem| item.id.as_deref().is_some_and(|id| id.contains("/api/errors"));
        if let Some(error) = feed.items.iter().find(is_error) {
            return Err(SourceError::Query(error.summary.clone().unwrap_or_default()));
        }
        let hits: Vec<SourceHit> = feed.items.iter().filter_map(preprint).collect();
        let given = feed.items.len();
        let is_last = given < access.limit as usize;
        let most = if is_last { 0 } else { MAX_RESULTS };
        Ok(page_by_offset(hits, page_number(query, 0)?, given, None, most))
    }
}

fn preprint(item: &FeedItem) -> Option<SourceHit> {
    Some(SourceHit {
        address: item.address.clone()?,
        title: item.title.clone()?,
        snippet: item.summary.as_ref().map(|words| words.split_whitespace().collect::<Vec<_>>().join(" ")),
        published: item.published,
        outlet: Some("arXiv".into()),
        byline: item.byline.clone(),
        language: Some("en".into()),
    })
}

/// Words, and quoted phrases as one.
fn pieces(words: &str) -> Vec<String> {
    let parts = words.split('"').enumerate().flat_map(|(n, part)| match n % 2 {
        0 => part.split_whitespace().map(|word| word.replace([':', '(', ')', '[', ']'], "")).collect::<Vec<_>>(),
        _ => vec![format!("\"{}\"", part.trim())],
    });
    parts.filter(|piece| piece.chars().any(char::is_alphanumeric)).collect()
}
