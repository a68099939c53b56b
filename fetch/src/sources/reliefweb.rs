//! ReliefWeb: reports on crises and aid, by the United Nations.

use super::adapter::prelude::*;
use serde_json::Value;

#[derive(Debug)]
pub(crate) struct ReliefWeb;

/// Results reachable by offset.
const MAX_RESULTS: u64 = 10_000;

impl Adapter for ReliefWeb {
    fn info(&self) -> SourceInfo<'_> {
        SourceInfo {
            id: "reliefweb",
            name: "ReliefWeb",
            description: "Situation reports, maps and analyses of disasters and conflicts by humanitarian organisations since 1996.",
            coverage: "Reports in English, French, Spanish, Arabic and Russian, with country and organisation. Its key is a name for your \
                       program that ReliefWeb approves within a day, free of charge.",
            documentation: ("https://apidoc.reliefweb.int/parameters", "2026-11-21"),
            key: KeyUse::Required,
            interval: Duration::from_secs(1),
            page_size: 100,
            base: "https://api.reliefweb.int/",
            ..SourceInfo::default()
        }
    }

    fn request(&self, query: &SourceQuery, access: &RequestContext<'_>) -> Result<ApiRequest, SourceError> {
        let (limit, offset) = (access.limit.to_string(), page_number(query, 0)?.to_string());
        let from = query.since.as_deref().map(|day| format!("{day}T00:00:00+00:00")).unwrap_or_default();
        let to = query.until.as_deref().map(|day| format!("{day}T23:59:59+00:00")).unwrap_or_default();
        let mut fields = vec![
            ("appname", access.key.unwrap_or_default()),
            ("query[value]", query.words.as_str()),
            ("query[operator]", "AND"),
            ("limit", &limit),
            ("offset", &offset),
            ("fields[include][]", "title"),
            ("fields[include][]", "url"),
            ("fields[include][]", "date.original"),
            ("fields[include][]", "source.name"),
            ("fields[include][]", "language.code"),
        ];
        if !from.is_empty() || !to.is_empty() {
            fields.extend([
                ("filter[field]", "date.original"),
                ("filter[value][from]", from.as_str()),
                ("filter[value][to]", to.as_str()),
            ]);
        }
        ApiRequest::get(access, "v2/reports", &fields)
    }

    fn read(&self, answer: &ApiResponse, query: &SourceQuery, _: &RequestContext<'_>) -> Result<SourcePage, SourceError> {
        let value = answer.json();
        let (hits, given) = values::hits(value, &["data"], report)?;
        let total = values::number(value, &["totalCount"]);
        Ok(page_by_offset(hits, page_number(query, 0)?, given, total, MAX_RESULTS))
    }
}

fn report(item: &Value) -> Option<SourceHit> {
    let organisations = values::list(item, &["fields", "source"]).iter().filter_map(|one| values::text(one, &["name"]));
    let organisations = organisations.collect::<Vec<_>>().join(", ");
    Some(SourceHit {
        address: values::text(item, &["fields", "url"])?,
        title: values::text(item, &["fields", "title"])?,
        published: values::date(item, &["fields", "date", "original"]),
        outlet: Some(organisations).filter(|names| !names.is_empty()),
        language: values::text(item, &["fields", "language", "0", "code"]),
        ..SourceHit::default()
    })
}
