//! OpenAlex: research publications.

use super::adapter::prelude::*;
use serde_json::Value;
use std::collections::BTreeMap;

#[derive(Debug)]
pub(crate) struct OpenAlex;

/// Results reachable by page.
const MAX_RESULTS: u64 = 10_000;
/// Words of an abstract that are restored.
const ABSTRACT_WORDS: u64 = 100;
const MAX_AUTHORS: usize = 8;

impl Adapter for OpenAlex {
    fn info(&self) -> SourceInfo<'_> {
        SourceInfo {
            id: "openalex",
            name: "OpenAlex",
            description: "Research of all fields: articles, books and reports with authors, journals and abstracts.",
            coverage: "Hundreds of millions of works in all languages; metadata and abstracts. The key is free, with a daily allowance.",
            documentation: ("https://developers.openalex.org/guides/page-through-results", "2026-11-21"),
            key: KeyUse::Required,
            interval: Duration::from_millis(200),
            page_size: 100,
            base: "https://api.openalex.org/",
            ..SourceInfo::default()
        }
    }

    fn request(&self, query: &SourceQuery, access: &RequestContext<'_>) -> Result<ApiRequest, SourceError> {
        let bound = |name: &str, value: &Option<String>| value.as_ref().map(|value| format!("{name}:{value}"));
        let filter = [
            bound("from_publication_date", &query.since),
            bound("to_publication_date", &query.until),
            bound("language", &query.language),
        ];
        let filter = filter.into_iter().flatten().collect::<Vec<_>>().join(",");
        let (limit, page) = (access.limit.to_string(), page_number(query, 1)?.to_string());
        let fields = [
            ("search", query.words.as_str()),
            ("filter", &filter),
            ("per_page", &limit),
            ("page", &page),
            ("api_key", access.key.unwrap_or_default()),
        ];
        ApiRequest::get(access, "works", &fields)
    }

    fn read(&self, answer: &ApiResponse, query: &SourceQuery, access: &RequestContext<'_>) -> Result<SourcePage, SourceError> {
        let value = answer.json();
        let (hits, _) = values::hits(value, &["results"], to_hit)?;
        page_by_number(hits, query, access, values::number(value, &["meta", "count"]), MAX_RESULTS)
    }
}

fn to_hit(work: &Value) -> Option<SourceHit> {
    let authors = values::list(work, &["authorships"]).iter().filter_map(|one| values::text(one, &["author", "display_name"]));
    let authors: Vec<String> = authors.take(MAX_AUTHORS).collect();
    let address = [&["primary_location", "landing_page_url"][..], &["doi"], &["id"]];
    Some(SourceHit {
        address: address.iter().find_map(|path| values::text(work, path))?,
        title: values::snippet(&values::text(work, &["display_name"])?)?,
        snippet: work.get("abstract_inverted_index").and_then(in_order),
        published: values::date(work, &["publication_date"]),
        outlet: values::text(work, &["primary_location", "source", "display_name"]),
        byline: (!authors.is_empty()).then(|| authors.join(", ")),
        language: values::text(work, &["language"]),
    })
}

/// Abstract from OpenAlex's inverted index of word positions.
fn in_order(index: &Value) -> Option<String> {
    let mut words = BTreeMap::new();
    for (word, places) in index.as_object()? {
        for place in places.as_array()?.iter().filter_map(Value::as_u64).filter(|place| *place < ABSTRACT_WORDS) {
            words.insert(place, word.as_str());
        }
    }
    values::snippet(&words.into_values().collect::<Vec<_>>().join(" "))
}
