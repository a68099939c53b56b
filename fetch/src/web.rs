//! The door to the web: every request of Fetch goes through here, under the address rules, robots.txt and the pace of its host.
//!
//! Invariant: each redirect is a request of its own, held to the same rules; what was sent in secret goes to one origin only.

mod browsing;
mod page;
mod request;

pub(crate) use browsing::Shown;
pub use page::WebPage;
pub use request::{Manner, Request, Response};

use crate::{
    FetchConfig,
    cache::PageCache,
    documents::Documents,
    guard::{Clearance, Guard, brief},
    http::{Answer, Ask, HttpClient, Resolve, SystemResolver},
    pace::{Buckets, MemoryBuckets, Pace},
    robots::{self, Robots, Site},
};
use domain::{
    Timestamp,
    fetch::{FetchError, FetchFailure, Hop},
};
use hyper::{
    HeaderMap, Method, StatusCode,
    header::{IF_MODIFIED_SINCE, IF_NONE_MATCH, LOCATION, RETRY_AFTER},
};
use std::{fmt, path::PathBuf, sync::Arc, time::Duration};
use tokio::net::TcpStream;
use url::Url;

/// What the current time is.
pub type Now = Arc<dyn Fn() -> Timestamp + Send + Sync>;

/// What the door needs of the world around it.
pub struct World {
    pub resolver: Arc<dyn Resolve>,
    pub buckets: Arc<dyn Buckets>,
    pub now: Now,
    /// Where copies of pages are kept; none: nowhere.
    pub cache_folder: Option<PathBuf>,
}

impl World {
    /// The resolver of the system, and turns of this process alone.
    pub fn new(config: &FetchConfig, now: Now, cache_folder: Option<PathBuf>) -> Self {
        let buckets = Arc::new(MemoryBuckets::new(config.pace.max_hosts));
        Self { resolver: Arc::new(SystemResolver), buckets, now, cache_folder }
    }
}

/// A cheap handle to the door.
#[derive(Clone)]
pub struct Web {
    inner: Arc<Inner>,
}

struct Inner {
    config: FetchConfig,
    client: HttpClient,
    pace: Pace,
    robots: Robots,
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

/// Where a request came to, and how.
#[derive(Debug)]
struct Arrived {
    url: Url,
    hops: Vec<Hop>,
    answer: Answer,
}

impl Web {
    /// Opens the door; `documents` reads what comes through it. Fails where the configuration cannot be used.
    pub fn new(config: &FetchConfig, documents: Documents, world: World) -> Result<Self, FetchError> {
        let agent = robots::agent(&config.contact);
        let http = config.http_of_sources();
        let client = HttpClient::new(http.clone(), &agent, Guard::new(&http), world.resolver)?;
        let folder = world.cache_folder.filter(|_| config.cache.max_bytes > 0);
        let cache = folder.and_then(|folder| {
            let opened = PageCache::open(folder, config.cache.max_bytes);
            opened.inspect_err(|error| tracing::warn!(%error, "fetched pages are not cached: the folder cannot be used")).ok()
        });
        let inner = Inner {
            client,
            pace: Pace::new(config.pace.clone(), world.buckets),
            robots: Robots::new(&config.robots),
            documents,
            cache,
            now: world.now,
            in_flight: page::in_flight(),
            config: config.clone(),
        };
        Ok(Self { inner: Arc::new(inner) })
    }

    /// Connections that were tried since the start.
    pub fn dials(&self) -> u64 {
        self.inner.client.dials()
    }

    /// Whether an address may be asked for on behalf of a source; gives it as it would be asked for.
    pub fn check(&self, source: &str, url: &str) -> Result<Url, FetchError> {
        let url = self.inner.client.guard().read(url)?;
        self.inner.client.guard().check(source, &url)?;
        Ok(url)
    }

    /// A connection to the host of an address that may be reached, for what speaks to servers by itself. It is on behalf of something at
    /// `home`: to other hosts no exception holds.
    pub(crate) async fn connect(
        &self,
        source: &str,
        home: Option<&Url>,
        url: &Url,
    ) -> Result<(TcpStream, Clearance), FetchError> {
        self.inner.client.connect(source, home, url).await
    }

    /// Sends a request of a source and gives its answer, whatever its status. Only what is asked for by GET follows redirects.
    pub async fn send(&self, request: Request) -> Result<Response, FetchError> {
        let url = self.inner.client.guard().read(&request.url)?;
        let arrived = self.follow(url, &request).await.inspect_err(count_failure)?;
        Ok(Response::new(arrived.url, arrived.hops, arrived.answer))
    }

    async fn follow(&self, mut url: Url, request: &Request) -> Result<Arrived, FetchError> {
        let (mut hops, mut headers) = (vec![], request.headers.clone());
        loop {
            let answer = self.ask_twice(&url, request, &headers).await?;
            if !is_redirect(answer.status) || request.method != Method::GET {
                return Ok(Arrived { url, hops, answer });
            }
            let Some(next) = self.target(&url, &answer)? else { return Ok(Arrived { url, hops, answer }) };
            if hops.len() >= self.inner.config.http.max_redirects as usize {
                let message = format!(
                    "{} led on more than {} times (`fetch.http.max_redirects`) without an answer.",
                    brief(url.host_str().unwrap_or("the page")),
                    self.inner.config.http.max_redirects
                );
                return Err(FetchError::new(FetchFailure::TooLarge, message));
            }
            self.inner.client.guard().led(&request.source, Some(&url), &next)?;
            if next.origin() != url.origin() {
                headers = HeaderMap::new();
            }
            // They are about the page that was asked for, not about the one that it leads to.
            headers.remove(IF_NONE_MATCH);
            headers.remove(IF_MODIFIED_SINCE);
            hops.push(Hop { url: url.to_string(), status: answer.status.as_u16() });
            url = next;
        }
    }

