//! Wikipedia (full text) and Wikidata (names).

use super::adapter::prelude::*;
use url::Url;

#[derive(Debug)]
pub(crate) struct Wikipedia;

#[derive(Debug)]
pub(crate) struct Wikidata;

/// Results reachable by offset.
const MAX_RESULTS: u64 = 10_000;

impl Adapter for Wikipedia {
    fn info(&self) -> SourceInfo<'_> {
        SourceInfo {
            id: "wikipedia",
            name: "Wikipedia",
            description: "Articles of the encyclopedia in one language, found by the words of their text.",
            coverage: "Background, not news: who, what and where, with references to follow. Anybody can change an article. \
                       It cannot search within a period: an article has no date of publication.",
            documentation: ("https://www.mediawiki.org/wiki/API:Search", "2026-11-21"),
            requires: &[Requirement::Contact],
            interval: Duration::from_millis(500),
            page_size: 50,
            base: "https://{language}.wikipedia.org/",
            ..SourceInfo::default()
        }
    }

    fn request(&self, query: &SourceQuery, access: &RequestContext<'_>) -> Result<ApiRequest, SourceError> {
        let (limit, offset) = (access.limit.to_string(), page_number(query, 0)?.to_string());
        let fields = [
            ("action", "query"),
            ("list", "search"),
            ("format", "json"),
            ("formatversion", "2"),
            ("srsearch", query.words.as_str()),
            ("srlimit", &limit),
            ("sroffset", &offset),
        ];
        ApiRequest::get(access, "w/api.php", &fields)
    }

    fn read(&self, answer: &ApiResponse, _: &SourceQuery, access: &RequestContext<'_>) -> Result<SourcePage, SourceError> {
        let value = answer.json();
        refusal(value)?;
        let (hits, _) = values::hits(value, &["query", "search"], |page| {
            let title = values::text(page, &["title"])?;
            Some(SourceHit {
                address: article(access.base, &title)?,
                snippet: values::text(page, &["snippet"]).and_then(|words| values::snippet(&words)),
                outlet: Some("Wikipedia".into()),
                language: access.base.host_str().and_then(|host| host.strip_suffix(".wikipedia.org")).map(str::to_owned),
                title,
                ..SourceHit::default()
            })
        })?;
        let next = values::number(value, &["continue", "sroffset"]).filter(|offset| *offset < MAX_RESULTS);
        let total = values::number(value, &["query", "searchinfo", "totalhits"]);
        Ok(SourcePage { hits, total, next: next.map(|offset| offset.to_string()) })
    }
}

impl Adapter for Wikidata {
    fn info(&self) -> SourceInfo<'_> {
        SourceInfo {
            id: "wikidata",
            name: "Wikidata",
            description: "Persons, places, organisations and other things, found by their names and other names.",
            coverage: "What things are called and what they are, with identifiers of many registers; no texts and no news. \
                       Found by the beginning of a name, not by words inside.",
            documentation: ("https://www.mediawiki.org/wiki/Wikibase/API", "2026-11-22"),
            requires: &[Requirement::Contact],
            interval: Duration::from_millis(500),
            page_size: 50,
            base: "https://www.wikidata.org/",
            ..SourceInfo::default()
        }
    }

    fn request(&self, query: &SourceQuery, access: &RequestContext<'_>) -> Result<ApiRequest, SourceError> {
        let (limit, offset) = (access.limit.to_string(), page_number(query, 0)?.to_string());
        let language = query.language.as_deref().unwrap_or("en");
        let fields = [
            ("action", "wbsearchentities"),
            ("format", "json"),
            ("type", "item"),
            ("language", language),
            ("uselang", language),
            ("search", query.words.as_str()),
            ("limit", &limit),
            ("continue", &offset),
        ];
        ApiRequest::get(access, "w/api.php", &fields)
    }

    fn read(&self, answer: &ApiResponse, query: &SourceQuery, access: &RequestContext<'_>) -> Result<SourcePage, SourceError> {
        let value = answer.json();
        refusal(value)?;
        let (hits, _) = values::hits(value, &["search"], |thing| {
            let id = values::text(thing, &["id"])?;
            Some(SourceHit {
                address: access.base.join("wiki/").ok()?.join(&id).ok()?.into(),
                title: values::text(thing, &["label"]).unwrap_or(id),
                snippet: values::text(thing, &["description"]),
                outlet: Some("Wikidata".into()),
                ..SourceHit::default()
            })
        })?;
        match values::number(value, &["search-continue"]) {
            Some(next) => Ok(SourcePage { hits, total: None, next: Some(next.to_string()) }),
            None => Ok(page_by_offset(hits, page_number(query, 0)?, 0, None, MAX_RESULTS)),
        }
    }
}

/// Error of MediaWiki, which arrives with status 200.
fn refusal(value: &serde_json::Value) -> Result<(), SourceError> {
    match values::text(value, &["error", "code"]).as_deref() {
        None => Ok(()),
        Some("maxlag" | "ratelimited") => Err(SourceError::Busy { retry_after_s: None }),
        Some(code) => Err(SourceError::Query(values::text(value, &["error", "info"]).unwrap_or_else(|| code.to_owned()))),
    }
}

fn article(base: &Url, title: &str) -> Option<String> {
    let mut address = base.join("wiki/").ok()?;
    address.path_segments_mut().ok()?.pop_if_empty().push(&title.replace(' ', "_"));
    Some(address.into())
}
