//! Interface of source adapters: description, query to request, response to hits. Adapters do no I/O.

use super::SourceError;
use domain::fetch::{Feed, KeyUse, SourceHit, SourcePage, SourceQuery};
use serde_json::Value;
use std::{fmt::Debug, time::Duration};
use url::Url;

/// Names that every adapter uses.
pub(super) mod prelude {
    pub(in crate::sources) use super::{
        Adapter, ApiRequest, ApiResponse, Body, RequestContext, Requirement, ResponseFormat, SourceInfo, page_by_number,
        page_by_offset, page_number,
    };
    pub(in crate::sources) use crate::sources::{SourceError, values};
    pub(in crate::sources) use domain::fetch::{KeyUse, SourceHit, SourcePage, SourceQuery};
    pub(in crate::sources) use std::time::Duration;
}

/// Setting that a source requires.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Requirement {
    Contact,
    Address,
}

/// Format of a source's responses.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) enum ResponseFormat {
    #[default]
    Json,
    Feed,
}

/// Description of a source in the catalogue.
#[derive(Debug, Clone, Default)]
pub(crate) struct SourceInfo<'a> {
    pub id: &'a str,
    pub name: &'a str,
    pub description: &'a str,
    pub coverage: &'a str,
    /// Whether the source is updated hourly.
    pub is_current: bool,
    /// Documentation page, and the day on which it was read.
    pub documentation: (&'a str, &'a str),
    pub key: KeyUse,
    pub requires: &'a [Requirement],
    /// Minimum interval between requests, by the provider's terms; zero uses the default of all hosts.
    pub interval: Duration,
    /// Largest page size.
    pub page_size: u32,
    pub format: ResponseFormat,
    /// Base address, unless configured otherwise; `{language}` is replaced.
    pub base: &'a str,
}

/// Inputs of a request besides the query.
#[derive(Debug, Clone, Copy)]
pub(crate) struct RequestContext<'a> {
    pub base: &'a Url,
    /// The key, or the token obtained for it.
    pub key: Option<&'a str>,
    /// Number of results, at most the page size.
    pub limit: u32,
}

/// Request to a source.
#[derive(Debug, Clone)]
pub(crate) struct ApiRequest {
    pub url: Url,
    pub headers: Vec<(String, String)>,
    pub body: Body,
}

#[derive(Debug, Clone)]
pub(crate) enum Body {
    /// No body: GET.
    None,
    Json(Value),
    /// Form fields.
    Form(Vec<(&'static str, String)>),
}

impl ApiRequest {
    /// GET of `path` below the base, with query parameters.
    pub fn get(access: &RequestContext<'_>, path: &str, query: &[(&str, &str)]) -> Result<Self, SourceError> {
        let mut url = access.base.join(path).map_err(|_| SourceError::Address)?;
        let mut fields = query.iter().filter(|(_, value)| !value.is_empty()).peekable();
        if fields.peek().is_some() {
            url.query_pairs_mut().extend_pairs(fields);
        }
        Ok(Self { url, headers: Vec::new(), body: Body::None })
    }

    pub fn with_header(mut self, name: &str, value: impl Into<String>) -> Self {
        self.headers.push((name.to_owned(), value.into()));
        self
    }

    pub fn with_body(mut self, body: Body) -> Self {
        self.body = body;
        self
    }
}

/// Parsed response with status 200.
#[derive(Debug)]
pub(crate) enum ApiResponse {
    Json(Value),
    Feed(Box<Feed>),
}

impl ApiResponse {
    /// The JSON value; null for a feed.
    pub fn json(&self) -> &Value {
        match self {
            Self::Json(value) => value,
            Self::Feed(_) => &Value::Null,
        }
    }
}

/// Source adapter.
pub(crate) trait Adapter: Debug + Send + Sync {
    fn info(&self) -> SourceInfo<'_>;

    /// Maps a query to a request.
    fn request(&self, query: &SourceQuery, access: &RequestContext<'_>) -> Result<ApiRequest, SourceError>;

    /// Maps a response to hits.
    fn read(&self, answer: &ApiResponse, query: &SourceQuery, access: &RequestContext<'_>) -> Result<SourcePage, SourceError>;

    /// Request for an access token, for sources whose keys must be exchanged for one.
    fn token(&self, _access: &RequestContext<'_>) -> Option<Result<ApiRequest, SourceError>> {
        None
    }
}

/// Page number named by `query.page`; `first` by default.
pub(crate) fn page_number(query: &SourceQuery, first: u64) -> Result<u64, SourceError> {
    match &query.page {
        Some(page) => page.parse().ok().filter(|page| *page >= first).ok_or(SourceError::Page),
        None => Ok(first),
    }
}

/// Page of hits by number from 1, with a next page until `total` or `most` is reached.
pub(crate) fn page_by_number(
    hits: Vec<SourceHit>,
    query: &SourceQuery,
    access: &RequestContext<'_>,
    total: Option<u64>,
    most: u64,
) -> Result<SourcePage, SourceError> {
    let page = page_number(query, 1)?;
    let has_more = page.saturating_mul(u64::from(access.limit)) < total.unwrap_or(0).min(most);
    Ok(SourcePage { hits, total, next: has_more.then(|| (page + 1).to_string()) })
}

/// Page of hits by offset, with a next page until `total` or `most` is reached.
pub(crate) fn page_by_offset(hits: Vec<SourceHit>, offset: u64, given: usize, total: Option<u64>, most: u64) -> SourcePage {
    let reached = offset + given as u64;
    let has_more = given > 0 && reached < total.unwrap_or(u64::MAX).min(most);
    SourcePage { hits, total, next: has_more.then(|| reached.to_string()) }
}
