//! Filings of companies with the United States' Securities and Exchange Commission, by the words of their text.

use super::{
    SourceError,
    adapter::{Access, Adapter, Answer, Ask, Card, Form, Need, by_offset, number},
    values,
};
use domain::fetch::{KeyUse, SourceHit, SourcePage, SourceQuery};
use serde_json::Value;
use std::time::Duration;

#[derive(Debug)]
pub(crate) struct Edgar;

/// Hits that can be reached by offset.
const MOST: u64 = 10_000;
/// The search begins here.
const FIRST_DAY: &str = "2001-01-01";
const LAST_DAY: &str = "2200-01-01";

impl Adapter for Edgar {
    fn card(&self) -> Card<'_> {
        Card {
            id: "sec_edgar",
            name: "SEC EDGAR",
            description: "Reports and notices that companies file in the United States, found by the words of their text.",
            coverage: "Filings since 2001 with all their exhibits, in English. Both bounds of time count; words in quotation marks \
                       are found as they stand.",
            documentation: ("https://www.sec.gov/edgar/search/efts-faq.html", "2026-11-21"),
            key: KeyUse::None,
            needs: &[Need::Contact],
            interval: Duration::from_millis(200),
            page_size: 100,
            form: Form::Json,
            base: "https://efts.sec.gov/",
        }
    }

    fn ask(&self, query: &SourceQuery, access: &Access<'_>) -> Result<Ask, SourceError> {
        let from = number(query, 0)?.to_string();
        let mut fields = vec![("q", query.words.as_str()), ("from", &from)];
        if query.since.is_some() || query.until.is_some() {
            fields.push(("dateRange", "custom"));
            fields.push(("startdt", query.since.as_deref().unwrap_or(FIRST_DAY)));
            fields.push(("enddt", query.until.as_deref().unwrap_or(LAST_DAY)));
        }
        Ask::get(access, "LATEST/search-index", &fields)
    }

    fn read(&self, answer: &Answer, query: &SourceQuery, _: &Access<'_>) -> Result<SourcePage, SourceError> {
        let value = answer.json();
        let (hits, given) = values::hits(value, &["hits", "hits"], filing)?;
        let total = values::number(value, &["hits", "total", "value"]);
        Ok(by_offset(hits, number(query, 0)?, given, total, MOST))
    }
}

/// `_id` is the number of the filing and the name of the file in it.
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
