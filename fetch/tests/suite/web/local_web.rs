//! Web on loopback: a fake resolver, servers, and web access with exceptions for them and without waits.

use crate::{prelude::*, support};
use async_trait::async_trait;
use domain::Timestamp;
use fetch::{Exception, MemoryRateLimiter, RateLimit, RateLimiter, Resolve, Web, WebDeps};
use std::{
    io,
    net::{IpAddr, Ipv4Addr},
    sync::atomic::AtomicI64,
};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::{TcpListener, TcpStream},
    sync::watch,
};

pub const LOOPBACK: IpAddr = IpAddr::V4(Ipv4Addr::LOCALHOST);

/// Resolver with fixed answers. All other names resolve to loopback, where nothing may be reached.
#[derive(Debug, Default)]
pub struct FakeResolver(pub HashMap<String, Vec<IpAddr>>);

#[async_trait]
impl Resolve for FakeResolver {
    async fn resolve(&self, name: &str) -> io::Result<Vec<IpAddr>> {
        Ok(self.0.get(name.trim_end_matches('.')).cloned().unwrap_or_else(|| vec![LOOPBACK]))
    }
}

/// Clock that a test advances.
#[derive(Clone)]
pub struct ManualClock(Arc<AtomicI64>);

impl ManualClock {
    pub fn forward_ms(&self, ms: i64) {
        self.0.fetch_add(ms * 1_000, Ordering::Relaxed);
    }
}

/// Rate limiter that decides as in production but imposes no waits. It records all calls.
#[derive(Debug)]
pub struct RecordingLimiter {
    decide: MemoryRateLimiter,
    pub reserved: watch::Sender<Vec<(String, RateLimit)>>,
    pub paused: Mutex<Vec<(String, Duration)>>,
    /// While true, reservations are recorded but do not return.
    pub is_blocked: watch::Sender<bool>,
}

impl RecordingLimiter {
    /// Intervals of the reservations for a host.
    pub fn intervals(&self, host: &str) -> Vec<Duration> {
        let reserved = self.reserved.borrow();
        reserved.iter().filter(|(key, _)| key == host).map(|(_, limit)| limit.interval).collect()
    }
}

#[async_trait]
impl RateLimiter for RecordingLimiter {
    async fn reserve(&self, key: &str, limit: RateLimit) -> Result<Duration, Duration> {
        self.reserved.send_modify(|reserved| reserved.push((key.to_owned(), limit)));
        self.is_blocked.subscribe().wait_for(|is_blocked| !is_blocked).await.unwrap();
        self.decide.reserve(key, limit).await.map(|_| Duration::ZERO)
    }

    async fn pause(&self, key: &str, pause: Duration) {
        self.paused.lock().unwrap().push((key.to_owned(), pause));
        self.decide.pause(key, pause).await;
    }
}

pub struct WebFixture {
    pub web: Web,
    pub clock: ManualClock,
    pub limiter: Arc<RecordingLimiter>,
    /// Removed with the fixture.
    pub folder: tempfile::TempDir,
}

/// Configuration with an exception for each host and no default interval.
pub fn config(hosts: &[(&str, u16)]) -> FetchConfig {
    let mut config = support::config();
    config.contact = "desk@example.org".into();
    config.rate_limit.interval_ms = 0;
    config.http.exceptions =
        hosts.iter().map(|(host, port)| Exception { source: "web".into(), host: (*host).into(), port: *port }).collect();
    config
}

pub fn web_fixture(config: FetchConfig) -> WebFixture {
    web_with(config, Arc::new(FakeResolver::default()))
}

pub fn web_with(config: FetchConfig, resolver: Arc<dyn Resolve>) -> WebFixture {
    web_in(config, resolver, tempfile::tempdir().unwrap())
}

/// Fixture on the cache of an earlier one.
pub fn web_on(config: FetchConfig, folder: tempfile::TempDir) -> WebFixture {
    web_in(config, Arc::new(FakeResolver::default()), folder)
}

fn web_in(config: FetchConfig, resolver: Arc<dyn Resolve>, folder: tempfile::TempDir) -> WebFixture {
    let clock = ManualClock(Arc::new(AtomicI64::new(1_900_000_000_000_000)));
    let now = clock.clone();
    let limiter = Arc::new(RecordingLimiter {
        decide: MemoryRateLimiter::new(config.rate_limit.max_hosts),
        reserved: watch::Sender::default(),
        paused: Mutex::default(),
        is_blocked: watch::Sender::default(),
    });
    let mut deps = WebDeps::new(
        &config,
        Arc::new(move || Timestamp::from_micros(now.0.load(Ordering::Relaxed))),
        Some(folder.path().join("pages")),
    );
    (deps.resolver, deps.rate_limiter) = (resolver, limiter.clone());
    let documents = Documents::new(config.clone(), ParserPool::new(support::parser(), &config));
    WebFixture { web: Web::new(&config, documents, deps).unwrap(), clock, limiter, folder }
}

/// Starts a server on loopback and returns its port.
pub async fn serve(router: Router) -> u16 {
    let listener = TcpListener::bind((LOOPBACK, 0)).await.unwrap();
    let port = listener.local_addr().unwrap().port();
    tokio::spawn(async move { axum::serve(listener, router).await });
    port
}

/// Starts a server that passes each connection to `talk` once it has received a request. It has no robots.txt.
pub async fn serve_raw<F, T>(talk: F) -> u16
where
    F: Fn(TcpStream) -> T + Send + Sync + 'static,
    T: Future<Output = io::Result<()>> + Send + 'static,
{
    let listener = TcpListener::bind((LOOPBACK, 0)).await.unwrap();
    let port = listener.local_addr().unwrap().port();
    let talk = Arc::new(talk);
    tokio::spawn(async move {
        while let Ok((mut stream, _)) = listener.accept().await {
            let talk = talk.clone();
            tokio::spawn(async move {
                let mut head = [0; 4_096];
                let read = stream.read(&mut head).await.unwrap_or(0);
                if head[..read].starts_with(b"GET /robots.txt ") {
                    let _ = stream.write_all(b"HTTP/1.1 404 Not Found\r\ncontent-length: 0\r\nconnection: close\r\n\r\n").await;
                    return;
                }
                let _ = talk(stream).await;
            });
        }
    });
    port
}

pub fn page(title: &str) -> axum::response::Html<String> {
    let words = "The harbour master said on Tuesday that the gates would stay shut until the inquiry has ended. ".repeat(6);
    axum::response::Html(format!(
        "<html><head><title>{title}</title></head><body><article><h1>{title}</h1><p>{words}</p></article></body></html>"
    ))
}

pub fn header<'a>(headers: &'a HeaderMap, name: &str) -> &'a str {
    headers.get(name).and_then(|value| value.to_str().ok()).unwrap_or_default()
}
