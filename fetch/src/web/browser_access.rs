//! Web access of the browser: the same address checks, connections and parsers as for fetched pages.

use super::{AccessMode, Request, Web, page};
use crate::{cache::CachedPage, http::HttpResponse, rate_limit::HostPermit, web::WebPage};
use bytes::Bytes;
use domain::fetch::{CacheUse, FetchError, FetchFailure, Hop};
use hyper::{
    HeaderMap, StatusCode,
    header::{CONTENT_TYPE, HeaderName, HeaderValue},
};
use std::{
    collections::BTreeMap,
    time::{Duration, Instant},
};
use url::Url;

/// Page as rendered by the browser.
pub(crate) struct RenderedHtml {
    pub requested_url: String,
    pub url: String,
    pub status: Option<u16>,
    pub headers: BTreeMap<String, String>,
    pub hops: Vec<Hop>,
    pub html: String,
}

impl Web {
    /// Whether robots.txt permits reading `url`.
    pub(crate) async fn check_robots(&self, source: &str, url: &Url) -> Result<(), FetchError> {
        self.inner.client.guard().check(source, url)?;
        self.site(url, &crawl_request(source, url)).await.check(url).map(|_| ())
    }

    /// Whether a page at `from_page` may link to `url`: exceptions hold for its own host only.
    pub(crate) fn check_link(&self, source: &str, from_page: Option<&Url>, url: &Url) -> Result<(), FetchError> {
        self.inner.client.guard().check_followed(source, from_page, url).map(drop)
    }

    /// Checks an address and robots.txt, then waits for a permit of its host.
    pub(crate) async fn admit(&self, source: &str, address: &str) -> Result<(Url, HostPermit), FetchError> {
        let url = self.check(source, address)?;
        let request = crawl_request(source, &url);
        let delay = self.delay(&url, &request).await?;
        let permit = self.inner.limiter.acquire(&super::host_key(&url, &request), delay).await?;
        Ok((url, permit))
    }

    /// Navigations that one page may trigger.
    pub(crate) fn max_redirects(&self) -> u32 {
        self.inner.config.http.max_redirects
    }

    /// Error for a response status that is no success.
    pub(crate) async fn check_response_status(
        &self,
        source: &str,
        url: &str,
        status: Option<u16>,
        headers: &BTreeMap<String, String>,
    ) -> Result<(), FetchError> {
        match status {
            None | Some(200..=203) => Ok(()),
            Some(status) => {
                let url = self.inner.client.guard().read(url)?;
                let pause = self.apply_retry_after(source, &url, status, headers).await;
                Err(page::status_error(&url, status, pause))
            }
        }
    }

    /// Pause requested by a response, which applies to all later requests to the host.
    async fn apply_retry_after(
        &self,
        source: &str,
        url: &Url,
        status: u16,
        headers: &BTreeMap<String, String>,
    ) -> Option<Duration> {
        let headers = header_map(headers);
        if let Some(pause) = self.pause(status, &headers) {
            self.inner.limiter.pause(&super::host_key(url, &crawl_request(source, url)), pause).await;
        }
        self.retry_after(&headers)
    }

    /// Parses a rendered page like a fetched one.
    pub(crate) async fn parse_rendered(&self, page: RenderedHtml) -> Result<WebPage, FetchError> {
        let started = Instant::now();
        let url = self.inner.client.guard().read(&page.requested_url)?;
        let mut headers = header_map(&page.headers);
        // The body is now what the browser made of the response.
        headers.insert(CONTENT_TYPE, HeaderValue::from_static("text/html; charset=utf-8"));
        let status = page.status.and_then(|status| StatusCode::from_u16(status).ok()).unwrap_or(StatusCode::OK);
        let response = HttpResponse { status, headers, body: Bytes::from(page.html) };
        let copy = CachedPage { final_url: page.url, hops: page.hops, response, checked_at: (self.inner.now)() };
        let read = self.read(&copy).await;
        page::describe_page(&url, copy, CacheUse::None, started, read).map_err(|error| match error.reason {
            FetchFailure::Scripted => FetchError {
                reason: FetchFailure::Unreadable,
                message: "The rendered page contains no text; save what you see as plain text or PDF.".into(),
                ..error
            },
            _ => error,
        })
    }
}

fn header_map(headers: &BTreeMap<String, String>) -> HeaderMap {
    let named = headers.iter();
    named.filter_map(|(name, value)| Some((HeaderName::try_from(name).ok()?, HeaderValue::try_from(value).ok()?))).collect()
}

fn crawl_request(source: &str, url: &Url) -> Request {
    Request { source: source.to_owned(), mode: AccessMode::Crawl, ..Request::get(url.as_str()) }
}
