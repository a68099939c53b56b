//! HTTP client: one request, one response within limits, no redirects, no state except connections.
//!
//! Invariant: no cookies, no proxy from the environment, and connections only as [`dial`] permits.

mod body;
mod config;
mod dial;
mod tls;

pub use config::HttpConfig;
pub use dial::{Resolve, SystemResolver};

use crate::guard::{Clearance, Guard, brief, not_public, refused};
use body::ContentCoding;
use bytes::Bytes;
use dial::{Connector, DialContext, DialError};
use domain::fetch::{FetchError, FetchFailure};
use http_body_util::Full;
use hyper::{
    HeaderMap, Method, Request, Response, StatusCode, Uri,
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
use tokio::{
    net::TcpStream,
    time::{Instant, timeout, timeout_at},
};
use url::Url;

/// `Accept` header: preferred types first, but any type is accepted.
const ACCEPTED: HeaderValue = HeaderValue::from_static("text/html,application/xhtml+xml,application/pdf;q=0.9,*/*;q=0.8");

type HyperClient = Client<HttpsConnector<Connector>, Full<Bytes>>;

/// Cheap handle to the client.
#[derive(Debug, Clone)]
pub(crate) struct HttpClient {
    inner: Arc<Inner>,
}

#[derive(Debug)]
struct Inner {
    config: HttpConfig,
    guard: Guard,
    agent: HeaderValue,
    context: Arc<DialContext>,
    public: HyperClient,
    /// Separate client, so that connections made by an exception serve nothing else.
    excepted: HyperClient,
}

/// Request whose address the guard has checked.
#[derive(Debug, Clone)]
pub(crate) struct HttpRequest<'a> {
    pub url: &'a Url,
    pub clearance: Clearance,
    pub method: &'a Method,
    pub headers: &'a HeaderMap,
    pub body: Bytes,
    pub max_bytes: u64,
}

/// Whole response.
#[derive(Debug, Clone)]
pub(crate) struct HttpResponse {
    pub status: StatusCode,
    pub headers: HeaderMap,
    pub body: Bytes,
}

/// Outcome of one request.
#[derive(Debug)]
pub(crate) struct Exchange {
    /// Whether the head of a response arrived. What then stalls or exceeds a limit comes from a server that answers.
    pub is_answered: bool,
    pub result: Result<HttpResponse, FetchError>,
}

impl HttpClient {
    /// Creates the client; `agent` is its `User-Agent`.
    pub fn new(config: HttpConfig, agent: &str, guard: Guard, resolver: Arc<dyn Resolve>) -> Result<Self, FetchError> {
        let unusable =
            |what: &str| FetchError::new(FetchFailure::BadAddress, format!("The HTTP client cannot be set up: {what}."));
        let agent = HeaderValue::try_from(agent)
            .map_err(|_| unusable("`fetch.contact` contains characters that are invalid in a header"))?;
        let tls = tls::client_config(&config).map_err(|why| unusable(&why))?;
        let connect_timeout = Duration::from_millis(config.connect_timeout_ms);
        let judge = guard.clone();
        let admit = Box::new(move |ip| judge.admit(ip));
        let context = Arc::new(DialContext { admit, resolver, connect_timeout, dials: AtomicU64::new(0) });
        let client = |only_public| build_client(&config, &tls, Connector { context: context.clone(), only_public });
        let inner = Inner { guard, agent, public: client(true), excepted: client(false), context: context.clone(), config };
        Ok(Self { inner: Arc::new(inner) })
    }

    pub fn guard(&self) -> &Guard {
        &self.inner.guard
    }

    /// Connections attempted since the start.
    pub fn dials(&self) -> u64 {
        self.inner.context.dials.load(Ordering::Relaxed)
    }

    /// Opens a raw connection under the address rules, for the browser's proxy. Exceptions hold for the host of `from_page`
    /// only.
    pub async fn connect(
        &self,
        source: &str,
        from_page: Option<&Url>,
        url: &Url,
    ) -> Result<(TcpStream, Clearance), FetchError> {
        let clearance = self.inner.guard.check_followed(source, from_page, url)?;
        let dialer = Connector { context: self.inner.context.clone(), only_public: clearance == Clearance::Public };
        let (host, port) = (url.host_str().unwrap_or_default(), url.port_or_known_default().unwrap_or_default());
        let stream = dialer.connect(host, port).await.map_err(|error| dial_error(url, &error))?;
        Ok((stream, clearance))
    }

    /// Sends one request and reads its response; a redirect is returned as it is.
    pub async fn exchange(&self, outgoing: HttpRequest<'_>) -> Exchange {
        let total_ms = self.inner.config.total_timeout_ms;
        let deadline = Instant::now() + Duration::from_millis(total_ms);
        let too_late = || too_slow("was not complete", total_ms, "total_timeout_ms");
        let head = timeout_at(deadline, self.head(&outgoing)).await.unwrap_or_else(|_| Err(too_late()));
        let response = match head {
            Ok(response) => response,
            Err(error) => return Exchange { is_answered: false, result: Err(error) },
        };
        let read = timeout_at(deadline, self.read(&outgoing, response)).await;
        Exchange { is_answered: true, result: read.unwrap_or_else(|_| Err(too_late())) }
    }

