//! GitHub: repositories.

use super::adapter::prelude::*;

#[derive(Debug)]
pub(crate) struct GitHub;

/// Results reachable by page.
const MAX_RESULTS: u64 = 1_000;

impl Adapter for GitHub {
    fn info(&self) -> SourceInfo<'_> {
        SourceInfo {
            id: "github",
            name: "GitHub",
            description: "Public repositories of programs and data, found by name, description and topics.",
            coverage: "What people and organisations build in the open; 1,000 hits of a query. A period is that of the last change.",
            documentation: ("https://docs.github.com/rest/search/search", "2026-11-21"),
            key: KeyUse::Optional,
            interval: Duration::from_secs(6),
            page_size: 100,
            base: "https://api.github.com/",
            ..SourceInfo::default()
        }
    }

    fn request(&self, query: &SourceQuery, access: &RequestContext<'_>) -> Result<ApiRequest, SourceError> {
        let mut words = query.words.clone();
        if query.since.is_some() || query.until.is_some() {
            let bound = |day: &Option<String>| day.clone().unwrap_or_else(|| "*".to_owned());
            words.push_str(&format!(" pushed:{}..{}", bound(&query.since), bound(&query.until)));
        }
        let (limit, page) = (access.limit.to_string(), page_number(query, 1)?.to_string());
        let fields = [("q", words.as_str()), ("per_page", &limit), ("page", &page)];
        let request = ApiRequest::get(access, "search/repositories", &fields)?
            .with_header("accept", "application/vnd.github+json")
            .with_header("x-github-api-version", "2022-11-28");
        Ok(match access.key {
            Some(key) => request.with_header("authorization", format!("Bearer {key}")),
            None => request,
        })
    }

    fn read(&self, answer: &ApiResponse, query: &SourceQuery, access: &RequestContext<'_>) -> Result<SourcePage, SourceError> {
        let value = answer.json();
        let (hits, _) = values::hits(value, &["items"], |repository| {
            Some(SourceHit {
                address: values::text(repository, &["html_url"])?,
                title: values::text(repository, &["full_name"])?,
                snippet: values::text(repository, &["description"]),
                outlet: Some("GitHub".into()),
                byline: values::text(repository, &["owner", "login"]),
                ..SourceHit::default()
            })
        })?;
        page_by_number(hits, query, access, values::number(value, &["total_count"]), MAX_RESULTS)
    }
}
