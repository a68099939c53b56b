//! Pages as parsed documents, from the cache or the server. Concurrent requests for one page share a result.

use super::{Request, Web};
use crate::{
    cache::CachedPage,
    documents::{DocumentWithBytes, Page},
    guard::brief,
    rate_limit::human_duration,
};
use bytes::Bytes;
use domain::fetch::{CacheUse, FetchError, FetchFailure, FetchRequest, FetchedPage, RejectReason, Rejection, has_scripts};
use futures::StreamExt;
use hyper::{
    HeaderMap,
    header::{
        CACHE_CONTROL, CONTENT_LANGUAGE, CONTENT_TYPE, DATE, ETAG, EXPIRES, HeaderName, IF_MODIFIED_SINCE, IF_NONE_MATCH,
        LAST_MODIFIED, LINK, SERVER,
    },
};
use moka::future::Cache;
use std::{
    collections::BTreeMap,
    sync::Arc,
    time::{Duration, Instant},
};
use url::Url;

/// Headers that describe the content.
const STORED_HEADERS: [HeaderName; 9] =
    [CACHE_CONTROL, CONTENT_LANGUAGE, CONTENT_TYPE, DATE, ETAG, EXPIRES, LAST_MODIFIED, LINK, SERVER];
/// Longest header that is stored.
const MAX_HEADER_CHARS: usize = 2_000;
/// Lifetime of a shared result.
const SHARED_RESULT_TTL: Duration = Duration::from_secs(1);

/// Fetched page with the bytes of its documents, in the same order.
#[derive(Debug, Clone)]
pub struct WebPage {
    pub page: FetchedPage,
    pub bytes: Vec<Bytes>,
}

pub(super) type InFlight = Cache<String, Result<Arc<WebPage>, FetchError>>;

pub(super) fn in_flight() -> InFlight {
    Cache::builder().max_capacity(10_000).time_to_live(SHARED_RESULT_TTL).build()
}

impl Web {
    /// Fetches and parses an address.
    pub async fn page(&self, request: &FetchRequest) -> Result<Arc<WebPage>, FetchError> {
        let url = self.inner.client.guard().read(&request.url)?;
        // Checked before the cache, so that cached content of refused addresses is not revealed.
        self.inner.client.guard().check(&request.source, &url)?;
        let key = format!("{}\n{}\n{url}", request.source, request.max_age_ms.map_or(String::new(), |age| age.to_string()));
        let found = self.inner.in_flight.get_with(key.clone(), self.load(url, request)).await;
        self.inner.in_flight.invalidate(&key).await;
        found
    }

    async fn load(&self, url: Url, request: &FetchRequest) -> Result<Arc<WebPage>, FetchError> {
        let started = Instant::now();
        let (copy, cache) = self.copy(&url, request).await.inspect_err(super::count_failure)?;
        let used = match cache {
            CacheUse::None => "none",
            CacheUse::Fresh => "fresh",
            CacheUse::Revalidated => "revalidated",
        };
        metrics::counter!("autosint_fetch_pages_total", "cache" => used).increment(1);
        let read = self.read(&copy).await;
        let page = describe_page(&url, copy, cache, started, read)?;
        Ok(Arc::new(page))
    }

    /// Fresh copy, revalidated copy or new response.
    async fn copy(&self, url: &Url, request: &FetchRequest) -> Result<(CachedPage, CacheUse), FetchError> {
        let (source, address) = (request.source.as_str(), url.as_str());
        let cached = match &self.inner.cache {
            Some(cache) => cache.get(source, address).await,
            None => None,
        };
        let max_age_ms = request.max_age_ms.unwrap_or(self.inner.config.cache.ttl_ms);
        let age_ms = |copy: &CachedPage| u64::try_from((self.inner.now)().ms_since(copy.checked_at)).unwrap_or(0);
        if let Some(copy) = &cached
            && age_ms(copy) < max_age_ms
        {
            return Ok((copy.clone(), CacheUse::Fresh));
        }
        let headers = cached.as_ref().map(conditional_headers).unwrap_or_default();
        let outgoing = Request { source: source.to_owned(), headers, ..Request::get(address) };
        let final_response = self.follow(url.clone(), &outgoing).await?;
        let now = (self.inner.now)();
        let (copy, used) = match (final_response.response.status.as_u16(), cached) {
            (304, Some(cached)) if final_response.hops.is_empty() => {
                (CachedPage { checked_at: now, ..cached }, CacheUse::Revalidated)
            }
            (200..=203, _) => {
                let final_url = final_response.url.to_string();
                (
                    CachedPage { final_url, hops: final_response.hops, response: final_response.response, checked_at: now },
                    CacheUse::None,
                )
            }
            (status, _) => {
                return Err(status_error(&final_response.url, status, self.retry_after(&final_response.response.headers)));
            }
        };
        if let Some(cache) = self.inner.cache.as_ref().filter(|_| may_cache(&copy.response.headers)) {
            cache.put(source, address, &copy).await;
        }
        Ok((copy, used))
    }

