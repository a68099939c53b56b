//! The HTTP client: one request, one answer within limits, no redirect followed, nothing kept but open connections.
//!
//! Invariant: it has no cookies, no proxy of the environment, and connects only as [`dial`] allows.

mod body;
mod config;
mod dial;
mod tls;

pub use config::HttpConfig;
pub use dial::{Resolve, SystemResolver};

use crate::guard::{Clearance, Guard, brief, not_public, refused};
use body::Packing;
use bytes::Bytes;
use dial::{DialError, Dialer, Switchboard};
use domain::fetch::{FetchError, FetchFailure};
use http_body_util::Full;
use hyper::{
    HeaderMap, Method, Request, StatusCode, Uri,
    body::Incoming,
    header::{ACCEPT, ACCEPT_ENCODING, ACCEPT_LANGUAGE, CONTENT_ENCODING, CONTENT_LENGTH, HeaderValue, USER_AGENT},
};
use hyper_rustls::{HttpsConnector, HttpsConnectorBuilder};
use hyper_util::{
    client::legacy::{self, Client},
    rt::{TokioExecutor, TokioTimer},
};
use rustls::ClientConfig;
use std::{
    error::Error,
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    time::Duration,
};
use tokio::{net::TcpStream, time::timeout};
use url::Url;

/// What pages are asked for as; the rest of what a server may have is taken as well.
const ACCEPTED: HeaderValue = HeaderValue::from_static("text/html,application/xhtml+xml,application/pdf;q=0.9,*/*;q=0.8");

type Wire = Client<HttpsConnector<Dialer>, Full<Bytes>>;

/// A cheap handle to the client.
#[derive(Debug, Clone)]
pub(crate) struct HttpClient {
    inner: Arc<Inner>,
}

#[derive(Debug)]
struct Inner {
    config: HttpConfig,
    guard: Guard,
    agent: HeaderValue,
    board: Arc<Switchboard>,
    public: Wire,
    /// Apart, so that a connection that an exception opened serves nothing else.
    excepted: Wire,
}

/// One request, whose address the guard has seen.
#[derive(Debug, Clone)]
pub(crate) struct Ask<'a> {
    pub url: &'a Url,
    pub clearance: Clearance,
    pub method: &'a Method,
    pub headers: &'a HeaderMap,
    pub body: Bytes,
    pub max_bytes: u64,
}

/// The whole answer.
#[derive(Debug, Clone)]
pub(crate) struct Answer {
    pub status: StatusCode,
    pub headers: HeaderMap,
    pub body: Bytes,
}

impl HttpClient {
    /// `agent` is how the program names itself to servers.
    pub fn new(config: HttpConfig, agent: &str, guard: Guard, resolver: Arc<dyn Resolve>) -> Result<Self, FetchError> {
        let unusable =
            |what: &str| FetchError::new(FetchFailure::BadAddress, format!("The HTTP client cannot be set up: {what}."));
        let agent = HeaderValue::try_from(agent).map_err(|_| unusable("`fetch.contact` has characters that no header has"))?;
        let tls = tls::setup(&config).map_err(|why| unusable(&why))?;
        let connect_timeout = Duration::from_millis(config.connect_timeout_ms);
        let judge = guard.clone();
        let admit = Box::new(move |ip| judge.admit(ip));
        let board = Arc::new(Switchboard { admit, resolver, connect_timeout, dials: AtomicU64::new(0) });
        let wire = |only_public| wire(&config, &tls, Dialer { board: board.clone(), only_public });
        let inner = Inner { guard, agent, public: wire(true), excepted: wire(false), board: board.clone(), config };
        Ok(Self { inner: Arc::new(inner) })
    }

    pub fn guard(&self) -> &Guard {
        &self.inner.guard
    }

    /// Connections that were tried since the start.
    pub fn dials(&self) -> u64 {
        self.inner.board.dials.load(Ordering::Relaxed)
    }

    /// A connection as a request would have it, for what speaks to servers by itself, as a browser behind our proxy does.
    /// Exceptions hold for the host of `home` only.
    pub async fn connect(&self, source: &str, home: Option<&Url>, url: &Url) -> Result<(TcpStream, Clearance), FetchError> {
        let clearance = self.inner.guard.led(source, home, url)?;
        let dialer = Dialer { board: self.inner.board.clone(), only_public: clearance == Clearance::Public };
        let (host, port) = (url.host_str().unwrap_or_default(), url.port_or_known_default().unwrap_or_default());
        let stream = dialer.connect(host, port).await.map_err(|error| not_dialled(url, &error))?;
        Ok((stream, clearance))
    }

    /// Sends one request and reads its answer; a redirect is an answer like any other.
    pub async fn exchange(&self, ask: Ask<'_>) -> Result<Answer, FetchError> {
        let config = &self.inner.config;
        match timeout(Duration::from_millis(config.total_timeout_ms), self.talk(ask)).await {
            Ok(answer) => answer,
            Err(_) => Err(too_slow("was not complete", config.total_timeout_ms, "total_timeout_ms")),
        }
    }

    async fn talk(&self, ask: Ask<'_>) -> Result<Answer, FetchError> {
        let config = &self.inner.config;
        let wire = match ask.clearance {
            Clearance::Public => &self.inner.public,
            Clearance::Excepted => &self.inner.excepted,
        };
        let request = self.request(&ask)?;
        let patience = Duration::from_millis(config.first_byte_timeout_ms);
        let response = match timeout(patience, wire.request(request)).await {
            Ok(response) => response.map_err(|error| failed(ask.url, &error))?,
            Err(_) => return Err(too_slow("did not begin", config.first_byte_timeout_ms, "first_byte_timeout_ms")),
        };
        let (head, body) = response.into_parts();
        check_head(&head.headers, config)?;
        let body = self.body(&ask, &head.headers, body).await?;
        Ok(Answer { status: head.status, headers: head.headers, body })
    }

