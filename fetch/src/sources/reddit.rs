//! Reddit: posts.

use super::adapter::prelude::*;
use base64::{Engine as _, prelude::BASE64_STANDARD};
use domain::{Precision, PublicationDate, PublishedBasis, Timestamp};
use serde_json::Value;

#[derive(Debug)]
pub(crate) struct Reddit;

impl Adapter for Reddit {
    fn info(&self) -> SourceInfo<'_> {
        SourceInfo {
            id: "reddit",
            name: "Reddit",
            description: "What people post and discuss in Reddit's communities.",
            coverage: "Posts of the last years, newest first, about 250 of a query. It cannot search by period or language: any may come. \
                       Its key is `id:secret` of an application of the kind \"script\".",
            is_current: true,
            documentation: ("https://www.reddit.com/dev/api", "2026-11-22"),
            key: KeyUse::Required,
            requires: &[Requirement::Contact],
            interval: Duration::from_millis(700),
            page_size: 100,
            base: "https://oauth.reddit.com/",
            ..SourceInfo::default()
        }
    }

    fn request(&self, query: &SourceQuery, access: &RequestContext<'_>) -> Result<ApiRequest, SourceError> {
        let limit = access.limit.to_string();
        let fields = [
            ("q", query.words.as_str()),
            ("sort", "new"),
            ("type", "link"),
            ("raw_json", "1"),
            ("limit", &limit),
            ("after", query.page.as_deref().unwrap_or_default()),
        ];
        Ok(ApiRequest::get(access, "search", &fields)?
            .with_header("authorization", format!("Bearer {}", access.key.unwrap_or_default())))
    }

    fn read(&self, answer: &ApiResponse, _: &SourceQuery, _: &RequestContext<'_>) -> Result<SourcePage, SourceError> {
        let value = answer.json();
        let (hits, _) = values::hits(value, &["data", "children"], |child| post(child.get("data")?))?;
        Ok(SourcePage { hits, total: None, next: values::text(value, &["data", "after"]) })
    }

    /// Reddit exchanges the key for a token valid for one hour. A configured address serves both.
    fn token(&self, access: &RequestContext<'_>) -> Option<Result<ApiRequest, SourceError>> {
        let key = access.key?;
        let own = access.base.host_str() == Some("oauth.reddit.com");
        let request = ApiRequest::get(access, "api/v1/access_token", &[]).map(|mut request| {
            if own {
                // Tokens come from the public host name.
                let _ = request.url.set_host(Some("www.reddit.com"));
            }
            request
                .with_header("authorization", format!("Basic {}", BASE64_STANDARD.encode(key)))
                .with_body(Body::Form(vec![("grant_type", "client_credentials".to_owned())]))
        });
        Some(request)
    }
}

fn post(post: &Value) -> Option<SourceHit> {
    let path = values::text(post, &["permalink"]).filter(|path| path.starts_with('/'))?;
    let created =
        post.get("created_utc").and_then(Value::as_f64).map(|seconds| Timestamp::from_micros(seconds as i64 * 1_000_000));
    Some(SourceHit {
        address: format!("https://www.reddit.com{path}"),
        title: values::text(post, &["title"])?,
        snippet: values::text(post, &["selftext"]).and_then(|words| values::snippet(&words)),
        published: created.map(|value| PublicationDate {
            value,
            precision: Precision::Minute,
            basis: PublishedBasis::Metadata,
        }),
        outlet: values::text(post, &["subreddit_name_prefixed"]),
        byline: values::text(post, &["author"]),
        ..SourceHit::default()
    })
}
