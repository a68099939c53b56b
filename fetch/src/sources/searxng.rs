//! SearXNG: a self-hosted metasearch engine.

use super::adapter::prelude::*;

#[derive(Debug)]
pub(crate) struct Searxng;

impl Adapter for Searxng {
    fn info(&self) -> SourceInfo<'_> {
        SourceInfo {
            id: "searxng",
            name: "SearXNG",
            description: "The open web, through a search service that you run.",
            coverage: "What the engines find that it is set up with. It must allow the format json (`search.formats` in its settings). \
                       It cannot search within a period: it finds pages of any date.",
            documentation: ("https://docs.searxng.org/dev/search_api", "2026-11-21"),
            requires: &[Requirement::Address],
            interval: Duration::from_millis(200),
            page_size: 100,
            ..SourceInfo::default()
        }
    }

    fn request(&self, query: &SourceQuery, access: &RequestContext<'_>) -> Result<ApiRequest, SourceError> {
        let page = page_number(query, 1)?.to_string();
        let fields = [
            ("q", query.words.as_str()),
            ("format", "json"),
            ("pageno", &page),
            ("language", query.language.as_deref().unwrap_or_default()),
        ];
        ApiRequest::get(access, "search", &fields)
    }

    fn read(&self, answer: &ApiResponse, query: &SourceQuery, _: &RequestContext<'_>) -> Result<SourcePage, SourceError> {
        let (hits, _) = values::hits(answer.json(), &["results"], |result| {
            Some(SourceHit {
                address: values::text(result, &["url"])?,
                title: values::text(result, &["title"])?,
                snippet: values::text(result, &["content"]).and_then(|words| values::snippet(&words)),
                published: values::date(result, &["publishedDate"]),
                ..SourceHit::default()
            })
        })?;
        let next = (!hits.is_empty()).then(|| (page_number(query, 1).unwrap_or(1) + 1).to_string());
        Ok(SourcePage { hits, total: None, next })
    }
}
