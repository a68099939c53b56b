//! Requests and responses of web access.

use crate::http::HttpResponse;
use bytes::Bytes;
use domain::fetch::{Hop, WEB};
use hyper::{HeaderMap, Method, StatusCode};
use std::time::Duration;
use url::Url;

/// Access mode of a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AccessMode {
    /// As a crawler: robots.txt is obeyed.
    Crawl,
    /// As an API client under the provider's terms, to which robots.txt does not apply. `None`: the default interval.
    Api { interval: Option<Duration> },
    /// Request for robots.txt itself: only the address rules apply, with its own rate limit.
    RobotsTxt,
}

/// Request of a source.
#[derive(Debug, Clone)]
pub struct Request {
    pub url: String,
    /// Source whose exceptions apply.
    pub source: String,
    pub mode: AccessMode,
    pub method: Method,
    /// Additional headers. Mark keys as sensitive; they are never sent to another origin.
    pub headers: HeaderMap,
    pub body: Bytes,
    /// Limit below `fetch.http.max_body_bytes`.
    pub max_bytes: Option<u64>,
}

impl Request {
    /// GET request in crawl mode.
    pub fn get(url: impl Into<String>) -> Self {
        Self {
            url: url.into(),
            source: WEB.to_owned(),
            mode: AccessMode::Crawl,
            method: Method::GET,
            headers: HeaderMap::new(),
            body: Bytes::new(),
            max_bytes: None,
        }
    }
}

/// Whole decompressed response.
#[derive(Debug, Clone)]
pub struct Response {
    /// Address after redirects.
    pub url: Url,
    pub hops: Vec<Hop>,
    pub status: StatusCode,
    pub headers: HeaderMap,
    pub body: Bytes,
}

impl Response {
    pub(super) fn new(url: Url, hops: Vec<Hop>, response: HttpResponse) -> Self {
        Self { url, hops, status: response.status, headers: response.headers, body: response.body }
    }
}
