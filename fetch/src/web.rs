//! Outbound web access: every request of Fetch passes the address rules, robots.txt and the rate limit of its host here.
//!
//! Invariant: each redirect is checked like a new request, and secret headers go to one origin only.

mod browser_access;
mod host_breaker;
mod page;
mod request;

pub(crate) use browser_access::RenderedHtml;
pub use page::WebPage;
pub use request::{AccessMode, Request, Response};

use crate::{
    FetchConfig,
    cache::PageCache,
    documents::Documents,
    guard::{Clearance, Guard, brief},
    http::{Exchange, HttpClient, HttpRequest, HttpResponse, Resolve, SystemResolver},
    rate_limit::{HostLimiter, MemoryRateLimiter, RateLimiter, human_duration},
    robots::{self, RobotsCache, SiteRules},
};
use domain::{
    Timestamp,
    fetch::{FetchError, FetchFailure, Hop},
};
use host_breaker::HostBreaker;
use hyper::{
    HeaderMap, Method, StatusCode,
    header::{IF_MODIFIED_SINCE, IF_NONE_MATCH, LOCATION, RETRY_AFTER},
};
use std::{fmt, path::PathBuf, sync::Arc, time::Duration};
use tokio::net::TcpStream;
use url::Url;

/// Clock of the caller.
pub type Now = Arc<dyn Fn() -> Timestamp + Send + Sync>;

/// Dependencies of [`Web`].
pub struct WebDeps {
    pub resolver: Arc<dyn Resolve>,
    pub rate_limiter: Arc<dyn RateLimiter>,
    pub now: Now,
    /// Folder of the page cache; `None` disables it.
    pub cache_folder: Option<PathBuf>,
}

impl WebDeps {
    /// System resolver and in-process rate limiter.
    pub fn new(config: &FetchConfig, now: Now, cache_folder: Option<PathBuf>) -> Self {
        let rate_limiter = Arc::new(MemoryRateLimiter::new(config.rate_limit.max_hosts));
        Self { resolver: Arc::new(SystemResolver), rate_limiter, now, cache_folder }
    }
}

/// Cheap handle to web access.
#[derive(Clone)]
pub struct Web {
    inner: Arc<Inner>,
}

struct Inner {
    config: FetchConfig,
    client: HttpClient,
    limiter: HostLimiter,
    breaker: HostBreaker,
    robots: RobotsCache,
    documents: Documents,
    cache: Option<PageCache>,
    now: Now,
    in_flight: page::InFlight,
}

impl fmt::Debug for Web {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Web").field("client", &self.inner.client).finish_non_exhaustive()
    }
}

/// Final response after redirects.
#[derive(Debug)]
struct FinalResponse {
    url: Url,
    hops: Vec<Hop>,
    response: HttpResponse,
}

impl Web {
    /// Creates web access; `documents` parses responses. Fails if the configuration is invalid.
    pub fn new(config: &FetchConfig, documents: Documents, deps: WebDeps) -> Result<Self, FetchError> {
        let agent = robots::agent(&config.contact);
        let http = config.http_of_sources();
        let client = HttpClient::new(http.clone(), &agent, Guard::new(&http), deps.resolver)?;
        let folder = deps.cache_folder.filter(|_| config.cache.max_bytes > 0);
        let cache = folder.and_then(|folder| {
            let opened = PageCache::open(folder, config.cache.max_bytes);
            opened.inspect_err(|error| tracing::warn!(%error, "page cache disabled: cannot open its folder")).ok()
        });
        let inner = Inner {
            client,
            limiter: HostLimiter::new(config.rate_limit.clone(), deps.rate_limiter),
            breaker: HostBreaker::new(&config.http, config.rate_limit.max_hosts),
            robots: RobotsCache::new(&config.robots),
            documents,
            cache,
            now: deps.now,
            in_flight: page::in_flight(),
            config: config.clone(),
        };
        Ok(Self { inner: Arc::new(inner) })
    }

    /// Connections attempted since the start.
    pub fn dials(&self) -> u64 {
        self.inner.client.dials()
    }

