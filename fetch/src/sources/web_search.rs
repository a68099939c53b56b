//! Web search with a key: Brave and Tavily.

use super::adapter::prelude::*;
use serde_json::json;

#[derive(Debug)]
pub(crate) struct Brave;

#[derive(Debug)]
pub(crate) struct Tavily;

/// Brave's last page, counted from 0.
const BRAVE_LAST_PAGE: u64 = 9;
/// Defaults for an open bound.
const FIRST_DAY: &str = "1990-01-01";
const LAST_DAY: &str = "2200-01-01";

impl Adapter for Brave {
    fn info(&self) -> SourceInfo<'_> {
        SourceInfo {
            id: "brave",
            name: "Brave Search",
            description: "The open web, by an index of its own.",
            coverage: "Pages of all kinds and languages, 200 hits of a query. The day of a page is given where Brave knows it.",
            documentation: ("https://api-dashboard.search.brave.com/api-reference/web/search/get", "2026-11-21"),
            key: KeyUse::Required,
            interval: Duration::from_millis(1_100),
            page_size: 20,
            base: "https://api.search.brave.com/",
            ..SourceInfo::default()
        }
    }

    fn request(&self, query: &SourceQuery, access: &RequestContext<'_>) -> Result<ApiRequest, SourceError> {
        let (limit, offset) = (access.limit.to_string(), page_number(query, 0)?.to_string());
        let freshness = match (&query.since, &query.until) {
            (None, None) => String::new(),
            (from, to) => format!("{}to{}", from.as_deref().unwrap_or(FIRST_DAY), to.as_deref().unwrap_or(LAST_DAY)),
        };
        let fields = [
            ("q", query.words.as_str()),
            ("count", &limit),
            ("offset", &offset),
            ("freshness", &freshness),
            ("search_lang", query.language.as_deref().unwrap_or_default()),
        ];
        let request = ApiRequest::get(access, "res/v1/web/search", &fields)?;
        Ok(request
            .with_header("accept", "application/json")
            .with_header("x-subscription-token", access.key.unwrap_or_default()))
    }

    fn read(&self, answer: &ApiResponse, query: &SourceQuery, _: &RequestContext<'_>) -> Result<SourcePage, SourceError> {
        let value = answer.json();
        let (hits, _) = values::hits(value, &["web", "results"], |result| {
            Some(SourceHit {
                address: values::text(result, &["url"])?,
                title: values::snippet(&values::text(result, &["title"])?)?,
                snippet: values::text(result, &["description"]).and_then(|words| values::snippet(&words)),
                published: values::date(result, &["page_age"]),
                outlet: values::text(result, &["profile", "name"]),
                language: values::text(result, &["language"]),
                ..SourceHit::default()
            })
        })?;
        let page = page_number(query, 0)?;
        let has_more =
            values::at(value, &["query", "more_results_available"]).and_then(serde_json::Value::as_bool).unwrap_or(false);
        let next = (has_more && page < BRAVE_LAST_PAGE).then(|| (page + 1).to_string());
        Ok(SourcePage { hits, total: None, next })
    }
}

impl Adapter for Tavily {
    fn info(&self) -> SourceInfo<'_> {
        SourceInfo {
            id: "tavily",
            name: "Tavily",
            description: "The open web, with the passages that answer a query.",
            coverage: "At most 20 pages of a query. It cannot search by language: it finds pages in any.",
            documentation: ("https://docs.tavily.com/api-reference/endpoint/search", "2026-11-21"),
            key: KeyUse::Required,
            interval: Duration::from_millis(700),
            page_size: 20,
            base: "https://api.tavily.com/",
            ..SourceInfo::default()
        }
    }

    fn request(&self, query: &SourceQuery, access: &RequestContext<'_>) -> Result<ApiRequest, SourceError> {
        let mut body = json!({ "query": query.words, "search_depth": "basic", "max_results": access.limit });
        for (name, day) in [("start_date", &query.since), ("end_date", &query.until)] {
            if let Some(day) = day {
                body[name] = json!(day);
            }
        }
        let request = ApiRequest::get(access, "search", &[])?
            .with_header("authorization", format!("Bearer {}", access.key.unwrap_or_default()));
        Ok(request.with_body(Body::Json(body)))
    }

    fn read(&self, answer: &ApiResponse, _: &SourceQuery, _: &RequestContext<'_>) -> Result<SourcePage, SourceError> {
        let (hits, _) = values::hits(answer.json(), &["results"], |result| {
            Some(SourceHit {
                address: values::text(result, &["url"])?,
                title: values::text(result, &["title"])?,
                snippet: values::text(result, &["content"]).and_then(|words| values::snippet(&words)),
                published: values::date(result, &["published_date"]),
                ..SourceHit::default()
            })
        })?;
        Ok(SourcePage { hits, total: None, next: None })
    }
}
