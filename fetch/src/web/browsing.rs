//! What the browser needs of the door: the same judgement of addresses, the same connections, and the same readers of pages.

use super::{Manner, Request, Web, page};
use crate::{cache::Kept, http::Answer, pace::Turn, web::WebPage};
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

/// A page as a browser has it.
pub(crate) struct Shown {
    pub asked: String,
    pub url: String,
    pub status: Option<u16>,
    pub headers: BTreeMap<String, String>,
    pub hops: Vec<Hop>,
    pub html: String,
}

impl Web {
    /// Whether the site lets programs read what stands at `url`.
    pub(crate) async fn allows(&self, source: &str, url: &Url) -> Result<(), FetchError> {
        self.inner.client.guard().check(source, url)?;
        self.site(url, &asked(source, url)).await.check(url).map(|_| ())
    }

    /// Whether a page at `home` may lead on to `url`: exceptions hold for its own host only.
    pub(crate) fn leads(&self, source: &str, home: Option<&Url>, url: &Url) -> Result<(), FetchError> {
        self.inner.client.guard().led(source, home, url).map(drop)
    }

    /// Judges an address, asks the rules of its site and waits for its host's turn, which lasts until it is dropped.
    pub(crate) async fn admit(&self, source: &str, address: &str) -> Result<(Url, Turn), FetchError> {
        let url = self.check(source, address)?;
        let request = asked(source, &url);
        let delay = self.delay(&url, &request).await?;
        let turn = self.inner.pace.turn(&super::pace_key(&url, &request), delay).await?;
        Ok((url, turn))
    }

    /// How often one page may lead on to another.
    pub(crate) fn max_redirects(&self) -> u32 {
        self.inner.config.http.max_redirects
    }

    /// Whether what a browser shows is the page that was asked for, and not what a server says instead.
    pub(crate) async fn is_answered(
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
                let pause = self.heed(source, &url, status, headers).await;
                Err(page::status_error(&url, status, pause))
            }
        }
    }

    /// The pause that an answer asks for. A host that wants to be left alone is, whoever asks for it next.
    async fn heed(&self, source: &str, url: &Url, status: u16, headers: &BTreeMap<String, String>) -> Option<Duration> {
        let headers = header_map(headers);
        if let Some(pause) = self.pause(status, &headers) {
            self.inner.pace.hold(&super::pace_key(url, &asked(source, url)), pause).await;
        }
        self.retry_after(&headers)
    }

    /// A page that a browser shows, read as one that was fetched.
    pub(crate) async fn rendered(&self, shown: Shown) -> Result<WebPage, FetchError> {
        let started = Instant::now();
        let asked = self.inner.client.guard().read(&shown.asked)?;
        let mut headers = header_map(&shown.headers);
        // Whatever the server sent, this is what the browser made of it.
        headers.insert(CONTENT_TYPE, HeaderValue::from_static("text/html; charset=utf-8"));
        let status = shown.status.and_then(|status| StatusCode::from_u16(status).ok()).unwrap_or(StatusCode::OK);
        let answer = Answer { status, headers, body: Bytes::from(shown.html) };
        let copy = Kept { final_url: shown.url, hops: shown.hops, answer, checked_at: (self.inner.now)() };
        let read = self.read(&copy).await;
        page::described(&asked, copy, CacheUse::None, started, read).map_err(|error| match error.reason {
            FetchFailure::Scripted => FetchError {
                reason: FetchFailure::Unreadable,
                message: "No text was found in this page, though its scripts have run; save what you see as plain text or PDF."
                    .into(),
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

fn asked(source: &str, url: &Url) -> Request {
    Request { source: source.to_owned(), manner: Manner::Crawl, ..Request::get(url.as_str()) }
}
