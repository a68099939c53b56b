//! Hacker News, by the search that Algolia runs for it.

use super::{
    SourceError,
    adapter::{Access, Adapter, Answer, Ask, Card, Form, number},
    values,
};
use chrono::{Days, NaiveDate};
use domain::fetch::{KeyUse, SourceHit, SourcePage, SourceQuery};
use std::time::Duration;

#[derive(Debug)]
pub(crate) struct HackerNews;

impl Adapter for HackerNews {
    fn card(&self) -> Card<'_> {
        Card {
            id: "hacker_news",
            name: "Hacker News",
            description: "Stories and discussions about technology, companies and science since 2006.",
            coverage: "What its readers post and say, mostly in English: pointers to pages, and opinions. At most 1,000 hits of a query.",
            documentation: ("https://hn.algolia.com/api", "2026-11-22"),
            key: KeyUse::None,
            needs: &[],
            interval: Duration::from_secs(1),
            page_size: 100,
            form: Form::Json,
            base: "https://hn.algolia.com/",
        }
    }

    fn is_current(&self) -> bool {
        true
    }

    fn ask(&self, query: &SourceQuery, access: &Access<'_>) -> Result<Ask, SourceError> {
        let (limit, page) = (access.limit.to_string(), number(query, 0)?.to_string());
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
        Ask::get(access, "api/v1/search", &fields)
    }

    fn read(&self, answer: &Answer, query: &SourceQuery, _: &Access<'_>) -> Result<SourcePage, SourceError> {
        let value = answer.json();
        let (hits, _) = values::hits(value, &["hits"], |story| {
            let discussion = format!("https://news.ycombinator.com/item?id={}", values::text(story, &["objectID"])?);
            Some(SourceHit {
                address: values::text(story, &["url"]).unwrap_or(discussion),
                title: values::text(story, &["title"])?,
                snippet: values::text(story, &["story_text"]).and_then(|words| values::snippet(&words)),
                byline: values::text(story, &["author"]),
                // The story's own time is known to its page alone.
                published: values::date(story, &["created_at"]).filter(|_| values::text(story, &["url"]).is_none()),
                ..SourceHit::default()
            })
        })?;
        let page = number(query, 0)?;
        let pages = values::number(value, &["nbPages"]).unwrap_or(0);
        let next = (page + 1 < pages).then(|| (page + 1).to_string());
        Ok(SourcePage { hits, total: values::number(value, &["nbHits"]), next })
    }
}

/// Seconds of the epoch at the start of a day, or of one some days later.
fn midnight(day: &str, later: u64) -> Option<i64> {
    let day = NaiveDate::parse_from_str(day, "%Y-%m-%d").ok()?.checked_add_days(Days::new(later))?;
    Some(day.and_hms_opt(0, 0, 0)?.and_utc().timestamp())
}