    /// Checks an address on behalf of a source and returns it normalised.
    pub fn check(&self, source: &str, url: &str) -> Result<Url, FetchError> {
        let url = self.inner.client.guard().read(url)?;
        self.inner.client.guard().check(source, &url)?;
        Ok(url)
    }

    /// Opens a raw connection for the browser's proxy. Exceptions hold for the host of `from_page` only.
    pub(crate) async fn connect(
        &self,
        source: &str,
        from_page: Option<&Url>,
        url: &Url,
    ) -> Result<(TcpStream, Clearance), FetchError> {
        self.inner.client.connect(source, from_page, url).await
    }

    /// Sends a request and returns the response with any status. Only GET follows redirects.
    pub async fn send(&self, request: Request) -> Result<Response, FetchError> {
        let url = self.inner.client.guard().read(&request.url)?;
        let final_response = self.follow(url, &request).await.inspect_err(count_failure)?;
        Ok(Response::new(final_response.url, final_response.hops, final_response.response))
    }

    async fn follow(&self, mut url: Url, request: &Request) -> Result<FinalResponse, FetchError> {
        let (mut hops, mut headers) = (vec![], request.headers.clone());
        loop {
            let response = self.ask_with_retry(&url, request, &headers).await?;
            if !is_redirect(response.status) || request.method != Method::GET {
                return Ok(FinalResponse { url, hops, response });
            }
            let Some(next) = self.target(&url, &response)? else { return Ok(FinalResponse { url, hops, response }) };
            if hops.len() >= self.inner.config.http.max_redirects as usize {
                let message = format!(
                    "{} redirected more than {} times (`fetch.http.max_redirects`).",
                    brief(url.host_str().unwrap_or("the page")),
                    self.inner.config.http.max_redirects
                );
                return Err(FetchError::new(FetchFailure::TooLarge, message));
            }
            self.inner.client.guard().check_followed(&request.source, Some(&url), &next)?;
            if next.origin() != url.origin() {
                headers = HeaderMap::new();
            }
            // Validators belong to the requested page, not to a redirect's target.
            headers.remove(IF_NONE_MATCH);
            headers.remove(IF_MODIFIED_SINCE);
            hops.push(Hop { url: url.to_string(), status: response.status.as_u16() });
            url = next;
        }
    }

    /// Target of a redirect; `None` without a `Location`.
    fn target(&self, from: &Url, response: &HttpResponse) -> Result<Option<Url>, FetchError> {
        let Some(location) = response.headers.get(LOCATION) else { return Ok(None) };
        let location = String::from_utf8_lossy(location.as_bytes());
        let bad = || {
            FetchError::new(
                FetchFailure::Malformed,
                format!("{} redirects to an invalid address.", from.host_str().unwrap_or("it")),
            )
        };
        let joined = from.join(location.trim()).map_err(|_| bad())?;
        self.inner.client.guard().read(joined.as_str()).map(Some)
    }

    /// Sends a request, and retries once after a short pause that the host requests.
    async fn ask_with_retry(&self, url: &Url, request: &Request, headers: &HeaderMap) -> Result<HttpResponse, FetchError> {
        let first = self.ask(url, request, headers).await?;
        let Some(pause) = self.pause(first.status.as_u16(), &first.headers) else { return Ok(first) };
        self.inner.limiter.pause(&host_key(url, request), pause).await;
        if pause > Duration::from_millis(self.inner.config.rate_limit.max_wait_ms) || request.method != Method::GET {
            return Ok(first);
        }
        self.ask(url, request, headers).await
    }

