//! Hacker News, by Algolia's search.

use super::adapter::prelude::*;
use chrono::{Days, NaiveDate};

#[derive(Debug)]
pub(crate) struct HackerNews;

impl Adapter for HackerNews {
    fn info(&self) -> SourceInfo<'_> {
        SourceInfo {
            id: "hacker_news",
            name: "Hacker News",
            description: "Stories and discussions about technology, companies and science since 2006.",
            coverage: "What its readers post and say, mostly in English: pointers to pages, and opinions. At most 1,000 hits of a query.",
            is_current: true,
            documentation: ("https://hn.algolia.com/api", "2026-11-22"),
            interval: Duration::from_secs(1),
            page_size: 100,
            base: "https://hn.algolia.com/",
            ..SourceInfo::default()
        }
    }

    fn request(&self, query: &SourceQuery, access: &RequestContext<'_>) -> Result<ApiRequest, SourceError> {
        let (limit, page) = (access.limit.to_string(), page_number(query, 0)?.to_string());
        let from = query.since.as_deref().and_then(|day| midnight(day, 0)).map(|at| format!("created_at_i>={at}"));
        let to = query.until.as_deref().and_then(|day| midnight(day, 1)).map(|at| format!("created_at_i<{at}"));
        let bounds = [from, to].into_iter().flatten().collect::<Vec<_>>().join(",");
        let fields = [
            ("query", query.words.as_str()),
            ("tags", "story"),
            ("hitsPerPage", &limit),
            ("page", &page),
            ("numericFilters", &bounds),
        ];
        ApiRequest::get(access, "api/v1/search", &fields)
    }

    fn read(&self, answer: &ApiResponse, query: &SourceQuery, _: &RequestContext<'_>) -> Result<SourcePage, SourceError> {
        let value = answer.json();
        let (hits, _) = values::hits(value, &["hits"], |story| {
            let discussion = format!("https://news.ycombinator.com/item?id={}", values::text(story, &["objectID"])?);
            Some(SourceHit {
                address: values::text(story, &["url"]).unwrap_or(discussion),
                title: values::text(story, &["title"])?,
                snippet: values::text(story, &["story_text"]).and_then(|words| values::snippet(&words)),
                byline: values::text(story, &["author"]),
                // The linked story's own date is unknown here.
                published: values::date(story, &["created_at"]).filter(|_| values::text(story, &["url"]).is_none()),
                ..SourceHit::default()
            })
        })?;
        let page = page_number(query, 0)?;
        let pages = values::number(value, &["nbPages"]).unwrap_or(0);
        let next = (page + 1 < pages).then(|| (page + 1).to_string());
        Ok(SourcePage { hits, total: values::number(value, &["nbHits"]), next })
    }
}

/// Unix time of midnight, some days later.
fn midnight(day: &str, later: u64) -> Option<i64> {
    let day = NaiveDate::parse_from_str(day, "%Y-%m-%d").ok()?.checked_add_days(Days::new(later))?;
    Some(day.and_hms_opt(0, 0, 0)?.and_utc().timestamp())
}
