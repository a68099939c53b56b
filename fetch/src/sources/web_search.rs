//! Search of the open web with a key: Brave and Tavily.

use super::{
    SourceError,
    adapter::{Access, Adapter, Answer, Ask, Body, Card, Form, number},
    values,
};
use domain::fetch::{KeyUse, SourceHit, SourcePage, SourceQuery};
use serde_json::json;
use std::time::Duration;

#[derive(Debug)]
pub(crate) struct Brave;

#[derive(Debug)]
pub(crate) struct Tavily;

/// Brave counts pages, from 0, and gives no more.
const BRAVE_LAST_PAGE: u64 = 9;
/// Where only one bound is given.
const FIRST_DAY: &str = "1990-01-01";
const LAST_DAY: &str = "2200-01-01";

impl Adapter for Brave {
    fn card(&self) -> Card<'_> {
        Card {
            id: "brave",
            name: "Brave Search",
            description: "The open web, by an index of its own.",
            coverage: "Pages of all kinds and languages, 200 hits of a query. The day of a page is given where Brave knows it.",
            documentation: ("https://api-dashboard.search.brave.com/api-reference/web/search/get", "2026-11-21"),
            key: KeyUse::Required,
            needs: &[],
            interval: Duration::from_millis(1_100),
            page_size: 20,
            form: Form::Json,
            base: "https://api.search.brave.com/",
        }
    }

    fn ask(&self, query: &SourceQuery, access: &Access<'_>) -> Result<Ask, SourceError> {
        let (limit, offset) = (access.limit.to_string(), number(query, 0)?.to_string());
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
        let ask = Ask::get(access, "res/v1/web/search", &fields)?;
        Ok(ask.with_header("accept", "application/json").with_header("x-subscription-token", access.key.unwrap_or_default()))
    }

    fn read(&self, answer: &Answer, query: &SourceQuery, _: &Access<'_>) -> Result<SourcePage, SourceError> {
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
        let page = number(query, 0)?;
        let has_more =
            values::at(value, &["query", "more_results_available"]).and_then(serde_json::Value::as_bool).unwrap_or(false);
        let next = (has_more && page < BRAVE_LAST_PAGE).then(|| (page + 1).to_string());
        Ok(SourcePage { hits, total: None, next })
    }
}

impl Adapter for Tavily {
    fn card(&self) -> Card<'_> {
        Card {
            id: "tavily",
            name: "Tavily",
            description: "The open web, with the passages that answer a query.",
            coverage: "Up to 20 pages of a query, without further ones. Languages are not known to it.",
            documentation: ("https://docs.tavily.com/api-reference/endpoint/search", "2026-11-21"),
            key: KeyUse::Required,
            needs: &[],
            interval: Duration::from_millis(700),
            page_size: 20,
            form: Form::Json,
            base: "https://api.tavily.com/",
        }
    }

    fn ask(&self, query: &SourceQuery, access: &Access<'_>) -> Result<Ask, SourceError> {
        let mut body = json!({ "query": query.words, "search_depth": "basic", "max_results": access.limit });
        for (name, day) in [("start_date", &query.since), ("end_date", &query.until)] {
            if let Some(day) = day {
                body[name] = json!(day);
            }
        }
        let ask =
            Ask::get(access, "search", &[])?.with_header("authorization", format!("Bearer {}", access.key.unwrap_or_default()));
        Ok(ask.with_body(Body::Json(body)))
    }

    fn read(&self, answer: &Answer, _: &SourceQuery, _: &Access<'_>) -> Result<SourcePage, SourceError> {
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