    /// Sends a request and waits for the head of its response.
    async fn head(&self, outgoing: &HttpRequest<'_>) -> Result<Response<Incoming>, FetchError> {
        let client = match outgoing.clearance {
            Clearance::Public => &self.inner.public,
            Clearance::Excepted => &self.inner.excepted,
        };
        let request = self.request(outgoing)?;
        let patience_ms = self.inner.config.first_byte_timeout_ms;
        match timeout(Duration::from_millis(patience_ms), client.request(request)).await {
            Ok(response) => response.map_err(|error| client_error(outgoing.url, &error)),
            Err(_) => Err(too_slow("did not begin", patience_ms, "first_byte_timeout_ms")),
        }
    }

    async fn read(&self, outgoing: &HttpRequest<'_>, response: Response<Incoming>) -> Result<HttpResponse, FetchError> {
        let (head, body) = response.into_parts();
        check_headers(&head.headers, &self.inner.config)?;
        let body = self.body(outgoing, &head.headers, body).await?;
        Ok(HttpResponse { status: head.status, headers: head.headers, body })
    }

    async fn body(&self, outgoing: &HttpRequest<'_>, headers: &HeaderMap, body: Incoming) -> Result<Bytes, FetchError> {
        let encoding = headers.get(CONTENT_ENCODING).and_then(|value| value.to_str().ok()).unwrap_or_default();
        let packing = ContentCoding::from_name(encoding).ok_or_else(|| {
            let message = format!("The response has the unsupported content coding '{}'.", brief(encoding));
            FetchError::new(FetchFailure::Malformed, message)
        })?;
        let stated = headers.get(CONTENT_LENGTH).and_then(|value| value.to_str().ok()?.parse().ok());
        if stated.is_some_and(|stated: u64| stated > outgoing.max_bytes) {
            return Err(body::too_large(stated, outgoing.max_bytes));
        }
        body::read(body, packing, outgoing.max_bytes, &self.inner.config).await
    }

    fn request(&self, outgoing: &HttpRequest<'_>) -> Result<Request<Full<Bytes>>, FetchError> {
        let bad = || refused(outgoing.url, "its address is not valid in a request");
        let uri = Uri::try_from(outgoing.url.as_str()).map_err(|_| bad())?;
        let mut request = Request::new(Full::new(outgoing.body.clone()));
        *request.method_mut() = outgoing.method.clone();
        *request.uri_mut() = uri;
        let headers = request.headers_mut();
        headers.insert(ACCEPT, ACCEPTED);
        headers.insert(ACCEPT_ENCODING, HeaderValue::from_static(ContentCoding::ACCEPTED));
        if let Ok(languages) = HeaderValue::try_from(&self.inner.config.languages) {
            headers.insert(ACCEPT_LANGUAGE, languages);
        }
        headers.extend(outgoing.headers.clone());
        headers.insert(USER_AGENT, self.inner.agent.clone());
        Ok(request)
    }
}

fn build_client(config: &HttpConfig, tls: &ClientConfig, dialer: Connector) -> HyperClient {
    let connector =
        HttpsConnectorBuilder::new().with_tls_config(tls.clone()).https_or_http().enable_all_versions().wrap_connector(dialer);
    // hyper's buffers have a minimum size.
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

/// Enforces both head limits on both protocols; HTTP/2 itself counts bytes only.
fn check_headers(headers: &HeaderMap, config: &HttpConfig) -> Result<(), FetchError> {
    let bytes: usize = headers.iter().map(|(name, value)| name.as_str().len() + value.len() + 4).sum();
    match headers.len() > config.max_headers || bytes > config.max_header_bytes as usize {
        true => Err(FetchError::new(
            FetchFailure::TooLarge,
            format!(
                "The head of the response has more than {} lines or {} bytes (`fetch.http.max_headers`, `max_header_bytes`).",
                config.max_headers, config.max_header_bytes
            ),
        )),
        false => Ok(()),
    }
}

fn too_slow(what: &str, ms: u64, setting: &str) -> FetchError {
    FetchError::new(
        FetchFailure::TimedOut,
        format!("The response {what} within {ms} ms (`fetch.http.{setting}`); try again later."),
    )
}

/// Fetch error from the deepest known cause.
fn client_error(url: &Url, error: &legacy::Error) -> FetchError {
    let host = brief(url.host_str().unwrap_or("the server"));
    let mut cause: Option<&(dyn Error + 'static)> = Some(error);
    while let Some(known) = cause {
        if let Some(dial) = known.downcast_ref::<DialError>() {
            return dial_error(url, dial);
        }
        if let Some(http) = known.downcast_ref::<hyper::Error>()
            && http.is_parse_too_large()
        {
            let message = "The head of the response exceeds the limit (`fetch.http.max_headers`, `max_header_bytes`).";
            return FetchError::new(FetchFailure::TooLarge, message);
        }
        cause = known.source();
    }
    if error.is_connect() {
        let message = format!("{host} has no trusted TLS certificate, or its TLS failed.");
        return FetchError::new(FetchFailure::Unreachable, message);
    }
    FetchError::new(FetchFailure::Malformed, format!("{host} closed the connection, or does not speak HTTP; try again later."))
}

fn dial_error(url: &Url, error: &DialError) -> FetchError {
    let host = brief(url.host_str().unwrap_or("the server"));
    match error {
        DialError::Refused(class) => not_public(url, class),
        DialError::TimedOut => FetchError::new(FetchFailure::TimedOut, format!("{host} does not respond; try again later.")),
        other => {
            if let DialError::Unresolved(cause) = other {
                tracing::debug!(%cause, host, "name resolution failed");
            }
            FetchError::new(FetchFailure::Unreachable, format!("{host} cannot be reached: {other}."))
        }
    }
}
