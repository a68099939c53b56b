//! NewsAPI: articles of 150,000 outlets.

use super::adapter::prelude::*;

#[derive(Debug)]
pub(crate) struct NewsApi;

impl Adapter for NewsApi {
    fn info(&self) -> SourceInfo<'_> {
        SourceInfo {
            id: "news_api",
            name: "NewsAPI",
            description: "News articles of many outlets, with day, author and first words.",
            coverage: "14 languages. What a key may see depends on its plan: the free one sees 100 hits of the last month, a day late.",
            is_current: true,
            documentation: ("https://newsapi.org/docs/endpoints/everything", "2026-11-21"),
            key: KeyUse::Required,
            interval: Duration::from_secs(1),
            page_size: 100,
            base: "https://newsapi.org/",
            ..SourceInfo::default()
        }
    }

    fn request(&self, query: &SourceQuery, access: &RequestContext<'_>) -> Result<ApiRequest, SourceError> {
        let (limit, page) = (access.limit.to_string(), page_number(query, 1)?.to_string());
        let fields = [
            ("q", query.words.as_str()),
            ("from", query.since.as_deref().unwrap_or_default()),
            ("to", query.until.as_deref().unwrap_or_default()),
            ("language", query.language.as_deref().unwrap_or_default()),
            ("sortBy", "publishedAt"),
            ("pageSize", &limit),
            ("page", &page),
        ];
        Ok(ApiRequest::get(access, "v2/everything", &fields)?.with_header("x-api-key", access.key.unwrap_or_default()))
    }

    fn read(&self, answer: &ApiResponse, query: &SourceQuery, access: &RequestContext<'_>) -> Result<SourcePage, SourceError> {
        let value = answer.json();
        let (hits, given) = values::hits(value, &["articles"], |article| {
            Some(SourceHit {
                address: values::text(article, &["url"])?,
                title: values::text(article, &["title"])?,
                snippet: values::text(article, &["description"]).and_then(|words| values::snippet(&words)),
                published: values::date(article, &["publishedAt"]),
                outlet: values::text(article, &["source", "name"]),
                byline: values::text(article, &["author"]),
                language: query.language.clone(),
            })
        })?;
        let most = if given == 0 { 0 } else { u64::MAX };
        page_by_number(hits, query, access, values::number(value, &["totalResults"]), most)
    }
}