    pub(super) async fn read(&self, copy: &CachedPage) -> Vec<Result<DocumentWithBytes, Rejection>> {
        let content_type = text(&copy.response.headers, &CONTENT_TYPE);
        let page = Page::new(copy.final_url.clone(), content_type, copy.response.body.clone());
        self.inner.documents.read_page(page).collect().await
    }
}

/// Validators for revalidation.
fn conditional_headers(copy: &CachedPage) -> HeaderMap {
    let mut headers = HeaderMap::new();
    // After a redirect they belong to another page.
    if !copy.hops.is_empty() {
        return headers;
    }
    for (stated, asked) in [(ETAG, IF_NONE_MATCH), (LAST_MODIFIED, IF_MODIFIED_SINCE)] {
        if let Some(value) = copy.response.headers.get(stated) {
            headers.insert(asked, value.clone());
        }
    }
    headers
}

fn may_cache(headers: &HeaderMap) -> bool {
    !text(headers, &CACHE_CONTROL).is_some_and(|value| value.to_ascii_lowercase().contains("no-store"))
}

fn text<'a>(headers: &'a HeaderMap, name: &HeaderName) -> Option<&'a str> {
    headers.get(name)?.to_str().ok()
}

pub(super) fn describe_page(
    url: &Url,
    copy: CachedPage,
    cache: CacheUse,
    started: Instant,
    read: Vec<Result<DocumentWithBytes, Rejection>>,
) -> Result<WebPage, FetchError> {
    let (mut documents, mut bytes, mut rejected) = (vec![], vec![], vec![]);
    for item in read {
        match item {
            Ok(fetched) => {
                documents.push(fetched.document);
                bytes.push(fetched.bytes);
            }
            Err(why) => rejected.push(why),
        }
    }
    if let (true, [why, ..]) = (documents.is_empty(), &rejected[..]) {
        let error = unreadable(&copy, why);
        return Err(FetchError { status: Some(copy.response.status.as_u16()), ..error });
    }
    let headers = STORED_HEADERS.iter().filter_map(|name| {
        let value = text(&copy.response.headers, name)?;
        (value.len() <= MAX_HEADER_CHARS).then(|| (name.to_string(), value.to_owned()))
    });
    let named = text(&copy.response.headers, &LINK).and_then(|link| canonical(link, &copy.final_url));
    let canonical = named.or_else(|| documents.first().and_then(|document| document.canonical.clone()));
    let page = FetchedPage {
        url: url.to_string(),
        canonical_url: canonical.filter(|canonical| same_host(canonical, &copy.final_url)),
        hops: copy.hops,
        status: copy.response.status.as_u16(),
        content_type: text(&copy.response.headers, &CONTENT_TYPE).map(str::to_owned),
        headers: headers.collect::<BTreeMap<_, _>>(),
        sha256: crate::sha256_hex(&copy.response.body),
        size_bytes: copy.response.body.len() as u64,
        fetched_at: copy.checked_at,
        elapsed_ms: started.elapsed().as_millis() as u64,
        cache,
        final_url: copy.final_url,
        documents,
        rejected,
    };
    Ok(WebPage { page, bytes })
}

