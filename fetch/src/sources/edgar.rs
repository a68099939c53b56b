//! SEC EDGAR: company filings in the United States, by full text.

use super::adapter::prelude::*;
use serde_json::Value;

#[derive(Debug)]
pub(crate) struct Edgar;

/// Results reachable by offset.
const MAX_RESULTS: u64 = 10_000;
/// First day that is searchable.
const FIRST_DAY: &str = "2001-01-01";
const LAST_DAY: &str = "2200-01-01";

impl Adapter for Edgar {
    fn info(&self) -> SourceInfo<'_> {
        SourceInfo {
            id: "sec_edgar",
            name: "SEC EDGAR",
            description: "Reports and notices that companies file in the United States, found by the words of their text.",
            coverage: "Filings since 2001 with all their exhibits, in English. It searches within a period; words in quotation \
                       marks are found as they stand.",
            documentation: ("https://www.sec.gov/edgar/search/efts-faq.html", "2026-11-21"),
            requires: &[Requirement::Contact],
            interval: Duration::from_millis(200),
            page_size: 100,
            base: "https://efts.sec.gov/",
            ..SourceInfo::default()
        }
    }

    fn request(&self, query: &SourceQuery, access: &RequestContext<'_>) -> Result<ApiRequest, SourceError> {
        let from = page_number(query, 0)?.to_string();
        let mut fields = vec![("q", query.words.as_str()), ("from", &from)];
        if query.since.is_some() || query.until.is_some() {
            fields.push(("dateRange", "custom"));
            fields.push(("startdt", query.since.as_deref().unwrap_or(FIRST_DAY)));
            fields.push(("enddt", query.until.as_deref().unwrap_or(LAST_DAY)));
        }
        ApiRequest::get(access, "LATEST/search-index", &fields)
    }

    fn read(&self, answer: &ApiResponse, query: &SourceQuery, _: &RequestContext<'_>) -> Result<SourcePage, SourceError> {
        let value = answer.json();
        let (hits, given) = values::hits(value, &["hits", "hits"], filing)?;
        let total = values::number(value, &["hits", "total", "value"]);
        Ok(page_by_offset(hits, page_number(query, 0)?, given, total, MAX_RESULTS))
    }
}

/// Hit of a filing; `_id` is its accession number and file name.
fn filing(hit: &Value) -> Option<SourceHit> {
    let id = values::text(hit, &["_id"])?;
    let (accession, file) = id.split_once(':')?;
    let source = hit.get("_source")?;
    let company = values::text(source, &["ciks", "0"])?;
    let company: u64 = company.parse().ok()?;
    let names: Vec<String> =
        values::list(source, &["display_names"]).iter().filter_map(|name| values::text(name, &[])).collect();
    let kind = values::text(source, &["file_type"]).or_else(|| values::text(source, &["form"])).unwrap_or_default();
    Some(SourceHit {
        address: format!("https://www.sec.gov/Archives/edgar/data/{company}/{}/{file}", accession.replace('-', "")),
        title: format!("{kind} of {}", names.join(", ")).trim().to_owned(),
        snippet: values::text(source, &["file_description"]),
        published: values::date(source, &["file_date"]),
        outlet: Some("SEC EDGAR".into()),
        byline: names.first().cloned(),
        ..SourceHit::default()
    })
}
