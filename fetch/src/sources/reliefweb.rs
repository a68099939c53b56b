//! Reports on crises and aid, by the United Nations' ReliefWeb.

use super::{
    SourceError,
    adapter::{Access, Adapter, Answer, Ask, Card, Form, by_offset, number},
    values,
};
use domain::fetch::{KeyUse, SourceHit, SourcePage, SourceQuery};
use serde_json::Value;
use std::time::Duration;

#[derive(Debug)]
pub(crate) struct ReliefWeb;

/// Hits that can be reached by offset.
const MOST: u64 = 10_000;

impl Adapter for ReliefWeb {
    fn card(&self) -> Card<'_> {
        Card {
            id: "reliefweb",
            name: "ReliefWeb",
            description: "Situation reports, maps and analyses of disasters and conflicts by humanitarian organisations since 1996.",
            coverage: "Reports in English, French, Spanish, Arabic and Russian, with country and organisation. Its key is a name for your \
                       program that ReliefWeb approves within a day, free of charge.",
            documentation: ("https://apidoc.reliefweb.int/parameters", "2026-11-21"),
            key: KeyUse::Required,
            needs: &[],
            interval: Duration::from_secs(1),
            page_size: 100,
            form: Form::Json,
            base: "https://api.reliefweb.int/",
        }
    }

    fn ask(&self, query: &SourceQuery, access: &Access<'_>) -> Result<Ask, SourceError> {
        let (limit, offset) = (access.limit.to_string(), number(query, 0)?.to_string());
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
        Ask::get(access, "v2/reports", &fields)
    }

    fn read(&self, answer: &Answer, query: &SourceQuery, _: &Access<'_>) -> Result<SourcePage, SourceError> {
        let value = answer.json();
        let (hits, given) = values::hits(value, &["data"], report)?;
        let total = values::number(value, &["totalCount"]);
        Ok(by_offset(hits, number(query, 0)?, given, total, MOST))
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
