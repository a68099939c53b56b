//! Federal Register: the official journal of the United States government.

use super::adapter::prelude::*;

#[derive(Debug)]
pub(crate) struct FederalRegister;

/// Results reachable by page.
const MAX_RESULTS: u64 = 2_000;

impl Adapter for FederalRegister {
    fn info(&self) -> SourceInfo<'_> {
        SourceInfo {
            id: "federal_register",
            name: "Federal Register",
            description: "Rules, proposed rules, notices and presidential documents of the United States since 1994.",
            coverage: "Official texts in English with agency and day of publication; 2,000 hits of a query.",
            documentation: ("https://www.federalregister.gov/developers/documentation/api/v1", "2026-11-22"),
            interval: Duration::from_secs(1),
            page_size: 100,
            base: "https://www.federalregister.gov/",
            ..SourceInfo::default()
        }
    }

    fn request(&self, query: &SourceQuery, access: &RequestContext<'_>) -> Result<ApiRequest, SourceError> {
        let (limit, page) = (access.limit.to_string(), page_number(query, 1)?.to_string());
        let fields = [
            ("conditions[term]", query.words.as_str()),
            ("conditions[publication_date][gte]", query.since.as_deref().unwrap_or_default()),
            ("conditions[publication_date][lte]", query.until.as_deref().unwrap_or_default()),
            ("order", "relevance"),
            ("per_page", &limit),
            ("page", &page),
        ];
        ApiRequest::get(access, "api/v1/documents.json", &fields)
    }

    fn read(&self, answer: &ApiResponse, query: &SourceQuery, access: &RequestContext<'_>) -> Result<SourcePage, SourceError> {
        let value = answer.json();
        let (hits, _) = values::hits(value, &["results"], |document| {
            let agencies = values::list(document, &["agencies"]);
            let agencies: Vec<String> = agencies.iter().filter_map(|agency| values::text(agency, &["name"])).collect();
            Some(SourceHit {
                address: values::text(document, &["html_url"])?,
                title: values::text(document, &["title"])?,
                snippet: ["abstract", "excerpts"]
                    .iter()
                    .find_map(|key| values::text(document, &[key]))
                    .and_then(|words| values::snippet(&words)),
                published: values::date(document, &["publication_date"]),
                outlet: Some("Federal Register".into()),
                byline: (!agencies.is_empty()).then(|| agencies.join(", ")),
                language: Some("en".into()),
            })
        })?;
        let page = page_number(query, 1)?;
        let pages = values::number(value, &["total_pages"]).unwrap_or(0);
        let is_reachable = page.saturating_mul(u64::from(access.limit)) < MAX_RESULTS;
        let next = (page < pages && is_reachable).then(|| (page + 1).to_string());
        Ok(SourcePage { hits, total: values::number(value, &["count"]), next })
    }
}