/// Error for a page without readable documents. The message names the part, if it is one.
fn unreadable(copy: &CachedPage, why: &Rejection) -> FetchError {
    let is_page = text(&copy.response.headers, &CONTENT_TYPE).is_some_and(|kind| kind.to_ascii_lowercase().contains("html"));
    if why.reason == RejectReason::NoText && is_page && has_scripts(&copy.response.body) {
        return FetchError::new(
            FetchFailure::Scripted,
            "The page contains no text until its scripts run; open it in a browser and save it as plain text or PDF.",
        );
    }
    let message = match why.path == copy.final_url {
        true => why.message.clone(),
        false => format!("{}: {}", brief(&why.path), why.message),
    };
    FetchError::new(FetchFailure::Unreadable, message)
}

/// `Link: <address>; rel="canonical"` (RFC 6596).
fn canonical(link: &str, final_url: &str) -> Option<String> {
    let named = link.split(',').find(|part| part.contains("canonical"))?;
    let address = named.split_once('<')?.1.split_once('>')?.0;
    Url::parse(final_url).ok()?.join(address).ok().map(|url| url.to_string())
}

/// Whether both addresses have the same host; a page may not claim another host's address.
fn same_host(canonical: &str, final_url: &str) -> bool {
    let host = |text: &str| {
        let url = Url::parse(text).ok()?;
        url.host_str().map(|host| host.trim_start_matches("www.").to_owned())
    };
    host(canonical).is_some() && host(canonical) == host(final_url)
}

pub(super) fn status_error(url: &Url, status: u16, pause: Option<Duration>) -> FetchError {
    let host = brief(url.host_str().unwrap_or("the server"));
    let later = match pause {
        Some(pause) => format!("it asks to wait {}; try again then", human_duration(pause)),
        None => "it asks to wait; try again later".to_owned(),
    };
    let (reason, why) = match status {
        401 | 402 | 407 => (FetchFailure::Status, "it requires a login or payment; add the page as a file"),
        403 | 451 => (FetchFailure::Status, "it denies access to programs; read the page yourself and add it as a file"),
        404 | 410 => (FetchFailure::Status, "the page does not exist; check the address"),
        429 | 503 => (FetchFailure::Busy, later.as_str()),
        500..=599 => (FetchFailure::Status, "server error; try again later"),
        _ => (FetchFailure::Status, "unexpected status; check the address"),
    };
    let error = FetchError::new(reason, format!("{host} answered {status}: {why}."));
    FetchError { status: Some(status), retry_after_ms: pause.map(|pause| pause.as_millis() as u64), ..error }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::http::HttpResponse;
    use domain::Timestamp;
    use hyper::{StatusCode, header::HeaderValue};

    fn unreadable_error(kind: &'static str, body: &'static str, path: &str) -> FetchError {
        let headers = HeaderMap::from_iter([(CONTENT_TYPE, HeaderValue::from_static(kind))]);
        let response = HttpResponse { status: StatusCode::OK, headers, body: Bytes::from_static(body.as_bytes()) };
        let final_url = "https://a.example/page".to_owned();
        let copy = CachedPage { final_url, hops: vec![], response, checked_at: Timestamp::from_micros(1) };
        let why = Rejection { path: path.to_owned(), reason: RejectReason::NoText, message: "No text was found.".into() };
        unreadable(&copy, &why)
    }

    #[test]
    fn a_page_without_text_that_has_scripts_may_show_more_in_a_browser() {
        let page = "https://a.example/page";
        let scripted = unreadable_error("text/HTML; charset=utf-8", "<div id=root></div><SCRIPT src=/app.js></SCRIPT>", page);
        assert_eq!(scripted.reason, FetchFailure::Scripted);
        for (kind, body) in [("text/html", "<div id=root></div>"), ("application/pdf", "%PDF <script>")] {
            let error = unreadable_error(kind, body, page);
            assert_eq!((error.reason, error.message.as_str()), (FetchFailure::Unreadable, "No text was found."));
        }
        let part = unreadable_error("application/zip", "PK", "https://a.example/page!scan.pdf");
        assert_eq!(part.message, "https://a.example/page!scan.pdf: No text was found.");
    }

    #[test]
    fn a_requested_pause_is_named_in_the_error() {
        let url = Url::parse("https://a.example/").unwrap();
        let error = status_error(&url, 429, Some(Duration::from_secs(7_200)));
        assert!(error.message.contains("asks to wait 2 hours"), "{error}");
        assert!(status_error(&url, 503, None).message.contains("asks to wait;"));
    }
}
