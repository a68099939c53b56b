//! CourtListener: court decisions of the United States.

use super::adapter::prelude::*;
use serde_json::Value;
use url::Url;

#[derive(Debug)]
pub(crate) struct CourtListener;

impl Adapter for CourtListener {
    fn info(&self) -> SourceInfo<'_> {
        SourceInfo {
            id: "court_listener",
            name: "CourtListener",
            description: "Decisions of federal and state courts of the United States, found by the words of their text.",
            coverage: "Millions of opinions since the 18th century, in English. Without a key it answers few requests a day; a key is free.",
            documentation: ("https://www.courtlistener.com/help/api/rest/search", "2026-11-21"),
            key: KeyUse::Optional,
            interval: Duration::from_secs(2),
            page_size: 20,
            base: "https://www.courtlistener.com/",
            ..SourceInfo::default()
        }
    }

    fn request(&self, query: &SourceQuery, access: &RequestContext<'_>) -> Result<ApiRequest, SourceError> {
        let fields = [
            ("q", query.words.as_str()),
            ("type", "o"),
            ("order_by", "score desc"),
            ("filed_after", query.since.as_deref().unwrap_or_default()),
            ("filed_before", query.until.as_deref().unwrap_or_default()),
            ("cursor", query.page.as_deref().unwrap_or_default()),
        ];
        let request = ApiRequest::get(access, "api/rest/v4/search/", &fields)?;
        Ok(match access.key {
            Some(key) => request.with_header("authorization", format!("Token {key}")),
            None => request,
        })
    }

    fn read(&self, answer: &ApiResponse, _: &SourceQuery, access: &RequestContext<'_>) -> Result<SourcePage, SourceError> {
        let value = answer.json();
        let (hits, _) = values::hits(value, &["results"], |decision| hit(decision, access.base))?;
        // Only the cursor of the next page is used: addresses from outside are never followed.
        let next = values::text(value, &["next"]).and_then(|next| Url::parse(&next).ok());
        let cursor =
            next.and_then(|next| next.query_pairs().find(|(name, _)| name == "cursor").map(|(_, cursor)| cursor.into_owned()));
        Ok(SourcePage { hits, total: values::number(value, &["count"]), next: cursor })
    }
}

fn hit(decision: &Value, base: &Url) -> Option<SourceHit> {
    let path = values::text(decision, &["absolute_url"])?;
    let snippet = values::text(decision, &["opinions", "0", "snippet"]);
    Some(SourceHit {
        address: base.join(&path).ok()?.into(),
        title: values::text(decision, &["caseName"])?,
        snippet: snippet.and_then(|words| values::snippet(&words)),
        published: values::date(decision, &["dateFiled"]),
        outlet: values::text(decision, &["court"]),
        byline: values::text(decision, &["judge"]),
        language: Some("en".into()),
    })
}