    /// Where a redirect leads; none, where it names nothing.
    fn target(&self, from: &Url, answer: &Answer) -> Result<Option<Url>, FetchError> {
        let Some(location) = answer.headers.get(LOCATION) else { return Ok(None) };
        let location = String::from_utf8_lossy(location.as_bytes());
        let bad = || {
            FetchError::new(
                FetchFailure::Malformed,
                format!("{} leads to what is no address.", from.host_str().unwrap_or("it")),
            )
        };
        let joined = from.join(location.trim()).map_err(|_| bad())?;
        self.inner.client.guard().read(joined.as_str()).map(Some)
    }

    /// Asks; and once more after a pause that the host asks for, where it is short enough.
    async fn ask_twice(&self, url: &Url, request: &Request, headers: &HeaderMap) -> Result<Answer, FetchError> {
        let first = self.ask(url, request, headers).await?;
        let Some(pause) = self.pause(first.status.as_u16(), &first.headers) else { return Ok(first) };
        self.inner.pace.hold(&pace_key(url, request), pause).await;
        if pause > Duration::from_millis(self.inner.config.pace.max_wait_ms) || request.method != Method::GET {
            return Ok(first);
        }
        self.ask(url, request, headers).await
    }

    async fn ask(&self, url: &Url, request: &Request, headers: &HeaderMap) -> Result<Answer, FetchError> {
        let clearance = self.inner.client.guard().check(&request.source, url)?;
        let interval = match request.manner {
            Manner::Crawl => self.delay(url, request).await?,
            Manner::Interface { interval } => interval,
            Manner::Rules => None,
        };
        let _turn = self.inner.pace.turn(&pace_key(url, request), interval).await?;
        let limit = self.inner.config.http.max_body_bytes;
        let max_bytes = request.max_bytes.map_or(limit, |wanted| wanted.min(limit));
        let (method, body) = (&request.method, request.body.clone());
        self.inner.client.exchange(Ask { url, clearance, method, headers, body, max_bytes }).await
    }

    /// What the site wants between two requests, where that is more than usual; an error where it wants none of this.
    async fn delay(&self, url: &Url, request: &Request) -> Result<Option<Duration>, FetchError> {
        Ok(self.site(url, request).await.check(url)?.filter(|delay| *delay > self.inner.pace.usual()))
    }

    /// The rules of the site, asked for as a request of its own that no rules hold for but those of addresses.
    async fn site(&self, url: &Url, request: &Request) -> Site {
        let config = &self.inner.config.robots;
        let load = async {
            let Ok(file) = url.join("/robots.txt") else { return Site::Open };
            let asked = Request { source: request.source.clone(), manner: Manner::Rules, ..Request::get(file.as_str()) };
            let answer = Box::pin(self.follow(file, &asked)).await;
            let answer = answer.map(|arrived| (arrived.answer.status.as_u16(), arrived.answer.body));
            robots::site_of(robots::PRODUCT, answer, config.max_bytes)
        };
        self.inner.robots.site(url, load).await
    }

    /// How long the host wants to be left alone.
    fn pause(&self, status: u16, headers: &HeaderMap) -> Option<Duration> {
        matches!(status, 429 | 503).then(|| self.retry_after(headers)).flatten()
    }

    /// `Retry-After`, as far as it is granted.
    fn retry_after(&self, headers: &HeaderMap) -> Option<Duration> {
        retry_after(headers, (self.inner.now)()).map(|pause| self.inner.pace.granted(pause))
    }
}

/// `Retry-After`, in seconds or as a date.
fn retry_after(headers: &HeaderMap, now: Timestamp) -> Option<Duration> {
    let value = headers.get(RETRY_AFTER)?.to_str().ok()?.trim();
    if let Ok(seconds) = value.parse() {
        return Some(Duration::from_secs(seconds));
    }
    let until = httpdate::parse_http_date(value).ok()?.duration_since(std::time::UNIX_EPOCH).ok()?;
    let now = u64::try_from(now.as_micros()).ok().map(Duration::from_micros)?;
    Some(until.saturating_sub(now))
}

/// What shares one pace: a host, and apart from it its robots.txt.
fn pace_key(url: &Url, request: &Request) -> String {
    let host = url.host_str().unwrap_or_default().trim_end_matches('.');
    match request.manner {
        Manner::Rules => format!("{host} robots.txt"),
        Manner::Crawl | Manner::Interface { .. } => host.to_owned(),
    }
}

fn is_redirect(status: StatusCode) -> bool {
    matches!(status.as_u16(), 301 | 302 | 303 | 307 | 308)
}

fn count_failure(error: &FetchError) {
    metrics::counter!("autosint_fetch_failures_total", "reason" => error.reason.as_str()).increment(1);
}