    async fn ask(&self, url: &Url, request: &Request, headers: &HeaderMap) -> Result<HttpResponse, FetchError> {
        let clearance = self.inner.client.guard().check(&request.source, url)?;
        let interval = match request.mode {
            AccessMode::Crawl => self.delay(url, request).await?,
            AccessMode::Api { interval } => interval,
            AccessMode::RobotsTxt => None,
        };
        let server = url.origin().ascii_serialization();
        let admission = self.inner.breaker.admit(&server).map_err(|wait| resting(url, wait))?;
        let _permit = self.inner.limiter.acquire(&host_key(url, request), interval).await?;
        let limit = self.inner.config.http.max_body_bytes;
        let max_bytes = request.max_bytes.map_or(limit, |wanted| wanted.min(limit));
        let (method, body) = (&request.method, request.body.clone());
        let outgoing = HttpRequest { url, clearance, method, headers, body, max_bytes };
        let Exchange { is_answered, result } = self.inner.client.exchange(outgoing).await;
        let silent = |error: &FetchError| matches!(error.reason, FetchFailure::Unreachable | FetchFailure::TimedOut);
        admission.report(!is_answered && result.as_ref().is_err_and(silent));
        result
    }

    /// Crawl delay if longer than the default interval; an error if robots.txt forbids the page.
    async fn delay(&self, url: &Url, request: &Request) -> Result<Option<Duration>, FetchError> {
        Ok(self.site(url, request).await.check(url)?.filter(|delay| *delay > self.inner.limiter.default_interval()))
    }

    /// Rules of the site. robots.txt itself is requested under the address rules only.
    async fn site(&self, url: &Url, request: &Request) -> SiteRules {
        let config = &self.inner.config.robots;
        let load = async {
            let Ok(file) = url.join("/robots.txt") else { return SiteRules::Open };
            let outgoing =
                Request { source: request.source.clone(), mode: AccessMode::RobotsTxt, ..Request::get(file.as_str()) };
            let response = Box::pin(self.follow(file, &outgoing)).await;
            let response =
                response.map(|final_response| (final_response.response.status.as_u16(), final_response.response.body));
            robots::rules_from_response(robots::PRODUCT, response, config).await
        };
        self.inner.robots.site(url, load).await
    }

    /// Pause that the host requests.
    fn pause(&self, status: u16, headers: &HeaderMap) -> Option<Duration> {
        matches!(status, 429 | 503).then(|| self.retry_after(headers)).flatten()
    }

    /// `Retry-After`, capped by the configuration.
    fn retry_after(&self, headers: &HeaderMap) -> Option<Duration> {
        retry_after(headers, (self.inner.now)()).map(|pause| self.inner.limiter.cap_pause(pause))
    }
}

/// `Retry-After` in seconds or as a date.
fn retry_after(headers: &HeaderMap, now: Timestamp) -> Option<Duration> {
    let value = headers.get(RETRY_AFTER)?.to_str().ok()?.trim();
    if let Ok(seconds) = value.parse() {
        return Some(Duration::from_secs(seconds));
    }
    let until = httpdate::parse_http_date(value).ok()?.duration_since(std::time::UNIX_EPOCH).ok()?;
    let now = u64::try_from(now.as_micros()).ok().map(Duration::from_micros)?;
    Some(until.saturating_sub(now))
}

/// Key of the rate limit: the host, and separately its robots.txt.
fn host_key(url: &Url, request: &Request) -> String {
    let host = url.host_str().unwrap_or_default().trim_end_matches('.');
    match request.mode {
        AccessMode::RobotsTxt => format!("{host} robots.txt"),
        AccessMode::Crawl | AccessMode::Api { .. } => host.to_owned(),
    }
}

/// Error of a request that is not sent, because the server did not answer the last ones.
fn resting(url: &Url, wait: Duration) -> FetchError {
    let message = format!(
        "{} did not answer repeatedly and is not asked at the moment; try again in {}.",
        brief(url.host_str().unwrap_or("The server")),
        human_duration(wait)
    );
    FetchError { retry_after_ms: Some(wait.as_millis() as u64), ..FetchError::new(FetchFailure::Unreachable, message) }
}

fn is_redirect(status: StatusCode) -> bool {
    matches!(status.as_u16(), 301 | 302 | 303 | 307 | 308)
}

fn count_failure(error: &FetchError) {
    metrics::counter!("autosint_fetch_failures_total", "reason" => error.reason.as_str()).increment(1);
}
