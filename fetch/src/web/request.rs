//! What sources ask and get.

use crate::http::Answer;
use bytes::Bytes;
use domain::fetch::{Hop, WEB};
use hyper::{HeaderMap, Method, StatusCode};
use std::time::Duration;
use url::Url;

/// How a host is treated.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Manner {
    /// As a visitor of its pages: robots.txt is obeyed.
    Crawl,
    /// By an interface that it offers to programs, whose terms the source knows: robots.txt is not about it. None: the usual interval.
    Interface { interval: Option<Duration> },
    /// As the file that says how the host wants to be treated: nothing but the address rules holds for it, and it costs no page its turn.
    Rules,
}

/// One request of a source.
#[derive(Debug, Clone)]
pub struct Request {
    pub url: String,
    /// Its exceptions of the address rules hold.
    pub source: String,
    pub manner: Manner,
    pub method: Method,
    /// Beside those that every request has. Keys are to be marked as sensitive; they are not sent on to another origin.
    pub headers: HeaderMap,
    pub body: Bytes,
    /// Less than `fetch.http.max_body_bytes`, where less will do.
    pub max_bytes: Option<u64>,
}

impl Request {
    /// A page as a visitor sees it.
    pub fn get(url: impl Into<String>) -> Self {
        Self {
            url: url.into(),
            source: WEB.to_owned(),
            manner: Manner::Crawl,
            method: Method::GET,
            headers: HeaderMap::new(),
            body: Bytes::new(),
            max_bytes: None,
        }
    }
}

/// The whole answer, unpacked.
#[derive(Debug, Clone)]
pub struct Response {
    /// After redirects.
    pub url: Url,
    pub hops: Vec<Hop>,
    pub status: StatusCode,
    pub headers: HeaderMap,
    pub body: Bytes,
}

impl Response {
    pub(super) fn new(url: Url, hops: Vec<Hop>, answer: Answer) -> Self {
        Self { url, hops, status: answer.status, headers: answer.headers, body: answer.body }
    }

    /// A header as text, where it is one.
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.get(name)?.to_str().ok()
    }
}