    async fn body(&self, ask: &Ask<'_>, headers: &HeaderMap, body: Incoming) -> Result<Bytes, FetchError> {
        let encoding = headers.get(CONTENT_ENCODING).and_then(|value| value.to_str().ok()).unwrap_or_default();
        let packing = Packing::named(encoding).ok_or_else(|| {
            let message = format!("The answer is packed as '{}', which was not asked for and is not read.", brief(encoding));
            FetchError::new(FetchFailure::Malformed, message)
        })?;
        let stated = headers.get(CONTENT_LENGTH).and_then(|value| value.to_str().ok()?.parse().ok());
        if stated.is_some_and(|stated: u64| stated > ask.max_bytes) {
            return Err(body::too_large(stated, ask.max_bytes));
        }
        body::read(body, packing, ask.max_bytes, &self.inner.config).await
    }

    fn request(&self, ask: &Ask<'_>) -> Result<Request<Full<Bytes>>, FetchError> {
        let bad = || refused(ask.url, "its address cannot be sent as a request");
        let uri = Uri::try_from(ask.url.as_str()).map_err(|_| bad())?;
        let mut request = Request::new(Full::new(ask.body.clone()));
        *request.method_mut() = ask.method.clone();
        *request.uri_mut() = uri;
        let headers = request.headers_mut();
        headers.insert(ACCEPT, ACCEPTED);
        headers.insert(ACCEPT_ENCODING, HeaderValue::from_static(Packing::ACCEPTED));
        if let Ok(languages) = HeaderValue::try_from(&self.inner.config.languages) {
            headers.insert(ACCEPT_LANGUAGE, languages);
        }
        headers.extend(ask.headers.clone());
        headers.insert(USER_AGENT, self.inner.agent.clone());
        Ok(request)
    }
}

fn wire(config: &HttpConfig, tls: &ClientConfig, dialer: Dialer) -> Wire {
    let connector =
        HttpsConnectorBuilder::new().with_tls_config(tls.clone()).https_or_http().enable_all_versions().wrap_connector(dialer);
    // hyper's own buffers have a least size.
    let header_bytes = config.max_header_bytes.max(8_192);
    Client::builder(TokioExecutor::new())
        .pool_timer(TokioTimer::new())
        .timer(TokioTimer::new())
        .pool_idle_timeout(Duration::from_millis(config.pool_idle_ms))
        .pool_max_idle_per_host(config.pool_per_host)
        .http1_max_buf_size(header_bytes as usize)
        .http1_max_headers(config.max_headers)
        .http2_max_header_list_size(header_bytes)
        .build(connector)
}

/// HTTP/2 counts bytes only; both versions are held to both limits.
fn check_head(headers: &HeaderMap, config: &HttpConfig) -> Result<(), FetchError> {
    let bytes: usize = headers.iter().map(|(name, value)| name.as_str().len() + value.len() + 4).sum();
    match headers.len() > config.max_headers || bytes > config.max_header_bytes as usize {
        true => Err(FetchError::new(
            FetchFailure::TooLarge,
            format!(
                "The head of the answer has more than {} lines or {} bytes (`fetch.http.max_headers`, `max_header_bytes`).",
                config.max_headers, config.max_header_bytes
            ),
        )),
        false => Ok(()),
    }
}

fn too_slow(what: &str, ms: u64, setting: &str) -> FetchError {
    FetchError::new(
        FetchFailure::TimedOut,
        format!("The answer {what} within {ms} ms (`fetch.http.{setting}`); try it again later."),
    )
}

/// Why there is no answer, by the deepest cause that is known.
fn failed(url: &Url, error: &legacy::Error) -> FetchError {
    let host = brief(url.host_str().unwrap_or("the server"));
    let mut cause: Option<&(dyn Error + 'static)> = Some(error);
    while let Some(known) = cause {
        if let Some(dial) = known.downcast_ref::<DialError>() {
            return not_dialled(url, dial);
        }
        if let Some(http) = known.downcast_ref::<hyper::Error>()
            && http.is_parse_too_large()
        {
            let message = "The head of the answer is larger than the limit (`fetch.http.max_headers`, `max_header_bytes`).";
            return FetchError::new(FetchFailure::TooLarge, message);
        }
        cause = known.source();
    }
    if error.is_connect() {
        let message = format!("{host} cannot be reached safely: its certificate or its TLS cannot be trusted.");
        return FetchError::new(FetchFailure::Unreachable, message);
    }
    FetchError::new(FetchFailure::Malformed, format!("{host} broke off, or does not speak HTTP; try it again later."))
}

fn not_dialled(url: &Url, error: &DialError) -> FetchError {
    let host = brief(url.host_str().unwrap_or("the server"));
    match error {
        DialError::Refused(class) => not_public(url, class),
        DialError::TimedOut => FetchError::new(FetchFailure::TimedOut, format!("{host} does not answer; try it again later.")),
        other => {
            if let DialError::Unresolved(cause) = other {
                tracing::debug!(%cause, host, "a name was not resolved");
            }
            FetchError::new(FetchFailure::Unreachable, format!("{host} cannot be reached: {other}."))
        }
    }
}
